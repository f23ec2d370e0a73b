import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { createFetchUntrusted, type FetchUntrustedOptions } from './fetch-untrusted.ts'
import type { ResolveHost } from './resolve-host.ts'

const openedServers: { server: Server | TcpServer; sockets: Set<Socket> }[] = []

async function listenOn(server: Server | TcpServer, address: string, port = 0): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket)).on('error', () => {})
  })
  openedServers.push({ server, sockets })
  await new Promise<void>((resolve) => server.listen(port, address, resolve))
  return (server.address() as AddressInfo).port
}

const serve = (response: RequestListener, address = '127.0.0.1', port = 0) => listenOn(createServer(response), address, port)

/** A server that responds to each connection with these bytes. */
const serveRaw = (bytes: string, endsResponse = true) =>
  listenOn(
    createTcpServer((socket) => {
      socket.once('data', () => (endsResponse ? socket.end(bytes, 'latin1') : socket.write(bytes, 'latin1')))
    }),
    '127.0.0.1',
  )

afterEach(async () => {
  for (const { server, sockets } of openedServers.splice(0)) {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
})

// 127.0.0.1 represents the public internet, because the rules allow it. 127.0.0.2 remains a private
// address.
const allowHosts = ['127.0.0.1']
const resolveToPublic: ResolveHost = async () => ['127.0.0.1']
const resolveToPrivate: ResolveHost = async () => ['127.0.0.2']
const resolveToNothing: ResolveHost = async () => []
const failLookup: ResolveHost = () => Promise.reject(new Error('queryA ESERVFAIL films.example'))
const neverResolves: ResolveHost = () => new Promise(() => {})

async function readUrl(url: string, options: Partial<FetchUntrustedOptions> = {}, resolver = resolveToPublic, silenceMs = 5000) {
  const fetchUntrusted = createFetchUntrusted({ allowHosts, resolver, silenceMs })
  const fetched = await fetchUntrusted(url, {
    bytesMax: 1000,
    timeoutMs: 5000,
    signal: new AbortController().signal,
    ...options,
  })
  return { ...fetched, body: (await buffer(fetched.stream)).toString() }
}

async function expectConnectionsClosed(): Promise<void> {
  for (let waited = 0; waited < 100 && openedServers[0]?.sockets.size !== 0; waited++) await sleep(10)
  expect(openedServers[0]?.sockets.size).toBe(0)
}

const refusal = (reason: string) => ({ name: 'UntrustedFetchError', reason })

describe('the guarded fetch', () => {
  it('the guarded fetch streams the response of a public host, with its content type and final URL', async () => {
    let lastRequest: Record<string, unknown> = {}
    const port = await serve((request, response) => {
      lastRequest = { url: request.url, ...request.headers }
      response.setHeader('content-type', 'Image/PNG; charset=x').end('picture')
    })
    const fetched = await readUrl(`http://films.example:${port}/a%20b?q=1#part`, { accept: 'image/*' })
    expect(fetched).toMatchObject({
      body: 'picture',
      contentType: 'image/png',
      finalUrl: `http://films.example:${port}/a%20b?q=1#part`,
      status: 200,
    })
    expect(lastRequest).toMatchObject({
      url: '/a%20b?q=1',
      host: `films.example:${port}`,
      accept: 'image/*',
      'accept-encoding': 'identity',
    })
  })

  it.each([
    ['ftp://films.example/x', 'invalid_url'],
    ['file:///etc/passwd', 'invalid_url'],
    ['data:text/plain,x', 'invalid_url'],
    ['films.example/x', 'invalid_url'],
    ['', 'invalid_url'],
    [`http://films.example/${'x'.repeat(9000)}`, 'invalid_url'],
    ['http://user@films.example/', 'invalid_url'],
    ['http://:secret@films.example/', 'invalid_url'],
    ['http://127.0.0.2/', 'forbidden_address'],
    ['http://0x7f.2/', 'forbidden_address'],
    ['http://169.254.169.254/latest/meta-data/', 'forbidden_address'],
    ['http://[::1]/', 'forbidden_address'],
    ['http://[::ffff:127.0.0.1]/', 'forbidden_address'],
    ['http://localhost/', 'forbidden_address'],
    ['http://metadata.google.internal/', 'forbidden_address'],
    ['http://films.example:22/', 'forbidden_port'],
    ['https://films.example:25/', 'forbidden_port'],
    ['http://films.example:6379/', 'forbidden_port'],
  ])('the URL %s is refused without a DNS query', async (url, reason) => {
    await expect(readUrl(url, {}, failLookup)).rejects.toMatchObject(refusal(reason))
  })

  it.each([
    ['private', ['127.0.0.2']],
    ['public and private', ['127.0.0.1', '10.0.0.1']],
    ['mapped', ['::ffff:127.0.0.1']],
    ['metadata', ['169.254.169.254']],
    ['nonsense', ['not an address']],
  ])('a name with %s addresses is refused without a connection, and the error does not reveal them', async (_, addresses) => {
    let connections = 0
    const port = await serve((_request, response) => response.end('secret'), '127.0.0.2')
    openedServers[0]?.server.on('connection', () => connections++)
    const failure = await readUrl(`http://films.example:${port}/`, {}, async () => addresses).catch((cause: unknown) => cause)
    expect(failure).toMatchObject(refusal('forbidden_address'))
    expect(String(failure)).not.toMatch(/127|10\.0|169|example/)
    expect(connections).toBe(0)
  })

  it('the guarded fetch dials the address that it checked, even when DNS changes', async () => {
    const port = await serve((_request, response) => response.end('public'))
    await serve((_request, response) => response.end('private'), '127.0.0.2', port)
    let lookUpCount = 0
    const resolveWithRebinding: ResolveHost = async () => (lookUpCount++ === 0 ? ['127.0.0.1'] : ['127.0.0.2'])
    expect(await readUrl(`http://films.example:${port}/`, {}, resolveWithRebinding)).toMatchObject({ body: 'public' })
    expect(lookUpCount).toBe(1)
  })

  it('the name is resolved and checked again at each redirect', async () => {
    const port = await serve((request, response) => {
      if (request.url === '/') response.writeHead(302, { location: '/again' }).end()
      else response.end('public')
    })
    await serve((_request, response) => response.end('private'), '127.0.0.2', port)
    let lookUpCount = 0
    const resolveWithRebinding: ResolveHost = async () => (lookUpCount++ === 0 ? ['127.0.0.1'] : ['127.0.0.2'])
    await expect(readUrl(`http://films.example:${port}/`, {}, resolveWithRebinding)).rejects.toMatchObject(
      refusal('forbidden_address'),
    )
    expect(await readUrl(`http://films.example:${port}/`)).toMatchObject({
      body: 'public',
      finalUrl: `http://films.example:${port}/again`,
    })
  })

  it.each([
    ['http://127.0.0.2/', 'forbidden_address'],
    ['//localhost/', 'forbidden_address'],
    ['http://[::1]/', 'forbidden_address'],
    ['http://films.example:22/', 'forbidden_port'],
    ['file:///etc/passwd', 'invalid_url'],
    ['http://user:secret@films.example/', 'invalid_url'],
    ['http://', 'invalid_url'],
  ])('a redirect to %s is not followed', async (location, reason) => {
    const port = await serve((_request, response) => response.writeHead(302, { location }).end())
    await expect(readUrl(`http://films.example:${port}/`)).rejects.toMatchObject(refusal(reason))
  })

  it('a chain of redirects is followed up to the limit and refused beyond it', async () => {
    const port = await serve((request, response) => {
      const remainingRedirects = Number(request.url?.slice(1))
      if (remainingRedirects === 0) response.end('here')
      else response.writeHead(307, { location: String(remainingRedirects - 1) }).end('moved')
    })
    expect(await readUrl(`http://films.example:${port}/5`)).toMatchObject({ body: 'here' })
    await expect(readUrl(`http://films.example:${port}/6`)).rejects.toMatchObject(refusal('too_many_redirects'))
    await expect(readUrl(`http://films.example:${port}/1`, { redirectsMax: 0 })).rejects.toMatchObject(
      refusal('too_many_redirects'),
    )
  })

  it.each([
    [404, {}, 'not_found'],
    [410, {}, 'not_found'],
    [500, {}],
    [204, {}],
    [304, {}],
    [302, {}],
    [200, { 'content-encoding': 'gzip' }],
    [200, { 'content-encoding': 'br' }],
  ] as [number, Record<string, string>, string?][])(
    'a response with status %i and headers %j is refused',
    async (status, headers, reason = 'bad_response') => {
      const port = await serve((_request, response) => response.writeHead(status, headers).end())
      await expect(readUrl(`http://films.example:${port}/`)).rejects.toMatchObject(refusal(reason))
    },
  )

  it('a response that a server compressed without a request for it is refused and never decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(5_000_000))
    const port = await serve((_request, response) => response.setHeader('content-encoding', 'gzip').end(bomb))
    await expect(readUrl(`http://films.example:${port}/`, { bytesMax: 1e6 })).rejects.toMatchObject(refusal('bad_response'))
  })

  it('a body of exactly bytesMax is accepted, and one byte more is refused, announced or not', async () => {
    const port = await serve((request, response) => {
      const bytes = Buffer.alloc(Number(request.url?.slice(2)))
      if (request.url?.startsWith('/a')) response.setHeader('content-length', bytes.byteLength)
      response.write(bytes)
      response.end()
    })
    for (const kind of ['a', 'u']) {
      expect((await readUrl(`http://films.example:${port}/${kind}1000`)).body).toHaveLength(1000)
      await expect(readUrl(`http://films.example:${port}/${kind}1001`)).rejects.toMatchObject(refusal('too_large'))
    }
  })

  it('endless response headers are refused', async () => {
    const port = await serveRaw(`HTTP/1.1 200 OK\r\n${'x-padding: yyyyyyyyyyyyyyyyyyyyyyyyyy\r\n'.repeat(1000)}`)
    await expect(readUrl(`http://films.example:${port}/`)).rejects.toMatchObject(refusal('bad_response'))
  })

  it('a reply that is not HTTP is refused', async () => {
    const port = await serveRaw('SSH-2.0-OpenSSH_9.9\r\n')
    await expect(readUrl(`http://films.example:${port}/`)).rejects.toMatchObject(refusal('bad_response'))
  })

  it('a body that ends early is reported as interrupted', async () => {
    const port = await serveRaw('HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\nhalf a fi')
    await expect(readUrl(`http://films.example:${port}/`)).rejects.toMatchObject(refusal('interrupted'))
  })

  it.each([
    ['before its headers', ''],
    ['within its headers', 'HTTP/1.1 200 OK\r\nx: '],
    ['within its body', 'HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\nhalf a fi'],
  ])('a server that stops sending %s times out', async (_, bytes) => {
    const port = await serveRaw(bytes, false)
    const startedAt = performance.now()
    await expect(readUrl(`http://films.example:${port}/`, { timeoutMs: 20_000 }, resolveToPublic, 100)).rejects.toMatchObject(
      refusal('timed_out'),
    )
    expect(performance.now() - startedAt).toBeLessThan(5000)
  })

  it('a connection to a server that sends a byte at a time is closed at the time limit', async () => {
    const port = await serve((_request, response) => {
      const drip = setInterval(() => response.write('.'), 10)
      response.once('close', () => clearInterval(drip))
    })
    const startedAt = performance.now()
    await expect(readUrl(`http://films.example:${port}/`, { timeoutMs: 200 })).rejects.toMatchObject(refusal('timed_out'))
    expect(performance.now() - startedAt).toBeLessThan(5000)
  })

  it('a lookup whose name servers do not respond fails at the time limit', async () => {
    await expect(readUrl('http://films.example/', { timeoutMs: 50 }, neverResolves)).rejects.toMatchObject(refusal('timed_out'))
  })

  it('an unknown host is unresolvable, and a refused connection is unreachable', async () => {
    await expect(readUrl('http://films.example/', {}, resolveToNothing)).rejects.toMatchObject(refusal('unresolvable'))
    await expect(readUrl('http://films.example/', {}, failLookup)).rejects.toMatchObject(refusal('unresolvable'))
    const failure = await readUrl('http://films.example:47123/').catch((cause: unknown) => cause)
    expect(failure).toMatchObject({ ...refusal('unreachable'), isTransient: true })
    expect(String(failure)).not.toMatch(/127|47123|ECONN/)
  })

  it('an abort ends the fetch with the reason of the signal, before and within the body', async () => {
    const port = await serve((_request, response) => response.write('first'))
    const stop = new AbortController()
    setTimeout(() => stop.abort(new Error('cancelled by the client')), 50)
    await expect(readUrl(`http://films.example:${port}/`, { signal: stop.signal })).rejects.toThrow('cancelled by the client')
    await expect(readUrl(`http://films.example:${port}/`, { signal: stop.signal })).rejects.toThrow('cancelled by the client')
  })

  it('destroying the unread stream closes the connection', async () => {
    const port = await serve((_request, response) => response.write('first'))
    const fetchUntrusted = createFetchUntrusted({ allowHosts, resolver: resolveToPublic })
    const { stream } = await fetchUntrusted(`http://films.example:${port}/`, {
      bytesMax: 1000,
      timeoutMs: 5000,
      signal: new AbortController().signal,
    })
    expect(openedServers[0]?.sockets.size).toBe(1)
    stream.destroy()
    await expectConnectionsClosed()
  })

  it('the connection is closed after a refused response and after a redirect', async () => {
    const port = await serve((request, response) => {
      if (request.url === '/') response.writeHead(302, { location: '/missing' }).write('moved')
      else response.writeHead(404).write('no')
    })
    await expect(readUrl(`http://films.example:${port}/`)).rejects.toMatchObject(refusal('not_found'))
    await expectConnectionsClosed()
  })

  it('a time limit that passes before the stream is read rejects the read and does not crash', async () => {
    const port = await serve((_request, response) => response.write('first'))
    const fetchUntrusted = createFetchUntrusted({ allowHosts, resolver: resolveToPublic })
    const { stream } = await fetchUntrusted(`http://films.example:${port}/`, {
      bytesMax: 1000,
      timeoutMs: 100,
      signal: new AbortController().signal,
    })
    await sleep(200)
    await expect(buffer(stream)).rejects.toMatchObject(refusal('timed_out'))
  })

  it('a name with a private address is dialed only if the operator allows the name at this port', async () => {
    const port = await serve((_request, response) => response.end('model server'), '127.0.0.2')
    const options = { bytesMax: 1000, timeoutMs: 5000, signal: new AbortController().signal }
    const url = `http://comfy.internal:${port}/`
    const fetchOtherPort = createFetchUntrusted({ allowHosts: [`comfy.internal:${port + 1}`], resolver: resolveToPrivate })
    await expect(fetchOtherPort(url, options)).rejects.toMatchObject(refusal('forbidden_address'))
    const fetchAllowed = createFetchUntrusted({ allowHosts: [`comfy.internal:${port}`], resolver: resolveToPrivate })
    expect((await buffer((await fetchAllowed(url, options)).stream)).toString()).toBe('model server')
  })
})
