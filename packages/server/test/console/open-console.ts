import type { Browser, BrowserContext, Page } from 'playwright-core'
import { openHttpService, type HttpService, type HttpServiceOptions } from '../http-service.ts'
import { launchChromium } from '../launch-chromium.ts'

/** A service with the console, and a browser. */
export interface OpenedConsole extends AsyncDisposable {
  service: HttpService
  browser: Browser
  /** Opens the console at the sign-in page, in a browser context of its own. */
  visit(options?: Parameters<Browser['newContext']>[0]): Promise<Visit>
  /** Opens the console and signs in. */
  signIn(key?: string, options?: Parameters<Browser['newContext']>[0]): Promise<Visit>
}

export interface Visit {
  context: BrowserContext
  page: Page
  /** Script errors, errors and warnings in the browser's console, and requests to other origins. */
  complaints: string[]
}

export async function openConsole(options: HttpServiceOptions = {}): Promise<OpenedConsole> {
  const service = await openHttpService({ hasConsole: true, ...options })
  const browser = await launchChromium()
  const openedConsole: OpenedConsole = {
    service,
    browser,

    async visit(contextOptions = {}) {
      const context = await browser.newContext({
        viewport: { width: 1280, height: 900 },
        locale: 'en-US',
        reducedMotion: 'reduce',
        ...contextOptions,
      })
      const page = await context.newPage()
      page.setDefaultTimeout(15_000)
      const complaints: string[] = []
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning')
          complaints.push(`${message.text()} (${message.location().url})`)
      })
      page.on('pageerror', (error) => complaints.push(error.message))
      page.on('request', (request) => {
        const url = new URL(request.url())
        if (/^(?:https?|wss?):$/.test(url.protocol) && url.origin !== service.origin) complaints.push(`request to ${url.origin}`)
      })
      await page.goto(`${service.origin}/console`)
      return { context, page, complaints }
    },

    async signIn(key = service.key, contextOptions = {}) {
      const visit = await openedConsole.visit(contextOptions)
      await visit.page.getByLabel('API key').fill(key)
      await visit.page.getByRole('button', { name: 'Sign in' }).click()
      await visit.page.getByRole('heading', { level: 1, name: 'Models' }).waitFor()
      return visit
    },

    async [Symbol.asyncDispose]() {
      await browser.close()
      await service[Symbol.asyncDispose]()
    },
  }
  return openedConsole
}
