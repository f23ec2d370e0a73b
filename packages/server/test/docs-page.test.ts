import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openHttpService, type HttpService } from './http-service.ts'
import { chromiumPath, launchChromium } from './launch-chromium.ts'
import { plainPng } from './plain-png.ts'

let service: HttpService
beforeAll(async () => {
  service = await openHttpService()
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
})

describe('the files of the docs page', () => {
  it.each(['', '/start.js', '/viewer.js'])(
    'the page at {base_url}/docs%s forbids scripts, connections and frames from other origins',
    async (path) => {
      const response = await fetch(`${service.baseUrl}/docs${path}`)
      const { status, headers } = response
      // The response must be read, because its connection stays open until then, and the service
      // waits for open connections when it closes.
      await response.text()
      expect(status).toBe(200)
      const policy = headers.get('content-security-policy')
      for (const rule of ["default-src 'none'", "script-src 'self';", "connect-src 'self';", "frame-ancestors 'none'"]) {
        expect(policy).toContain(rule)
      }
      expect(policy).not.toMatch(/http|\*/)
      expect([headers.get('x-content-type-options'), headers.get('referrer-policy')]).toEqual(['nosniff', 'no-referrer'])
    },
  )

  it('the docs page is also served at its path with a trailing slash', async () => {
    const response = await fetch(`${service.baseUrl}/docs/`)
    await response.text()
    const { url, status } = response
    expect([url, status]).toEqual([`${service.baseUrl}/docs`, 200])
  })

  it('the viewer script is compressed for clients that accept gzip, and a known ETag gets 304', async () => {
    const url = `${service.baseUrl}/docs/viewer.js`
    const plain = await fetch(url, { headers: { 'accept-encoding': 'identity' } })
    const gzipped = await fetch(url, { headers: { 'accept-encoding': 'br, gzip' } })
    expect([plain.headers.get('content-encoding'), gzipped.headers.get('content-encoding')]).toEqual([null, 'gzip'])
    expect(await gzipped.text()).toBe(await plain.text())
    expect(Number(gzipped.headers.get('content-length'))).toBeLessThan(Number(plain.headers.get('content-length')) / 3)
    const repeated = await fetch(url, { headers: { 'if-none-match': plain.headers.get('etag') ?? '' } })
    expect(repeated.status).toBe(304)
  })
})

describe.skipIf(chromiumPath === undefined)('the docs page in a browser', () => {
  let browser: Browser
  let page: Page
  const requested: string[] = []
  const consoleErrors: string[] = []

  beforeAll(async () => {
    browser = await launchChromium()
    page = await browser.newPage({ viewport: { width: 1400, height: 1000 } })
    page.on('request', (request) => requested.push(request.url()))
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') consoleErrors.push(message.text())
    })
    page.on('pageerror', (error) => consoleErrors.push(error.message))
    await page.goto(`${service.baseUrl}/docs`)
  }, 60_000)
  afterAll(async () => {
    await browser.close()
  })

  it('the docs page shows the operations on tasks and an error code', async () => {
    await page.getByRole('heading', { name: 'Framegate', exact: true }).waitFor()
    for (const summary of ['Submit a task', 'Query a task', 'Quote a task']) {
      await page
        .getByRole('link', { name: new RegExp(summary) })
        .first()
        .waitFor()
    }
    expect(await page.locator('body').innerText()).toContain('brand_model_missing')
  })

  it.each([1280, 390])('on a screen of %s pixels, the table of errors breaks no code', async (width) => {
    const resized = await browser.newPage({ viewport: { width, height: 800 } })
    await resized.goto(`${service.baseUrl}/docs`)
    await resized.getByRole('columnheader', { name: 'Meaning' }).first().waitFor()
    const brokenCodes = await resized.evaluate(`[...document.querySelectorAll('td code')]
      .filter((code) => code.textContent === code.closest('td').textContent && code.getClientRects().length > 1)
      .map((code) => code.textContent)`)
    expect(brokenCodes).toEqual([])
    expect(await resized.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    await resized.close()
  })

  it('the docs page sends an authorized request and shows the response', { timeout: 60_000 }, async () => {
    await page.getByPlaceholder('Token').first().fill(service.key)
    await page
      .getByRole('link', { name: /Submit a task/ })
      .first()
      .click()
    await page
      .getByRole('button', { name: /Test Request/ })
      .first()
      .click()
    const [response] = await Promise.all([
      page.waitForResponse((response) => response.request().method() === 'POST'),
      page.getByRole('button', { name: /^Send/ }).first().click(),
    ])
    const request = response.request()
    expect([response.status(), new URL(request.url()).pathname]).toEqual([202, '/api/v2/model-center/tasks'])
    expect(await request.headerValue('authorization')).toBe(`Bearer ${service.key}`)
    const { id } = (await response.json()) as { id: string }
    await page.getByText(id).first().waitFor()
    await page.getByText('202 Accepted').first().waitFor()
    expect((await service.request('GET', `/v2/model-center/tasks/${id}`)).json.status).toBe('queued')
  })

  it('the docs page contacts no other host, logs no error and stores no key', async () => {
    const hosts = new Set(requested.filter((url) => /^(https?|wss?):/.test(url)).map((url) => new URL(url).origin))
    expect([...hosts]).toEqual([service.origin])
    expect(consoleErrors).toEqual([])
    const storageState = await page.context().storageState({ indexedDB: true })
    expect(JSON.stringify(storageState)).not.toContain(service.key)
  })

  it(
    'the docs page of a brand shows the brand, the requested address and a model of the brand',
    { timeout: 60_000 },
    async () => {
      const created = await service.request('POST', '/admin/v1/brands', {
        body: {
          name: 'Northern <Lights>',
          hosts: ['localhost'],
          color: '#1a7f64',
          logo: `data:image/png;base64,${plainPng(64, 32).toString('base64')}`,
        },
      })
      await service.brands.setBrandModel(created.json.id, 'imgA-5.0', { visibility: 'hidden' })
      const brandPage = await browser.newPage({ viewport: { width: 1400, height: 1000 } })
      const base = service.baseUrl.replace('127.0.0.1', 'localhost')
      await brandPage.goto(new URL(base).origin, { waitUntil: 'domcontentloaded' })
      expect(brandPage.url()).toBe(`${base}/docs`)
      await brandPage.getByRole('heading', { name: 'Northern <Lights>', exact: true }).waitFor()
      expect(await brandPage.title()).toBe('Northern <Lights>: API reference')
      expect(await brandPage.evaluate("document.querySelector('header img').naturalWidth")).toBe(64)
      const text = await brandPage.locator('body').innerText()
      expect(text).not.toMatch(/framegate|specification|\/admin\//i)
      expect(text).toContain(`curl ${base}/v2/model-center/tasks`)
      expect(text).not.toContain('{base_url}/v2')
      const [, exampleModel = ''] = /-d '\{"model": "([^"]+)"/.exec(text) ?? []
      const brand = service.brands.find(created.json.id)
      expect(brand?.catalogue.find(exampleModel)?.availability.available).toBe(true)
      const accent = "getComputedStyle(document.body).getPropertyValue('--scalar-color-accent')"
      expect(String(await brandPage.evaluate(accent)).trim()).toBe('#1a7f64')
      await brandPage.close()
    },
  )
})
