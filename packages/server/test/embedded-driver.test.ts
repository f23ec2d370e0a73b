import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { imagePixelSize, videoPixelSize } from '@framegate/contract'
import sharp from 'sharp'
import { afterAll, describe, expect, it } from 'vitest'
import type { GenerationRequest } from '../src/drivers/driver.ts'
import { measureLoudness } from '../../renderer/src/sound/loudness.ts'
import { InvalidImage } from '../src/media/invalid-image.ts'
import { decodeVideo, rootMeanSquare, psnr } from '../../renderer/test/decode-video.ts'
import { hasEnded, hasProgress, requestOf, openRig, signal, small } from './embedded-rig.ts'
import { truePeakDecibels } from '../../renderer/test/true-peak.ts'
import { startContext } from './start-context.ts'

/** Options of a request whose size does not matter. */
const tiny = { size: { width: 64, height: 64 } }

const rig = openRig()
afterAll(() => rig[Symbol.asyncDispose]())

async function cancelTimed(request: GenerationRequest): Promise<number> {
  const startMs = performance.now()
  await rig.driver.cancel?.({ render: request.attemptId }, request)
  return performance.now() - startMs
}

function rssMebibytes(): number {
  return process.memoryUsage().rss / 2 ** 20
}

describe('a rendered video', () => {
  it('a video has the requested frames, length, size, profile and colors, and moves', async () => {
    const { bytes, contentType } = await rig.make(requestOf({ prompt: 'waves on a beach', seconds: 2 }))
    const video = await decodeVideo(bytes)
    expect(contentType).toBe('video/mp4')
    expect(video.frames).toHaveLength(48)
    expect(video.videoSeconds).toBe(2)
    expect([video.width, video.height]).toEqual([854, 480])
    expect(video.codec).toMatch(/^avc1\.42c0/)
    expect(video.colorSpace).toEqual({ primaries: 'bt709', transfer: 'bt709', matrix: 'bt709', fullRange: false })
    expect(video.timestampsSeconds.map((seconds) => Math.round(seconds * 24))).toEqual(video.frames.map((_, index) => index))
    expect(video.sound).toBeNull()
    const luma = small.width * small.height
    expect(psnr(video.frames[0]!, video.frames[47]!, luma)).toBeLessThan(45)
    expect(new Set(video.frames[0]!.subarray(0, luma)).size).toBeGreaterThan(30)
  })

  it('a video begins with its index for progressive playback and contains no wall-clock time', async () => {
    const { bytes } = await rig.make(requestOf({ prompt: 'a meadow', seconds: 1, audio: true }, tiny))
    expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'))
    expect(bytes.includes('colrnclx')).toBe(true)
    for (const box of ['mvhd', 'tkhd', 'mdhd']) {
      const boxOffset = bytes.indexOf(box)
      expect(
        bytes.subarray(boxOffset + 8, boxOffset + 8 + (bytes[boxOffset + 4] === 1 ? 16 : 8)).every((byte) => byte === 0),
      ).toBe(true)
    }
  })

  it.each([
    ['16:9', '768p'],
    ['9:16', '540p'],
    ['21:9', '480p'],
    ['1:1', '480p'],
  ] as const)('a video has exactly the documented size at %s %s', async (ratio, resolution) => {
    const size = videoPixelSize(ratio, resolution)
    const video = await decodeVideo((await rig.make(requestOf({ prompt: 'fog', seconds: 1 }, { size }))).bytes)
    expect([video.width, video.height]).toEqual([size.width, size.height])
    expect(video.frames).toHaveLength(24)
  })

  it('a video has the same bytes for the same request, and others for another seed', async () => {
    const request = { prompt: 'a city at night', seconds: 1, audio: true }
    const [first, repeated] = [await rig.make(requestOf(request, tiny)), await rig.make(requestOf(request, tiny))]
    expect(repeated.bytes.equals(first.bytes)).toBe(true)
    const seeded = await rig.make(requestOf({ ...request, seed: first.seed! }, tiny))
    expect(seeded.bytes.equals(first.bytes)).toBe(true)
    const otherResult = await rig.make(requestOf({ ...request, seed: 99 }, tiny))
    expect(otherResult.seed).toBe(99)
    expect(otherResult.bytes.equals(first.bytes)).toBe(false)
  })

  it('requested sound has the length of the video, is audible and stereo, ends in silence and never clips', async () => {
    const request = requestOf({ prompt: 'rain on leaves', seconds: 3, audio: true }, tiny)
    const { sound } = await decodeVideo((await rig.make(request)).bytes)
    expect(sound!.seconds).toBeCloseTo(3, 3)
    expect(sound!.codec).toBe('mp4a.40.2')
    const { left, right } = sound!
    expect(rootMeanSquare(left.subarray(24_000, 96_000))).toBeGreaterThan(0.01)
    expect(rootMeanSquare(left.map((sample, index) => sample - right[index]!))).toBeGreaterThan(0.005)
    expect(left.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0)).toBeLessThan(0.99)
    expect(rootMeanSquare(left.subarray(0, 1500))).toBeLessThan(0.005)
    expect(rootMeanSquare(left.subarray(144_000 - 1000, 144_000))).toBeLessThan(0.005)
  })

  it.each([
    ['rain on leaves', 2],
    ['a campfire', 5],
    ['a forest in the morning', 2],
    ['waves on a beach', 30],
  ])('the sound of %s for %i s has a loudness of -20 ± 1 LUFS and a true peak below -1 dBTP', async (prompt, seconds) => {
    const request = requestOf({ prompt, seconds, audio: true }, tiny)
    const { sound } = await decodeVideo((await rig.make(request)).bytes)
    const loudness = measureLoudness(sound!)
    expect(loudness).toBeGreaterThan(-21)
    expect(loudness).toBeLessThan(-19)
    for (const side of [sound!.left, sound!.right]) expect(truePeakDecibels(side)).toBeLessThan(-1)
  })
})

