import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { plainPng } from '../plain-png.ts'
import { goTo, pages } from './console-pages.ts'
import { chromiumPath, openConsole, type OpenedConsole } from './open-console.ts'

const axePath = fileURLToPath(import.meta.resolve('axe-core/axe.min.js'))
interface AxeResult {
  violations: { id: string; nodes: { html: string }[] }[]
}

/** Returns violations of WCAG 2.2 AA. `rules` selects some of the rules. */
async function violations(page: Page, rules: readonly string[] | null = null): Promise<string[]> {
  const runOnly = rules ?? ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice']
  const found = (await page.evaluate(`axe.run(document, { runOnly: ${JSON.stringify(runOnly)} })`)) as AxeResult
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
}

describe.skipIf(chromiumPath === undefined)('the pages of the console', () => {
  let opened: OpenedConsole
  let taskId: string
  beforeAll(async () => {
    opened = await openConsole()
    const { service } = opened
    const body = { model: 'imgA-5.0', prompt: 'زورق ورقي 🛶 a paper boat' }
    taskId = (await service.request('POST', '/v2/model-center/tasks', { body })).json.id
    await service.startAll()
    await service.complete(taskId, { bytes: plainPng(64, 64) })
    await service.request('POST', '/v2/model-center/tasks', { body })
  })
  afterAll(async () => {
    await opened[Symbol.asyncDispose]()
  })

  it('axe finds no violation on any page in the light theme, and no low contrast in the dark theme', async () => {
    const { page } = await opened.signIn(undefined, { bypassCSP: true, colorScheme: 'light' })
    await page.addScriptTag({ path: axePath })
    const found: string[] = []
    for (const path of [...pages, `tasks/${taskId}`]) {
      await goTo(page, path)
      found.push(...(await violations(page)).map((text) => `${path}: ${text}`))
      await page.emulateMedia({ colorScheme: 'dark' })
      found.push(...(await violations(page, ['color-contrast'])).map((text) => `dark ${path}: ${text}`))
      await page.emulateMedia({ colorScheme: 'light' })
    }
    expect(found).toEqual([])
  }, 120_000)

  it('no page is wider than a screen of 320 pixels', async () => {
    const { page } = await opened.signIn(undefined, { viewport: { width: 320, height: 640 } })
    const wide: string[] = []
    for (const path of [...pages, `tasks/${taskId}`]) {
      await goTo(page, path)
      if (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) wide.push(path)
    }
    expect(wide).toEqual([])
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Tasks' }).click()
    await page.getByRole('heading', { level: 1, name: 'Tasks' }).waitFor()
  })

  it('a dialog asks for the key after the session has ended, and the form then sends the typed values', async () => {
    const { service } = opened
    const { page } = await opened.signIn()
    await page.goto(`${service.origin}/console/models/imgA-5.0`)
    await page.getByRole('textbox', { name: 'Prompt' }).fill('a prompt that must not be lost')
    await service.store.query.deleteFrom('console_sessions').execute()
    await page.getByRole('button', { name: 'Generate' }).click()
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.getByLabel('API key').fill(service.key)
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('status').getByText('Queued').waitFor()
    expect(await page.getByRole('textbox', { name: 'Prompt' }).inputValue()).toBe('a prompt that must not be lost')
    await page.reload()
    await expect.poll(() => page.getByRole('textbox', { name: 'Prompt' }).inputValue()).toBe('a prompt that must not be lost')
  })

  it('the console explains a lost connection, too few credits and a prompt that is too long, and keeps the prompt', async () => {
    const { service } = opened
    const poor = await service.newAccount(0)
    const { page, context } = await opened.signIn(poor.key)
    await page.goto(`${service.origin}/console/models/imgA-5.0`)
    const prompt = page.getByRole('textbox', { name: 'Prompt' })
    await prompt.fill('a paper boat')
    await page.getByText('The account has too few credits for this.').first().waitFor()
    await page.getByRole('button', { name: 'Generate' }).click()
    await page.getByRole('alert').getByText('The account has too few credits for this.').waitFor()
    await prompt.fill('🛶'.repeat(5_001))
    await page.getByText('5,001 / 5,000').waitFor()
    await prompt.fill('x'.repeat(20_000))
    await page.getByText('20,000 / 5,000').waitFor()
    await page.getByText(/prompt must be .*5,000/).waitFor()
    await context.setOffline(true)
    await page.getByText('You are offline.').waitFor()
    await page.getByRole('button', { name: 'Generate' }).click()
    await page.getByRole('alert').getByText('The service cannot be reached.').waitFor()
    expect((await prompt.inputValue()).length).toBe(20_000)
  })

  it("a brand's host shows the name and the color of the brand, its models only, and no product name", async () => {
    const { service } = opened
    const made = await service.request('POST', '/admin/v1/brands', {
      body: { name: 'Northern Lights', hosts: ['localhost'], color: '#1a7f64' },
    })
    await service.brands.setBrandModel(made.json.id, 'vidDq3-turbo', { visibility: 'hidden' })
    const brand = service.brands.find(made.json.id)
    const account = await service.newAccount(10, ['tasks:write', 'tasks:read'], {}, brand ?? { no: 0 })
    const context = await opened.browser.newContext()
    const page = await context.newPage()
    await page.goto(`${service.origin.replace('127.0.0.1', 'localhost')}/console`)
    await page.getByLabel('API key').fill(account.key)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Models' }).waitFor()
    await page.getByRole('link', { name: 'ImgA 5.0 image generation' }).waitFor()
    expect(await page.title()).toContain('Northern Lights')
    expect(await page.getByRole('link', { name: /VidD Q3 Turbo/ }).count()).toBe(0)
    await page.getByRole('link', { name: 'ImgA 5.0 image generation' }).click()
    await page.getByRole('tab', { name: 'Code' }).click()
    await page.getByText('$API_KEY').first().waitFor()
    expect(await page.locator('html').innerText()).not.toMatch(/framegate/i)
    expect(await page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--accent-light')")).toBe('#1a7f64')
  })
})
