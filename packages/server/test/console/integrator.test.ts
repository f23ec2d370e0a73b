import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { plainPng } from '../plain-png.ts'
import { chromiumPath, openConsole, type OpenedConsole } from './open-console.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../../..', import.meta.url))
/** Characters that a shell, JSON or Python would change if a sample did not quote them. */
const prompt = `it's a "blue" $HOME \\ boat\n\`second\` line 🛶`

describe.skipIf(chromiumPath === undefined)('an integrator in the console', () => {
  let opened: OpenedConsole
  let page: Page
  let completing: ReturnType<typeof setInterval>
  beforeAll(async () => {
    opened = await openConsole()
    ;({ page } = await opened.signIn())
    // Takes the place of the dispatcher.
    completing = setInterval(() => void completeAll(), 200)
  })
  afterAll(async () => {
    clearInterval(completing)
    await opened[Symbol.asyncDispose]()
  })

  async function completeAll(): Promise<void> {
    const { json } = await opened.service.request('GET', '/v2/model-center/tasks?status=queued')
    await opened.service.startAll()
    for (const { id } of json.items) await opened.service.complete(id, { bytes: plainPng(8, 8) }).catch(() => undefined)
  }

  async function sampleIn(language: string): Promise<string> {
    await page.getByRole('radio', { name: language }).check({ force: true })
    return await page.locator('.code-view .code-block').innerText()
  }

  async function newestPrompt(): Promise<unknown> {
    const { json } = await opened.service.request('GET', '/v2/model-center/tasks?view=full&limit=1')
    return json.items[0].parameters.prompt
  }

  it.each([
    ['curl', 'bash', ['-c']],
    ['Python', 'python3', ['-c']],
    ['MCP', 'bash', ['-c']],
    ['TypeScript', process.execPath, ['--input-type=module', '-e']],
  ])('the code sample in %s runs as pasted and sends the prompt of the form unchanged', async (language, program, args) => {
    const { service } = opened
    await page.goto(`${service.origin}/console/models/imgA-5.0`)
    await page.getByRole('textbox', { name: 'Prompt' }).fill(`${prompt} ${language}`)
    await page.getByRole('tab', { name: 'Code' }).click()
    const code = await sampleIn(language)
    const { stdout } = await run(program, [...args, code], {
      cwd: root,
      env: { ...process.env, FRAMEGATE_API_KEY: service.key },
      timeout: 60_000,
    })
    expect(stdout).toContain('/media/')
    expect(await newestPrompt()).toBe(`${prompt} ${language}`)
  })

  it('filters are part of the address, and a shared address shows the same list', async () => {
    await page.getByRole('link', { name: 'Tasks' }).click()
    await page.getByRole('radio', { name: 'Failed' }).check({ force: true })
    await page.getByText('No task matches these filters.').waitFor()
    expect(page.url()).toContain('status=failed')
    await page.reload()
    await page.getByText('No task matches these filters.').waitFor()
  })

  it('an integrator adds a webhook, and sees its secret once', async () => {
    await page.getByRole('link', { name: 'Webhooks' }).click()
    await page.getByRole('button', { name: 'Add a webhook' }).click()
    await page.getByLabel('Address').fill('http://not-secure.example')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByText(/url must be/).waitFor()
    await page.getByLabel('Address').fill('https://hooks.example.com/films')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByText(/^whsec_/).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('heading', { name: 'https://hooks.example.com/films' }).waitFor()
    expect(await page.getByText(/^whsec_/).count()).toBe(0)
  })
})
