import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Asset, Task } from '@framegate/contract'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { mediaSample } from './media-samples.ts'
import { startServer, type StartedServer } from './started-server.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })

const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0
const models = `
models:
  - id: longer
    object: video
    parameters:
      prompt: {}
      input_video: {}
      aspect_ratio: { enum: ['16:9'], default: '16:9' }
      resolution: { enum: [480p], default: 480p }
      seconds: { minimum: 1, maximum: 5, default: 2 }
    price: { per_second: 0.1, input_second_credits: 0.05, minimum_task_credits: 0.2 }
`
const tasksPath = '/v2/model-center/tasks'
let dataDir: string
let server: StartedServer
beforeAll(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'framegate-embedded-videos-'))
  const config = path.join(dataDir, 'framegate.yaml')
  writeFileSync(config, models)
  server = await startServer(dataDir, { FRAMEGATE_CONFIG: config })
})
afterAll(async () => {
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

it.runIf(hasFfmpeg)(
  'a started service generates videos from a reference video that is an asset, and from one that is a data URI',
  async () => {
    const url = `data:video/mp4;base64,${mediaSample('mp4').toString('base64')}`
    const asset = (await (await server.request('POST', '/v2/assets/import', { url })).json()) as Asset
    expect(asset).toMatchObject({ content_type: 'video/mp4', seconds: 2, width: 320 })
    const body = {
      model: 'videos_30_10_10_c3',
      prompt: 'Video 1 on a lake',
      seconds: 4,
      resolution: '480p',
      reference_videos: [`asset:${asset.id}`, `data:video/webm;base64,${mediaSample('webm').toString('base64')}`],
    }
    const submitted = await server.request('POST', tasksPath, body)
    expect(submitted.status).toBe(202)
    const { id } = (await submitted.json()) as Task
    const endedTask = (await (await server.request('GET', `${tasksPath}/${id}?wait=60`)).json()) as Task
    expect(endedTask).toMatchObject({ status: 'completed', actualDuration: 4 })
  },
)

it.runIf(hasFfmpeg)('a started service extends a video, and charges the held price with the seconds of the input', async () => {
  const input_video = `data:video/mp4;base64,${mediaSample('mp4').toString('base64')}`
  const submitted = await server.request('POST', tasksPath, { model: 'longer', prompt: 'a lake', input_video, seconds: 1 })
  const { id, amount } = (await submitted.json()) as Task
  // The price covers one new second and two input seconds.
  expect(amount).toBe(0.2)
  const endedTask = (await (await server.request('GET', `${tasksPath}/${id}?wait=60`)).json()) as Task
  expect(endedTask).toMatchObject({
    status: 'completed',
    actualDuration: 3,
    amount: 0.2,
    parameters: { billed_inputs: { seconds: 2 } },
  })
})

it('a service without ffmpeg logs this at its start, and rejects a video before it holds credits', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'framegate-without-ffmpeg-'))
  const bareServer = await startServer(folder, { PATH: folder })
  try {
    await expect.poll(() => bareServer.log()).toMatch(/no ffmpeg on PATH: the embedded driver does not accept/)
    const reference_videos = [`data:video/mp4;base64,${mediaSample('mp4').toString('base64')}`]
    const body = { model: 'videos_30_10_10_c3', prompt: 'a lake', seconds: 4, resolution: '480p', reference_videos }
    for (const path of [tasksPath, `${tasksPath}/quote`]) {
      const response = await bareServer.request('POST', path, body)
      const { error } = (await response.json()) as { error: { message: string; param: string } }
      expect([response.status, error.param]).toEqual([400, 'reference_videos'])
      expect(error.message).toContain('reference_videos cannot be used here: the service has no ffmpeg to decode videos')
    }
    expect((await bareServer.request('POST', tasksPath, { ...body, reference_videos: undefined })).status).toBe(202)
  } finally {
    await bareServer.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})
