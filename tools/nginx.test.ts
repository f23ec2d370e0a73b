import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request as requestHttp, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { freePort } from '../packages/server/test/free-port.ts'
import { startServer, type StartedServer } from '../packages/server/test/started-server.ts'

/**
 * Runs a real nginx with deploy/nginx.conf in front of a started service. The test replaces only
 * addresses, ports and file names, as an operator would.
 */
const configuration = readFileSync(fileURLToPath(new URL('../deploy/nginx.conf', import.meta.url)), 'utf8')
const hasNginx = ['nginx', 'openssl'].every((program) => spawnSync(program, ['version']).error === undefined)
const startMsMax = 10_000
const host = 'media.example.com'
const otherHost = 'video.example.com'

let folder: string
let server: StartedServer
let nginx: ChildProcess
let ports: { http: number; https: number }

describe.skipIf(!hasNginx)('deploy/nginx.conf', () => {
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'framegate-nginx-'))
    ports = { http: await freePort(), https: await freePort() }
    server = await startServer(path.join(folder, 'data'), { FRAMEGATE_PUBLIC_URL: `https://${host}:${ports.https}` })
    nginx = await startNginx(folder, ports, [new URL(server.baseUrl).host])
  }, 180_000)
  afterAll(async () => {
    if (nginx !== undefined) {
      nginx.kill('SIGTERM')
      await once(nginx, 'exit')
    }
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('nginx forwards task requests over TLS, and serves results completely or in ranges', async () => {
    const submitted = await send('POST', '/api/v2/model-center/tasks', { model: 'imgA-5.0', prompt: 'a paper boat' })
    expect(submitted.status).toBe(202)
    expect(submitted.headers).toMatchObject({ 'retry-after': expect.any(String), 'x-request-id': expect.any(String) })
    const { id } = submitted.json
    const query = `/api/v2/model-center/tasks/${id}?wait=60`
    const endedResponse = await send('GET', query)
    const { status, result_url } = endedResponse.json
    expect([status, new URL(result_url).host]).toEqual(['completed', `${host}:${ports.https}`])
    expect(endedResponse.headers['strict-transport-security']).toBe('max-age=31536000')

    const { pathname, search } = new URL(result_url)
    const completeFile = await send('GET', pathname + search)
    expect([completeFile.status, completeFile.headers['content-type'], completeFile.headers['accept-ranges']]).toEqual([
      200,
      'image/png',
      'bytes',
    ])
    const range = { Range: 'bytes=100-199', 'If-Range': completeFile.headers.etag ?? '' }
    const partResponse = await send('GET', pathname + search, undefined, range)
    expect([partResponse.status, partResponse.headers['content-range']]).toEqual([
      206,
      `bytes 100-199/${completeFile.body.length}`,
    ])
    expect(partResponse.body.equals(completeFile.body.subarray(100, 200))).toBe(true)
  })

  it('nginx does not end a long poll before the service does', async () => {
    const simulate = { outcome: 'stuck' }
    const task = (await send('POST', '/api/v2/model-center/tasks', { model: 'imgA-5.0', prompt: 'x', simulate })).json
    const startedMs = performance.now()
    const longPoll = await send('GET', `/api/v2/model-center/tasks/${task.id}?wait=3`)
    expect(longPoll.json).toMatchObject({ status: 'processing' })
    expect(performance.now() - startedMs).toBeGreaterThan(2_500)
    const seconds = Number(/proxy_read_timeout (\d+)s;/.exec(configuration)?.[1])
    expect(seconds).toBeGreaterThan(60)
  })

  it('nginx forwards each event of a stream immediately', async () => {
    const simulate = { outcome: 'stuck' }
    const task = (await send('POST', '/api/v2/model-center/tasks', { model: 'imgA-5.0', prompt: 'x', simulate })).json
    const target = `/api/v2/model-center/tasks/${task.id}/events`
    const headers = { Host: host, Authorization: `Bearer ${server.apiKey}`, 'Accept-Encoding': 'gzip' }
    const request = requestHttps({
      host: '127.0.0.1',
      port: ports.https,
      path: target,
      headers,
      rejectUnauthorized: false,
      agent: false,
    })
    request.end()
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8'])
    let text = ''
    response.on('data', (chunk: Buffer) => (text += chunk.toString()))
    await vi.waitFor(() => expect(text).toMatch(/^data: .*"status":"(queued|processing)"/m), { timeout: 5_000 })
    await send('POST', `/api/v2/model-center/tasks/${task.id}/cancel`)
    await once(response, 'end')
    expect(text).toMatch(/^data: .*"error_code":"cancelled"/m)
  })

  it('nginx forwards uploads above its default size limit, and the service rejects uploads above its own limit', async () => {
    const raw = { width: 700, height: 700, channels: 3 } as const
    const image = await sharp(randomBytes(raw.width * raw.height * raw.channels), { raw })
      .png()
      .toBuffer()
    expect(image.length).toBeGreaterThan(1024 * 1024)
    const acceptedUpload = await upload(image)
    expect([acceptedUpload.status, acceptedUpload.json]).toEqual([
      201,
      expect.objectContaining({ object: 'asset', size_bytes: image.length }),
    ])
    const refused = await upload(Buffer.alloc(40 * 1024 * 1024))
    expect([refused.status, refused.json]).toEqual([413, { error: expect.objectContaining({ code: 'body_too_large' }) }])
  })

  it('a body above the limit of the service gets an API error through nginx', async () => {
    const headers = {
      Host: host,
      Authorization: `Bearer ${server.apiKey}`,
      'Content-Type': 'multipart/form-data; boundary=x',
      'Content-Length': '536870912',
    }
    const request = requestHttps({
      host: '127.0.0.1',
      port: ports.https,
      path: '/api/v2/assets',
      method: 'POST',
      headers,
      rejectUnauthorized: false,
      agent: false,
    })
    // The response arrives before the body, which is never sent.
    request.flushHeaders()
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    expect([response.statusCode, await readText(response)]).toEqual([413, expect.stringContaining('"code":"body_too_large"')])
    request.destroy()
  })

  it('nginx forwards the Host header, which selects the brand', async () => {
    await server.request('POST', '/admin/v1/brands', { name: 'Northern Lights', hosts: [otherHost] })
    expect((await send('GET', '/api/v2/model-center/models')).status).toBe(200)
    const otherHostResponse = await send('GET', '/api/v2/model-center/models', undefined, { Host: otherHost })
    expect([otherHostResponse.status, otherHostResponse.json]).toEqual([
      401,
      { error: expect.objectContaining({ code: 'invalid_api_key' }) },
    ])
  })

  it('the service rejects requests for /metrics through nginx, although it allows direct ones from the same machine', async () => {
    const { origin } = new URL(server.baseUrl)
    expect((await fetch(`${origin}/metrics`)).status).toBe(200)
    // Without detecting the proxy, the service would accept this host name.
    expect((await send('GET', '/metrics', undefined, { Host: 'localhost' })).status).toBe(401)
  })

  it('no request fails while two processes restart one after the other', async () => {
    const processes = [await startProcess(), await startProcess()]
    const otherPorts = { http: await freePort(), https: await freePort() }
    const otherFolder = mkdtempSync(path.join(tmpdir(), 'framegate-nginx-'))
    const otherNginx = await startNginx(
      otherFolder,
      otherPorts,
      processes.map(({ port }) => `127.0.0.1:${port}`),
    )
    const submitAll = async () => {
      const statuses: number[] = []
      for (let count = 0; count < 6; count++)
        statuses.push((await send('POST', '/api/v2/model-center/tasks', {}, {}, requestHttps, otherPorts.https)).status)
      return new Set(statuses)
    }
    for (const { stop, start } of processes) {
      await stop()
      expect(await submitAll()).toEqual(new Set([202]))
      await start()
      expect(await submitAll()).toEqual(new Set([202]))
    }
    for (const { stop } of processes) await stop()
    expect(await submitAll()).toEqual(new Set([502]))
    otherNginx.kill('SIGTERM')
    await once(otherNginx, 'exit')
    rmSync(otherFolder, { recursive: true, force: true })
  })

  it('nginx redirects requests without TLS to the same address with TLS', async () => {
    const { status, headers } = await send('GET', '/api/v2/models?limit=1', undefined, {}, requestHttp, ports.http)
    expect([status, headers.location]).toEqual([308, `https://${host}/api/v2/models?limit=1`])
  })
})

