import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addConsoleData } from './console-data.ts'
import { dialogs, hasOpenerFocus, openDialog } from './console-dialogs.ts'
import { goTo, pages } from './console-pages.ts'
import { chromiumPath } from '../launch-chromium.ts'
import { openConsole, type OpenedConsole } from './open-console.ts'

/** The dialogs that axe inspects: by default one of each kind, because each takes a second. */
const axeDialogs =
  process.env['FRAMEGATE_LONG_TESTS'] === '1'
    ? dialogs
    : dialogs.filter(([path, opener]) =>
        ['keys Edit', 'keys Revoke', 'brands Edit', 'routes Explain', 'routes Try kite later'].includes(`${path} ${opener}`),
      )
const axePath = fileURLToPath(import.meta.resolve('axe-core/axe.min.js'))
interface AxeResult {
  violations: { id: string; nodes: { html: string }[] }[]
}

/** Saves a screenshot in the folder that `FRAMEGATE_SCREENSHOTS` names. No effect without it. */
async function captureScreenshot(page: Page, name: string): Promise<void> {
  const folder = process.env['FRAMEGATE_SCREENSHOTS']
  if (folder === undefined) return
  await page.screenshot({ path: path.join(folder, `${name.replaceAll(/[^\w.]+/g, '-')}.png`), fullPage: true })
}

/**
 * Returns violations of WCAG 2.2 AA and of axe's best practices in the light theme, and too low
 * contrast in the dark theme.
 */
