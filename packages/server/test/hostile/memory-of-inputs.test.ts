import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { completion, sendJson } from '../chat/chat-upstream.ts'
import { newClientKey } from './new-client-key.ts'
import { plainPng, pngChunk } from '../plain-png.ts'
import { startServer, type StartedServer } from '../started-server.ts'

/** Heap of the service, in MiB. */
const heapMebibytes = 320
/** The base64 of an image is close to the limit of 12 MiB. Together, the images exceed the heap. */
const tasksWithImages = 40
const image = largePng(9_000_000)
const imageUri = `data:image/png;base64,${image.toString('base64')}`

let upstream: Server
let submitCount: number
let jobIds: string[]
/** Ids of the jobs that were polled. */
let polledIds: Set<string>
/** Resolves to let the upstream respond to submits. */
let submitsMayEnd: Promise<void>
beforeAll(async () => {
  upstream = createServer((request, response) => {
    request.resume().on('end', async () => {
      if (request.method === 'POST') {
        submitCount += 1
        await submitsMayEnd
        if (request.url?.endsWith('/chat/completions') === true) {
          return sendJson(response, 200, completion({ model: 'tiny' }, 'Red.'))
        }
        const id = `job-${jobIds.length + 1}`
        jobIds.push(id)
        response.end(JSON.stringify({ id }))
        return
      }
      const ids = new URL(request.url ?? '', 'http://localhost').searchParams.getAll('filter.task_ids')
      if (ids.length === 0) ids.push(request.url?.split('/').at(-1) ?? '')
      for (const id of ids) polledIds.add(id)
      const items = ids.map((id) => ({ id, status: 'running' }))
      response.end(JSON.stringify({ ...items[0], items, total: items.length }))
    })
  }).listen(0, '127.0.0.1')
  await once(upstream, 'listening')
})
afterAll(() => {
  upstream.close()
  upstream.closeAllConnections()
})

let dataDir: string
let server: StartedServer
beforeEach(async () => {
  submitCount = 0
  jobIds = []
  polledIds = new Set()
  submitsMayEnd = Promise.resolve()
  dataDir = mkdtempSync(path.join(tmpdir(), 'framegate-inputs-'))
  server = await start()
  const settings = { driver: 'ark', base_url: baseUrlOfUpstream(), api_key: 'sk-of-a-test' }
  expect((await server.request('PUT', '/admin/v1/upstreams/main', settings)).status).toBe(201)
  const route = { model: 'vidB_2_0', upstream: 'main', upstream_model: 'dreamina-seedance-2-0-260128' }
  expect((await server.request('PUT', '/admin/v1/routes/main', route)).status).toBe(201)
})
afterEach(async () => {
  await server.kill()
  rmSync(dataDir, { recursive: true, force: true })
})

function start(): Promise<StartedServer> {
  return startServer(dataDir, { NODE_OPTIONS: `--max-old-space-size=${heapMebibytes}`, LOG_LEVEL: 'warn' })
}

/** Creates a small image with this number of bytes in a chunk that decoders ignore. */
function largePng(bytes: number): Buffer {
  const smallImage = plainPng(64, 64)
  const end = smallImage.byteLength - pngChunk('IEND', Buffer.alloc(0)).byteLength
  return Buffer.concat([smallImage.subarray(0, end), pngChunk('prVt', Buffer.alloc(bytes)), smallImage.subarray(end)])
}

function baseUrlOfUpstream(): string {
  return `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`
}

async function submitTasks(image = imageUri): Promise<void> {
  for (let count = 0; count < tasksWithImages; count++) {
    const body = { model: 'vidB_2_0', prompt: 'a lighthouse', seconds: 5, first_frame: image }
    expect((await server.request('POST', '/v2/model-center/tasks', body)).status).toBe(202)
  }
}

it(
  'the images of tasks whose jobs run at an upstream are not in memory, also after a restart',
  { timeout: 180_000 },
  async () => {
    await submitTasks()
    await expect.poll(() => jobIds.length, { timeout: 60_000 }).toBe(tasksWithImages)
    await expect.poll(() => polledIds.size, { timeout: 60_000 }).toBe(tasksWithImages)
    await server.kill()
    polledIds.clear()
    server = await start()
    await expect.poll(() => polledIds.size, { timeout: 60_000 }).toBe(tasksWithImages)
  },
)

it.each(['data URI', 'asset'])(
  'tasks wait with their images while an upstream does not respond to submits: %s',
  { timeout: 180_000 },
  async (kind) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    submitsMayEnd = promise
    await submitTasks(kind === 'asset' ? await uploadImage() : imageUri)
    await expect.poll(() => submitCount).toBeGreaterThan(0)
    await sleep(2_000)
    resolve()
    await expect.poll(() => jobIds.length, { timeout: 60_000 }).toBe(tasksWithImages)
  },
)

async function uploadImage(): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob([Buffer.from(image)], { type: 'image/png' }), 'lighthouse.png')
  const headers = { authorization: `Bearer ${server.apiKey}` }
  const response = await server.fetch(`${server.baseUrl}/v2/assets`, { method: 'POST', headers, body: form })
  expect(response.status).toBe(201)
  return `asset:${((await response.json()) as { id: string }).id}`
}

/** Returns a function that sends a chat with an image. The upstream responds after `resolve`. */
async function openChats() {
  const model = { id: 'harbor-chat', object: 'chat', max_input_tokens: 8_000_000, max_output_tokens: 100 }
  const price = { per_million_tokens: { input: 1, output: 1 } }
  expect((await server.request('POST', '/admin/v1/models', { ...model, price })).status).toBe(201)
  const settings = { driver: 'openai', base_url: `${baseUrlOfUpstream()}/v1`, api_key: 'sk-of-a-test' }
  expect((await server.request('PUT', '/admin/v1/upstreams/chats', settings)).status).toBe(201)
  const route = { model: model.id, upstream: 'chats', upstream_model: 'tiny' }
  expect((await server.request('PUT', '/admin/v1/routes/chats', route)).status).toBe(201)
  const { promise, resolve } = Promise.withResolvers<void>()
  submitsMayEnd = promise
  const chat = (url: string, headers = {}) => {
    const messages = [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }]
    return server.request('POST', '/v1/chat/completions', { model: model.id, messages }, headers)
  }
  return { chat, resolve }
}

it.each([
  ['chats', () => ({})],
  ['retries of a chat that has no response yet', (count: number) => ({ 'x-stainless-retry-count': String(count) })],
])('%s with images that do not fit into the memory get 503, and another account gets its response', async (_what, headersOf) => {
  const { chat, resolve } = await openChats()
  const chats: Promise<Response>[] = []
  for (let count = 0; count < tasksWithImages; count++) {
    chats.push(chat(imageUri, headersOf(count)))
    await sleep(200)
  }
  const otherKey = await newClientKey(server)
  const otherChat = chat('https://example.com/a.png', { authorization: `Bearer ${otherKey}` })
  resolve()
  expect((await otherChat).status).toBe(200)
  const statuses = (await Promise.all(chats)).map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([200, 503]))
})
