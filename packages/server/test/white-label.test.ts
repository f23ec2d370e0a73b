import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inflateSync } from 'node:zlib'
import type { OpenApiDocument } from '@framegate/contract/openapi'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fetchAtHost } from './fetch-at-host.ts'
import { plainPng } from './plain-png.ts'
import { startServer, type StartedServer } from './started-server.ts'

/** These tests search all data that a client of a brand can receive for the name of the product. */

const host = 'films.example.org'
const tasksPath = '/v2/model-center/tasks'
/** The name with one byte per letter, or with two bytes in either byte order. */
const productName = new RegExp(Array.from('framegate').join('\\0?'), 'i')

/** Occurrences of the product's name that are allowed, each with its reason. */
const exceptions: readonly { subject: string; text: RegExp; reason: string }[] = []

interface Task {
  id: string
  status: string
  error: string | null
  result_url?: string
}

let dataDir: string
let server: StartedServer
let imageServer: Server
let imageServerUrl: string
let key: string
const violations: string[] = []
const receivedSubjects = new Set<string>()
/** Requests that the service has sent to a client's image server. */
const requestsToImageServer: string[] = []

function searchText(subject: string, text: string): void {
  receivedSubjects.add(subject)
  const remaining = exceptions
    .filter((exception) => exception.subject === subject)
    .reduce((rest, exception) => rest.replaceAll(exception.text, ''), text)
  const offset = remaining.search(productName)
  if (offset !== -1) violations.push(`${subject}: …${remaining.slice(Math.max(0, offset - 60), offset + 60)}…`)
}

/** Searches the bytes of a file, and the decompressed color profile of a PNG. */
function searchBytes(subject: string, bytes: Buffer): void {
  searchText(subject, bytes.toString('latin1'))
  if (bytes.subarray(1, 4).toString() !== 'PNG') return
  for (let offset = 8; offset < bytes.length; offset += 12 + bytes.readUInt32BE(offset)) {
    const type = bytes.toString('latin1', offset + 4, offset + 8)
    // Only chunks for pixels and colors are allowed. Text, times and other metadata would be in
    // other chunks.
    expect(['IHDR', 'IDAT', 'IEND', 'sRGB', 'gAMA', 'cHRM', 'pHYs', 'iCCP', 'cICP']).toContain(type)
    if (type !== 'iCCP') continue
    const profile = bytes.subarray(offset + 8, offset + 8 + bytes.readUInt32BE(offset))
    searchText(subject, inflateSync(profile.subarray(profile.indexOf(0) + 2)).toString('latin1'))
  }
}

async function receive(method: string, url: string, init: RequestInit = {}): Promise<Response> {
  const address = url.startsWith('http') ? url : server.baseUrl + url
  // The stream of an account's events has no end.
  const isEndless = address.endsWith('/v2/events')
  const response = await fetchAtHost(address, host, { method, ...init }, { isEndless })
  const subject = `${method} ${address.replace(new URL(server.baseUrl).origin, '').replace(/\?.*/, '')}`
  searchText(subject, [...response.headers].flat().join('\n'))
  searchBytes(subject, Buffer.from(await response.clone().arrayBuffer()))
  return response
}

