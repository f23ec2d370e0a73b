import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Task } from '@framegate/contract'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { encodedVideo, hasFfmpeg } from './encoded-video.ts'
import { startServer, type StartedServer } from './started-server.ts'
import { openaiKey, openaiProtocol } from './upstreams/openai.protocol.ts'
import { Simulator } from './upstreams/simulator.ts'
import { startServiceWithUpstreams } from './upstreams/service-with-upstreams.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

const tasksPath = '/v2/model-center/tasks'
const video = { model: 'vidDq3-turbo', prompt: 'a lake in the fog', seconds: 1, resolution: '540p' }
const image = { model: 'imgA-5.0', prompt: 'a boat on a lake' }

let dataDir: string
let server: StartedServer
beforeAll(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'framegate-thumbnails-'))
  // This PATH contains no programs, so the service finds no ffmpeg.
  server = await startServer(dataDir, { PATH: dataDir })
})
afterAll(async () => {
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

async function createTask(body: object): Promise<Task> {
  const { id } = (await (await server.request('POST', tasksPath, body)).json()) as Task
  const task = (await (await server.request('GET', `${tasksPath}/${id}?wait=60`)).json()) as Task
  expect(task.status).toBe('completed')
  return task
}

async function fetchThumbnail({ thumbnail_url = '' }: Task) {
  const response = await server.fetch(thumbnail_url)
  expect(response.status).toBe(200)
  const file = Buffer.from(await response.arrayBuffer())
  return { ...(await sharp(file).metadata()), ...(await sharp(file).stats()) }
}

const previewFiles = (): string[] =>
  readdirSync(path.join(dataDir, 'media'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.webp'))

it('a service without ffmpeg generates a thumbnail of a video that it renders, and leaves no other file behind', async () => {
  const task = await createTask(video)
  const { format, width, height, channels } = await fetchThumbnail(task)
  expect([format, width, height]).toEqual(['webp', 512, 288])
  expect(channels.map(({ stdev }) => stdev > 5)).toContain(true)
  await vi.waitUntil(() => readdirSync(path.join(dataDir, 'scratch', 'previews')).length === 0, { timeout: 10_000 })
  expect(readdirSync(path.join(dataDir, 'scratch', 'renders'))).toEqual([])
})

it('the thumbnail of a new result is generated without a request for it', async () => {
  const filesBefore = previewFiles().length
  await createTask(video)
  await vi.waitUntil(() => previewFiles().length === filesBefore + 1, { timeout: 10_000 })
})

it('a thumbnail that a killed service did not generate is generated on demand', async () => {
  const task = await createTask(image)
  await server.kill()
  for (const name of previewFiles()) rmSync(path.join(dataDir, 'media', name))
  server = await startServer(dataDir, { PATH: dataDir })
  const repeated = (await (await server.request('GET', `${tasksPath}/${task.id}`)).json()) as Task
  expect((await fetchThumbnail(repeated)).format).toBe('webp')
  // A thumbnail of a video needs ffmpeg. The service reports the missing program only when a client
  // follows the link of a recorded thumbnail.
  const [lostTask] = ((await (await server.request('GET', `${tasksPath}?object=video&limit=1`)).json()) as { items: Task[] })
    .items
  const refused = await server.fetch(lostTask?.thumbnail_url ?? '')
  expect([refused.status, await refused.json()]).toMatchObject([404, { error: { message: expect.stringContaining('ffmpeg') } }])
})

it.runIf(hasFfmpeg)('a video of a provider has a thumbnail and a spritesheet', async () => {
  await using upstream = await Simulator.open(openaiProtocol)
  upstream.moves = ['succeeded']
  const model = 'vidK O3 Video Generation'
  await using service = await startServiceWithUpstreams({
    upstreams: { main: { driver: 'openai', base_url: `${upstream.origin}/v1`, api_key: openaiKey } },
    routes: [{ model, upstream: 'main', upstream_model: 'sora-2' }],
  })
  upstream.media = encodedVideo('testsrc2=size=640x360:rate=8:duration=5')
  const id = await service.submit({ model, prompt: 'a kite over dunes', seconds: 5 })
  const task = await vi.waitUntil(
    async () => {
      const currentTask = (await service.task(id)) as Task
      return currentTask.status === 'completed' && currentTask
    },
    { timeout: 60_000, interval: 100 },
  )
  for (const [url, size] of [
    [task.thumbnail_url, [512, 288]],
    [`${service.server.baseUrl}/v1/videos/${id}/content?variant=spritesheet`, [1280, 720]],
  ] as const) {
    const response = await fetch(url ?? '', { headers: { authorization: `Bearer ${service.server.apiKey}` } })
    const { width, height } = await sharp(Buffer.from(await response.arrayBuffer())).metadata()
    expect([width, height]).toEqual(size)
  }
})
