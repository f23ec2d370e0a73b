import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packetVideo } from '../packet-video.ts'
import { openaiKey, openaiProtocol } from '../upstreams/openai.protocol.ts'
import { Simulator } from '../upstreams/simulator.ts'
import { startServiceWithUpstreams, type ServiceWithUpstreams } from '../upstreams/service-with-upstreams.ts'
import { chromiumPath, launchChromium } from '../launch-chromium.ts'

const model = 'vidK O3 Video Generation'
const upstreamError = 'GET /models returned HTTP 401.'

describe.skipIf(chromiumPath === undefined)('the console of a service whose upstream refuses its key', () => {
  let service: ServiceWithUpstreams
  let upstream: Simulator
  let browser: Browser
  let taskId: string
  beforeAll(async () => {
    upstream = await Simulator.open(openaiProtocol)
    upstream.media = await packetVideo()
    service = await startServiceWithUpstreams({ upstreams: {}, routes: [] })
    await requestAdmin('PUT', '/upstreams/studio', { driver: 'openai', base_url: `${upstream.origin}/v1`, api_key: 'sk-wrong' })
    await requestAdmin('PUT', '/routes/kite', { model, upstream: 'studio', upstream_model: 'sora-2' })
    taskId = await service.submit({ model, prompt: 'a kite over dunes', seconds: 5 })
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser.close()
    await service[Symbol.asyncDispose]()
    await upstream[Symbol.asyncDispose]()
  })

  async function requestAdmin(method: string, path: string, body?: object) {
    const response = await service.server.request(method, `/admin/v1${path}`, body)
    // `any` because a test reads the expected fields and fails if they are missing.
    // oxlint-disable-next-line typescript/no-explicit-any
    return (await response.json()) as any
  }

  async function signIn(key: string, path: string): Promise<Page> {
    const page = await browser.newPage({ locale: 'en-US', viewport: { width: 1280, height: 900 } })
    page.setDefaultTimeout(15_000)
    await page.goto(`${new URL(service.server.baseUrl).origin}/console/${path}`)
    await page.getByLabel('API key').fill(key)
    await page.getByRole('button', { name: 'Sign in' }).click()
    return page
  }

  it('the page of a task whose upstream is out of service explains why the task waits and what happens next, and shows clients no names of upstreams', async () => {
    const [{ id }] = (await requestAdmin('GET', '/accounts')).items
    const { key } = await requestAdmin('POST', `/accounts/${id}/keys`, { name: 'web', scopes: ['tasks:write', 'tasks:read'] })
    const page = await signIn(key, `tasks/${taskId}`)
    await page.getByText('The provider of this model does not work at the moment.').waitFor()
    await page.getByText(/^Next attempt to start it: in \d+ seconds?$/).waitFor()
    await page.getByText(/You pay only for a result, and may cancel/).waitFor()
    expect(await page.locator('main').innerText()).not.toMatch(/studio|kite ·/)
  })

  it('a client improves a prompt, sees the price, and restores the previous prompt', async () => {
    const page = await signIn(service.server.apiKey, 'models/imgA-5.0')
    const prompt = page.getByRole('textbox', { name: 'Prompt' })
    await prompt.fill('a paper boat')
    await page.getByRole('button', { name: 'Improve prompt' }).click()
    await page.getByText(/^The prompt was rewritten for 0\.\d+ credits\./).waitFor()
    expect(await prompt.inputValue()).toMatch(/paper boat.{10}/)
    await page.getByRole('button', { name: 'Restore the previous prompt' }).click()
    await expect.poll(() => prompt.inputValue()).toBe('a paper boat')
  })

  it('the overview and the pages of upstreams and routes show the error, its start and a remedy, and a new key resolves it', async () => {
    const page = await signIn(service.server.apiKey, 'overview')
    const incident = page.getByRole('listitem').filter({ hasText: 'studio is out of service' })
    await incident.getByText(upstreamError).waitFor()
    await incident.getByText(/First error: .*ago/).waitFor()
    // The routes of this upstream are not listed in addition to it.
    expect(await page.getByText('kite is out of service').count()).toBe(0)
    await page.getByRole('link', { name: 'Routes' }).click()
    await page.getByRole('row', { name: /kite/ }).getByText(upstreamError).waitFor()
    await page.getByRole('link', { name: 'Upstreams' }).click()
    const row = page.getByRole('row', { name: /studio/ })
    await row.getByText('Out of service').waitFor()
    await row.getByText(/Next trial: in/).waitFor()
    await row.getByText(/^Check the address, the key/).waitFor()
    await row.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('API key').fill(openaiKey)
    await page.getByRole('button', { name: 'Save' }).click()
    await row.getByText('In service').waitFor()
    await page.goto(page.url().replace('upstreams', `tasks/${taskId}`))
    await page.getByText('Completed').first().waitFor()
    expect(await page.getByText('does not work at the moment').count()).toBe(0)
  })
})
