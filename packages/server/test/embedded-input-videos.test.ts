import { afterAll, describe, expect, it } from 'vitest'
import { decodeVideo, psnr, type DecodedSound } from '../../renderer/test/decode-video.ts'
import { hasEnded, openRig, requestOf, small } from './embedded-rig.ts'
import { startContext } from './start-context.ts'

const rig = openRig()
afterAll(() => rig[Symbol.asyncDispose]())

const luma = small.width * small.height

/** Returns the share of strongly red chroma samples in each frame. */
function redShares(frames: readonly Uint8Array[]): number[] {
  return frames.map((frame) => frame.subarray(luma * 1.25).filter((value) => value > 190).length / (luma / 4))
}

async function failureOf(parameters: Parameters<typeof requestOf>[0]) {
  const request = requestOf({ prompt: 'a lake', seconds: 1, ...parameters })
  await rig.driver.start(request, startContext)
  return await rig.until(request, hasEnded)
}

it('a reference video plays in the scene', async () => {
  const { bytes } = await rig.make(requestOf({ prompt: 'a gray foggy lake', seconds: 1, reference_videos: ['video'] }))
  const red = redShares((await decodeVideo(bytes)).frames)
  // The video is red in every third frame.
  const [inRedFrames, inOtherFrames] = [red.filter((_, index) => index % 3 === 0), red.filter((_, index) => index % 3 !== 0)]
  expect(Math.min(...inRedFrames)).toBeGreaterThan(0.02)
  expect(Math.max(...inOtherFrames)).toBeLessThan(0.005)
})

describe('an extended video', () => {
  it('an extended video shows the input video, and then continues from its last frame for the requested seconds', async () => {
    const { bytes } = await rig.make(requestOf({ prompt: 'go', seconds: 1, input_video: 'video', audio: true }))
    const { frames, sound, videoSeconds } = await decodeVideo(bytes)
    expect([frames.length, videoSeconds]).toEqual([72, 3])
    expect(sound?.seconds).toBeCloseTo(3, 1)
    const [inputLuma, black] = [new Uint8Array(luma).fill(100), new Uint8Array(luma).fill(16)]
    for (const index of [0, 24, 47]) expect(psnr(frames[index]!, inputLuma, luma)).toBeGreaterThan(35)
    for (const index of [48, 71]) expect(psnr(frames[index]!, black, luma)).toBeGreaterThan(35)
  })

  it('an extended video has the watermark on the input part and on the new part', async () => {
    const parameters = { prompt: 'go', seconds: 1, input_video: 'video' }
    const plain = await decodeVideo((await rig.make(requestOf(parameters))).bytes)
    const marked = await decodeVideo((await rig.make(requestOf({ ...parameters, watermark: true }))).bytes)
    for (const index of [0, 47, 48, 71]) {
      const [markedFrame, plainFrame] = [marked.frames[index]!, plain.frames[index]!]
      let changed = 0
      for (let pixel = 0; pixel < luma; pixel++) if (Math.abs(markedFrame[pixel]! - plainFrame[pixel]!) > 20) changed += 1
      expect([index, changed > 100]).toEqual([index, true])
    }
  })

  it('a request for two extended videos succeeds with two outputs', async () => {
    const request = requestOf({ prompt: 'a lake', seconds: 1, input_video: 'video', n: 2 })
    await rig.driver.start(request, startContext)
    const outcome = await rig.until(request, hasEnded)
    expect(outcome).toMatchObject({ state: 'succeeded', outputs: [{}, {}] })
  })

  it('an input video that is too long fails the attempt, and the reason has its length and the maximum', async () => {
    expect(await failureOf({ input_video: 'long' })).toMatchObject({
      state: 'failed',
      code: 'invalid_input',
      reason: 'input_video is 600 seconds long; the embedded driver extends videos of at most 60 seconds.',
    })
  })

  it('a video that cannot be decoded to its end fails the attempt, and the operator gets the reason', async () => {
    expect(await failureOf({ input_video: 'broken' })).toMatchObject({ state: 'failed', code: 'upstream_failed' })
    expect(rig.errors.at(-1)).toContain('the given video cannot be decoded: the program ended with 1')
    // The next video must not contain frames of the failed video.
    const { bytes } = await rig.make(requestOf({ prompt: 'a lake', seconds: 2 }))
    expect((await decodeVideo(bytes)).frames).toHaveLength(48)
  })

  it('a render that decodes an input video ends soon after it is cancelled', async () => {
    const request = requestOf({ prompt: 'a lake', seconds: 1, input_video: 'video' }, { size: { width: 1920, height: 1080 } })
    await rig.driver.start(request, startContext)
    await rig.until(request, (outcome) => outcome.state === 'running')
    const startMs = performance.now()
    await rig.driver.cancel?.({ render: request.attemptId }, request)
    expect(performance.now() - startMs).toBeLessThan(3000)
    await rig.make(requestOf({ prompt: 'a lake', seconds: 1 }))
  })
})

