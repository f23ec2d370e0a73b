import { framesPerSecond, type PixelSize } from '@framegate/contract'
import type { GivenSound, GivenVideo, PlanImage, RenderPlan } from '@framegate/renderer'
import { DriverRefusal } from '../driver.ts'
import type { OpenedSound, OpenedVideo } from './opened-video.ts'
import type { PlannedRender } from './plan-render.ts'

/** Maximum length of a video to extend, because all of it is decoded and encoded again. */
const extendedSecondsMax = 60
/** Longer side, in pixels, of the frames in which the renderer tracks motion. */
const motionSide = 64

/** Effect of the input files on a render. */
export interface OpenedInputs {
  /** The input video at the beginning of the result, before the rendered frames. */
  opening?: Omit<GivenVideo, keyof PixelSize>
  /** The video that determines the rendered frames. */
  video?: GivenVideo
  /** Number of rendered frames, if the files determine it. */
  frames?: number
  sound?: GivenSound
}

/**
 * Opens the input video and audio of a render. An extended video plays completely. Otherwise the
 * result is as long as the input file, and at most as long as requested. Throws `DriverRefusal` if
 * the video is too long.
 */
export function readInputs(
  { plan, video: requested, sound: requestedSound, keepsAudio }: PlannedRender,
  video: OpenedVideo | undefined,
  sound: OpenedSound | undefined,
): OpenedInputs {
  const inputs: OpenedInputs = {}
  let soundSeconds = plan.frames / framesPerSecond
  if (video !== undefined && requested?.use === 'extend') {
    inputs.opening = openingOf(video, plan, requested.position)
    soundSeconds += inputs.opening.frames / framesPerSecond
  } else if (video !== undefined && requested !== null) {
    const seconds = requested.use === 'keep' ? (sound ?? video).seconds : video.seconds
    inputs.frames = framesOf(seconds, plan)
    inputs.video = videoOf(video, requested.use === 'motion' ? smallSize(plan) : plan, inputs.frames)
  } else if (sound !== undefined && requestedSound?.isSpoken === true) inputs.frames = framesOf(sound.seconds, plan)
  if (inputs.frames !== undefined) soundSeconds = inputs.frames / framesPerSecond
  const soundSource = sound ?? (keepsAudio && video?.hasSound === true ? video : undefined)
  if (soundSource !== undefined) {
    const seconds = Math.min(soundSource.seconds, soundSeconds)
    inputs.sound = { command: soundSource.soundCommand(seconds), seconds }
  }
  return inputs
}

function openingOf(video: OpenedVideo, size: PixelSize, position: string): NonNullable<OpenedInputs['opening']> {
  if (video.seconds > extendedSecondsMax) {
    const description = `${position} is ${video.seconds} seconds long`
    throw new DriverRefusal(
      'invalid_input',
      `${description}; the embedded driver extends videos of at most ${extendedSecondsMax} seconds.`,
    )
  }
  return videoOf(video, size, Math.max(1, Math.round(video.seconds * framesPerSecond)))
}

function framesOf(seconds: number, plan: Pick<RenderPlan, 'frames'>): number {
  return Math.max(1, Math.min(plan.frames, Math.round(seconds * framesPerSecond)))
}

function videoOf(video: OpenedVideo, { width, height }: PixelSize, frames: number): GivenVideo {
  return { width, height, frames, command: video.videoFramesCommand({ width, height, frames, framesPerSecond }) }
}

function smallSize({ width, height }: PixelSize): PixelSize {
  const scale = motionSide / Math.max(width, height)
  const evenSide = (side: number): number => Math.max(2, 2 * Math.round((side * scale) / 2))
  return { width: evenSide(width), height: evenSide(height) }
}

/** Reverses the frames of a clip, for a scene that is rendered in reverse. */
export function reverseFrames(video: PlanImage): PlanImage {
  const { rgba, frames = 1 } = video
  const frameBytes = rgba.length / frames
  const reversedRgba = new Uint8Array(rgba.length)
  for (let frame = 0; frame < frames; frame++) {
    reversedRgba.set(rgba.subarray(frame * frameBytes, (frame + 1) * frameBytes), (frames - 1 - frame) * frameBytes)
  }
  return { ...video, rgba: reversedRgba }
}
