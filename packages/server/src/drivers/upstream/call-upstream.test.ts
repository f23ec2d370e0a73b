import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import { createServer as createSocketServer, type AddressInfo, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { UpstreamExchange } from './upstream-exchange.ts'
import { UpstreamConnections, type UpstreamCall } from './call-upstream.ts'
import { UpstreamUnreachable } from './upstream-unreachable.ts'

/** Maximum number of submits in flight per upstream and key. */
const slotCount = 256

describe('beforeSend of a call', () => {
  const { signal } = new AbortController()
  let server: Server
  let connections: UpstreamConnections
  let url: string
  let exchanges: UpstreamExchange[]
  /** Responses to requests that have arrived and wait. */
  let heldResponses: ServerResponse[]
  let isHolding: boolean
  let arrivedCount: number

  beforeEach(async () => {
    heldResponses = []
    isHolding = true
    arrivedCount = 0
    exchanges = []
    server = createServer((_request, response) => {
      arrivedCount++
      if (isHolding) heldResponses.push(response)
      else response.end('{}')
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jobs`
    connections = new UpstreamConnections((exchange) => exchanges.push(exchange))
  })
  afterEach(async () => {
    await connections[Symbol.asyncDispose]()
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })

  function submit(): UpstreamCall {
    return { method: 'POST', url, signal, beforeSend: async () => {} }
  }

  /**
   * Responds to the requests that have arrived and to all later requests, and waits for the calls.
   */
  async function respondTo(calls: Promise<unknown>): Promise<void> {
    isHolding = false
    for (const response of heldResponses.splice(0)) response.end('{}')
    await calls
  }

  it('beforeSend is awaited before the request is sent', async () => {
    let arrivedBefore = -1
    const beforeSend = async (): Promise<void> => {
      await sleep(50)
      arrivedBefore = arrivedCount
    }
    await respondTo(connections.call({ method: 'POST', url, signal, beforeSend }))
    expect([arrivedBefore, arrivedCount]).toEqual([0, 1])
  })

  it('the timeout of a call starts after its beforeSend', async () => {
    const slowCall = { method: 'POST', url, signal, timeoutMs: 300, beforeSend: () => sleep(400) } as const
    await respondTo(connections.call(slowCall))
    expect(exchanges).toMatchObject([{ status: 200 }])
  })

  it('a call whose beforeSend rejects sends nothing, reports no exchange, rejects with the same error and frees its slot', async () => {
    const cancelled = new Error('the task was cancelled')
    const beforeSend = () => Promise.reject(cancelled)
    for (let calls = 0; calls < slotCount; calls++) {
      await expect(connections.call({ method: 'POST', url, signal, beforeSend })).rejects.toBe(cancelled)
    }
    expect([arrivedCount, exchanges]).toEqual([0, []])
    await respondTo(connections.call(submit()))
    expect(arrivedCount).toBe(1)
  })

  it('a call that is aborted during its beforeSend is not sent', async () => {
    const stop = new AbortController()
    const reason = new Error('the service stops')
    const beforeSend = async (): Promise<void> => stop.abort(reason)
    await expect(connections.call({ method: 'POST', url, signal: stop.signal, beforeSend })).rejects.toBe(reason)
    expect([arrivedCount, exchanges]).toEqual([0, []])
  })

  it('closing the connections ends a call that has no response', { timeout: 5_000 }, async () => {
    const unanswered = connections.call({ method: 'POST', url, signal, beforeSend: async () => {} }).catch(String)
    await vi.waitUntil(() => arrivedCount === 1, { timeout: 3_000, interval: 5 })
    await connections[Symbol.asyncDispose]()
    expect(await unanswered).toContain('ResponseLost')
  })

  it('a call that is aborted while all slots are taken is not sent, and its beforeSend is not called', async () => {
    const running = Promise.all(Array.from({ length: slotCount }, () => connections.call(submit())))
    await vi.waitUntil(() => arrivedCount === slotCount, { timeout: 10_000, interval: 5 })
    const stop = new AbortController()
    const beforeSend = vi.fn(async () => {})
    const waiting = connections.call({ method: 'POST', url, signal: stop.signal, beforeSend })
    await sleep(20)
    stop.abort(new Error('the task was cancelled'))
    await expect(waiting).rejects.toBe(stop.signal.reason)
    await respondTo(running)
    expect(beforeSend).not.toHaveBeenCalled()
    expect([arrivedCount, exchanges.length]).toEqual([slotCount, slotCount])
  })

  it('cancels, uploads, and submits with another key are sent while all slots of a key are taken', async () => {
    const running = Promise.all(Array.from({ length: slotCount }, () => connections.call({ ...submit(), slotKey: 'one key' })))
    await vi.waitUntil(() => arrivedCount === slotCount, { timeout: 10_000, interval: 5 })
    const otherCalls = Promise.all([
      connections.call({ ...submit(), slotKey: 'another key' }),
      connections.call({ method: 'POST', url, signal }),
      connections.call({ method: 'DELETE', url, signal }),
    ])
    await vi.waitUntil(() => arrivedCount === slotCount + 3, { timeout: 5_000, interval: 5 })
    await respondTo(Promise.all([running, otherCalls]))
  })

  it('a call that waits for a slot calls its beforeSend after it has acquired the slot', async () => {
    const running = Promise.all(Array.from({ length: slotCount }, () => connections.call(submit())))
    await vi.waitUntil(() => arrivedCount === slotCount, { timeout: 10_000, interval: 5 })
    const beforeSend = vi.fn(async () => {})
    const waiting = connections.call({ method: 'POST', url, signal, beforeSend })
    await sleep(20)
    expect(beforeSend).not.toHaveBeenCalled()
    await respondTo(Promise.all([running, waiting]))
    expect(beforeSend).toHaveBeenCalledOnce()
    expect(arrivedCount).toBe(slotCount + 1)
  })
})

describe('a submit soon after another one', () => {
  const { signal } = new AbortController()
  let server: Server
  let connections: UpstreamConnections
  let url: string
  let sockets: Set<Socket>
  let respond: (response: ServerResponse) => void

  beforeEach(async () => {
    sockets = new Set()
    respond = (response) => response.end('{}')
    server = createServer((_request, response) => respond(response))
    server.on('connection', (socket) => sockets.add(socket))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jobs`
    connections = new UpstreamConnections()
  })
  afterEach(async () => {
    vi.useRealTimers()
    await connections[Symbol.asyncDispose]()
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })

  function submit(beforeSend: () => Promise<void> = async () => {}): Promise<unknown> {
    return connections.call({ method: 'POST', url, signal, json: { prompt: 'x' }, beforeSend })
  }

  it('a submit soon after another one is sent over the same connection', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    for (let submits = 0; submits < 3; submits++) {
      await submit()
      vi.advanceTimersByTime(5)
    }
    expect(sockets.size).toBe(1)
  })

  it('a submit is sent over another connection while the earlier submit has no response', async () => {
    await Promise.all([submit(), submit(), submit()])
    expect(sockets.size).toBe(3)
  })

  it.each([
    ['less than 5 ms', 4],
    ['more than a second', 1_001],
  ])('a submit is sent over a new connection when the last response is %s old', async (_, ms) => {
    vi.useFakeTimers({ toFake: ['performance'] })
    await submit()
    vi.advanceTimersByTime(ms)
    await submit()
    expect(sockets.size).toBe(2)
  })

  it('a submit whose beforeSend rejects leaves the connection to the next submit', async () => {
    await submit()
    await sleep(10)
    const withheld = new Error('the task was cancelled')
    await expect(submit(() => Promise.reject(withheld))).rejects.toBe(withheld)
    await submit()
    expect(sockets.size).toBe(1)
  })

  it('a submit whose beforeSend rejects does not change the order of the idle connections', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const responses: ServerResponse[] = []
    respond = (response) => responses.push(response)
    const submits = [submit(), submit()]
    await vi.waitFor(() => expect(responses).toHaveLength(2))
    const [older, newer] = responses
    older?.end('{}')
    await Promise.race(submits)
    vi.advanceTimersByTime(300)
    newer?.end('{}')
    await Promise.all(submits)
    vi.advanceTimersByTime(10)
    const olderSocket = older?.req.socket
    await expect(submit(() => Promise.reject(new Error('withheld')))).rejects.toThrow('withheld')
    let usedSocket: Socket | undefined
    respond = (response) => {
      usedSocket = response.req.socket
      response.end('{}')
    }
    await submit()
    expect(usedSocket).toBe(olderSocket)
  })

  it('a submit is sent over a new connection when the last response is more than a second old after beforeSend', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    await submit()
    vi.advanceTimersByTime(10)
    const beforeSend = vi.fn(async () => void vi.advanceTimersByTime(1_000))
    await submit(beforeSend)
    expect([sockets.size, beforeSend.mock.calls.length]).toEqual([2, 1])
  })

  it('a submit is sent over a new connection when the server closes another connection during beforeSend', async () => {
    await Promise.all([submit(), submit()])
    await sleep(10)
    await submit(async () => {
      respond = (response) => response.socket?.resetAndDestroy()
      await expect(submit()).rejects.toMatchObject({ name: 'ResponseLost' })
      respond = (response) => response.end('{}')
    })
    expect(sockets.size).toBe(3)
  })

  it.each(['end', 'resetAndDestroy'] as const)(
    'a submit is sent once, over a new connection, when the server closes the reused one during beforeSend: %s',
    async (end) => {
      let requests = 0
      server.on('request', () => requests++)
      await submit()
      await sleep(10)
      const beforeSend = vi.fn(async () => {
        for (const socket of sockets) socket[end]()
        await sleep(50)
      })
      await submit(beforeSend)
      expect([requests, sockets.size, beforeSend.mock.calls.length]).toEqual([2, 2, 1])
    },
  )

  it('a submit is not lost when the server closes each connection after its response without announcing it', async () => {
    respond = (response) => response.end('{}', () => response.socket?.end())
    for (let submits = 0; submits < 30; submits++) {
      await submit()
      await sleep(submits % 3)
    }
    expect(sockets.size).toBe(30)
  })

  it('a submit is sent over a new connection if the last response announced Connection: close, and the next submit reuses that connection', async () => {
    respond = (response) => response.writeHead(200, { connection: 'close' }).end('{}')
    await submit()
    respond = (response) => response.end('{}')
    for (let submits = 0; submits < 3; submits++) {
      await sleep(10)
      await submit()
    }
    expect(sockets.size).toBe(2)
  })

  it('every submit is sent over a new connection after the server has closed one within a second of a response', async () => {
    await submit()
    await sleep(10)
    respond = (response) => response.socket?.resetAndDestroy()
    await expect(submit()).rejects.toMatchObject({ name: 'ResponseLost' })
    respond = (response) => response.end('{}')
    for (let submits = 0; submits < 3; submits++) {
      await submit()
      await sleep(10)
    }
    expect(sockets.size).toBe(4)
  })
})

