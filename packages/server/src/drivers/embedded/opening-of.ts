import { framesPerSecond, type PixelSize } from '@framegate/contract'
import type { Opening, PlanImage } from '@framegate/renderer'
import { DriverRefusal } from '../driver.ts'
import type { OpenedVideo } from './opened-video.ts'

/** Every second of a given video is decoded and encoded again. */
const extendedSecondsMax = 60

/** The part of the result that shows the given video. Throws `DriverRefusal` if it is too long. */
export function openingOf(video: OpenedVideo, { width, height }: PixelSize, position: string): Opening {
  if (video.seconds > extendedSecondsMax) {
    const found = `${position} is ${video.seconds} seconds long`
    throw new DriverRefusal(
      'invalid_input',
      `${found}; the embedded driver extends videos of at most ${extendedSecondsMax} seconds.`,
    )
  }
  const frames = Math.max(1, Math.round(video.seconds * framesPerSecond))
  return { frames, command: video.decodingCommand({ width, height, frames, framesPerSecond }) }
}

/** The same video backwards, for a scene that is rendered backwards. */
export function reversed(video: PlanImage): PlanImage {
  const { rgba, frames = 1 } = video
  const frameBytes = rgba.length / frames
  const backwards = new Uint8Array(rgba.length)
  for (let frame = 0; frame < frames; frame++) {
    backwards.set(rgba.subarray(frame * frameBytes, (frame + 1) * frameBytes), (frames - 1 - frame) * frameBytes)
  }
  return { ...video, rgba: backwards }
}
