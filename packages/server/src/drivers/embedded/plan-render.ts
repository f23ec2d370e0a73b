import { framesPerSecond, resultsMax, type MediaObject } from '@framegate/contract'
import type { RenderPlan } from '@framegate/renderer'
import { productWatermark, type WatermarkDesign } from '../../watermark/watermark-design.ts'
import { DriverRefusal, type GenerationRequest } from '../driver.ts'
import type { GenerationParameters } from '../../catalogue/generation-parameters.ts'

/** An image of the plan that still has to be read, with the options for reading it. */
export interface RequestedImage {
  source: string
  fit: 'cover' | 'inside'
  width: number
  height: number
  /** Position in the parameters, for example `reference_images/0`. */
  position: string
}

/** The first frames of a video, which still have to be read. */
export interface RequestedClip {
  source: string
  position: string
  frames: number
  /** Maximum number of pixels of each frame. */
  pixelsMax: number
}

/**
 * Use of an input video. `extend` continues from its last frame, `edit` transforms its frames
 * according to the prompt, `keep` leaves them unchanged, and `motion` applies its motion to an
 * image.
 */
export type VideoUse = 'extend' | 'edit' | 'keep' | 'motion'

/** Everything that the renderer needs, except the contents of the input files. */
export interface PlannedRender {
  object: MediaObject
  plan: Omit<RenderPlan, 'seed' | 'images' | 'overlay'>
  /** If undefined, the renderer derives the seed from the prompt. */
  seed: number | undefined
  watermark: WatermarkDesign | null
  /** The input video that determines frames of the result, and its use. */
  video: { source: string; position: string; use: VideoUse } | null
  /** The input audio. If `isSpoken` is true, the result is at most as long as the audio. */
  sound: { source: string; position: string; isSpoken: boolean } | null
  /** Whether the result keeps the audio of the input video, if the request has no other audio. */
  keepsAudio: boolean
  /**
   * The images and clips to read, in the order of the plan's images. In the plan, the last frame of
   * the video to extend precedes them.
   */
  requested: (RequestedImage | RequestedClip)[]
  /** Whether the video is reversed after rendering, so that its first frame becomes its last. */
  isReversed: boolean
  /** Whether the renderer generates sound. */
  hasAmbience: boolean
  /** Number of variations. Each has its own seed. */
  variationCount: number
}

/**
 * Maximum side length of a reference image, in pixels. References appear as small objects in the
 * scene, where more pixels would not be visible.
 */
const referenceSideMax = 768
const referencesMax = 10
/** Number of seconds, from the start of a reference video, that play in a loop. */
const clipSeconds = 3
/** Maximum number of pixels in all frames of a render's reference videos: 64 MiB of RGBA. */
const clipPixelsMax = 16 * 1024 * 1024
const defaultSeconds = 5

/**
 * Plans a render. Effects of the input files on a video:
 *
 *   first_frame                   the video begins with this image
 *   first_frame and last_frame    the video begins and ends with these images
 *   last_frame alone              the video ends with this image: the video is rendered as if it
 *                                 began with the image, and then reversed
 *   input_video                   depends on the task:
 *     extend (default)            the result shows this video, and then continues from its last
 *                                 frame. With a first_frame, the video is only a reference
 *     edit                        the result shows this video, transformed according to the prompt.
 *                                 With a frame, the video is only a reference
 *     lip_sync                    the result shows this video, with the audio of input_audio if
 *                                 there is one. With a frame, the video is only a reference
 *     motion                      the first_frame or the first reference image follows the motion
 *                                 of this video. Without either, the video is only a reference
 *     reference                   the video is only a reference
 *   input_audio                   the result has this audio in place of the video's
 *   reference_images              they appear in the video or image, in front of the prompt's scene
 *   reference_videos              the first seconds of each appear in the same way, in a loop
 *   frames and references         the frames begin and end the video, and the references appear in
 *                                 between
 */