async function send(method: string, url: string, body?: unknown, headers = {}): Promise<Response> {
  return receive(method, url, {
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

async function receiveRaw(subject: string, text: string): Promise<void> {
  const socket = connect(Number(new URL(server.baseUrl).port), '127.0.0.1')
  let response = ''
  socket.on('data', (chunk: Buffer) => (response += chunk.toString('latin1')))
  socket.on('error', () => socket.destroy())
  socket.write(text)
  await once(socket, 'close')
  expect(response).toMatch(/^HTTP\/1\.1 4\d\d /)
  searchText(subject, response)
}

async function finishTask(body: object): Promise<Task> {
  const submitted = await send('POST', tasksPath, body)
  expect(submitted.status, await submitted.clone().text()).toBe(202)
  const { id } = (await submitted.json()) as Task
  for (;;) {
    const task = (await (await send('GET', `${tasksPath}/${id}?wait=60`)).json()) as Task
    if (task.status === 'completed' || task.status === 'failed') return task
  }
}

beforeAll(async () => {
  imageServer = createServer((request, response) => {
    requestsToImageServer.push([request.method, request.url, ...request.rawHeaders].join('\n'))
    response.setHeader('content-type', 'image/png')
    response.end(plainPng(64, 64))
  }).listen(0, '127.0.0.1')
  await once(imageServer, 'listening')
  const { port } = imageServer.address() as AddressInfo
  imageServerUrl = `http://127.0.0.1:${port}`
  dataDir = mkdtempSync(path.join(tmpdir(), 'white-label-'))
  // With one slot, most of the documented tasks are cancelled before they are rendered.
  server = await startServer(dataDir, { FRAMEGATE_ALLOW_HOSTS: `127.0.0.1:${port}`, FRAMEGATE_RENDER_SLOTS: '1' })
  const logo = `data:image/png;base64,${plainPng(64, 64).toString('base64')}`
  const postToAdmin = async (url: string, body: object) => (await server.request('POST', `/admin/v1${url}`, body)).json()
  const appearance = { color: '#1a7f64', logo }
  const brand = (await postToAdmin('/brands', { name: 'Northern Lights', hosts: [host], ...appearance })) as { id: string }
  const account = (await postToAdmin('/accounts', { name: 'A client', brand: brand.id })) as { id: string }
  await postToAdmin(`/accounts/${account.id}/grants`, { amount: 100, reference: 'one' })
  key = ((await postToAdmin(`/accounts/${account.id}/keys`, { name: 'website' })) as { key: string }).key
})

afterAll(async () => {
  await server.kill()
  imageServer.closeAllConnections()
  imageServer.close()
  rmSync(dataDir, { recursive: true, force: true })
})

it("the search for the product's name finds it in responses of the first brand", async () => {
  const response = await fetch(`${server.baseUrl}/docs`)
  searchText('first brand', await response.text())
  expect(violations.splice(0)).toHaveLength(1)
})

it('no documented operation names the product, with or without a key or by a wrong method', { timeout: 180_000 }, async () => {
  const document = (await (await receive('GET', '/openapi.json')).json()) as OpenApiDocument
  const task = await finishTask({ model: 'imgA-5.0', prompt: 'x' })
  let acceptedCount = 0
  for (const [template, { servers: _servers, ...operations }] of Object.entries(document.paths)) {
    const url = template
      .replace('/models/{id}', '/models/imgA-5.0')
      .replace(/\{(id|task_id)\}/, task.id)
      .replace('{asset}', 'x.png')
    for (const [method, operation] of Object.entries(operations)) {
      const examples = Object.values(
        operation.requestBody?.content['application/json']?.examples ?? { none: { value: undefined } },
      )
      for (const example of examples) {
        const resolvedExample = '$ref' in example ? document.components.examples[example.$ref.split('/').at(-1) ?? ''] : example
        const response = await send(method.toUpperCase(), url, resolvedExample?.value)
        if (response.status !== 202) continue
        acceptedCount++
        await send('POST', `${tasksPath}/${((await response.json()) as Task).id}/cancel`)
      }
      await receive(method.toUpperCase(), url)
    }
    await send('PROPFIND', url)
    await send('OPTIONS', url)
  }
  expect(acceptedCount).toBeGreaterThan(30)
  expect(violations).toEqual([])
})

it('no response at a path of the operator API names the product to a client of a brand', async () => {
  const completeDocument = JSON.parse(
    readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8'),
  ) as OpenApiDocument
  const origin = new URL(server.baseUrl).origin
  for (const [template, { servers, ...operations }] of Object.entries(completeDocument.paths)) {
    const url = (servers === undefined ? server.baseUrl : origin) + template.replaceAll(/\{\w+\}/g, 'x')
    for (const method of Object.keys(operations)) {
      await send(method.toUpperCase(), url, method === 'get' || method === 'head' ? undefined : {})
      await receive(method.toUpperCase(), url)
    }
  }
  expect(violations).toEqual([])
  expect([...receivedSubjects].filter((subject) => subject.includes('/admin/')).length).toBeGreaterThan(30)
  expect(receivedSubjects).toContain('GET /metrics')
})

it('no error of a submit, a path or a body names the product', async () => {
  const codes = new Set<string>()
  const recordResponse = async (response: Response) => {
    codes.add(((await response.json()) as { error?: { code: string } }).error?.code ?? '')
  }
  const image = { model: 'imgA-5.0', prompt: 'x' }
  const refusals =
    'reference_unreachable invalid_api_key insufficient_credits spending_limit_reached max_amount_exceeded brand_model_missing'
  const otherCodes =
    'account_suspended idempotency_key_reused rate_limited too_many_tasks_in_flight internal_error overloaded no_route'
  for (const refuse_with of `${refusals} ${otherCodes}`.split(' '))
    await recordResponse(await send('POST', tasksPath, { ...image, simulate: { refuse_with } }))
  const invalid = [
    { ...image, duration: 5, n: 2, promt: 'x', negativePrompt: 'y' },
    { model: 'imgA-5.0' },
    { ...image, reference_images: ['data:image/png;base64,AAAA', 'http://127.0.0.1/', 'ftp://x', 'asset:x'] },
    { model: 'Framegat 1', prompt: 'x' },
    { model: 'ImgA 5.0', prompt: 'x' },
    { model: 'imgA_5.0Pro', prompt: 'x' },
    [],
  ]
  for (const body of invalid) {
    for (const url of [tasksPath, `${tasksPath}/quote`, '/v1/vidD/videos']) await recordResponse(await send('POST', url, body))
  }
  for (const [method, url, headers] of [
    ['GET', `${tasksPath}/task_0`, {}],
    ['GET', `${tasksPath}?limit=0&status=x`, {}],
    ['GET', tasksPath, { accept: 'text/plain' }],
    ['DELETE', tasksPath, {}],
    ['GET', '/nothing', {}],
    ['GET', `${tasksPath}/`, {}],
    ['GET', '/v2/assets/asset_0', {}],
    ['GET', '/media/x.png', {}],
    ['GET', '/media/x.png?expires=1&signature=x', {}],
    ['GET', '/%zz', {}],
    ['POST', tasksPath, { 'content-type': 'text/plain' }],
    ['POST', tasksPath, { 'content-type': 'application/json' }],
  ] as const) {
    await recordResponse(await send(method, url, undefined, headers))
  }
  const bodies = [
    '{',
    `{"a":${'['.repeat(20)}${']'.repeat(20)}}`,
    '{"prompt":"\\u0000"}',
    `{"a":"${'a'.repeat(17 * 1024 * 1024)}"}`,
  ]
  for (const body of bodies) {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    await recordResponse(await receive('POST', tasksPath, { headers, body }))
  }
  for (const authorization of ['', 'Bearer x', 'Basic x'])
    await recordResponse(await receive('GET', '/v2/credits', { headers: { authorization } }))
  expect(violations).toEqual([])
  expect(codes.size).toBeGreaterThan(25)
})

it('no response to raw bytes on a socket names the product', async () => {
  const lines = `Host: ${host}\r\nConnection: close\r\n`
  await receiveRaw('no HTTP', 'hello\r\n\r\n')
  await receiveRaw('headers too long', `GET / HTTP/1.1\r\n${lines}X: ${'x'.repeat(70_000)}\r\n\r\n`)
  await receiveRaw('a tunnel', `CONNECT ${host}:443 HTTP/1.1\r\n${lines}\r\n`)
  await receiveRaw('two hosts', `GET / HTTP/1.1\r\n${lines}Host: x\r\n\r\n`)
  await receiveRaw('no host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n')
  await receiveRaw('an unknown method', `FRAME /api HTTP/1.1\r\n${lines}\r\n`)
  await receiveRaw('a wrong length', `POST /api${tasksPath} HTTP/1.1\r\n${lines}Content-Length: x\r\n\r\n`)
  expect(violations).toEqual([])
})

it('the docs page, its scripts, its images and redirects to it do not name the product', async () => {
  const origin = new URL(server.baseUrl).origin
  const headers = { accept: 'text/html' }
  for (const url of [
    origin + '/',
    `${origin}/api`,
    '/docs',
    '/docs/',
    '/docs/start.js',
    '/docs/viewer.js',
    '/docs/logo.png',
    '/docs/none',
  ]) {
    await receive('GET', url, { headers })
    await receive('GET', url)
  }
  const page = await (await receive('GET', '/docs')).text()
  expect(page).toContain('<title>Northern Lights: API reference</title>')
  for (const [, source = ''] of page.matchAll(/(?:src|href)="(docs\/[^"]*)"/g))
    expect(receivedSubjects).toContain(`GET /api/${source}`)
  expect(violations).toEqual([])
})

it('tasks and watermarked results, with their headers and metadata, do not name the product', { timeout: 180_000 }, async () => {
  const images = [
    { model: 'imgA-5.0', prompt: 'a boat on a lake', watermark: true, reference_images: [`${imageServerUrl}/a.png`] },
  ]
  const videos = [{ model: 'sd_2.0_fast_special', prompt: 'x', seconds: 4, resolution: '480p', audio: true, watermark: true }]
  const contentTypes = new Set<string>()
  for (const body of [...images, ...videos]) {
    const task = await finishTask(body)
    expect(task, task.error ?? '').toMatchObject({ status: 'completed' })
    const file = await receive('GET', task.result_url ?? '')
    expect(file.headers.get('content-disposition')).toBe(
      `inline; filename="northern-lights-${task.id}.${body.model === 'imgA-5.0' ? 'png' : 'mp4'}"`,
    )
    contentTypes.add(file.headers.get('content-type') ?? '')
    await receive('HEAD', task.result_url ?? '')
    await send('GET', `${tasksPath}/${task.id}/timeline`)
    await receive('GET', (task.result_url ?? '').replace(/signature=./, 'signature=-'))
  }
  expect([...contentTypes]).toEqual(['image/png', 'video/mp4'])
  for (const outcome of ['content_policy', 'invalid_input', 'upstream_failed', 'upstream_timeout', 'lost_upstream']) {
    expect((await finishTask({ model: 'imgA-5.0', prompt: 'x', simulate: { outcome } })).status).toBe('failed')
  }
  expect(
    (
      await finishTask({
        model: 'imgA-5.0',
        prompt: 'x',
        reference_images: [`${imageServerUrl}/x`, 'http://127.0.0.1.nip.invalid/'],
      })
    ).status,
  ).toBe('failed')
  for (const url of [tasksPath, '/v2/credits', '/v2/credits/entries', '/v2/usage', '/v2/model-center/models?limit=100'])
    await send('GET', url)
  for (const url of ['/v2/credits/entries.csv', '/v2/usage.csv']) await send('GET', url, undefined, { accept: 'text/csv' })
  const imported = await send('POST', '/v2/assets/import', { url: `${imageServerUrl}/b.png` })
  const asset = (await imported.json()) as { id: string; url: string }
  expect((await receive('GET', asset.url)).headers.get('content-disposition')).toContain('northern-lights-asset_')
  await send('GET', '/v2/assets')
  await send('DELETE', `/v2/assets/${asset.id}`)
  expect(violations).toEqual([])
})

it('no request to the server of a client names the product', () => {
  expect(requestsToImageServer.length).toBeGreaterThan(1)
  for (const request of requestsToImageServer) expect(request).not.toMatch(productName)
})
