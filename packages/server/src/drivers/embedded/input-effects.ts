import { framesPerSecond, type PixelSize } from '@framegate/contract'
import type { GivenSound, GivenVideo, PlanImage, RenderPlan } from '@framegate/renderer'
import { DriverRefusal } from '../driver.ts'
import type { OpenedSound, OpenedVideo } from './opened-video.ts'
import type { PlannedRender } from './plan-render.ts'

/** Maximum seconds of a video to extend. It is decoded and encoded again from start to end. */
const extendedSecondsMax = 60
/** Longer side, in pixels, of the frames in which the renderer tracks motion. */
const trackingSide = 64

/** Effects of the input video and audio on a render. */
export interface InputEffects {
  /** The input video at the beginning of the result, before the rendered frames. */
  opening?: Omit<GivenVideo, keyof PixelSize>
  /** The video that determines the rendered frames. */
  video?: GivenVideo
  /** Number of rendered frames, if the files determine it. */
  frames?: number
  sound?: GivenSound
}

/**
 * Returns the effects of an opened video and audio file on a render. An extended video plays
 * completely, before the rendered frames. Otherwise, one file may determine the length of the
 * result, up to the requested length:
 *
 *   edit, motion, keep      the input video
 *   keep with input audio   the audio
 *   spoken audio alone      the audio
 *
 * Throws `DriverRefusal` if a video to extend is too long.
 */
export function inputEffectsOf(
  { plan, video: requested, sound: requestedSound, keepsAudio }: PlannedRender,
  video: OpenedVideo | undefined,
  sound: OpenedSound | undefined,
): InputEffects {
  const effects: InputEffects = {}
  let resultSeconds = plan.frames / framesPerSecond
  if (video !== undefined && requested?.use === 'extend') {
    effects.opening = openingOf(video, plan, requested.position)
    resultSeconds += effects.opening.frames / framesPerSecond
  } else if (video !== undefined && requested !== null) {
    const seconds = requested.use === 'keep' ? (sound ?? video).seconds : video.seconds
    effects.frames = frameCountOf(seconds, plan)
    effects.video = videoOf(video, requested.use === 'motion' ? trackingSizeOf(plan) : plan, effects.frames)
  } else if (sound !== undefined && requestedSound?.isSpoken === true) effects.frames = frameCountOf(sound.seconds, plan)
  if (effects.frames !== undefined) resultSeconds = effects.frames / framesPerSecond
  const soundSource = sound ?? (keepsAudio && video?.hasSound === true ? video : undefined)
  if (soundSource !== undefined) {
    const seconds = Math.min(soundSource.seconds, resultSeconds)
    effects.sound = { command: soundSource.soundCommand(seconds), seconds }
  }
  return effects
}

function openingOf(video: OpenedVideo, size: PixelSize, position: string): NonNullable<InputEffects['opening']> {
  if (video.seconds > extendedSecondsMax) {
    const description = `${position} is ${video.seconds} seconds long`
    throw new DriverRefusal(
      'invalid_input',
      `${description}; the embedded driver extends videos of at most ${extendedSecondsMax} seconds.`,
    )
  }
  return videoOf(video, size, Math.max(1, Math.round(video.seconds * framesPerSecond)))
}

function frameCountOf(seconds: number, plan: Pick<RenderPlan, 'frames'>): number {
  return Math.max(1, Math.min(plan.frames, Math.round(seconds * framesPerSecond)))
}

function videoOf(video: OpenedVideo, { width, height }: PixelSize, frames: number): GivenVideo {
  return { width, height, frames, command: video.videoFramesCommand({ width, height, frames, framesPerSecond }) }
}

function trackingSizeOf({ width, height }: PixelSize): PixelSize {
  const scale = trackingSide / Math.max(width, height)
  const evenSide = (side: number): number => Math.max(2, 2 * Math.round((side * scale) / 2))
  return { width: evenSide(width), height: evenSide(height) }
}

/** Reverses the frames of a clip, for a video that is reversed after rendering. */
export function reverseFrames(video: PlanImage): PlanImage {
  const { rgba, frames = 1 } = video
  const frameBytes = rgba.length / frames
  const reversedRgba = new Uint8Array(rgba.length)
  for (let frame = 0; frame < frames; frame++) {
    reversedRgba.set(rgba.subarray(frame * frameBytes, (frame + 1) * frameBytes), (frames - 1 - frame) * frameBytes)
  }
  return { ...video, rgba: reversedRgba }
}
