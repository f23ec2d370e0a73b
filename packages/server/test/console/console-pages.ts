import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Paths of all pages below `/console/`, without those of tasks. */
export const pages: readonly string[] = [
  'models',
  'models/vidDq3-turbo',
  'compare',
  'gallery',
  'tasks',
  'assets',
  'usage',
  'ledger',
  'keys',
  'webhooks',
  'overview',
  'accounts',
  'accounts/acct_1',
  'brands',
  'definitions',
  'prices',
  'upstreams',
  'routes',
  'attempts',
  'audit',
  'log',
  'books',
]

/**
 * Goes to a page without loading the console again, and waits until the page shows its first data.
 */
export async function goTo(page: Page, path: string): Promise<void> {
  const url = `/console/${path}`
  const current = new URL(page.url()).pathname
  if (current !== url) {
    // The router reuses the element of a page for another object of the same kind.
    const isSameKind = path.includes('/') && current.startsWith(`/console/${path.split('/')[0]}/`)
    if (isSameKind) await goTo(page, 'models')
    // The previous page stays until the script of the next one has arrived.
    await page.evaluate(`
      document.querySelector('main .page').dataset.previous = ''
      history.pushState(null, '', '${url}')
      dispatchEvent(new PopStateEvent('popstate'))`)
    await page.locator('main .page:not([data-previous]) h1').waitFor()
  }
  await expect.poll(() => page.locator('main .loading').count(), { timeout: 15_000 }).toBe(0)
}