describe('input images', () => {
  it('an invalid image fails the attempt with a message for the client', async () => {
    const refused = requestOf({ prompt: 'go', seconds: 1, first_frame: 'refused' })
    await rig.driver.start(refused, startContext)
    expect(await rig.until(refused, hasEnded)).toEqual({
      state: 'failed',
      code: 'invalid_input',
      reason: 'first_frame: the image is damaged',
      retryable: false,
    })
  })

  it('an image whose server refuses the connection is requested once, and its attempt fails as retryable', async () => {
    const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', errno: -111, syscall: 'connect' })
    let reads = 0
    await using failingRig = openRig({
      readImage: async (_source, { position }) => {
        reads += 1
        throw new InvalidImage('unreachable', position, 'no connection could be made', { cause, isTransient: true })
      },
    })
    const unreachable = requestOf({ prompt: 'go', seconds: 1, first_frame: 'https://example.com/a.png' })
    await failingRig.driver.start(unreachable, startContext)
    expect(await failingRig.until(unreachable, hasEnded)).toMatchObject({
      state: 'failed',
      code: 'invalid_input',
      retryable: true,
    })
    expect([reads, failingRig.errors]).toEqual([1, []])
  })
})

describe('a rendered image', () => {
  it.each([
    ['1:1', '1K'],
    ['16:9', '1K'],
    ['2:3', '1K'],
    ['21:9', '2K'],
  ] as const)('an image is a PNG of exactly the documented pixels at %s %s', async (ratio, resolution) => {
    const size = imagePixelSize(ratio, resolution)
    const { bytes, contentType } = await rig.make(requestOf({ prompt: 'snowy mountains' }, { object: 'image', size }))
    expect(contentType).toBe('image/png')
    const { format, width, height, channels } = await sharp(bytes).metadata()
    expect({ format, width, height, channels }).toEqual({ format: 'png', ...size, channels: 3 })
    const { entropy } = await sharp(bytes).stats()
    expect(entropy).toBeGreaterThan(3)
  })

  it('an image has the same bytes for the same request', async () => {
    const [first, repeated] = [
      await rig.make(requestOf({ prompt: 'a fox' }, { ...tiny, object: 'image' })),
      await rig.make(requestOf({ prompt: 'a fox' }, { ...tiny, object: 'image' })),
    ]
    expect(repeated.bytes.equals(first.bytes)).toBe(true)
  })
})