async function findViolations(page: Page, name: string, context = 'document'): Promise<string[]> {
  const violationsFound: string[] = []
  for (const [theme, rules] of [
    ['light', ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice']],
    ['dark', ['color-contrast']],
  ] as const) {
    await page.emulateMedia({ colorScheme: theme })
    await captureScreenshot(page, `${name} ${theme}`)
    const result = (await page.evaluate(
      `axe.run(${context}, { resultTypes: ['violations'], runOnly: ${JSON.stringify(rules)} })`,
    )) as AxeResult
    violationsFound.push(...result.violations.map(({ id, nodes }) => `${name}, ${theme}: ${id}: ${nodes[0]?.html}`))
  }
  await page.emulateMedia({ colorScheme: 'light' })
  return violationsFound
}

/**
 * Source of a script that records the elements that receive the focus, and those whose focus is
 * not visible. The neighbor or the label of a control may show its focus.
 */
const focusRecorder = `
  // Focus stops of a date field: day, month, year, hour, minute, AM or PM, and the button of the
  // picker.
  globalThis.stopsInDates = 7
  globalThis.focused = { all: new Set(), unseen: [] }
  addEventListener('focusin', ({ target }) => {
    focused.all.add(target)
    if (target.matches('h1, main')) return
    const drawn = [target, target.nextElementSibling, target.closest('label')].filter((element) => element !== null)
    const isSeen = ({ outlineStyle, outlineWidth }) => outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2
    if (!drawn.some((element) => isSeen(getComputedStyle(element)))) focused.unseen.push(target.outerHTML.slice(0, 120))
  })`

/**
 * Source of a function that returns the controls in an element that the Tab key must reach. Of a
 * group of radio buttons, this is the checked one.
 */
const findControls = `(root) => [...root.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')]
  .filter((element) => !element.disabled && element.tabIndex >= 0 && element.checkVisibility({ visibilityProperty: true }))
  .filter((element) => element.type !== 'radio' || element.checked)`

/**
 * Presses the Tab key this many times. The browser receives all presses at once and handles them in
 * order, so that it does not draw the page after each of them.
 */
async function pressTab(page: Page, times: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const key = { key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9 }
  const events = Array.from({ length: times }, () => ['rawKeyDown', 'keyUp'] as const).flat()
  await Promise.all(events.map((type) => session.send('Input.dispatchKeyEvent', { type, ...key })))
  await session.detach()
}

const walksMax = 5

/**
 * Presses Tab through an element, and returns messages about controls that were not reached or do
 * not show the focus. Starts again, up to five times in all, if data arrives and the controls
 * change.
 */
async function walkFocus(page: Page, selector: string, enter = async (): Promise<void> => {}): Promise<string[]> {
  for (let walk = 1; ; walk++) {
    await enter()
    const presses = (await page.evaluate(`
      focused.all.clear()
      focused.unseen.length = 0
      focused.all.add(document.activeElement)
      focused.controls = (${findControls})(document.querySelector('${selector}'))
      focused.controls.reduce((sum, { type }) => sum + (type === 'date' || type === 'datetime-local' ? stopsInDates : 1), 0)`)) as number
    await pressTab(page, presses + 1)
    const { hasChanged, problems } = (await page.evaluate(`{
      const now = (${findControls})(document.querySelector('${selector}'))
      ;({
        hasChanged: now.length !== focused.controls.length || now.some((element, at) => element !== focused.controls[at]),
        problems: [
          ...now
            .filter((element) => !focused.all.has(element))
            .map((element) => 'not reached: ' + element.outerHTML.slice(0, 120)),
          ...focused.unseen.map((html) => 'no visible focus: ' + html),
        ],
      })
    }`)) as { hasChanged: boolean; problems: string[] }
    if (!hasChanged || walk === walksMax) return problems
  }
}

describe.skipIf(chromiumPath === undefined)('accessibility of the console', () => {
  let openedConsole: OpenedConsole
  let allPages: readonly string[]
  beforeAll(async () => {
    openedConsole = await openConsole()
    allPages = [...pages, ...(await addConsoleData(openedConsole.service))]
  })
  afterAll(async () => {
    await openedConsole[Symbol.asyncDispose]()
  })

  it('axe finds no violation in the light theme and sufficient contrast in the dark theme, on every page, in a dialog of each kind and in the palette', async () => {
    const { page } = await openedConsole.signIn(undefined, { bypassCSP: true })
    await page.addScriptTag({ path: axePath })
    const violationsFound: string[] = []
    for (const name of [...allPages, 'nothing']) {
      await goTo(page, name)
      violationsFound.push(...(await findViolations(page, name)))
    }
    for (const [path, opener] of axeDialogs) {
      const dialog = await openDialog(page, path, opener)
      violationsFound.push(...(await findViolations(page, `${path}, ${opener}`, "document.querySelector('dialog[open]')")))
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
    }
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /^Type a page/ }).fill('a')
    violationsFound.push(...(await findViolations(page, 'command palette', "document.querySelector('dialog[open]')")))
    expect(violationsFound).toEqual([])
  }, 120_000)

  it('axe finds no violation on the sign-in page and on a page that the key may not open', async () => {
    const { key } = await openedConsole.service.newAccount(0, ['tasks:read'])
    const { page } = await openedConsole.visit({ bypassCSP: true })
    await page.addScriptTag({ path: axePath })
    const violationsFound = await findViolations(page, 'sign-in')
    await page.getByLabel('API key').fill(key)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { level: 1, name: 'Models' }).waitFor()
    await goTo(page, 'accounts')
    await page.getByRole('heading', { level: 1, name: 'Permission missing' }).waitFor()
    violationsFound.push(...(await findViolations(page, 'forbidden')))
    expect(violationsFound).toEqual([])
  })

  it('the Tab key reaches every control of every page, and each shows that it has the focus', async () => {
    const { page } = await openedConsole.signIn()
    await page.evaluate(focusRecorder)
    const violationsFound: string[] = []
    await page.evaluate('document.activeElement.blur()')
    violationsFound.push(...(await walkFocus(page, 'body')).map((text) => `frame: ${text}`))
    for (const path of allPages) {
      await goTo(page, path)
      // The skip link leads past the navigation.
      const problems = await walkFocus(page, 'main', () => page.locator('.skip-link').press('Enter'))
      violationsFound.push(...problems.map((text) => `${path}: ${text}`))
    }
    expect(violationsFound).toEqual([])
  }, 120_000)

  it('every dialog opens with Enter, keeps the focus, closes with Escape and returns the focus to its button', async () => {
    const { page } = await openedConsole.signIn()
    await page.evaluate(focusRecorder)
    const violationsFound: string[] = []
    for (const [path, opener] of dialogs) {
      const dialog = await openDialog(page, path, opener)
      const problems = await walkFocus(page, 'dialog[open]')
      const focusedBehind = (await page.evaluate(
        "[...focused.all].filter((element) => element !== document.body && element.closest('dialog') === null).length",
      )) as number
      if (focusedBehind > 0) problems.push(`${focusedBehind} elements behind it had the focus`)
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      if (!(await page.evaluate(hasOpenerFocus))) problems.push('the focus was not returned')
      violationsFound.push(...problems.map((text) => `${path}, ${opener}: ${text}`))
    }
    expect(violationsFound).toEqual([])
  }, 120_000)

  it('every dialog with a form opens with the focus in its first field', async () => {
    const { page } = await openedConsole.signIn()
    const otherFocus: string[] = []
    // The fields of the dialog "Visibility" appear when the models have loaded.
    for (const [path, opener] of dialogs.filter(([, name]) => name !== 'Visibility')) {
      const dialog = await openDialog(page, path, opener)
      const focusedElement = (await page.evaluate(`(() => {
        const field = document.querySelector('dialog[open] :is(input:not([type=radio]:not(:checked)), select, textarea):enabled')
        return field === null || field === document.activeElement ? null : document.activeElement.outerHTML.slice(0, 120)
      })()`)) as string | null
      if (focusedElement !== null) otherFocus.push(`${path}, ${opener}: ${focusedElement}`)
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
    }
    expect(otherFocus).toEqual([])
  }, 120_000)

  it('the focus returns to the button of a form after its confirmation dialog is answered with the keyboard', async () => {
    const { page } = await openedConsole.signIn()
    const dialog = await openDialog(page, 'accounts/acct_1', 'Grant credits')
    await page.getByRole('spinbutton', { name: 'Credits' }).fill('5')
    await page.keyboard.press('Enter')
    const question = page.getByRole('dialog').filter({ hasText: 'Change the balance of acct_1' }).last()
    await question.getByRole('button', { name: 'Grant credits' }).press('Enter')
    await dialog.first().waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate(hasOpenerFocus)).toBe(true)
  })

  it('no page is wider than a screen of 320 pixels, and the menu leads to another page', async () => {
    const { page } = await openedConsole.signIn(undefined, { viewport: { width: 320, height: 640 } })
    const tooWidePages: string[] = []
    for (const path of allPages) {
      await goTo(page, path)
      if (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) tooWidePages.push(path)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await captureScreenshot(page, `phone ${path} ${colorScheme}`)
      }
    }
    expect(tooWidePages).toEqual([])
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Tasks' }).click()
    await page.getByRole('heading', { level: 1, name: 'Tasks' }).waitFor()
  })
})
