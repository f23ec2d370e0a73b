import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Framegate, type FramegateError, type Task } from '../src/index.ts'
import { task } from './scripted-service.ts'

/**
 * Results may be in an object store, behind a cache, or on a server with little support for ranges.
 */
const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251))
let servers: Server[]
let requestHeaders: IncomingHttpHeaders[]
let folder: string

beforeEach(() => {
  requestHeaders = []
  servers = []
  folder = mkdtempSync(join(tmpdir(), 'framegate-download-'))
})
afterEach(async () => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  rmSync(folder, { recursive: true })
})

async function serve(listener: RequestListener): Promise<Task> {
  const server = createServer((request, response) => {
    requestHeaders.push(request.headers)
    listener(request, response)
  })
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return task('completed', { result_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/result` })
}

/** Sends the complete result to each request, but breaks the first response in the middle. */
function breaksOnce(headersOf: (count: number) => Record<string, string>): RequestListener {
  return (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'video/mp4', 'Content-Length': bytes.length, ...headersOf(requestHeaders.length) })
    if (requestHeaders.length === 1) response.write(bytes.subarray(0, 100_000), () => response.destroy())
    else response.end(bytes)
  }
}

const client = new Framegate({ baseUrl: 'http://framegate.test', apiKey: 'key', timeoutSeconds: 1 })
const failureOf = (call: Promise<unknown>) => call.catch((error: FramegateError) => error)
const bytesOf = async (blob: Blob) => Buffer.from(await blob.arrayBuffer())

it('a download to a file or blob restarts when the server cannot resume it', async () => {
  const responses: ((count: number) => Record<string, string>)[] = [
    () => ({}),
    () => ({ ETag: 'W/"alike"' }),
    (count) => ({ ETag: `"${count}"` }),
  ]
  for (const headersOf of responses) {
    requestHeaders = []
    const completed = await serve(breaksOnce(headersOf))
    const path = join(folder, 'result.mp4')
    await (await client.tasks.download(completed)).saveTo(path)
    expect([requestHeaders.length, readFileSync(path).equals(bytes)]).toEqual([2, true])
    requestHeaders = []
    expect((await bytesOf(await (await client.tasks.download(completed)).blob())).equals(bytes)).toBe(true)
    expect(requestHeaders).toHaveLength(2)
  }
})

it('a download as a stream fails when the server cannot resume it, because its first part is already delivered', async () => {
  const completed = await serve(breaksOnce((count) => ({ ETag: `"${count}"` })))
  const download = await client.tasks.download(completed)
  expect(await failureOf(new Response(download.stream()).arrayBuffer())).toMatchObject({ code: 'result_changed' })
  expect(requestHeaders[1]).toMatchObject({ range: expect.stringMatching(/^bytes=\d+-$/), 'if-range': '"1"' })
})

it('a download never joins parts of two results, even if the server sends a wrong Content-Range', async () => {
  const completed = await serve((request, response) => {
    if (requestHeaders.length === 1) return breaksOnce(() => ({ ETag: '"one"' }))(request, response)
    response.writeHead(206, { ETag: '"two"', 'Content-Range': `bytes 5-9/${bytes.length}`, 'Content-Length': 5 }).end('other')
  })
  expect(await failureOf((await client.tasks.download(completed)).blob())).toMatchObject({ code: 'result_changed' })
})

it.each([
  [206, 'bytes 0-9/10', 10],
  [206, 'bytes 0-9/*', null],
  [206, 'bytes 0-9/10/20', null],
  [206, 'bytes 0-9/', null],
  [206, 'bytes 0-9/1e3', null],
  [206, `bytes 0-9/${'9'.repeat(20)}`, null],
  [206, '10', null],
  [200, 'bytes 0-9/20', 10],
])('a download with HTTP %i and the Content-Range %s has the size %s', async (status, range, sizeBytes) => {
  const completed = await serve((_request, response) => {
    response.writeHead(status, { 'Content-Range': range, 'Content-Length': 10 }).end(bytes.subarray(0, 10))
  })
  const download = await client.tasks.download(completed)
  expect([download.sizeBytes, (await download.blob()).size]).toEqual([sizeBytes, 10])
})

it('a download never joins bytes of another range', async () => {
  const completed = await serve((request, response) => {
    const headers = { ETag: '"one"', 'Content-Range': `bytes 5-9/${bytes.length}`, 'Content-Length': 5 }
    if (requestHeaders.length === 1) return breaksOnce(() => ({ ETag: '"one"' }))(request, response)
    response.writeHead(206, headers).end('other')
  })
  expect(await failureOf((await client.tasks.download(completed)).blob())).toMatchObject({ code: 'result_changed' })
})

it('a download from another server does not send the API key to that server', async () => {
  const completed = await serve((_request, response) => void response.end('x'))
  await (await client.tasks.download(completed)).blob()
  expect(requestHeaders[0]).not.toHaveProperty('authorization')
})

it('a download without Content-Length stops at the size limit', async () => {
  const completed = await serve((_request, response) => {
    response.write(bytes)
    response.end()
  })
  const download = await client.tasks.download(completed)
  expect([download.sizeBytes, download.contentType]).toEqual([null, 'application/octet-stream'])
  expect((await download.blob()).size).toBe(bytes.length)
  const bounded = await client.tasks.download(completed, { bytesMax: 1000 })
  expect(await failureOf(bounded.saveTo(join(folder, 'x')))).toMatchObject({ code: 'result_too_large' })
  expect(readdirSync(folder)).toEqual([])
})

it('a download connection on which no more bytes arrive counts as lost', async () => {
  const completed = await serve((request, response) => {
    if (requestHeaders.length > 1) return breaksOnce(() => ({}))(request, response)
    response.writeHead(200, { 'Content-Length': bytes.length }).write(bytes.subarray(0, 10))
  })
  const codes: string[] = []
  const download = await client.tasks.download(completed, { onRetry: ({ error }) => codes.push(error.code) })
  expect((await download.blob()).size).toBe(bytes.length)
  expect(codes).toEqual(['timed_out'])
})

it('a download fails if every connection is lost at the same byte', async () => {
  const completed = await serve((_request, response) => {
    response.writeHead(200, { 'Content-Length': bytes.length }).write(bytes.subarray(0, 1_000))
    // Gives the client time to read the bytes, because unread ones are lost with the connection.
    setTimeout(() => response.destroy(), 300)
  })
  const download = await client.tasks.download(completed, { maxRetries: 2 })
  expect(await failureOf(download.saveTo(join(folder, 'x')))).toMatchObject({ code: 'connection_failed' })
  expect([requestHeaders.length, readdirSync(folder)]).toEqual([3, []])
})

it('a download fails if every connection is lost before the first byte', async () => {
  const completed = await serve((_request, response) => {
    response.writeHead(200, { 'Content-Length': bytes.length, ETag: '"one"' })
    response.flushHeaders()
    response.destroy()
  })
  const download = await failureOf(
    client.tasks.download(completed, { maxRetries: 1 }).then((openedDownload) => openedDownload.blob()),
  )
  expect(download).toMatchObject({ code: 'connection_failed' })
})