describe('a submit whose connection breaks', () => {
  const { signal } = new AbortController()
  let connections: UpstreamConnections
  let sockets: Socket[]

  beforeEach(() => {
    connections = new UpstreamConnections()
    sockets = []
  })
  afterEach(() => connections[Symbol.asyncDispose]())

  /** Opens a loopback port and passes each of its connections to `serve`. */
  async function listenOn(serve: (socket: Socket) => void) {
    const server = createSocketServer((socket) => {
      sockets.push(socket)
      socket.on('error', () => undefined)
      serve(socket)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return {
      host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
      async [Symbol.asyncDispose]() {
        for (const socket of sockets) socket.destroy()
        server.close()
        await once(server, 'close')
      },
    }
  }

  it.each([
    ['with a reset during the TLS handshake', (socket: Socket) => void socket.resetAndDestroy()],
    ['because the upstream does not speak TLS', (socket: Socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ])(
    'a submit whose connection fails %s rejects with UpstreamUnreachable, and its beforeSend is not called',
    async (_how, serve) => {
      await using upstream = await listenOn(serve)
      const beforeSend = vi.fn(async () => {})
      const call = connections.call({ method: 'POST', url: `https://${upstream.host}/jobs`, signal, beforeSend })
      await expect(call).rejects.toBeInstanceOf(UpstreamUnreachable)
      expect(beforeSend).not.toHaveBeenCalled()
    },
  )

  it.each(['end', 'resetAndDestroy'] as const)(
    'a submit whose connection breaks during its beforeSend rejects with UpstreamUnreachable: %s',
    async (end) => {
      await using upstream = await listenOn((socket) => socket.resume())
      const beforeSend = async (): Promise<void> => {
        await vi.waitUntil(() => sockets.length > 0, { interval: 5, timeout: 10_000 })
        const [socket] = sockets
        socket?.[end]()
        // Waits until both ends have received the event.
        if (socket?.closed === false) await once(socket, 'close')
        await sleep(50)
      }
      const call = connections.call({ method: 'POST', url: `http://${upstream.host}/jobs`, signal, beforeSend })
      await expect(call).rejects.toBeInstanceOf(UpstreamUnreachable)
    },
  )

  it('a submit whose connection is reset after its first byte rejects with ResponseLost', async () => {
    await using upstream = await listenOn((socket) => socket.once('data', () => socket.resetAndDestroy()))
    const call = connections.call({ method: 'POST', url: `http://${upstream.host}/jobs`, signal, beforeSend: async () => {} })
    await expect(call).rejects.toMatchObject({ name: 'ResponseLost', message: expect.stringContaining('connection broke') })
  })
})

describe('the JSON of a response', () => {
  const mebibyte = 1024 * 1024
  let receivedHeaders: IncomingHttpHeaders = {}

  async function jsonOf(body: string | Buffer, headers: Record<string, string> = {}): Promise<unknown> {
    const server = createServer((request, response) => {
      receivedHeaders = request.headers
      response.writeHead(200, headers).end(body)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    await using connections = new UpstreamConnections()
    try {
      const signal = AbortSignal.timeout(60_000)
      return (await connections.call({ method: 'GET', url, signal, bytesMax: 64 * mebibyte })).json
    } finally {
      server.closeAllConnections()
      server.close()
    }
  }

  it.each([
    ['millions of empty arrays', `[[]${',[]'.repeat(5 * mebibyte)}]`],
    ['millions of names', `{"a":1${',"a":1'.repeat(3 * mebibyte)}}`],
    ['a hundred thousand levels', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['megabytes of spaces', `[${' '.repeat(5 * mebibyte)}]`],
  ])('a response with %s is not parsed', async (_, body) => {
    expect(await jsonOf(body)).toBeUndefined()
  })

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
  ])('a response that the upstream compresses with %s although none was requested is parsed', async (encoding, compress) => {
    expect(await jsonOf(compress('{"id":"job-1"}'), { 'content-encoding': encoding })).toEqual({ id: 'job-1' })
    expect(receivedHeaders['accept-encoding']).toBe('identity')
  })

  it('a download that the upstream compresses although no encoding was requested is decompressed up to its limit', async () => {
    const video = Buffer.alloc(mebibyte, 'video')
    const body = gzipSync(video)
    const server = createServer((_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(body)).listen(
      0,
      '127.0.0.1',
    )
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    await using connections = new UpstreamConnections()
    const download = async (bytesMax: number): Promise<Buffer> => {
      const signal = AbortSignal.timeout(60_000)
      const { stream } = await connections.download({ url, headers: {}, signal, timeoutMs: 60_000, bytesMax })
      return buffer(stream!)
    }
    expect((await download(mebibyte)).equals(video)).toBe(true)
    await expect(download(mebibyte - 1)).rejects.toThrow()
    server.close()
  })

  it('a response that decompresses to more than its maximum size is not parsed', async () => {
    const bomb = gzipSync(Buffer.alloc(65 * mebibyte, ' '))
    expect(await jsonOf(bomb, { 'content-encoding': 'gzip' })).toBeUndefined()
  })

  it('a response with a base64 image of many megabytes is parsed', async () => {
    const image = 'A'.repeat(20 * mebibyte)
    expect(await jsonOf(JSON.stringify({ data: [{ b64_json: image }] }))).toEqual({ data: [{ b64_json: image }] })
  })
})

it.each([302, 503])(
  'a download that gets HTTP %i does not wait for the body, and closes the connection',
  async (status) => {
    let serverResponse: ServerResponse | undefined
    const server = createServer((_request, response) => {
      serverResponse = response
      // The body does not end.
      response.writeHead(status, { location: '/elsewhere' }).write('unavailable')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    try {
      await using connections = new UpstreamConnections()
      const { signal } = new AbortController()
      const downloaded = await connections.download({ url, headers: {}, signal, timeoutMs: 60_000, bytesMax: 1024 })
      expect(downloaded).toMatchObject({ status, headers: { location: '/elsewhere' }, stream: null })
      await expect.poll(() => serverResponse?.closed).toBe(true)
    } finally {
      server.closeAllConnections()
      server.close()
    }
  },
  10_000,
)
