import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import sharp from 'sharp'
import { taskNoOf } from '../../src/identity/task-id.ts'
import { placeWatermark } from '../../src/watermark/watermark-shape.ts'
import { decodeVideo } from '../../../renderer/test/decode-video.ts'
import { packetVideo } from '../packet-video.ts'
import { plainVideo, plainVideoSize } from '../../../renderer/test/plain-video.ts'
import { framegateDriver } from '../../src/drivers/framegate/framegate-driver.ts'
import { openaiDriver } from '../../src/drivers/openai/openai-driver.ts'
import type { UpstreamDriver } from '../../src/drivers/upstream/upstream-driver.ts'
import { withOwnWatermark } from '../../src/drivers/upstream/own-watermark.ts'
import { requestOf, openUpstream } from './driver-spec.ts'
import { openaiKey, openaiProtocol } from './openai.protocol.ts'
import { Simulator } from './simulator.ts'
import { startServiceWithUpstreams, type ServiceWithUpstreams } from './service-with-upstreams.ts'

const video = { model: 'vidK O3 Video Generation', prompt: 'a kite over dunes', seconds: 5 }
const image = { model: 'imgA-5.0', prompt: 'a tin robot' }

let service: ServiceWithUpstreams
/** An upstream that cannot draw a watermark. */
let upstream: Simulator
beforeAll(async () => {
  upstream = await Simulator.open(openaiProtocol)
  upstream.moves = ['succeeded']
  service = await startServiceWithUpstreams({
    upstreams: { main: { driver: 'openai', base_url: `${upstream.origin}/v1`, api_key: openaiKey } },
    routes: [
      { model: video.model, upstream: 'main', upstream_model: 'sora-2' },
      { model: image.model, upstream: 'main', upstream_model: 'gpt-image-1.5' },
    ],
  })
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await upstream[Symbol.asyncDispose]()
})

async function fetchResult(body: object): Promise<Buffer> {
  const { result_url = '' } = await service.until(await service.submit({ ...body }), 'completed')
  return Buffer.from(await (await service.server.fetch(result_url)).arrayBuffer())
}

/**
 * Returns the number of samples in the area of the watermark that are at least as bright as its
 * letters.
 */
function countLetterSamples(luma: Uint8Array, size: { width: number; height: number }): number {
  const { x, y, width, height } = placeWatermark(size)
  let brightCount = 0
  for (let row = y; row < y + height; row++) {
    for (let column = x; column < x + width; column++) if ((luma[row * size.width + column] ?? 0) > 215) brightCount++
  }
  return brightCount
}

it('a watermark is drawn on a video of an upstream without watermarks', async () => {
  upstream.media = await plainVideo()
  expect(await fetchResult({ ...video, watermark: false })).toEqual(upstream.media)
  const created = await decodeVideo(await fetchResult({ ...video, watermark: true }))
  expect(created).toMatchObject({ ...plainVideoSize, videoSeconds: 1 })
  expect(created.sound).toEqual((await decodeVideo(upstream.media)).sound)
  for (const frame of created.frames) expect(countLetterSamples(frame, plainVideoSize)).toBeGreaterThan(100)
  expect(JSON.stringify(upstream.of('submit').map(({ body }) => body.toString()))).not.toContain('watermark')
})

it('a watermark is drawn on an image of an upstream without watermarks', async () => {
  const size = { width: 640, height: 480 }
  upstream.media = await sharp({ create: { ...size, channels: 3, background: '#204080' } })
    .png()
    .toBuffer()
  const gray = await sharp(await fetchResult({ ...image, watermark: true }))
    .grayscale()
    .raw()
    .toBuffer()
  expect(countLetterSamples(gray, size)).toBeGreaterThan(100)
})

it('a watermark that cannot be drawn fails the task without a second job, and its attempt stays unresolved', async () => {
  upstream.media = await packetVideo()
  const jobsBefore = upstream.jobs.length
  const task = await service.until(await service.submit({ ...video, watermark: true }), 'failed')
  expect(task).toMatchObject({ error_code: 'upstream_failed', amount: 0 })
  expect(upstream.jobs.length - jobsBefore).toBe(1)
  const [attempt] = service.rows(`select unresolved, detail from task_attempts where task_no = ${taskNoOf(task.id)}`)
  expect(attempt).toMatchObject({ unresolved: 'unusable_result', detail: expect.stringContaining('watermark') })
})

it('the driver for another Framegate requests no watermark if the service draws the watermark itself', () => {
  const driver = withOwnWatermark(framegateDriver, async () => {})
  const target = { baseUrl: 'https://gate.example/api', model: 'imgA-5.0', parameters: {}, extra: {}, workflow: null, slots: {} }
  const refuse = vi.fn<UpstreamDriver['refuse']>(() => null)
  const driverWithSpy = withOwnWatermark({ ...framegateDriver, refuse }, async () => {})
  const request = requestOf({ prompt: 'a kite over dunes', watermark: true })
  expect(driver.refuse(request, target)).toBeNull()
  driverWithSpy.refuse(request, target)
  expect(refuse.mock.lastCall?.[0].parameters.watermark).toBe(false)
})

it("a start with the service's own watermark awaits beforeSubmit and sends nothing when it rejects", async () => {
  const target = { basePath: '/v1', credential: openaiKey }
  await using marked = await openUpstream(
    withOwnWatermark(openaiDriver, async () => {}),
    openaiProtocol,
    target,
  )
  const { signal } = new AbortController()
  const cancelled = new Error('the task was cancelled')
  const start = marked.driver.start(requestOf({ prompt: 'a kite over dunes', watermark: true }), {
    signal,
    beforeSubmit: () => Promise.reject(cancelled),
  })
  await expect(start).rejects.toBe(cancelled)
  expect(marked.simulator.of('submit')).toEqual([])
})
