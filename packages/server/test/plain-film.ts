import { framesPerSecond } from '@framegate/contract'
import { soundRate } from '../src/drivers/embedded/film/video-encoder.ts'
import { createWebCodecsEncoder } from '../src/drivers/embedded/film/webcodecs-encoder.ts'
import { writeMp4 } from '../src/drivers/embedded/film/write-mp4.ts'

export const plainFilmSize = { width: 640, height: 360 }

/** A film that can be decoded: a slope that moves, and a tone. */
export async function plainFilm({ seconds = 1, withSound = true } = {}): Promise<Buffer> {
  const { width, height } = plainFilmSize
  const { signal } = new AbortController()
  const encoder = createWebCodecsEncoder()
  const video = await encoder.openVideo(plainFilmSize, signal)
  try {
    for (let frame = 0; frame < seconds * framesPerSecond; frame++) {
      const i420 = new Uint8Array(width * height * 1.5).fill(128)
      for (let at = 0; at < width * height; at++) i420[at] = 40 + (((at % width) / 4 + frame) % 160)
      await video.encode(i420)
    }
    const tone = Float32Array.from({ length: seconds * soundRate }, (_, sample) => 0.2 * Math.sin(sample / 20))
    const sound = withSound ? await encoder.encodeSound({ left: tone, right: tone }, signal) : undefined
    return Buffer.from(await writeMp4({ video: await video.finish(), ...(sound && { sound }) }))
  } finally {
    video.close()
  }
}