export function planRender({ object, size, parameters, watermarkDesign }: GenerationRequest): PlannedRender {
  if (object === 'text') throw new Error('a text is not rendered')
  const video = usedVideo(object, parameters)
  const requested = requestedInputs(object, size, parameters)
  const { input_audio: sound, task } = parameters
  const { prompt = '', negative_prompt: negativePrompt = '', seconds = defaultSeconds } = parameters
  return {
    object,
    plan: {
      width: size.width,
      height: size.height,
      frames: object === 'image' ? 1 : Math.round(seconds * framesPerSecond),
      prompt,
      negativePrompt,
      mode: modeOf(parameters, video?.use),
    },
    seed: parameters.seed,
    watermark: parameters.watermark === true ? (watermarkDesign ?? productWatermark) : null,
    video,
    sound:
      sound === undefined || object === 'image'
        ? null
        : { source: sound, position: 'input_audio', isSpoken: task === 'lip_sync' },
    keepsAudio: parameters.keep_audio !== false,
    requested,
    isReversed: parameters.first_frame === undefined && video === null && parameters.last_frame !== undefined,
    hasAmbience: object === 'video' && parameters.audio === true,
    variationCount: Math.min(resultsMax, parameters.n ?? 1),
  }
}

function modeOf({ first_frame, last_frame }: GenerationParameters, use: VideoUse | undefined): RenderPlan['mode'] {
  if (use !== undefined && use !== 'extend') return use
  const hasFirstFrame = first_frame !== undefined || use === 'extend'
  if (hasFirstFrame && last_frame !== undefined) return 'first-and-last-frame'
  return hasFirstFrame || last_frame !== undefined ? 'first-frame' : 'text'
}

function usedVideo(object: GenerationRequest['object'], parameters: GenerationParameters): PlannedRender['video'] {
  const { input_video: source, task = 'extend' } = parameters
  if (source === undefined || object === 'image') return null
  const use = useOf(task, parameters)
  return use === null ? null : { source, position: 'input_video', use }
}

/** Returns the use of the video in the task, or null if it is only a reference. */
function useOf(
  task: NonNullable<GenerationParameters['task']>,
  { first_frame, last_frame, reference_images = [] }: GenerationParameters,
): VideoUse | null {
  switch (task) {
    case 'motion':
      return first_frame !== undefined || reference_images.length > 0 ? 'motion' : null
    case 'edit':
      return first_frame === undefined && last_frame === undefined ? 'edit' : null
    case 'lip_sync':
      return first_frame === undefined && last_frame === undefined ? 'keep' : null
    case 'extend':
      return first_frame === undefined ? 'extend' : null
    default:
      return null
  }
}

function requestedInputs(
  object: GenerationRequest['object'],
  size: GenerationRequest['size'],
  parameters: GenerationParameters,
): PlannedRender['requested'] {
  const { first_frame, last_frame, reference_images = [], reference_videos = [] } = parameters
  const frames: RequestedImage[] = []
  if (first_frame !== undefined) frames.push({ source: first_frame, fit: 'cover', ...size, position: 'first_frame' })
  if (last_frame !== undefined) frames.push({ source: last_frame, fit: 'cover', ...size, position: 'last_frame' })
  if (frames.length > 0 && object === 'image') {
    throw new DriverRefusal(
      'invalid_input',
      'A request for an image may have reference_images; first_frame and last_frame are for videos.',
    )
  }
  for (const [name, references] of Object.entries({ reference_images, reference_videos })) {
    if (references.length > referencesMax)
      throw new DriverRefusal('invalid_input', `At most ${referencesMax} ${name} can be used.`)
  }
  // Without a first frame, the first reference image follows the motion of the input video.
  const isFirstMoved = first_frame === undefined && usedVideo(object, parameters)?.use === 'motion'
  const references = reference_images.map((source, index): RequestedImage => {
    const position = `reference_images/${index}`
    if (isFirstMoved && index === 0) return { source, fit: 'cover', width: size.width, height: size.height, position }
    return { source, fit: 'inside', width: referenceSideMax, height: referenceSideMax, position }
  })
  return [...frames, ...references, ...requestedClips(object, parameters)]
}

/**
 * Returns the clips of the reference videos. They share the pixel limit. A task for an image shows
 * only the first frame of each video.
 */
function requestedClips(object: GenerationRequest['object'], parameters: GenerationParameters): RequestedClip[] {
  const { reference_videos = [], input_video } = parameters
  const videos = reference_videos.map((source, index) => ({ source, position: `reference_videos/${index}` }))
  if (input_video !== undefined && usedVideo(object, parameters) === null) {
    videos.push({ source: input_video, position: 'input_video' })
  }
  const frames = object === 'image' ? 1 : clipSeconds * framesPerSecond
  const pixelsMax = Math.min(referenceSideMax ** 2, Math.floor(clipPixelsMax / frames / Math.max(1, videos.length)))
  return videos.map(({ source, position }) => ({ source, position, frames, pixelsMax }))
}
