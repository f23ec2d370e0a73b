import type { Locator, Page } from 'playwright-core'
import { goTo } from './console-pages.ts'

/** Dialogs of the console: the path of their page, and the button that opens them. */
export const dialogs: readonly (readonly [path: string, opener: string])[] = [
  ['assets', 'Import from an address'],
  ['assets', 'Delete reference.png'],
  ['ledger', 'Low balance'],
  ['keys', 'Create a key'],
  ['keys', 'Edit'],
  ['keys', 'Rotate'],
  ['keys', 'Revoke'],
  ['webhooks', 'Add a webhook'],
  ['webhooks', 'Disable'],
  ['webhooks', 'Edit'],
  ['webhooks', 'Replace the secret'],
  ['webhooks', 'Delete'],
  ['accounts', 'Create an account'],
  ['accounts/acct_1', 'Grant credits'],
  ['accounts/acct_1', 'Correct the balance'],
  ['accounts/acct_1', 'Suspend'],
  ['accounts/acct_1', 'Close account'],
  ['brands', 'Create a brand'],
  ['brands', 'Edit'],
  ['brands', 'Visibility'],
  ['definitions', 'Import a model'],
  ['definitions', 'Edit'],
  ['definitions', 'Delete'],
  ['prices', 'Set a price'],
  ['upstreams', 'Add a provider'],
  ['upstreams', 'Edit'],
  ['upstreams', 'Remove'],
  ['routes', 'Add a route'],
  ['routes', 'Explain'],
  ['routes', 'Try kite later'],
  ['routes', 'Edit'],
  ['routes', 'Remove'],
  ['attempts', 'Run it'],
  ['attempts', 'Fail it'],
  ['attempts', 'Resolve'],
]

/** Expression in a page: whether the button that opened the last dialog has the focus. */
export const hasOpenerFocus = "document.activeElement.hasAttribute('data-opener')"

/** Opens a dialog with the keyboard. */
export async function openDialog(page: Page, path: string, opener: string): Promise<Locator> {
  await goTo(page, path)
  const button = page.locator('main').getByRole('button', { name: opener, exact: true }).first()
  await button.focus()
  await page.evaluate("document.activeElement.setAttribute('data-opener', '')")
  await button.press('Enter')
  const dialog = page.locator('dialog[open]')
  await dialog.waitFor()
  await dialog.locator('.loading').waitFor({ state: 'detached' })
  return dialog
}
