import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  MkvOutputFormat,
  MovOutputFormat,
  Mp4OutputFormat,
  Output,
  WebMOutputFormat,
} from 'mediabunny'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packetVideo as video, aacDescription } from '../../test/packet-video.ts'
import { probeMedia } from './probe-media.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'framegate-probe-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function probe(bytes: Uint8Array, name = 'file') {
  const path = join(folder, name)
  await writeFile(path, bytes)
  return await probeMedia(path)
}

const broken = { name: 'MediaProbeError', code: 'broken' }
const notMedia = { name: 'MediaProbeError', code: 'not_media' }

describe('the probe of a video', () => {
  it.each([
    ['index first', new Mp4OutputFormat({ fastStart: 'in-memory' })],
    ['index last', new Mp4OutputFormat({ fastStart: false })],
    ['fragmented', new Mp4OutputFormat({ fastStart: 'fragmented' })],
  ])('the probe of an MP4 of 120 frames reports exactly 5 seconds (%s)', async (_, format) => {
    expect(await probe(await video({ format }), 'no-ending')).toEqual({
      contentType: 'video/mp4',
      kind: 'video',
      width: 64,
      height: 48,
      durationSeconds: 5,
      frames: 120,
      hasAudio: false,
    })
  })

  it('the probe of a video measures its frames and ignores sound that ends slightly later', async () => {
    expect(await probe(await video({ withSound: true }))).toMatchObject({ durationSeconds: 5, hasAudio: true })
  })

  it('the probe of a video does not count the time before the first frame', async () => {
    expect(await probe(await video({ firstFrameAtSeconds: 0.5 }))).toMatchObject({ durationSeconds: 5, frames: 120 })
  })

  it.each([
    [1, 24, 0.042],
    [101, 24, 4.208],
    [150, 30, 5],
    [360, 24, 15],
  ])(
    'the probe of a video of %i frames at %i per second reports %f seconds',
    async (frames, framesPerSecond, durationSeconds) => {
      expect(await probe(await video({ frames, framesPerSecond }))).toMatchObject({ frames, durationSeconds })
    },
  )

  it('the probe of a rotated video reports its displayed size', async () => {
    expect(await probe(await video({ rotation: 90 }))).toMatchObject({ width: 48, height: 64 })
  })

  it('the probe of a video detects WebM in a file with the name video.mp4', async () => {
    expect(await probe(await video({ format: new WebMOutputFormat() }), 'video.mp4')).toMatchObject({
      contentType: 'video/webm',
      durationSeconds: 5,
      frames: 120,
    })
  })

  it.each([
    ['MP4, index first', () => video()],
    ['MP4, index last', () => video({ format: new Mp4OutputFormat({ fastStart: false }) })],
    ['MP4 with sound', () => video({ withSound: true })],
    ['WebM', () => video({ format: new WebMOutputFormat() })],
  ])('the probe refuses a truncated video (%s)', async (_, make) => {
    const completeFile = await make()
    for (const share of [0.9, 0.5, 0.02]) {
      await expect(probe(completeFile.subarray(0, Math.floor(completeFile.byteLength * share)))).rejects.toMatchObject(broken)
    }
  })

  it('the probe rejects a video whose sound is truncated', async () => {
    const completeFile = await video({ withSound: true })
    await expect(probe(completeFile.subarray(0, -10))).rejects.toMatchObject(broken)
  })

  it.each([
    ['QuickTime', () => video({ format: new MovOutputFormat() })],
    ['Matroska', () => video({ format: new MkvOutputFormat() })],
  ])('the probe refuses %s, which browsers do not play', async (_, make) => {
    await expect(probe(await make())).rejects.toMatchObject({ ...notMedia, message: 'the video is neither MP4 nor WebM' })
  })

  it('the probe refuses a video that is longer than a day, or that has more than 65,535 pixels on a side', async () => {
    await expect(probe(await video({ frames: 3, framesPerSecond: 0.00001 }))).rejects.toMatchObject({ code: 'refused' })
    const wide = await video({ format: new WebMOutputFormat(), width: 1_000_000_000 })
    await expect(probe(wide)).rejects.toMatchObject({ code: 'refused' })
  })

  it('the probe rejects a video without frames', async () => {
    const target = new BufferTarget()
    const output = new Output({ format: new Mp4OutputFormat(), target })
    const audio = new EncodedAudioPacketSource('aac')
    output.addAudioTrack(audio)
    await output.start()
    await audio.add(new EncodedPacket(new Uint8Array(32), 'key', 0, 1024 / 48_000), {
      decoderConfig: { codec: 'mp4a.40.2', numberOfChannels: 2, sampleRate: 48_000, description: aacDescription },
    })
    await output.finalize()
    await expect(probe(new Uint8Array(target.buffer ?? new ArrayBuffer()))).rejects.toMatchObject(broken)
  })
})

describe('the probe of an image', () => {
  // Noise cannot be compressed, so a cut removes pixels in every format.
  const noise = Buffer.from(Array.from({ length: 80 * 60 * 3 }, (_, i) => (i * 7919 + ((i * i) % 251)) % 256))
  const image = () => sharp(noise, { raw: { width: 80, height: 60, channels: 3 } })

  it.each(['jpeg', 'png', 'webp', 'avif', 'gif'] as const)('the probe of an image detects %s by its content', async (format) => {
    const bytes = await image().toFormat(format).toBuffer()
    expect(await probe(bytes, 'picture.bin')).toEqual({
      contentType: `image/${format}`,
      kind: 'image',
      width: 80,
      height: 60,
      durationSeconds: null,
      hasAudio: false,
    })
    await expect(probe(bytes.subarray(0, Math.floor(bytes.byteLength * 0.8)))).rejects.toMatchObject(broken)
  })

  it('the probe of a rotated image reports its displayed size', async () => {
    const bytes = await image().withMetadata({ orientation: 6 }).jpeg().toBuffer()
    expect(await probe(bytes)).toMatchObject({ width: 60, height: 80 })
  })
})

describe('the probe of other files', () => {
  it.each([
    ['an empty file', ''],
    ['a web page', '<!doctype html><title>502 Bad Gateway</title>'],
    ['an SVG image', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['a JSON text', '{"error": "not ready"}'],
    ['a file of unknown type', 'just words'],
  ])('the probe of other files reports %s', async (kind, text) => {
    await expect(probe(Buffer.from(text), 'video.mp4')).rejects.toMatchObject(notMedia)
    await expect(probe(Buffer.from(text), 'video.mp4')).rejects.toThrow(kind)
  })

  it('the probe rejects other data after a valid file header', async () => {
    const brand = Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isommp42', 'latin1')
    await expect(probe(Buffer.concat([brand, Buffer.alloc(5000, 'x')]))).rejects.toMatchObject(broken)
    await expect(probe(Buffer.from('\x89PNG\r\n\x1a\n<html>', 'latin1'))).rejects.toMatchObject(broken)
  })
})
