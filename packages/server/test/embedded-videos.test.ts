import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Asset, Task } from '@framegate/contract'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { mediaSample } from './media-samples.ts'
import { startServer, type StartedServer } from './started-server.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })

const tasks = '/v2/model-center/tasks'
let dataDir: string
let server: StartedServer
beforeAll(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'framegate-embedded-videos-'))
  server = await startServer(dataDir)
})
afterAll(async () => {
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

it('a started service makes a video with a reference video that is an asset, and one that is a data URI', async () => {
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
  const submitted = await server.request('POST', tasks, body)
  expect(submitted.status).toBe(202)
  const { id } = (await submitted.json()) as Task
  const ended = (await (await server.request('GET', `${tasks}/${id}?wait=60`)).json()) as Task
  expect(ended).toMatchObject({ status: 'completed', actualDuration: 4 })
})
