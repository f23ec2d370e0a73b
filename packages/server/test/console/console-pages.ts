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

/** Goes to a page without loading the console again, and waits until it is drawn. */
export async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', '/console/${path}'); dispatchEvent(new PopStateEvent('popstate'))`)
  await page.locator('main h1').waitFor()
  await expect.poll(() => page.locator('main .loading').count(), { timeout: 15_000 }).toBe(0)
  await page.waitForLoadState('networkidle')
}
