import { execFile } from 'node:child_process'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { createFetchUntrusted } from '../../src/lib/guarded-fetch/fetch-untrusted.ts'
import type { ResolveHost } from '../../src/lib/guarded-fetch/resolve-host.ts'
import type { UntrustedFetchReason } from '../../src/lib/guarded-fetch/untrusted-fetch-error.ts'
import { watchMemory } from './watch-memory.ts'

// 127.0.0.1 stands for the public internet: the rules permit it, while all other local addresses
// stay private.
const allowHosts = ['127.0.0.1']
const bytesMax = 100_000
const timeoutMs = 1_500
const durationMsMax = 4_000
const grownBytesMax = 100 * 1024 * 1024

/** Writes a response to a connected client. `closed` aborts when the connection closes. */
type Responder = (socket: Socket, closed: AbortSignal, port: number) => void | Promise<void>

const servers: { server: Server; sockets: Set<Socket> }[] = []

async function serve(respond: Responder): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    const closed = new AbortController()
    socket
      .on('error', () => {})
      .once('close', () => {
        sockets.delete(socket)
        closed.abort()
      })
    socket.once('data', () => void respond(socket, closed.signal, socket.localPort ?? 0))
  })
  servers.push({ server, sockets })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

afterEach(async () => {
  for (const { server, sockets } of servers.splice(0)) {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
})

interface FetchOutcome {
  body?: string
  reason?: UntrustedFetchReason
  message?: string
}

async function fetchOnce(url: string, resolver: ResolveHost): Promise<FetchOutcome> {
  const fetchUntrusted = createFetchUntrusted({ allowHosts, resolver, silenceMs: 400 })
  try {
    const { stream } = await fetchUntrusted(url, { bytesMax, timeoutMs, signal: new AbortController().signal })
    return { body: (await buffer(stream)).toString('latin1') }
  } catch (error) {
    if (error instanceof Error && error.name === 'UntrustedFetchError' && 'reason' in error) {
      return { reason: error.reason as UntrustedFetchReason, message: error.message }
    }
    throw error
  }
}

const resolvedHosts: string[] = []
const resolveToPublic: ResolveHost = async (hostname) => {
  resolvedHosts.push(hostname)
  return ['127.0.0.1']
}
const refuseLookup: ResolveHost = async (hostname) => {
  throw new Error(`a DNS query was sent for ${hostname}`)
}

const urlWithTab = 'http://127.0.\t0.2/'
const urlWithLineBreak = 'http://169.254\n.169.254/'

describe('addresses that are refused before any DNS lookup or connection', () => {
  it.each<[string, UntrustedFetchReason]>([
    ['ftp://images.example/a.png', 'invalid_url'],
    ['file:///etc/passwd', 'invalid_url'],
    ['file://images.example/a.png', 'invalid_url'],
    ['gopher://127.0.0.1:6379/_FLUSHALL', 'invalid_url'],
    ['javascript:fetch("http://127.0.0.1")', 'invalid_url'],
    ['data:text/html,x', 'invalid_url'],
    ['blob:http://images.example/1', 'invalid_url'],
    ['ws://images.example/', 'invalid_url'],
    ['unix:/var/run/docker.sock', 'invalid_url'],
    ['jar:http://images.example!/', 'invalid_url'],
    ['//images.example/a.png', 'invalid_url'],
    ['/a.png', 'invalid_url'],
    ['http://', 'invalid_url'],
    ['http:// images.example/', 'invalid_url'],
    ['http://images.example:65536/', 'invalid_url'],
    ['http://images.example:-1/', 'invalid_url'],
    ['http://images.example:80:80/', 'invalid_url'],
    ['http://%00/', 'invalid_url'],
    ['http://images%00.example/', 'invalid_url'],
    ['http://images.example%2f@/', 'invalid_url'],
    ['http://1.2.3.4.5/', 'invalid_url'],
    ['http://256.1.1.1/', 'invalid_url'],
    ['http://0x100000000/', 'invalid_url'],
    ['http://[::1/', 'invalid_url'],
    ['http://[fe80::1%25eth0]/', 'invalid_url'],
    ['http://[::ffff:127.0.0.1.5]/', 'invalid_url'],
    ['http://user@images.example/', 'invalid_url'],
    ['http://images.example@127.0.0.2/', 'invalid_url'],
    ['http://images.example:80@127.0.0.2/', 'invalid_url'],
    ['http://127.0.0.2:80@images.example/', 'invalid_url'],
    ['http://a@b@images.example/', 'invalid_url'],
    ['http://2130706434/', 'forbidden_address'],
    ['http://017700000002/', 'forbidden_address'],
    ['http://0x7f000002/', 'forbidden_address'],
    ['http://0x7f.0x0.0x0.0x2/', 'forbidden_address'],
    ['http://0177.0.0.02/', 'forbidden_address'],
    ['http://127.2/', 'forbidden_address'],
    ['http://127.0.2/', 'forbidden_address'],
    ['http://127.0.0.2./', 'forbidden_address'],
    ['http://0x7f.0.0.2./', 'forbidden_address'],
    ['http://①②⑦.⓪.⓪.②/', 'forbidden_address'],
    ['http://127。0。0。2/', 'forbidden_address'],
    ['http://127．0．0．2/', 'forbidden_address'],
    ['http://%31%32%37.0.0.2/', 'forbidden_address'],
    ['http://127%2e0%2e0%2e2/', 'forbidden_address'],
    [urlWithTab, 'forbidden_address'],
    [urlWithLineBreak, 'forbidden_address'],
    ['http:\\\\127.0.0.2\\', 'forbidden_address'],
    ['http:/127.0.0.2/', 'forbidden_address'],
    ['http:127.0.0.2', 'forbidden_address'],
    ['http:///127.0.0.2/', 'forbidden_address'],
    ['HTTP://127.0.0.2/', 'forbidden_address'],
    ['  http://127.0.0.2/', 'forbidden_address'],
    ['http://127.0.0.2\\@images.example/', 'forbidden_address'],
    ['http://127.0.0.2#@images.example/', 'forbidden_address'],
    ['http://127.0.0.2?@images.example/', 'forbidden_address'],
    ['http://169.254.169.254/latest/meta-data/', 'forbidden_address'],
    ['http://0xa9fea9fe/', 'forbidden_address'],
    ['http://169.254.170.2/v2/credentials', 'forbidden_address'],
    ['http://168.63.129.16/machine', 'forbidden_address'],
    ['http://100.100.100.200/', 'forbidden_address'],
    ['http://192.0.0.192/', 'forbidden_address'],
    ['http://0/', 'forbidden_address'],
    ['http://255.255.255.255/', 'forbidden_address'],
    ['http://[::]/', 'forbidden_address'],
    ['http://[::1]/', 'forbidden_address'],
    ['http://[0:0:0:0:0:0:0:1]/', 'forbidden_address'],
    ['http://[::127.0.0.1]/', 'forbidden_address'],
    ['http://[::ffff:127.0.0.1]/', 'forbidden_address'],
    ['http://[::ffff:7f00:1]/', 'forbidden_address'],
    ['http://[::ffff:a9fe:a9fe]/', 'forbidden_address'],
    ['http://[0:0:0:0:0:ffff:127.0.0.2]/', 'forbidden_address'],
    ['http://[0000:0000:0000:0000:0000:0000:0000:0001]/', 'forbidden_address'],
    ['http://0300.0250.0.1/', 'forbidden_address'],
    ['http://0xa.1/', 'forbidden_address'],
    ['http://３２３２２３５５２１/', 'forbidden_address'],
    ['http://١٢٧.٠.٠.٢/', 'invalid_url'],
    ['http://[::ffff:0:127.0.0.1]/', 'forbidden_address'],
    ['http://[64:ff9b::169.254.169.254]/', 'forbidden_address'],
    ['http://[64:ff9b:1::a9fe:a9fe]/', 'forbidden_address'],
    ['http://[2002:7f00:1::]/', 'forbidden_address'],
    ['http://[2001:0:7f00:1::]/', 'forbidden_address'],
    ['http://[2001:20::1]/', 'forbidden_address'],
    ['http://[2001:db8::1]/', 'forbidden_address'],
    ['http://[3fff::1]/', 'forbidden_address'],
    ['http://[5f00::1]/', 'forbidden_address'],
    ['http://[fe80::1]/', 'forbidden_address'],
    ['http://[fec0::1]/', 'forbidden_address'],
    ['http://[fd00:ec2::254]/', 'forbidden_address'],
    ['http://[ff02::1]/', 'forbidden_address'],
    ['http://[100::1]/', 'forbidden_address'],
    ['http://localhost/', 'forbidden_address'],
    ['http://localhost./', 'forbidden_address'],
    ['http://LocalHost/', 'forbidden_address'],
    ['http://a.localhost/', 'forbidden_address'],
    ['http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/', 'forbidden_address'],
    ['http://loc\u00adalhost/', 'forbidden_address'],
    ['http://loc%61lhost/', 'forbidden_address'],
    ['http://localhost.localdomain/', 'forbidden_address'],
    ['http://metadata/', 'forbidden_address'],
    ['http://metadata.google.internal./', 'forbidden_address'],
    ['http://kubernetes.default.svc.cluster.local/', 'forbidden_address'],
    ['http://router.home.arpa/', 'forbidden_address'],
    ['http://images.example:22/', 'forbidden_port'],
    ['http://images.example:0/', 'forbidden_port'],
    ['http://images.example:6379/', 'forbidden_port'],
    ['http://images.example:11211/', 'forbidden_port'],
    ['https://images.example:25/', 'forbidden_port'],
    ['http://127.0.0.1:2375/', 'forbidden_port'],
  ])('the address %j is refused as %s', async (url, reason) => {
    expect(await fetchOnce(url, refuseLookup)).toMatchObject({ reason })
  })
})

describe('odd but valid addresses', () => {
  it.each<[string, (port: number) => string]>([
    ['a fragment that looks like credentials', (port) => `http://images.example:${port}#@127.0.0.2/`],
    ['a path that looks like credentials', (port) => `http://images.example:${port}/@127.0.0.2/`],
    ['a backslash before a text that looks like a host', (port) => `http://images.example:${port}\\@127.0.0.2/`],
    ['a trailing dot', (port) => `http://images.example.:${port}/`],
    ['capital letters', (port) => `HTTP://IMAGES.EXAMPLE:${port}/`],
    ['unicode', (port) => `http://images。example:${port}/`],
    ['punycode', (port) => `http://xn--80akhbyknj4f.example:${port}/`],
    ['a line break in the path', (port) => `http://images.example:${port}/a\r\nx-injected:1`],
  ])('an address with %s leads to its own host and injects no header', async (_, url) => {
    let request = ''
    const port = await serve((socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'))
    servers[0]?.server.on('connection', (socket: Socket) => socket.on('data', (bytes) => (request += bytes.toString())))
    resolvedHosts.length = 0
    expect(await fetchOnce(url(port), resolveToPublic)).toEqual({ body: 'ok' })
    expect(resolvedHosts).toHaveLength(1)
    expect(resolvedHosts[0]).toMatch(/\.example\.?$/)
    expect(request).not.toMatch(/^x-injected/m)
  })
})

const addressesWithLast = (count: number, lastAddress: string) => [...Array<string>(count).fill('127.0.0.1'), lastAddress]

describe('addresses from DNS', () => {
  it.each<[string, ResolveHost, UntrustedFetchReason]>([
    ['a private address', async () => ['10.0.0.1'], 'forbidden_address'],
    ['a private address after a thousand public ones', async () => addressesWithLast(1000, '192.168.0.1'), 'forbidden_address'],
    ['a private IPv6 address beside a public IPv4 one', async () => ['127.0.0.1', 'fd00::1'], 'forbidden_address'],
    ['an IPv4-mapped address', async () => ['::ffff:127.0.0.2'], 'forbidden_address'],
    ['an IPv4-mapped address in hexadecimal', async () => ['::ffff:7f00:2'], 'forbidden_address'],
    ['a NAT64 address', async () => ['64:ff9b::7f00:2'], 'forbidden_address'],
    ['a NAT64 address with a local prefix', async () => ['64:ff9b:1::a00:1'], 'forbidden_address'],
    ['a 6to4 address', async () => ['2002:a9fe:a9fe::1'], 'forbidden_address'],
    ['a Teredo address', async () => ['2001:0:a9fe:a9fe::1'], 'forbidden_address'],
    ['an IPv4-compatible address', async () => ['::10.0.0.1'], 'forbidden_address'],
    ['the unspecified IPv4 address', async () => ['0.0.0.0'], 'forbidden_address'],
    ['the unspecified IPv6 address', async () => ['::'], 'forbidden_address'],
    ['the broadcast address', async () => ['255.255.255.255'], 'forbidden_address'],
    ['a multicast address', async () => ['239.255.255.250'], 'forbidden_address'],
    ['an address with a zone', async () => ['fe80::1%lo'], 'forbidden_address'],
    ['the metadata service', async () => ['169.254.169.254'], 'forbidden_address'],
    ['an address in octal', async () => ['0177.0.0.2'], 'forbidden_address'],
    ['an address in decimal', async () => ['2130706434'], 'forbidden_address'],
    ['a name', async () => ['localhost'], 'forbidden_address'],
    ['an empty text', async () => [''], 'forbidden_address'],
    ['nothing', async () => [], 'unresolvable'],
    ['a failure', () => Promise.reject(new Error('ESERVFAIL')), 'unresolvable'],
    ['no response', () => new Promise(() => {}), 'timed_out'],
  ])('a bad DNS result is refused in time and without details: %s', async (_, resolver, reason) => {
    const startedAt = performance.now()
    const { message, ...refusal } = await fetchOnce('http://images.example/', resolver)
    expect(refusal).toEqual({ reason })
    expect(message).not.toMatch(/\d|example|SERVFAIL/)
    expect(performance.now() - startedAt).toBeLessThan(durationMsMax)
  })

  it('a name is resolved once, and a second DNS response has no effect', async () => {
    const port = await serve((socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'))
    let lookupCount = 0
    const resolveWithRebinding: ResolveHost = async () => (lookupCount++ === 0 ? ['127.0.0.1'] : ['127.0.0.2'])
    expect(await fetchOnce(`http://images.example:${port}/`, resolveWithRebinding)).toEqual({ body: 'ok' })
    expect(lookupCount).toBe(1)
  })

  it('the guarded fetch tries another address of a name when one refuses the connection', async () => {
    const port = await serve((socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'))
    const fetchUntrusted = createFetchUntrusted({ allowHosts: ['127.0.0.0/8'], resolver: async () => ['127.0.0.9', '127.0.0.1'] })
    const { stream } = await fetchUntrusted(`http://images.example:${port}/`, {
      bytesMax,
      timeoutMs,
      signal: new AbortController().signal,
    })
    expect((await buffer(stream)).toString()).toBe('ok')
  })
})

const ok = 'HTTP/1.1 200 OK\r\n'
const respondWith =
  (text: string | Buffer): Responder =>
  (socket) =>
    void socket.end(text, 'latin1')
const redirectTo = (location: string) => respondWith(`HTTP/1.1 302 Found\r\nlocation: ${location}\r\ncontent-length: 0\r\n\r\n`)

/** Sends `head`, then `repeated` every `everyMs` until the connection closes. */
const endless =
  (head: string, repeated: string, everyMs = 0): Responder =>
  async (socket, closed) => {
    socket.write(head, 'latin1')
    while (!closed.aborted) {
      if (!socket.write(repeated, 'latin1'))
        await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), untilAborted(closed)])
      await sleep(everyMs)
    }
  }

function untilAborted(closed: AbortSignal): Promise<void> {
  return new Promise((resolve) => closed.addEventListener('abort', () => resolve(), { once: true }))
}

describe('a fetch ends within the limits, and returns the body or an error', () => {
  const badResponse = { reason: 'bad_response' }
  const timedOut = { reason: 'timed_out' }
  const interrupted = { reason: 'interrupted' }
  const tooLarge = { reason: 'too_large' }
  const forbidden = { reason: 'forbidden_address' }
  it.each<[string, Responder, FetchOutcome | { reason: string }]>([
    ['a redirect to a private address', redirectTo('http://127.0.0.2/'), forbidden],
    ['a redirect to a private address in hexadecimal', redirectTo('http://0x7f000002/'), forbidden],
    ['a redirect to metadata', redirectTo('//169.254.169.254/latest/'), forbidden],
    ['a redirect to localhost', redirectTo('http://localhost/'), forbidden],
    ['a redirect to a file', redirectTo('file:///etc/passwd'), { reason: 'invalid_url' }],
    ['a redirect to a data URI', redirectTo('data:image/png;base64,AAAA'), { reason: 'invalid_url' }],
    ['a redirect with credentials', redirectTo('http://a:b@images.example/'), { reason: 'invalid_url' }],
    ['a redirect to a long address', redirectTo(`/${'a'.repeat(10_000)}`), { reason: 'invalid_url' }],
    ['a redirect to a mail port', redirectTo('http://images.example:25/'), { reason: 'forbidden_port' }],
    ['a redirect without Location', respondWith('HTTP/1.1 302 Found\r\ncontent-length: 0\r\n\r\n'), badResponse],
    ['a redirect with an empty Location', redirectTo(''), { reason: 'too_many_redirects' }],
    ['a redirect to itself', redirectTo('/'), { reason: 'too_many_redirects' }],
    [
      'a redirect with an endless body',
      endless('HTTP/1.1 302 Found\r\nlocation: /\r\ntransfer-encoding: chunked\r\n\r\n', '5\r\nmoved\r\n'),
      { reason: 'too_many_redirects' },
    ],
    ['status 204', respondWith('HTTP/1.1 204 No Content\r\n\r\n'), badResponse],
    [
      'status 206',
      respondWith('HTTP/1.1 206 Partial Content\r\ncontent-range: bytes 0-1/9\r\ncontent-length: 2\r\n\r\nab'),
      badResponse,
    ],
    ['status 300', respondWith('HTTP/1.1 300 Multiple Choices\r\nlocation: /\r\ncontent-length: 0\r\n\r\n'), badResponse],
    ['status 304', respondWith('HTTP/1.1 304 Not Modified\r\n\r\n'), badResponse],
    [
      'status 401',
      respondWith('HTTP/1.1 401 Unauthorized\r\nwww-authenticate: Negotiate\r\ncontent-length: 0\r\n\r\n'),
      badResponse,
    ],
    ['status 407', respondWith('HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n'), badResponse],
    ['status 500', respondWith('HTTP/1.1 500 Oops\r\ncontent-length: 0\r\n\r\n'), badResponse],
    ['status 999', respondWith('HTTP/1.1 999 Oops\r\ncontent-length: 0\r\n\r\n'), badResponse],
    [
      'status 101',
      respondWith('HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n'),
      interrupted,
    ],
    [
      'status 100 without a request for it',
      respondWith(`HTTP/1.1 100 Continue\r\n\r\n${ok}content-length: 2\r\n\r\nok`),
      interrupted,
    ],
    [
      'early hints before the response',
      respondWith(`HTTP/1.1 103 Early Hints\r\n\r\n${ok}content-length: 2\r\n\r\nok`),
      { body: 'ok' },
    ],
    ['early hints without end', endless('', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'), timedOut],
    ['a thousand headers', respondWith(`${ok}${'x: y\r\n'.repeat(1000)}content-length: 2\r\n\r\nok`), { body: 'ok' }],
    ['a flood of headers', endless(ok, 'x-padding: yyyyyyyyyyyyyyyyyyyy\r\n'.repeat(100)), badResponse],
    ['one huge header', respondWith(`${ok}x: ${'y'.repeat(100_000)}\r\n\r\n`), badResponse],
    ['one header without end', endless(`${ok}x: `, 'y'.repeat(1000)), badResponse],
    ['headers that arrive slowly', endless(ok, 'x: y\r\n', 100), timedOut],
    ['a body that arrives slowly', endless(`${ok}content-length: 50000\r\n\r\n`, '.', 100), timedOut],
    ['silence', () => {}, timedOut],
    ['silence within the body', (socket) => void socket.write(`${ok}content-length: 10\r\n\r\nhalf`), timedOut],
    ['a length that is too long', respondWith(`${ok}content-length: 10\r\n\r\nhalf`), interrupted],
    ['a length that is too short', respondWith(`${ok}content-length: 2\r\n\r\nok and more`), { body: 'ok' }],
    ['a length over the limit', respondWith(`${ok}content-length: 999999999999\r\n\r\nx`), tooLarge],
    ['a negative length', respondWith(`${ok}content-length: -5\r\n\r\nhello`), badResponse],
    ['a length that is no number', respondWith(`${ok}content-length: five\r\n\r\nhello`), badResponse],
    ['a length of forty digits', respondWith(`${ok}content-length: ${'9'.repeat(40)}\r\n\r\nhello`), badResponse],
    ['two lengths', respondWith(`${ok}content-length: 2\r\ncontent-length: 5\r\n\r\nhello`), badResponse],
    ['a length and chunks', respondWith(`${ok}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`), badResponse],
    ['no length, ended by closing the connection', respondWith(`${ok}\r\nok`), { body: 'ok' }],
    ['a body without end', endless(`${ok}\r\n`, 'x'.repeat(50_000)), tooLarge],
    ['chunks without end', endless(`${ok}transfer-encoding: chunked\r\n\r\n`, '5\r\nhello\r\n'.repeat(1000)), tooLarge],
    ['a chunk of a size that is no number', respondWith(`${ok}transfer-encoding: chunked\r\n\r\nzz\r\n`), badResponse],
    ['a chunk of an impossible size', respondWith(`${ok}transfer-encoding: chunked\r\n\r\n${'f'.repeat(20)}\r\n`), badResponse],
    ['a chunk that breaks off', respondWith(`${ok}transfer-encoding: chunked\r\n\r\nff\r\nhello`), interrupted],
    ['a chunk extension without end', endless(`${ok}transfer-encoding: chunked\r\n\r\n5;x=`, 'y'.repeat(10_000)), timedOut],
    ['trailers without end', endless(`${ok}transfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n`, 'x: yyyyyyyyy\r\n'), timedOut],
    [
      'a gzip bomb',
      respondWith(Buffer.concat([Buffer.from(`${ok}content-encoding: gzip\r\n\r\n`), gzipSync(Buffer.alloc(50_000_000))])),
      badResponse,
    ],
    [
      'a gzip bomb as a transfer encoding',
      respondWith(Buffer.concat([Buffer.from(`${ok}transfer-encoding: gzip\r\n\r\n`), gzipSync(Buffer.alloc(5_000_000))])),
      { body: gzipSync(Buffer.alloc(5_000_000)).toString('latin1') },
    ],
    ['a connection closed without a response', (socket) => void socket.end(), interrupted],
    ['a connection closed within the headers', respondWith(`${ok}x: y`), interrupted],
    ['HTTP/0.9', respondWith('<html>hello</html>'), badResponse],
    ['HTTP/2 without TLS', respondWith('\0\0\x06\x04\0\0\0\0\0\0\x03\0\0\0\x01'), badResponse],
    ['HTTP/9.9', respondWith('HTTP/9.9 200 OK\r\ncontent-length: 2\r\n\r\nok'), badResponse],
    ['another protocol', respondWith('220 mail.example ESMTP\r\n'), badResponse],
    [
      'pseudo-random bytes',
      respondWith(Buffer.from(Uint8Array.from({ length: 5000 }, (_, index) => (index * 7919) % 256))),
      badResponse,
    ],
    ['a header with a zero byte', respondWith(`${ok}x: a\0b\r\ncontent-length: 2\r\n\r\nok`), badResponse],
  ])('a fetch ends within the limits of time and memory: %s', async (_, respond, expected) => {
    const port = await serve(respond)
    const memory = watchMemory()
    const startedAt = performance.now()
    const outcome = await fetchOnce(`http://images.example:${port}/`, resolveToPublic)
    expect(performance.now() - startedAt).toBeLessThan(durationMsMax)
    expect(memory.grownBytes()).toBeLessThan(grownBytesMax)
    expect(outcome).toMatchObject(expected)
    for (let waited = 0; waited < 100 && servers[0]?.sockets.size !== 0; waited++) await sleep(10)
    expect(servers[0]?.sockets.size).toBe(0)
  })

  it('an https address of a host without TLS is rejected', async () => {
    const port = await serve(respondWith('HTTP/1.1 400 Bad Request\r\n\r\n'))
    expect(await fetchOnce(`https://images.example:${port}/`, resolveToPublic)).toMatchObject({ reason: 'unreachable' })
  })
})

it('the guarded fetch and upstream calls ignore proxies in environment variables', async () => {
  const proxyConnections: string[] = []
  const proxyPort = await serve((socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nproxy'))
  servers[0]?.server.on('connection', () => proxyConnections.push('proxy'))
  const port = await serve((socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'))
  const address = `http://127.0.0.1:${proxyPort}`
  const program = `
    import { buffer } from 'node:stream/consumers'
    import { createFetchUntrusted } from '${new URL('../../src/lib/guarded-fetch/fetch-untrusted.ts', import.meta.url).href}'
    import { UpstreamConnections } from '${new URL('../../src/drivers/upstream/call-upstream.ts', import.meta.url).href}'
    const url = 'http://127.0.0.1:${port}/'
    const signal = AbortSignal.timeout(20_000)
    const fetchUntrusted = createFetchUntrusted({ allowHosts: ['127.0.0.1'] })
    const { stream } = await fetchUntrusted(url, { bytesMax: 1000, timeoutMs: 20_000, signal })
    await using connections = new UpstreamConnections()
    const { body } = await connections.call({ method: 'GET', url, signal })
    process.stdout.write(String(await buffer(stream)) + String(body))`
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy']
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
    env: { ...process.env, ...Object.fromEntries(names.map((name) => [name, address])), NO_PROXY: '', NODE_USE_ENV_PROXY: '1' },
  })
  expect([stdout, proxyConnections]).toEqual(['okok', []])
})