const gray = new Uint8Array(luma).fill(100)
const meanOf = (samples: Uint8Array): number => samples.reduce((sum, sample) => sum + sample, 0) / samples.length
const decode = async (parameters: Parameters<typeof requestOf>[0]) =>
  decodeVideo((await rig.make(requestOf({ seconds: 1, ...parameters }))).bytes)

/** Returns half the amplitude of a tone between two times in seconds. */
function toneIn(sound: DecodedSound | null, hertz: number, from: number, to: number): number {
  const samples = sound?.left.subarray(from * 48_000, to * 48_000) ?? []
  let [real, imaginary] = [0, 0]
  for (const [index, sample] of samples.entries()) {
    real += sample * Math.cos((2 * Math.PI * hertz * index) / 48_000)
    imaginary += sample * Math.sin((2 * Math.PI * hertz * index) / 48_000)
  }
  return Math.hypot(real, imaginary) / samples.length
}

describe('an edited video', () => {
  const edit = { input_video: 'video', task: 'edit' } as const

  it('an edited video has the time of day of the prompt, and the shorter length of the input video and the request', async () => {
    const day = await decode({ ...edit, prompt: 'a bright day', seconds: 5 })
    const night = await decode({ ...edit, prompt: 'make it night', seconds: 1 })
    expect([day.frames.length, night.frames.length]).toEqual([48, 24])
    const [light, dark] = [day, night].map(({ frames }) => meanOf(frames[12]!.subarray(0, luma)))
    expect(light).toBeGreaterThan(85)
    expect(dark).toBeLessThan(light! - 25)
  })

  it('an edited video takes the style of the prompt', async () => {
    const { frames } = await decode({ ...edit, prompt: 'in black and white' })
    // The input video is green.
    for (const frame of frames) expect(Math.abs(meanOf(frame.subarray(luma)) - 128)).toBeLessThan(4)
  })

  it('the sound of an edited video stays, unless the request drops it', async () => {
    const request = { ...edit, input_video: 'sounding', prompt: 'a red evening' }
    expect(toneIn((await decode(request)).sound, 440, 0, 1)).toBeGreaterThan(0.1)
    expect((await decode({ ...request, keep_audio: false })).sound).toBeNull()
  })
})

it('the image of a motion task moves more if the input video moves than if it is still', async () => {
  const request = { prompt: 'a dancer', seconds: 2, first_frame: 'stripes', task: 'motion' } as const
  const moved = await decode({ ...request, input_video: 'moving' })
  const resting = await decode({ ...request, input_video: 'video' })
  expect([moved.frames.length, resting.frames.length]).toEqual([48, 48])
  const similarityOf = ({ frames }: typeof moved): number => psnr(frames[30]!, frames[40]!, luma)
  expect(similarityOf(resting)).toBeGreaterThan(similarityOf(moved) + 10)
})

it('a video of a lip_sync task plays with the input audio, as long as the sound', async () => {
  const { frames, sound } = await decode({
    prompt: 'she speaks',
    seconds: 5,
    input_video: 'sounding',
    input_audio: 'tone',
    task: 'lip_sync',
  })
  expect(frames).toHaveLength(24)
  for (const index of [0, 23]) expect(psnr(frames[index]!, gray, luma)).toBeGreaterThan(35)
  expect(toneIn(sound, 880, 0, 1)).toBeGreaterThan(0.1)
  expect(toneIn(sound, 440, 0, 1)).toBeLessThan(0.02)
})

it('an extended video has the sound of the input video, and then ambient sound if sound is requested', async () => {
  const request = { prompt: 'waves on a beach', seconds: 1, input_video: 'sounding' }
  const [quiet, sounding] = [await decode(request), await decode({ ...request, audio: true })]
  for (const { sound, frames } of [quiet, sounding]) {
    expect(frames).toHaveLength(72)
    expect(toneIn(sound, 440, 0, 1.6)).toBeGreaterThan(0.1)
    expect(toneIn(sound, 440, 2.2, 2.8)).toBeLessThan(0.02)
  }
  const peakOf = ({ sound }: typeof quiet): number => Math.max(...(sound?.left.subarray(2.2 * 48_000, 2.8 * 48_000) ?? []))
  expect(peakOf(quiet)).toBeLessThan(0.005)
  expect(peakOf(sounding)).toBeGreaterThan(0.02)
})

it('without ffmpeg, attempts with a video are rejected at their start with a clear message, and other attempts are rendered', async () => {
  await using rigWithoutDecoder = openRig({ hasVideoDecoder: () => false })
  for (const parameters of [{ reference_videos: ['video'] }, { input_video: 'video' }, { input_audio: 'tone' }]) {
    const start = rigWithoutDecoder.driver.start(requestOf({ prompt: 'a lake', seconds: 1, ...parameters }), startContext)
    await expect(start).rejects.toMatchObject({ name: 'DriverRefusal', message: expect.stringContaining('no ffmpeg') })
  }
  await rigWithoutDecoder.make(requestOf({ prompt: 'a lake', seconds: 1, reference_images: ['red'] }))
})
