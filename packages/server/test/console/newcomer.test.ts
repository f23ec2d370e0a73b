import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { plainPng } from '../plain-png.ts'
import { packetVideo } from '../packet-video.ts'
import { chromiumPath } from '../launch-chromium.ts'
import { openConsole, type OpenedConsole } from './open-console.ts'

const firstLoadBytesMax = 100_000

describe.skipIf(chromiumPath === undefined)('a newcomer in the console', () => {
  let openedConsole: OpenedConsole
  beforeAll(async () => {
    openedConsole = await openConsole()
  })
  afterAll(async () => {
    await openedConsole[Symbol.asyncDispose]()
  })

  it('a newcomer signs in with a link, which works once', async () => {
    const { service } = openedConsole
    const { page, complaints } = await openedConsole.visit()
    const rows = await service.store.database.selectFrom('api_key_secrets').select('digest').execute()
    const link = `${service.origin}/console/sign-in#code=${service.links.create(rows[0]?.digest ?? '')}`
    await page.goto(link)
    await page.getByRole('heading', { name: 'Models' }).waitFor()
    expect(page.url()).toBe(`${service.origin}/console/models`)
    expect(complaints).toEqual([])
    const secondSession = await openedConsole.visit()
    await secondSession.page.goto('about:blank')
    await secondSession.page.goto(link)
    await secondSession.page.getByText('This sign-in link was used or has expired.').waitFor()
  })

  it('a newcomer generates an image by keyboard alone, and sees the price while typing and the progress of the task', async () => {
    const { service } = openedConsole
    const { page, complaints } = await openedConsole.signIn()
    await page.getByRole('link', { name: 'Models' }).press('Enter')
    await page.getByRole('searchbox', { name: 'Search models' }).fill('imgA-5.0')
    await page.getByRole('link', { name: 'ImgA 5.0 image generation' }).press('Enter')
    await page.getByRole('textbox', { name: 'Prompt' }).pressSequentially('a paper boat')
    await page.getByText('0.04 credits', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Generate' }).press('Enter')
    await page.getByRole('status').getByText('Queued').waitFor()
    const { json } = await service.request('GET', '/v2/model-center/tasks?view=full')
    expect(json.items[0]).toMatchObject({ model: 'imgA-5.0', parameters: { prompt: 'a paper boat', resolution: '1K' } })
    await service.startAll()
    await service.progress(json.items[0].id, 40)
    await page.getByRole('status').getByText('Processing, 40 %').waitFor()
    await service.complete(json.items[0].id, { bytes: plainPng(64, 64) })
    const image = page.getByRole('region', { name: 'Result' }).getByRole('img')
    await image.waitFor()
    await expect.poll(() => page.evaluate("document.querySelector('.result img').naturalWidth")).toBe(64)
    await page.getByRole('status').getByText('Completed').waitFor()
    await page.getByRole('tab', { name: 'Result' }).press('ArrowRight')
    await page.getByText('"prompt":"a paper boat"').waitFor()
    expect(complaints).toEqual([])
  })

  it('on a phone, a newcomer sees the task after pressing "Generate"', async () => {
    const { service } = openedConsole
    const { page, context } = await openedConsole.signIn(undefined, { viewport: { width: 390, height: 844 } })
    await page.goto(`${service.origin}/console/models/vidDq3-turbo`)
    await page.getByRole('textbox', { name: 'Prompt' }).fill('a kite')
    const boxOfResult = async () => {
      const box = await page.getByRole('region', { name: 'Result' }).boundingBox()
      return { top: box?.y ?? 0, bottom: (box?.y ?? 0) + (box?.height ?? Infinity) }
    }
    expect((await boxOfResult()).top).toBeGreaterThan(844)
    const submit = Promise.withResolvers<undefined>()
    await page.route('**/v2/model-center/tasks', async (route) => {
      await submit.promise
      await route.continue()
    })
    await page.getByRole('button', { name: 'Generate' }).click()
    await page.getByRole('button', { name: 'Submitting…' }).waitFor()
    submit.resolve(undefined)
    await page.getByRole('status').getByText('Queued').waitFor()
    await expect.poll(async () => (await boxOfResult()).bottom).toBeLessThanOrEqual(844)
    await context.close()
  })

  it('the region "Result" contains the video of a completed task, and the page of the task shows its timeline and reuses its inputs', async () => {
    const { service } = openedConsole
    const { page, complaints } = await openedConsole.signIn()
    await page.goto(`${service.origin}/console/models/${encodeURIComponent('vidK O3 Video Generation')}`)
    await page.getByRole('textbox', { name: 'Prompt' }).fill('a kite over a field')
    await page.getByRole('button', { name: 'Generate' }).click()
    await page.getByRole('status').getByText('Queued').waitFor()
    const { json } = await service.request('GET', '/v2/model-center/tasks?model=vidK%20O3%20Video%20Generation')
    const { id } = json.items[0]
    await service.startAll()
    await service.complete(id, { durationMs: 5000, bytes: await packetVideo() })
    await page.getByRole('region', { name: 'Result' }).locator('video').waitFor()
    await page.getByRole('link', { name: 'Tasks' }).click()
    await page.getByRole('link', { name: 'a kite over a field' }).click()
    await page.getByRole('heading', { name: 'Timeline' }).waitFor()
    expect(page.url()).toBe(`${service.origin}/console/tasks/${id}`)
    await page.getByRole('link', { name: 'Use these inputs again' }).click()
    await expect.poll(() => page.getByRole('textbox', { name: 'Prompt' }).inputValue()).toBe('a kite over a field')
    // The frames of the video cannot be decoded, so it cannot be played and has no thumbnail.
    expect(complaints.filter((text) => !text.includes('media/'))).toEqual([])
  })

  it('an example fills the form, and a field with an invalid value keeps it and shows the error message of the service', async () => {
    const { service } = openedConsole
    const { page } = await openedConsole.signIn()
    await page.goto(`${service.origin}/console/models/vidDq3-turbo`)
    await page.getByRole('button', { name: 'Generate' }).click()
    await page.getByText('Correct the marked fields.').waitFor()
    expect(await page.getByText(/^prompt is required/).count()).toBe(1)
    await page.getByRole('button', { name: 'Example' }).click()
    await expect.poll(() => page.getByRole('textbox', { name: 'Prompt' }).inputValue()).not.toBe('')
    const seconds = page.getByRole('spinbutton', { name: 'Seconds' })
    await seconds.fill('99')
    await page.getByText(/seconds must be .*16/).waitFor()
    expect(await seconds.inputValue()).toBe('99')
  })

  it('the console is in Chinese if the browser prefers it, and a language that the user selects stays after a reload', async () => {
    const visit = await openedConsole.visit({ locale: 'zh-CN' })
    const { page } = visit
    await page.getByLabel('API 密钥').fill(openedConsole.service.key)
    await page.getByRole('button', { name: '登录' }).click()
    await page.getByRole('link', { name: '模型', exact: true }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('zh-CN')
    await page.getByLabel('语言').first().selectOption('en')
    await page.getByRole('link', { name: 'Models' }).waitFor()
    await page.reload()
    await page.getByRole('link', { name: 'Models' }).waitFor()
  })

  it('the first load has less than 100 kB of compressed scripts and styles, and no product name', async () => {
    const { service } = openedConsole
    const html = await (await fetch(`${service.origin}/console`, { headers: { accept: 'text/html' } })).text()
    const paths = [...html.matchAll(/(?:src|href)="(\/console\/files\/[^"]+)"/g)].map(([, path = '']) => path)
    expect(paths.length).toBeGreaterThan(3)
    let bytes = 0
    for (const path of paths) {
      const text = await (await fetch(service.origin + path)).text()
      expect(text).not.toMatch(/framegate/i)
      bytes += gzipSync(text, { level: 9 }).byteLength
    }
    expect(bytes).toBeLessThan(firstLoadBytesMax)
  })
})
