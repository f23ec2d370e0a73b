import { framesPerSecond, type PixelSize } from '@framegate/contract'
import type { Opening, PlanImage } from '@framegate/renderer'
import { DriverRefusal } from '../driver.ts'
import type { OpenedVideo } from './opened-video.ts'

/** Limit of the given video, because each of its seconds is decoded and encoded again. */
const extendedSecondsMax = 60

/**
 * Returns the part of the result that shows the given video. Throws `DriverRefusal` if the video is
 * too long.
 */
export function openingOf(video: OpenedVideo, { width, height }: PixelSize, position: string): Opening {
  if (video.seconds > extendedSecondsMax) {
    const message = `${position} is ${video.seconds} seconds long`
    throw new DriverRefusal(
      'invalid_input',
      `${message}; the embedded driver extends videos of at most ${extendedSecondsMax} seconds.`,
    )
  }
  const frames = Math.max(1, Math.round(video.seconds * framesPerSecond))
  return { frames, command: video.decodingCommand({ width, height, frames, framesPerSecond }) }
}

/**
 * Returns the same video with its frames in reverse order, for a scene that is rendered in reverse.
 */
export function reversed(video: PlanImage): PlanImage {
  const { rgba, frames = 1 } = video
  const frameBytes = rgba.length / frames
  const reversedPixels = new Uint8Array(rgba.length)
  for (let frame = 0; frame < frames; frame++) {
    reversedPixels.set(rgba.subarray(frame * frameBytes, (frame + 1) * frameBytes), (frames - 1 - frame) * frameBytes)
  }
  return { ...video, rgba: reversedPixels }
}
