import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isLongRun } from '../../src/db/store-under-test.ts'
import type { HttpLimits } from '../../src/http/limits.ts'
import { openHttpService, type HttpService } from '../http-service.ts'
import { watchMemory } from './watch-memory.ts'

const attackerCount = isLongRun ? 200 : 40
const grownBytesMax = 150 * 1024 * 1024
const video = Buffer.alloc(24 * 1024 * 1024, 'video')

let service: HttpService
let sockets: Socket[]
let acceptedCount: number
beforeEach(() => {
  sockets = []
  acceptedCount = 0
})

async function start(limits: Partial<HttpLimits> = {}): Promise<void> {
  service = await openHttpService({
    limits: {
      headersTimeoutMs: 1000,
      requestTimeoutMs: 2000,
      timeoutCheckMs: 100,
      keepAliveTimeoutMs: 1000,
      readingPace: { bytesPerSecondMin: 100_000, windowMs: 1000 },
      ...limits,
    },
  })
  service.app.server.on('connection', () => (acceptedCount += 1))
}

afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  await service[Symbol.asyncDispose]()
})

async function open(): Promise<Socket> {
  const socket = connect(Number(new URL(service.origin).port), '127.0.0.1').on('error', () => {})
  sockets.push(socket)
  await once(socket, 'connect')
  return socket
}

/** Sends `head` at once, then one byte every 100 ms while the connection is open. */
async function dripText(socket: Socket, text: string, head = ''): Promise<void> {
  socket.resume().write(head)
  for (const byte of text) {
    if (!socket.writable) return
    socket.write(byte)
    await sleep(100)
  }
}

const headOf = (method: string, path: string): string =>
  `${method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.key}\r\n`
const slowText = 'x'.repeat(10_000)
let link: URL

async function storeVideo(): Promise<void> {
  const body = { model: 'vidDq3-turbo', prompt: 'long', seconds: 5 }
  const { id } = (await service.request('POST', '/v2/model-center/tasks', { body })).json
  await service.startAll()
  await service.complete(id, { bytes: video, durationMs: 5000 })
  link = new URL((await service.request('GET', `/v2/model-center/tasks/${id}`)).json.result_url)
}

type Attack = (socket: Socket) => void | Promise<void>

const submitHead = (headers: string): string =>
  `${headOf('POST', '/api/v2/model-center/tasks')}Content-Type: application/json\r\n${headers}\r\n\r\n`
const downloadRequest = (): string => `${headOf('GET', link.pathname + link.search)}\r\n`

describe(`${attackerCount} slow clients`, () => {
  it.each<[string, Attack]>([
    ['send nothing', () => {}],
    ['send part of a request and stop', (socket) => void socket.write('GET /healthz HT')],
    ['never end their headers', (socket) => dripText(socket, `${headOf('GET', '/healthz')}X-Slow: ${slowText}`)],
    ['never end their body', (socket) => dripText(socket, slowText, submitHead('Content-Length: 9000'))],
    ['never end their chunks', (socket) => dripText(socket, slowText, `${submitHead('Transfer-Encoding: chunked')}2000\r\n`)],
    ['send one request and keep the connection open', (socket) => void socket.resume().write(`${headOf('GET', '/healthz')}\r\n`)],
    ['download and do not read', (socket) => void socket.pause().write(downloadRequest())],
    [
      'download a little at a time',
      async (socket) => {
        socket.write(downloadRequest())
        while (!socket.destroyed) {
          socket.read(1000)
          await sleep(200)
        }
      },
    ],
  ])('clients that %s do not prevent other requests, and lose their connections', async (_name, attack) => {
    await start()
    await storeVideo()
    const memory = watchMemory()
    const attackingSockets = await Promise.all(Array.from({ length: attackerCount }, open))
    // On a busy machine, the first clients may lose their connections before the last one connects.
    await expect.poll(() => acceptedCount).toBeGreaterThanOrEqual(attackerCount)
    for (const socket of attackingSockets) void attack(socket)
    for (let requested = 0; requested < 20; requested++) {
      const body = { model: 'imgA-5.0', prompt: `image ${requested}` }
      expect((await service.request('POST', '/v2/model-center/tasks', { body })).status).toBe(202)
      expect((await service.request('GET', '/v2/credits')).status).toBe(200)
    }
    await expect.poll(countConnections, { timeout: 20_000 }).toBeLessThan(20)
    expect(memory.grownBytes()).toBeLessThan(grownBytesMax)
  })
})

