import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import path from 'node:path'
import type { Task } from '@framegate/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { packetVideo } from './packet-video.ts'
import { klingKey, klingProtocol } from './upstreams/kling.protocol.ts'
import { openaiKey, openaiProtocol } from './upstreams/openai.protocol.ts'
import { Simulator } from './upstreams/simulator.ts'
import { startServiceWithUpstreams, type ServiceWithUpstreams } from './upstreams/service-with-upstreams.ts'

// This test starts a service at the maximum log level, with secrets in its settings, requests and
// upstreams. It searches the service's output for them: both output streams, the log, the traces
// and every response except for those that return a secret.

const publicUrl = 'https://gate.example'
const videoModel = 'vidK O3 Video Generation'
const imageModel = 'imgA-5.0'
const planted = {
  fromEnvironment: 'sk-environment-aFG7p2mQ9vX4',
  storedUpstream: 'sk-stored-Zk31hhPqL8wN',
  metricsToken: 'token-of-metrics-hT5rWx0Lm2',
  collectorToken: 'token-of-collector-Yb8KeV3zQ1',
  wrongKey: `fg_live_${'W'.repeat(43)}`,
}

let collector: Server
let collectedBytes = 0
let kling: Simulator
let openai: Simulator
let service: ServiceWithUpstreams
let output = ''
const secrets = new Map<string, string>(Object.entries(planted))

beforeAll(async () => {
  kling = await Simulator.open(klingProtocol)
  openai = await Simulator.open(openaiProtocol)
  for (const upstream of [kling, openai]) {
    upstream.callBack = null
    upstream.moves = ['succeeded']
  }
  service = await startServiceWithUpstreams(
    {
      upstreams: {
        kling: { driver: 'kling', base_url: kling.origin, api_key: klingKey },
        openai: { driver: 'openai', base_url: `${openai.origin}/v1`, api_key: openaiKey },
        spare: { driver: 'openai', base_url: `${openai.origin}/v1`, api_key: '${PLANTED_KEY}' },
      },
      routes: [
        { model: videoModel, upstream: 'kling', upstream_model: 'kling-v2-6' },
        { model: imageModel, upstream: 'openai', upstream_model: 'gpt-image-1' },
        { model: 'vidG_video3', upstream: 'spare', upstream_model: 'sora-2' },
      ],
    },
    {
      FRAMEGATE_PUBLIC_URL: publicUrl,
      LOG_LEVEL: 'trace',
      PLANTED_KEY: planted.fromEnvironment,
      FRAMEGATE_METRICS_TOKEN: planted.metricsToken,
      OTEL_EXPORTER_OTLP_ENDPOINT: await startCollector(),
      OTEL_EXPORTER_OTLP_HEADERS: `x-token=${planted.collectorToken}`,
    },
  )
  const { server } = service
  server.process.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  secrets.set('bootstrap key', server.apiKey).set('key of kling', klingKey).set('key of openai', openaiKey)
  const [signing] = service.rows("select value from settings where name = 'url_signing_key'")
  const signingKey = Buffer.from(String(signing?.['value']), 'base64')
  const encryptionKey = Buffer.from(readFileSync(path.join(service.dataDir, 'seal.key'), 'utf8'), 'base64')
  for (const [name, key] of Object.entries({ signing: signingKey, seal: encryptionKey })) {
    for (const form of ['base64', 'base64url', 'hex'] as const) secrets.set(`${name} key, ${form}`, key.toString(form))
  }
})
afterAll(async () => {
  collector.close()
  await kling[Symbol.asyncDispose]()
  await openai[Symbol.asyncDispose]()
})