describe('cancellation of a render', () => {
  /** A render that is still in progress when a test cancels it. */
  const longRequest = { prompt: 'a long film', seconds: 30 }
  /** Maximum time of a cancellation. The long render takes far longer on any machine. */
  const cancelMsMax = 3_000

  it.each(['as soon as it has begun', 'in its set-up', 'in the middle'])(
    'a render that is cancelled %s frees its slot',
    async (when) => {
      const [stoppedRequest, nextRequest] = [requestOf(longRequest), requestOf({ prompt: 'next', seconds: 1 }, tiny)]
      await rig.driver.start(stoppedRequest, startContext)
      if (when === 'in its set-up') await new Promise((resolve) => setTimeout(resolve, 60))
      if (when === 'in the middle') await rig.until(stoppedRequest, hasProgress)
      expect(await cancelTimed(stoppedRequest)).toBeLessThan(cancelMsMax)
      expect((await decodeVideo((await rig.make(nextRequest)).bytes)).frames).toHaveLength(24)
    },
  )

  it('the cancellation of a waiting render does not affect the running one', async () => {
    // Long enough to be still in progress when the waiting render is polled.
    const [running, queued] = [requestOf({ prompt: 'first', seconds: 8 }), requestOf(longRequest)]
    await rig.driver.start(running, startContext)
    // Renders that start at the same time may take the slot in any order.
    await rig.until(running, hasProgress)
    await rig.driver.start(queued, startContext)
    expect(await rig.driver.poll({ render: queued.attemptId }, queued, signal)).toEqual({ state: 'queued' })
    expect(await cancelTimed(queued)).toBeLessThan(cancelMsMax)
    expect(await rig.until(running, hasEnded)).toMatchObject({ state: 'succeeded' })
    await rig.driver.discard?.({ render: running.attemptId }, running)
  })

  it('a render whose image never loads delays neither another render nor its own cancellation', async () => {
    await using slow = openRig({ readImage: () => new Promise(() => {}) })
    const stoppedRequest = requestOf({ ...longRequest, first_frame: 'slow' })
    const plain = requestOf({ prompt: 'not held up', seconds: 1 }, tiny)
    await slow.driver.start(stoppedRequest, startContext)
    expect((await slow.make(plain)).bytes.length).toBeGreaterThan(1000)
    await slow.driver.cancel?.({ render: stoppedRequest.attemptId }, stoppedRequest)
  })

  it('a cancelled render leaves no file behind, and a second cancellation has no effect', async () => {
    const stoppedRequest = requestOf({ prompt: 'gone', seconds: 1 }, tiny)
    await rig.driver.start(stoppedRequest, startContext)
    await rig.until(stoppedRequest, hasEnded)
    await cancelTimed(stoppedRequest)
    await cancelTimed(stoppedRequest)
    const files = readdirSync(path.join(rig.dataDir, 'scratch', 'renders'))
    expect(files.filter((name) => name.startsWith(`${stoppedRequest.attemptId}.`))).toEqual([])
  })
})

describe('the embedded driver', () => {
  it('polling a job that another process had started renders it again', async () => {
    const knownRequest = requestOf({ prompt: 'begun before a restart', seconds: 1 }, tiny)
    const outcome = await rig.until(knownRequest, hasEnded)
    expect(outcome.state).toBe('succeeded')
    await rig.driver.discard?.({ render: knownRequest.attemptId }, knownRequest)
  })

  it('the reported progress of a render never decreases', async () => {
    const watched = requestOf({ prompt: 'slowly', seconds: 3 })
    await rig.driver.start(watched, startContext)
    const progressSeen: number[] = []
    await rig.until(watched, (outcome) => {
      if (outcome.state === 'running') progressSeen.push(outcome.progress ?? 0)
      return hasEnded(outcome)
    })
    expect(progressSeen.length).toBeGreaterThan(3)
    expect(progressSeen).toEqual([...progressSeen].sort((left, right) => left - right))
    expect(Math.max(...progressSeen)).toBeLessThanOrEqual(99)
    await rig.driver.discard?.({ render: watched.attemptId }, watched)
  })

  it('an attempt that cannot be rendered fails without an effect on other attempts', async () => {
    const impossible = requestOf({ prompt: 'too large', seconds: 1 }, { size: { width: 8000, height: 8000 } })
    await rig.driver.start(impossible, startContext)
    const outcome = await rig.until(impossible, hasEnded)
    expect(outcome).toEqual({ state: 'failed', code: 'upstream_failed', reason: 'The rendering failed.', retryable: true })
    expect(rig.errors.join()).toContain('8000x8000')
    expect((await rig.make(requestOf({ prompt: 'after it', seconds: 1 }, tiny))).bytes.length).toBeGreaterThan(1000)
  })

  it('the driver removes files of an earlier process from its scratch folder and leaves none when disposed', async () => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'embedded-driver-'))
    const renders = path.join(dataDir, 'scratch', 'renders')
    mkdirSync(renders, { recursive: true })
    writeFileSync(path.join(renders, 'old.mp4'), 'old')
    const restartedRig = openRig({ dataDir })
    expect(readdirSync(renders)).toEqual([])
    const unfinished = requestOf({ prompt: 'unfinished', seconds: 10 })
    await restartedRig.driver.start(unfinished, startContext)
    await restartedRig.driver[Symbol.asyncDispose]()
    expect(readdirSync(path.join(dataDir, 'scratch'))).toEqual([])
    rmSync(dataDir, { recursive: true })
  })

  it('a second 1080p video needs at most 160 MiB more memory than is in use after the first one', async () => {
    const size = { width: 1920, height: 1080 }
    await rig.make(requestOf({ prompt: 'warm', seconds: 1 }, { size }))
    const rssBefore = rssMebibytes()
    let rssMax = 0
    const video = requestOf({ prompt: 'again', seconds: 3 }, { size })
    await rig.until(video, (outcome) => {
      rssMax = Math.max(rssMax, rssMebibytes())
      return hasEnded(outcome)
    })
    await rig.driver.discard?.({ render: video.attemptId }, video)
    // All frames of the video take 220 MB. Only a few of them may be in memory at a time. The
    // limit also allows for freed frames that the allocator has not returned to the system.
    expect(rssMax - rssBefore).toBeLessThan(160)
  })
})