it('connections of clients that send many requests and read no responses are closed', async () => {
  await start({ silenceMs: 2000, pipelinedMax: 100 })
  for (let count = 0; count < 20; count++) (await open()).write(`${headOf('GET', '/api/openapi.json')}\r\n`.repeat(20))
  await expect.poll(countConnections).toBeGreaterThanOrEqual(20)
  expect((await service.request('GET', '/v2/credits')).status).toBe(200)
  await expect.poll(countConnections, { timeout: 20_000 }).toBeLessThan(5)
})

it('a connection beyond the limit is closed, and an established one gets responses', async () => {
  await start({ connectionsMax: 20, headersTimeoutMs: 60_000 })
  const firstConnection = await open()
  for (let count = 0; count < 19; count++) await open()
  await expect.poll(countConnections).toBe(20)
  await once((await open()).resume(), 'close')
  firstConnection.write(`${headOf('GET', '/healthz')}\r\n`)
  const [response] = (await once(firstConnection, 'data')) as [Buffer]
  expect(response.toString()).toMatch(/^HTTP\/1\.1 200 /)
})

const readStatuses = async (requestText: string): Promise<string[]> => {
  const socket = await open()
  let received = ''
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()))
  socket.write(requestText)
  await once(socket, 'close')
  return [...received.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => String(status))
}
const pollRequest = (id: string, wait: number): string => `${headOf('GET', `/api/v2/model-center/tasks/${id}?wait=${wait}`)}\r\n`

describe('pipelined requests', () => {
  it('pipelined requests up to the limit get their responses in order', async () => {
    await start({ pipelinedMax: 16 })
    const { id } = (await service.request('POST', '/v2/model-center/tasks', { body: { model: 'imgA-5.0', prompt: 'x' } })).json
    const health = `${headOf('GET', '/healthz')}\r\n`
    const lastRequest = `${headOf('GET', '/nothing')}Connection: close\r\n\r\n`
    expect(await readStatuses(pollRequest(id, 1) + health.repeat(15) + lastRequest)).toEqual([
      ...Array<string>(16).fill('200'),
      '404',
    ])
  })

  it('pipelined long polls and uploads cause no MaxListenersExceededWarning', async () => {
    const warnings: Error[] = []
    const recordWarning = (warning: Error): void => void warnings.push(warning)
    process.on('warning', recordWarning)
    await start({})
    const { id } = (await service.request('POST', '/v2/model-center/tasks', { body: { model: 'imgA-5.0', prompt: 'x' } })).json
    const form = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nx\r\n--b--\r\n'
    const upload =
      `${headOf('POST', '/api/v2/assets')}Content-Type: multipart/form-data; boundary=b\r\n` +
      `Content-Length: ${form.length}\r\n\r\n${form}`
    const lastRequest = `${headOf('GET', '/nothing')}Connection: close\r\n\r\n`
    const statuses = await readStatuses((pollRequest(id, 1) + upload).repeat(40) + lastRequest)
    expect(statuses).toEqual([...Array.from({ length: 40 }, () => ['200', '400']).flat(), '404'])
    process.off('warning', recordWarning)
    expect(warnings).toEqual([])
  })

  it('a pipelined request beyond the limit gets 429 and has no effect, and the connection is closed', async () => {
    await start({ pipelinedMax: 16 })
    const { id } = (await service.request('POST', '/v2/model-center/tasks', { body: { model: 'imgA-5.0', prompt: 'x' } })).json
    const body = JSON.stringify({ model: 'imgA-5.0', prompt: 'y' })
    const submitText = submitHead(`Content-Length: ${body.length}`) + body
    expect(await readStatuses(pollRequest(id, 1) + submitText.repeat(30))).toEqual([
      '200',
      ...Array<string>(16).fill('202'),
      '429',
    ])
    expect((await service.request('GET', '/v2/model-center/tasks?limit=100')).json.items).toHaveLength(17)
  })
})

async function countConnections(): Promise<number> {
  return await new Promise((resolve, reject) => {
    service.app.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)))
  })
}