/** Starts a collector of traces and returns its URL. */
async function startCollector(): Promise<string> {
  collector = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => {
      collectedBytes += chunk.length
      output += chunk.toString('latin1')
    })
    request.on('end', () => response.end('{}'))
  })
  collector.listen(0, '127.0.0.1')
  await once(collector, 'listening')
  return `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
}

/**
 * Sends a request and records the response, including its headers. It is not used for requests that
 * return a secret.
 */
async function send(method: string, apiPath: string, body?: unknown, headers?: Record<string, string>): Promise<Response> {
  const response = await service.server.request(method, apiPath, body, headers)
  output += `${JSON.stringify([...response.headers])}${await response.clone().text()}\n`
  return response
}

async function requestSecret(apiPath: string, body: unknown): Promise<{ id: string; key: string }> {
  const response = (await (await service.server.request('POST', apiPath, body)).json()) as { id: string; key: string }
  secrets.set(`key of ${apiPath} ${secrets.size}`, response.key)
  return response
}

/** Returns an error response that contains the API key, as some gateways send it. */
const echoWith = (upstream: Simulator, status: number) => ({
  status,
  json: {
    error: { code: 'invalid_api_key', message: `Incorrect API key: ${lastKeyAt(upstream)}` },
    message: `bad token ${lastKeyAt(upstream)}`,
  },
})
const lastKeyAt = (upstream: Simulator): string => (upstream === kling ? klingKey : openaiKey)

/**
 * Submits a task and waits at most `waitSeconds` for its end. The task may still run afterwards,
 * because some upstream responses only lead to another poll.
 */
async function submitAndQuery(body: Record<string, unknown>, waitSeconds = 1): Promise<void> {
  const { id } = (await (await send('POST', '/v2/model-center/tasks', body)).json()) as { id: string }
  await send('GET', `/v2/model-center/tasks/${id}?wait=${waitSeconds}`)
  await send('GET', `/v2/model-center/tasks/${id}/timeline`)
}

async function sendAllReads(): Promise<void> {
  for (const apiPath of ['brands', 'accounts', 'upstreams', 'routes', 'attempts', 'audit', 'prices', 'credits/verify']) {
    await send('GET', `/admin/v1/${apiPath}`)
  }
  for (const apiPath of ['model-center/tasks', 'model-center/models?limit=1', 'assets', 'credits', 'credits/entries', 'usage']) {
    await send('GET', `/v2/${apiPath}`)
  }
}

it('no output or response of an end-to-end run contains a secret, except for the response that shows it once', async () => {
  const account = (await (await send('POST', '/admin/v1/accounts', { name: 'customer' })).json()) as { id: string }
  const { id: keyId, key } = await requestSecret(`/admin/v1/accounts/${account.id}/keys`, { name: 'website' })
  await requestSecret(`/admin/v1/keys/${keyId}/rotate`, { overlap_seconds: 60 })

  await send('PUT', '/admin/v1/upstreams/stored', {
    driver: 'openai',
    base_url: `${openai.origin}/v1`,
    api_key: planted.storedUpstream,
  })
  await send('PUT', '/admin/v1/routes/stored', { model: 'vidD_none', upstream: 'stored', upstream_model: 'sora-2' })
  await send('PUT', '/admin/v1/upstreams/wrong', {
    driver: 'kling',
    base_url: 'not an address',
    api_key: planted.storedUpstream,
    more: 1,
  })
  await send('POST', '/admin/v1/routes/test', {})

  kling.media = await packetVideo()
  await submitAndQuery({ model: videoModel, prompt: 'a kite', seconds: 5 }, 20)
  for (const status of [401, 429, 500, 400]) {
    kling.next('submit', echoWith(kling, status))
    openai.next('submit', echoWith(openai, status))
    openai.next('probe', echoWith(openai, status))
    await Promise.all([
      submitAndQuery({ model: videoModel, prompt: `a kite ${status}`, seconds: 5 }),
      submitAndQuery({ model: imageModel, prompt: `a kite ${status}` }),
    ])
    await send('POST', '/admin/v1/routes/test', {})
  }
  kling.next('poll', echoWith(kling, 403))
  await submitAndQuery({ model: videoModel, prompt: 'a kite that is lost', seconds: 5 })

  for (const authorization of [`Bearer ${key}x`, `Basic ${key}`, `Bearer ${planted.wrongKey}`, key, `Bearer ${key} ${key}`]) {
    await send('GET', '/v2/credits', undefined, { authorization })
  }
  await send('POST', '/v2/model-center/tasks', { model: imageModel, prompt: 'x', api_key: 'mine' })
  await send('GET', '/v2/nothing', undefined, { 'x-api-key': key })
  await send('GET', `/${key}/v2/credits`)
  await send('GET', '/v2/model-center/tasks/x%0d%0a%7b%22level%22:60%7d', undefined, { 'user-agent': 'x\\n{"level":60}' })
  await sendRaw(`GET /healthz HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n: broken\r\n\r\n`)
  await sendRaw(`GET /healthz HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)
  const callback = String(kling.of('submit')[0]?.json['callback_url'])
  secrets.set('callback token', callback.slice(callback.lastIndexOf('/') + 1))
  await send('POST', callback.slice(`${publicUrl}/api`.length), { task_status: 'succeed' })
  await sendAllReads()
  await sendToOrigin('/metrics', { authorization: `Bearer ${planted.metricsToken}` })
  await sendToOrigin('/metrics', { authorization: `Bearer ${planted.metricsToken}x` })
  await sendToOrigin('/readyz')

  service.configure({ upstreams: { kling: { driver: 'kling', api_key: klingKey, colour: klingKey } }, routes: [] })
  await expect.poll(() => service.server.log(), { timeout: 20_000 }).toContain('cannot be used')
  const { items } = (await (await send('GET', '/v2/model-center/tasks?status=completed')).json()) as { items: Task[] }
  const link = new URL(items[0]?.result_url ?? '')
  await send('GET', `${link.pathname.slice('/api'.length)}${link.search}0`)
  await send('DELETE', `/admin/v1/keys/${keyId}`)
  await service[Symbol.asyncDispose]()

  const everything = output + service.server.log()
  expect(everything.length).toBeGreaterThan(50_000)
  expect(collectedBytes).toBeGreaterThan(1000)
  const leakedNames = [...secrets].filter(([, secret]) => everything.includes(secret)).map(([name]) => name)
  expect(leakedNames).toEqual([])
  // A request with a line break must not break a log line.
  const lines = service.server
    .log()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('Framegate '))
  expect(lines.filter((line) => !isJson(line))).toEqual([])
  // The log must not contain signatures of links, although clients may know them.
  expect(service.server.log()).not.toContain('signature=')
})

async function sendToOrigin(target: string, headers: Record<string, string> = {}): Promise<void> {
  const response = await service.server.fetch(new URL(target, service.server.baseUrl).href, { headers })
  output += `${JSON.stringify([...response.headers])}${await response.text()}\n`
}

async function sendRaw(text: string): Promise<void> {
  const socket = connect(Number(new URL(service.server.baseUrl).port), '127.0.0.1').on('error', () => {})
  socket.on('data', (chunk: Buffer) => (output += chunk.toString()))
  socket.write(text)
  await once(socket, 'close')
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line)
    return true
  } catch {
    return false
  }
}
