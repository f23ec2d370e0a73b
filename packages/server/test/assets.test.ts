import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Asset, Task } from '@framegate/contract'
import sharp from 'sharp'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { isLongRun } from '../src/db/store-under-test.ts'
import { openSqliteStore } from '../src/db/sqlite/sqlite-store.ts'
import { systemClock } from '../src/lib/clock.ts'
import { decodeVideo, psnr } from '../../renderer/test/decode-video.ts'
import { incomingFiles, filesBelow } from './media-files.ts'
import { startServer, type StartedServer } from './started-server.ts'

const tasksPath = '/v2/model-center/tasks'
/** Size of a 540p video at 16:9. */
const [width, height] = [960, 540]
const decibelsMin = 30
const restarts = isLongRun ? 20 : 2

let dataDir: string
let server: StartedServer
beforeEach(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'framegate-assets-'))
  server = await startServer(dataDir, { FRAMEGATE_RENDER_SLOTS: '1' })
})
afterEach(async () => {
  await server.kill()
  rmSync(dataDir, { recursive: true, force: true })
})

async function upload(file: Uint8Array): Promise<Asset> {
  const form = new FormData()
  form.append('file', new Blob([Buffer.from(file)]), 'picture.png')
  const headers = { authorization: `Bearer ${server.apiKey}` }
  const response = await server.fetch(`${server.baseUrl}/v2/assets`, { method: 'POST', headers, body: form })
  return (await response.json()) as Asset
}

async function submit(body: object): Promise<string> {
  const response = await server.request('POST', tasksPath, body)
  expect(response.status).toBe(202)
  return ((await response.json()) as Task).id
}

async function waitUntilFinished(id: string): Promise<Task> {
  for (;;) {
    const task = (await (await server.request('GET', `${tasksPath}/${id}?wait=60`)).json()) as Task
    if (task.status === 'completed' || task.status === 'failed') return task
  }
}

const resultOf = async ({ result_url }: Task) => Buffer.from(await (await server.fetch(result_url ?? '')).arrayBuffer())
const videoFrom = (asset: Asset) => ({
  model: 'vidDq3-turbo',
  prompt: 'go',
  seconds: 1,
  resolution: '540p',
  first_frame: `asset:${asset.id}`,
})

/**
 * Returns an image with gray waves, and its luma. A gray image is completely described by its luma.
 */
async function renderWaves(): Promise<{ png: Buffer; luma: Uint8Array }> {
  const grays = Uint8Array.from({ length: width * height }, (_, index) => 128 + 90 * Math.sin((index % width) / 48))
  const luma = grays.map((gray) => Math.round(16 + (gray * 219) / 255))
  return {
    png: await sharp(grays, { raw: { width, height, channels: 1 } })
      .png()
      .toBuffer(),
    luma,
  }
}

it('an uploaded image is visible in videos and images that refer to it', async () => {
  const { png, luma } = await renderWaves()
  const video = await waitUntilFinished(await submit(videoFrom(await upload(png))))
  const { frames } = await decodeVideo(await resultOf(video))
  expect(psnr(frames[0]!, luma, luma.length)).toBeGreaterThan(decibelsMin)

  const red = await upload(
    await sharp({ create: { width: 64, height: 64, channels: 3, background: '#e6141e' } })
      .png()
      .toBuffer(),
  )
  const image = { model: 'imgA-5.0', prompt: 'a lake' }
  const redShareOf = async (body: object) => {
    const { data, info } = await sharp(await resultOf(await waitUntilFinished(await submit(body))))
      .raw()
      .toBuffer({ resolveWithObject: true })
    let count = 0
    for (let offset = 0; offset < data.length; offset += info.channels) if (data[offset]! > 180 && data[offset + 1]! < 80) count++
    return count / (info.width * info.height)
  }
  const plain = await redShareOf(image)
  expect(await redShareOf({ ...image, reference_images: [`asset:${red.id}`] })).toBeGreaterThan(plain + 0.02)
})

it('waiting tasks use their image even if it is deleted and the service is killed', async () => {
  const { png, luma } = await renderWaves()
  const asset = await upload(png)
  const ids: string[] = []
  for (let i = 0; i < 3; i++) ids.push(await submit(videoFrom(asset)))
  expect((await server.request('DELETE', `/v2/assets/${asset.id}`)).status).toBe(200)
  expect((await server.request('POST', tasksPath, videoFrom(asset))).status).toBe(400)
  await server.kill()

  server = await startServer(dataDir, { FRAMEGATE_RENDER_SLOTS: '1' })
  for (const id of ids) {
    const { frames } = await decodeVideo(await resultOf(await waitUntilFinished(id)))
    expect(psnr(frames[0]!, luma, luma.length)).toBeGreaterThan(decibelsMin)
  }
  // The service sweeps at start-up.
  await server.kill()
  server = await startServer(dataDir)
  await expect.poll(() => filesBelow(path.join(dataDir, 'media')).filter((name) => name.startsWith('asset_'))).toEqual([])
})

it(
  'every asset file has a row and every asset has a file, after kills at random moments of uploads and deletions',
  { timeout: isLongRun ? 600_000 : 120_000 },
  async () => {
    let created = 0
    const storedIds = new Set<string>()
    for (let restart = 0; restart < restarts; restart++) {
      let completed = 0
      const clients = Array.from({ length: 4 }, async () => {
        for (;;) {
          const number = created++
          const background = { r: number % 256, g: number >> 8, b: 0 }
          const asset = await upload(
            await sharp({ create: { width: 400, height: 300, channels: 3, background } })
              .png()
              .toBuffer(),
          )
          if (number % 2 === 0) storedIds.add(asset.id)
          else await server.request('DELETE', `/v2/assets/${asset.id}`)
          completed++
        }
      })
      const settled = Promise.allSettled(clients)
      await expect.poll(() => completed, { timeout: 20_000, interval: 5 }).toBeGreaterThan(3)
      await setTimeout(Math.random() * 200)
      await server.kill()
      await settled
      server = await startServer(dataDir)
      expect(incomingFiles(dataDir)).toEqual([])
    }
    for (const id of storedIds) {
      const response = await server.request('GET', `/v2/assets/${id}`)
      expect(response.status).toBe(200)
      expect((await server.fetch(((await response.json()) as Asset).url)).status).toBe(200)
    }
    expect(storedIds.size).toBeGreaterThan(restarts)
    await server.stop()

    const store = await openSqliteStore({ dataDir, clock: systemClock })
    const rows = await store.database.selectFrom('assets').selectAll().where('removed_at', 'is', null).execute()
    await store[Symbol.asyncDispose]()
    const files = new Set(filesBelow(path.join(dataDir, 'media')).map((name) => name.slice(0, name.indexOf('.'))))
    expect([...files].filter((id) => !rows.some((row) => row.id === id))).toEqual([])
    const availableRows = rows.filter((row) => row.stored_at !== null && row.deleted_at === null)
    expect(availableRows.filter(({ id }) => !files.has(id))).toEqual([])
  },
)
