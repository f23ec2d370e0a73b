import { framesPerSecond } from '@framegate/contract'
import type { Packet } from '../src/video/encoded-track.ts'
import { H264Encoder } from '../src/video/h264/h264-encoder.ts'
import { encodeSound, soundRate } from '../src/video/sound-encoder.ts'
import { writeMp4 } from '../src/video/write-mp4.ts'

export const plainVideoSize = { width: 640, height: 360 }

/** Returns an MP4 of a moving gradient, with or without a tone. */
export async function plainVideo({ seconds = 1, withSound = true } = {}): Promise<Buffer> {
  const { width, height } = plainVideoSize
  const encoder = new H264Encoder()
  const config = encoder.open(plainVideoSize)
  const packets: Packet[] = []
  for (let frame = 0; frame < seconds * framesPerSecond; frame++) {
    const i420 = new Uint8Array(width * height * 1.5).fill(128)
    for (let index = 0; index < width * height; index++) i420[index] = 40 + (((index % width) / 4 + frame) % 160)
    encoder.copyFrame(i420)
    packets.push(encoder.encode())
  }
  const tone = Float32Array.from({ length: seconds * soundRate }, (_, sample) => 0.2 * Math.sin(sample / 20))
  const { signal } = new AbortController()
  const sound = withSound ? await encodeSound({ left: tone, right: tone }, signal) : undefined
  return Buffer.from(await writeMp4({ video: { config, packets }, ...(sound && { sound }) }))
}
