import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { HttpLimits } from '../../src/http/limits.ts'
import { openHttpService, type HttpService } from '../http-service.ts'

const tasksPath = '/v2/model-center/tasks'
const clientScopes = ['tasks:read', 'tasks:write'] as const
/**
 * Memory limit. Large bodies of one account may hold 3/16 of it and all bodies of an account 4/16.
 * All large bodies may hold 10/16, and clients in total 14/16.
 */
const incomingBytesMax = 16 * 1024 * 1024
/** Size of a large body. An account's share holds three of these. */
const largeBytes = 1024 * 1024 - 2000

let service: HttpService
let sockets: Socket[]
beforeEach(() => {
  sockets = []
})
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  await service[Symbol.asyncDispose]()
})

async function start(limits: Partial<HttpLimits> = {}): Promise<void> {
  service = await openHttpService({ limits: { incomingBytesMax, ...limits } })
}

/**
 * Sends the head of a submit and `bytes` of its body, and then nothing more. `response` resolves
 * with the received text when the connection closes.
 */
async function stallRequest(key: string, bytes: number, announcedBytes = bytes + 1000): Promise<{ response: Promise<string> }> {
  const socket = connect(Number(new URL(service.origin).port), '127.0.0.1').on('error', () => {})
  sockets.push(socket)
  await once(socket, 'connect')
  const head = `POST /api${tasksPath} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`
  let received = ''
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()))
  const response = once(socket, 'close').then(() => received)
  socket.write(`${head}Content-Length: ${announcedBytes}\r\n\r\n`)
  if (bytes > 0) await new Promise((resolve) => socket.write(Buffer.alloc(bytes, 'x'), resolve))
  return { response }
}

/**
 * Stalls bodies of one account until three of its submits in a row are rejected. A single rejection
 * may be due to an earlier submit whose memory is not released yet.
 */
async function stallUntilRefused(key: string, bytes: number, submit: (key: string) => Promise<number>): Promise<void> {
  for (let refused = 0; refused < 3;) {
    if (refused === 0) {
      await stallRequest(key, bytes)
      // The stalled body must arrive before the submit, which would otherwise take its memory.
      await sleep(bytes / 20_000)
    }
    refused = (await submit(key)) === 503 ? refused + 1 : 0
    await sleep(5)
  }
}

/** Sends a submit whose body does not arrive in one piece. */
async function submitWith(key: string, paddingBytes: number): Promise<number> {
  const text = JSON.stringify({ model: 'imgA-5.0', prompt: 'a lake' }) + ' '.repeat(paddingBytes)
  const chunks = [Buffer.from(text.slice(0, 30)), Buffer.from(text.slice(30))]
  const headers = { 'content-type': 'application/json' }
  return (await service.request('POST', tasksPath, { key, rawBody: ReadableStream.from(chunks) as ReadableStream, headers }))
    .status
}
const submitHalfLarge = (key: string) => submitWith(key, largeBytes / 2)
const submitSmall = (key: string) => submitWith(key, 2000)
const submitLargestSmall = (key: string) => submitWith(key, 60_000)

describe('memory for incoming bodies', () => {
  it('stalled bodies of one account leave other accounts and operators their share of the memory', async () => {
    await start()
    const [stalling, otherAccount] = [await service.newAccount(10, clientScopes), await service.newAccount(10, clientScopes)]
    await stallUntilRefused(stalling.key, largeBytes, submitHalfLarge)
    expect(await submitSmall(stalling.key)).toBe(202)
    for (const { key } of [otherAccount, service])
      expect([await submitHalfLarge(key), await submitSmall(key)]).toEqual([202, 202])
    for (const socket of sockets) socket.destroy()
    await expect.poll(() => submitHalfLarge(stalling.key)).toBe(202)
  })

  it('part of the body memory is reserved for small bodies while many accounts stall large ones', async () => {
    await start()
    const accounts = await Promise.all(Array.from({ length: 4 }, () => service.newAccount(10, clientScopes)))
    for (const { key } of accounts) await stallUntilRefused(key, largeBytes, submitHalfLarge)
    const otherAccount = await service.newAccount(10, clientScopes)
    expect([await submitHalfLarge(otherAccount.key), await submitSmall(otherAccount.key)]).toEqual([503, 202])
    expect([await submitHalfLarge(service.key), await submitSmall(service.key)]).toEqual([202, 202])
  })

  it('part of the body memory is reserved for operators while many accounts stall small bodies', async () => {
    await start()
    const accounts = await Promise.all(Array.from({ length: 4 }, () => service.newAccount(10, clientScopes)))
    for (const { key } of accounts) await stallUntilRefused(key, 60_000, submitLargestSmall)
    const otherAccount = await service.newAccount(10, clientScopes)
    expect(await submitLargestSmall(otherAccount.key)).toBe(503)
    expect([await submitLargestSmall(service.key), await submitHalfLarge(service.key)]).toEqual([202, 202])
    // A body that arrives in one piece is parsed at once, so it takes no share.
    expect(
      (await service.request('POST', tasksPath, { body: { model: 'imgA-5.0', prompt: 'x' }, key: otherAccount.key })).status,
    ).toBe(202)
  })
})

