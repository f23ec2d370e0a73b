import { describe, expect, it } from 'vitest'
import { decodeVideo, psnr } from '../../../test/decode-video.ts'
import { writeMp4 } from '../write-mp4.ts'
import { H264Encoder } from './h264-encoder.ts'

interface Size {
  width: number
  height: number
}

/** Draws a gentle gradient in one color that brightens with every frame. */
function slopeFrame({ width, height }: Size, index: number): Uint8Array {
  const luma = width * height
  return Uint8Array.from({ length: luma * 1.5 }, (_, pixel) => {
    if (pixel < luma) return 40 + Math.floor(((pixel % width) / width) * 100) + index * 2
    return pixel < luma * 1.25 ? 100 : 160
  })
}

function grainFrame({ width, height }: Size, index: number): Uint8Array {
  let state = index + 1
  return Uint8Array.from({ length: width * height * 1.5 }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    return 100 + (state >>> 26)
  })
}

function encodeFrames(
  encoder: H264Encoder,
  size: Size,
  frames: number,
  draw = slopeFrame,
): { video: Promise<Uint8Array>; packetBytes: number[] } {
  const config = encoder.open(size)
  const packets = Array.from({ length: frames }, (_, index) => {
    encoder.copyFrame(draw(size, index))
    return encoder.encode()
  })
  return { video: writeMp4({ video: { config, packets } }), packetBytes: packets.map(({ bytes }) => bytes.length) }
}

describe('H264Encoder', () => {
  it.each([
    { width: 330, height: 190 },
    { width: 16, height: 16 },
    { width: 18, height: 34 },
    { width: 864, height: 480 },
  ])('H264Encoder reproduces every frame at $width x $height', async (size) => {
    const frames = 50
    const decoded = await decodeVideo(await encodeFrames(new H264Encoder(), size, frames).video)
    expect([decoded.width, decoded.height]).toEqual([size.width, size.height])
    expect(decoded.frames).toHaveLength(frames)
    expect(decoded.videoSeconds).toBeCloseTo(frames / 24, 6)
    expect(decoded.codec).toBe('avc1.42c01e')
    expect(decoded.colorSpace).toEqual({ primaries: 'bt709', transfer: 'bt709', matrix: 'bt709', fullRange: false })
    for (const [index, frame] of decoded.frames.entries()) {
      expect(psnr(frame, slopeFrame(size, index), frame.length), `frame ${index}`).toBeGreaterThan(40)
    }
  })

  it('H264Encoder gives the same bytes for the same frames regardless of earlier videos', async () => {
    const size = { width: 96, height: 64 }
    const encoder = new H264Encoder()
    const first = await encodeFrames(encoder, size, 20).video
    await encodeFrames(encoder, { width: 400, height: 300 }, 3, grainFrame).video
    await encodeFrames(encoder, size, 3, grainFrame).video
    expect(await encodeFrames(encoder, size, 20).video).toEqual(first)
  })

  it('H264Encoder limits the bit rate of moving grain, and the whole video can be decoded', async () => {
    const size = { width: 320, height: 240 }
    const { packetBytes, video } = encodeFrames(new H264Encoder(), size, 96, grainFrame)
    const bitsPerFrameMax = size.width * size.height * 0.25
    const laterBitsPerFrame = packetBytes.slice(49).reduce((sum, bytes) => sum + bytes * 8, 0) / (packetBytes.length - 49)
    expect(laterBitsPerFrame).toBeLessThan(1.5 * bitsPerFrameMax)
    expect((await decodeVideo(await video)).frames).toHaveLength(96)
  })

  it('H264Encoder rejects a size that no H.264 level allows', () => {
    expect(() => new H264Encoder().open({ width: 16_384, height: 8192 })).toThrow('a video of 16384x8192 is too large for H.264')
  })
})
