import { once } from 'node:events'
import { cpSync } from 'node:fs'
import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, launchChromium } from '../../server/test/launch-chromium.ts'
import { plainPng } from '../../server/test/plain-png.ts'
import { bundle } from './bundle.ts'
import { publishedPackage } from './published-package.ts'
import { startService, type Service } from './service.ts'
import { signedDelivery } from './signed-delivery.ts'

const endToEnd = fileURLToPath(new URL('runtimes/end-to-end.js', import.meta.url))

/**
 * Serves an empty page and the script that it loads. Streams of tasks are passed on with the key of
 * the service, because an EventSource cannot send one.
 */
async function startPageServer(script: string) {
  let service: Service | undefined
  const server = createServer(({ url = '', headers }, response) => {
    if (url.endsWith('/events')) {
      const authorization = `Bearer ${service?.apiKey}`
      const passedOn = get(`${service?.baseUrl}${url}`, { headers: { ...headers, authorization } }, (stream) => {
        response.writeHead(stream.statusCode ?? 502, stream.headers)
        stream.pipe(response)
      })
      response.on('close', () => passedOn.destroy())
    } else if (url === '/script.js') response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(script)
    else response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><title>Studio</title>')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close: () => server.close(),
    forwardStreamsTo: (target: Service) => void (service = target),
  }
}

describe.skipIf(chromiumPath === undefined)('the SDK in a browser', { timeout: 120_000 }, () => {
  let browser: Browser
  let pageServer: Awaited<ReturnType<typeof startPageServer>>
  let openService: Service
  let serviceWithoutOrigins: Service
  /** Origin of a page without TLS, where browsers disable powerful features. */
  let origin: string

  beforeAll(async () => {
    using published = publishedPackage()
    cpSync(endToEnd, join(published.project, 'end-to-end.js'))
    const code = `import * as sdk from '@framegate/sdk'
      import { runEndToEnd } from './end-to-end.js'
      globalThis.makeAll = (settings) => runEndToEnd(sdk, settings)
      globalThis.callOnce = ({ baseUrl, apiKey }) => new sdk.Framegate({ baseUrl, apiKey, maxRetries: 0 }).models.list()
        .then(({ items }) => items.length, ({ code }) => code)`
    pageServer = await startPageServer(await bundle(published.project, 'page.js', code, ['browser', 'import']))
    origin = `http://studio.test:${pageServer.port}`
    openService = await startService({ FRAMEGATE_CORS_ORIGINS: `https://other.example,${origin}` })
    pageServer.forwardStreamsTo(openService)
    serviceWithoutOrigins = await startService()
    browser = await launchChromium('--host-resolver-rules=MAP studio.test 127.0.0.1, MAP stranger.test 127.0.0.1')
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    pageServer?.close()
    await openService?.[Symbol.asyncDispose]()
    await serviceWithoutOrigins?.[Symbol.asyncDispose]()
  })

  /** Calls a function of the script in a page of that origin. */
  async function call(name: 'makeAll' | 'callOnce', { baseUrl, apiKey }: Service, from = origin): Promise<unknown> {
    const tab = await browser.newPage()
    await tab.goto(from)
    await tab.addScriptTag({ url: '/script.js', type: 'module' })
    await tab.waitForFunction((requested) => requested in globalThis, name)
    const outcome = await tab.evaluate(
      ([requested, settings]) => (globalThis as unknown as Record<string, (args: object) => unknown>)[requested]?.(settings),
      [name, { baseUrl, apiKey, image: plainPng(8, 8).toString('base64'), delivery: signedDelivery() }] as const,
    )
    await tab.close()
    return outcome
  }

  it('the SDK runs its end-to-end scenario in a page of an origin that the service allows', async () => {
    expect(await call('makeAll', openService)).toEqual({
      lastSeen: 'completed',
      created: 1,
      retries: expect.any(Array),
      contentType: 'image/png',
      isComplete: true,
      breaks: ['connection_failed'],
      isProgressMonotonic: true,
      saved: 'files_unavailable',
      upload: ['frame', true, true],
      streamed: 'failed',
      event: ['task.completed', true],
      webhook: undefined,
      failure: [true, 'content_policy', 'failed'],
      refusal: [400, 'unknown_parameter', 'seconds', 'string'],
      aborted: 'TimeoutError',
      cancelled: 'cancelled',
    })
  })

  it("a browser's EventSource follows a task to its end, and then gets a 204 that stops it from reconnecting", async () => {
    const task = await openService.client.tasks.create({ model: 'imgA-5.0', prompt: 'a kite', simulate: { seconds: 1 } })
    const tab = await browser.newPage()
    await tab.goto(origin)
    const followed = await tab.evaluate(async (path) => {
      const source = new EventSource(path)
      const statuses: string[] = []
      let connections = 0
      source.addEventListener('open', () => (connections += 1))
      source.addEventListener('task', (event) => {
        const { data } = event as unknown as { data: string }
        statuses.push((JSON.parse(data) as { status: string }).status)
      })
      // The connection of a finished stream closes. The browser then reconnects, and gets 204.
      while (source.readyState !== EventSource.CLOSED) await new Promise((resolve) => setTimeout(resolve, 50))
      return { statuses, connections }
    }, `/v2/model-center/tasks/${task.id}/events`)
    await tab.close()
    expect(followed.connections).toBe(1)
    expect(new Set(followed.statuses).size).toBeGreaterThan(1)
    expect(followed.statuses.at(-1)).toBe('completed')
  })

  it('the SDK cannot read responses in a page of an origin that the service does not allow', async () => {
    expect(await call('callOnce', openService)).toBe(20)
    expect(await call('callOnce', openService, `http://stranger.test:${pageServer.port}`)).toBe('connection_failed')
    expect(await call('callOnce', serviceWithoutOrigins)).toBe('connection_failed')
  })
})