describe('bodies that arrive too slowly', () => {
  const incomingPace = { bytesPerSecondMin: 1000, windowMs: 500 }

  it.each([
    ['announces a body and sends none of it', 0],
    ['stalls within its body', 40_000],
  ])('a client that %s gets 408, and its connection is closed', async (_name, bytes) => {
    await start({ incomingPace })
    const { response } = await stallRequest(service.key, bytes, 50_000)
    const text = await response
    expect(text).toMatch(/^HTTP\/1\.1 408 /)
    expect(text.toLowerCase()).toContain('connection: close')
    expect(text).toContain('"code":"request_timeout"')
  })

  it('a body that is sent byte by byte is rejected with 408', async () => {
    await start({ incomingPace })
    const { response } = await stallRequest(service.key, 100, 50_000)
    const [socket] = sockets
    const dripping = setInterval(() => socket?.write('x'), 20)
    socket?.once('close', () => clearInterval(dripping))
    expect(await response).toMatch(/^HTTP\/1\.1 408 /)
  })

  it('a form that arrives too slowly is rejected with 408', async () => {
    await start({ incomingPace })
    const socket = connect(Number(new URL(service.origin).port), '127.0.0.1').on('error', () => {})
    sockets.push(socket)
    let received = ''
    socket.on('data', (chunk: Buffer) => (received += chunk.toString()))
    socket.write(
      `POST /api/v2/assets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.key}\r\nContent-Length: 100000\r\n` +
        'Content-Type: multipart/form-data; boundary=B\r\n\r\n--B\r\nContent-Disposition: form-data; name=file\r\n\r\nxxx',
    )
    await once(socket, 'close')
    expect(received).toMatch(/^HTTP\/1\.1 408 [^]*"code":"request_timeout"/)
  })

  it('a body that arrives faster than the minimum rate for longer than a measuring window is accepted', async () => {
    await start({ incomingPace })
    const prompt = 'a lake at dusk, '.repeat(200)
    const text = JSON.stringify({ model: 'imgA-5.0', prompt })
    const { response } = await stallRequest(service.key, 0, text.length)
    for (let offset = 0; offset < text.length; offset += 200) {
      sockets[0]?.write(text.slice(offset, offset + 200))
      await sleep(70)
    }
    await expect.poll(() => service.request('GET', `${tasksPath}?limit=1`).then(({ json }) => json.items.length)).toBe(1)
    sockets[0]?.destroy()
    expect(await response).toMatch(/^HTTP\/1\.1 202 /)
  })
})

it('a body of up to a million chunks of one byte is rejected and takes less than 100 MiB of memory', async () => {
  await start()
  const socket = connect(Number(new URL(service.origin).port), '127.0.0.1').on('error', () => {})
  sockets.push(socket)
  let received = ''
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()))
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write(
    `POST /api${tasksPath} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.key}\r\nContent-Type: application/json\r\n` +
      `Transfer-Encoding: chunked\r\n\r\n`,
  )
  const rssBefore = process.memoryUsage().rss
  for (let count = 0; count < 100 && !socket.destroyed; count++) {
    if (!socket.write('1\r\n \r\n'.repeat(10_000)))
      await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed])
  }
  await closed
  expect(received).toMatch(/^HTTP\/1\.1 400 [^]*chunks, of fewer than 64 bytes on average/)
  expect(process.memoryUsage().rss - rssBefore).toBeLessThan(100 * 1024 * 1024)
})