/** Starts a process that accepts every request, and that can restart on the same port. */
async function startProcess() {
  const port = await freePort()
  const process = createServer((_, response) => response.writeHead(202).end())
  const start = async (): Promise<void> => {
    process.listen(port, '127.0.0.1')
    await once(process, 'listening')
  }
  const stop = async (): Promise<void> => {
    process.closeAllConnections()
    process.close()
    await once(process, 'close')
  }
  await start()
  return { port, start, stop }
}

/** Starts nginx in front of the processes with these addresses. */
async function startNginx(
  folder: string,
  ports: { http: number; https: number },
  addresses: readonly string[],
): Promise<ChildProcess> {
  const certificate = path.join(folder, 'fullchain.pem')
  const key = path.join(folder, 'privkey.pem')
  const names = `subjectAltName=DNS:${host},DNS:${otherHost}`
  const certificateArguments = [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '1',
    '-subj',
    `/CN=${host}`,
    '-addext',
    names,
  ]
  execFileSync('openssl', [...certificateArguments, '-out', certificate, '-keyout', key], { stdio: 'ignore' })
  const siteConfiguration = configuration
    .replaceAll(/^.*listen \[::\].*\n/gm, '')
    .replace('listen 80;', `listen 127.0.0.1:${ports.http};`)
    .replace('listen 443 ssl;', `listen 127.0.0.1:${ports.https} ssl;`)
    .replaceAll(`server_name ${host};`, `server_name ${host} ${otherHost};`)
    .replaceAll(/^.*server 127\.0\.0\.1:8787(.*);\n/gm, (_, options: string) =>
      addresses.map((address) => `server ${address}${options};\n`).join(''),
    )
    .replaceAll('/etc/ssl/framegate/', `${folder}/`)
  const temporaryPaths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/temporary/${name};`,
  )
  mkdirSync(path.join(folder, 'temporary'))
  const mainConfiguration = [
    'daemon off;',
    ...(process.getuid?.() === 0 ? ['user root;'] : []),
    `pid ${folder}/nginx.pid;`,
    'events { worker_connections 64; }',
    'http {',
    'access_log off;',
    ...temporaryPaths,
    siteConfiguration,
    '}',
  ]
  writeFileSync(path.join(folder, 'nginx.conf'), mainConfiguration.join('\n'))
  const child = spawn('nginx', ['-c', path.join(folder, 'nginx.conf'), '-e', path.join(folder, 'error.log')], {
    stdio: 'inherit',
  })
  const deadlineMs = performance.now() + startMsMax
  while (!(await isListening(ports.https))) {
    if (performance.now() > deadlineMs || child.exitCode !== null)
      throw new Error(readFileSync(path.join(folder, 'error.log'), 'utf8'))
    await sleep(20)
  }
  return child
}

interface HttpResponse {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
  /** `any` because a test reads the fields that it expects and fails if they are missing. */
  // oxlint-disable-next-line typescript/no-explicit-any
  json: any
}

async function send(
  method: string,
  target: string,
  body?: object | Buffer,
  headers: Record<string, string> = {},
  startRequest: typeof requestHttps = requestHttps,
  port = ports.https,
): Promise<HttpResponse> {
  const isJson = body !== undefined && !Buffer.isBuffer(body)
  const bodyBytes = isJson ? Buffer.from(JSON.stringify(body)) : body
  const requestHeaders = {
    Host: host,
    Authorization: `Bearer ${server.apiKey}`,
    ...(isJson && { 'Content-Type': 'application/json' }),
    ...headers,
  }
  const request = startRequest({
    host: '127.0.0.1',
    port,
    method,
    path: target,
    headers: requestHeaders,
    rejectUnauthorized: false,
    agent: false,
  })
  request.end(bodyBytes)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const parts: Buffer[] = []
  for await (const chunk of response) parts.push(chunk as Buffer)
  const responseBody = Buffer.concat(parts)
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: responseBody,
    json: isJsonResponse(response) ? JSON.parse(responseBody.toString()) : null,
  }
}

function isJsonResponse({ headers }: IncomingMessage): boolean {
  return headers['content-type']?.startsWith('application/json') === true
}

async function upload(file: Buffer): Promise<HttpResponse> {
  const form = new FormData()
  form.append('file', new Blob([Uint8Array.from(file)]), 'picture.png')
  const encoded = new Response(form)
  const headers = { 'Content-Type': encoded.headers.get('content-type') ?? '' }
  return send('POST', '/api/v2/assets', Buffer.from(await encoded.arrayBuffer()), headers)
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const [connected] = await Promise.race([
    once(socket, 'connect').then(() => [true]),
    once(socket, 'error').then(() => [false]),
  ]).catch(() => [false])
  socket.destroy()
  return connected === true
}
