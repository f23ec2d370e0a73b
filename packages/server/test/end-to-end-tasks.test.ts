import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Task } from '@framegate/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { probeMedia } from '../src/media/probe-media.ts'
import { startServer, type StartedServer } from './started-server.ts'

const retentionSeconds = 4

let dataDir: string
let server: StartedServer

beforeAll(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'framegate-life-'))
  server = await startServer(dataDir, { RESULT_RETENTION: String(retentionSeconds) })
})

afterAll(async () => {
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

async function finishTask(collection: string, body: object): Promise<Task> {
  const submitted = await server.request('POST', collection, body)
  expect(submitted.status).toBe(202)
  const { id } = (await submitted.json()) as Task
  const response = await server.request('GET', `${collection}/${id}?wait=60`)
  return (await response.json()) as Task
}

async function download(task: Task): Promise<string> {
  const response = await server.fetch(task.result_url ?? '')
  expect(response.status).toBe(200)
  const file = path.join(dataDir, `downloaded-${task.id}`)
  writeFileSync(file, Buffer.from(await response.arrayBuffer()))
  return file
}

it('a video has the requested length and size, and the charge is the quoted price', async () => {
  const task = await finishTask('/v1/vidD/videos', {
    model: 'vidDq3-turbo',
    prompt: 'a red fox in the snow',
    seconds: 2,
    resolution: '540p',
    aspect_ratio: '9:16',
  })
  expect(task).toMatchObject({ status: 'completed', object: 'video', progress: 100, actualDuration: 2, seconds: 2, error: null })
  expect(task.video_url).toBe(task.result_url)
  expect(await probeMedia(await download(task))).toMatchObject({
    contentType: 'video/mp4',
    width: 540,
    height: 960,
    durationSeconds: 2,
    frames: 48,
  })
  const quote = await server.request('POST', '/v2/model-center/tasks/quote', {
    model: 'vidDq3-turbo',
    prompt: 'x',
    seconds: 2,
    resolution: '540p',
  })
  expect(task.amount).toBe(((await quote.json()) as { amount: number }).amount)
})

it('an image has the documented size, and its link expires at the end of its retention', async () => {
  const task = await finishTask('/v2/model-center/tasks', { model: 'imgA-5.0', prompt: 'a boat on a lake', aspect_ratio: '3:2' })
  expect(task).toMatchObject({ status: 'completed', object: 'image', actualDuration: null })
  expect(task.image_url).toBe(task.result_url)
  expect(await probeMedia(await download(task))).toMatchObject({ contentType: 'image/png', width: 1248, height: 832 })

  await setTimeout(retentionSeconds * 1000)
  const laterTask = (await (await server.request('GET', `/v2/model-center/tasks/${task.id}`)).json()) as Task
  expect(laterTask).toMatchObject({ status: 'completed', result_expired: true })
  expect(laterTask).not.toHaveProperty('result_url')
  const goneResponse = await server.fetch(task.result_url ?? '')
  expect(goneResponse.status).toBe(410)
  expect(await goneResponse.json()).toMatchObject({ error: { code: 'result_expired' } })
})

it('a task whose image is invalid fails and returns the credits', async () => {
  const creditsBefore = (await (await server.request('GET', '/v2/credits')).json()) as { balance: number }
  const task = await finishTask('/v2/model-center/tasks', {
    model: 'vidDq3-turbo',
    prompt: 'x',
    first_frame: `data:image/png;base64,${Buffer.from('\x89PNG\r\n\x1a\nno image at all', 'latin1').toString('base64')}`,
  })
  expect(task).toMatchObject({ status: 'failed', error_code: 'invalid_input', amount: 0 })
  expect(task.error).toContain('first_frame')
  expect(await (await server.request('GET', '/v2/credits')).json()).toMatchObject({ balance: creditsBefore.balance, held: 0 })
})

it('a running task is cancelled without a charge, and the next task completes', async () => {
  const longVideo = { model: 'vidG_video3', prompt: 'a storm at sea', seconds: 30, resolution: '720p' }
  const { id } = (await (await server.request('POST', '/v2/model-center/tasks', longVideo)).json()) as Task
  for (let status = 'queued'; status === 'queued'; await setTimeout(20)) {
    status = ((await (await server.request('GET', `/v2/model-center/tasks/${id}`)).json()) as Task).status
  }
  const cancelled = await server.request('POST', `/v2/model-center/tasks/${id}/cancel`)
  expect(await cancelled.json()).toMatchObject({ status: 'failed', error_code: 'cancelled', amount: 0 })
  const nextTask = await finishTask('/v2/model-center/tasks', { model: 'imgA-5.0', prompt: 'a cat' })
  expect(nextTask.status).toBe('completed')
})

it('files that expired while the service was stopped are removed at the next start', async () => {
  expect(await server.stop()).toBe(0)
  await setTimeout(retentionSeconds * 1000)
  server = await startServer(dataDir)
  const deadline = Date.now() + 10_000
  const files = () =>
    readdirSync(path.join(dataDir, 'media'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  while (files().length > 0 && Date.now() < deadline) await setTimeout(50)
  expect(files()).toEqual([])
})
