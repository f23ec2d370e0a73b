import { framesPerSecond, resultsMax, type MediaObject } from '@framegate/contract'
import type { RenderPlan } from '@framegate/renderer'
import { productWatermark, type WatermarkDesign } from '../../watermark/watermark-design.ts'
import { DriverRefusal, type GenerationRequest } from '../driver.ts'
import type { GenerationParameters } from '../../catalogue/generation-parameters.ts'

/** An image that the plan still lacks, with the options for reading it. */
export interface WantedImage {
  source: string
  fit: 'cover' | 'inside'
  width: number
  height: number
  /** Position in the parameters, for example `reference_images/0`. */
  position: string
}

/** The first frames of a video, which the plan still lacks. */
export interface WantedClip {
  source: string
  position: string
  frames: number
  /** Maximum number of pixels of each frame. */
  pixelsMax: number
}

/** Everything that a request asks for, except the pixels of its images. */
export interface PlannedRender {
  object: MediaObject
  plan: Omit<RenderPlan, 'seed' | 'images' | 'overlay'>
  /** Undefined: the renderer derives the seed from the prompt. */
  seed: number | undefined
  watermark: WatermarkDesign | null
  /** The video that the result shows first. The rendered part continues from its last frame. */
  extended: { source: string; position: string } | null
  /** The missing images in the order of the plan. They follow the last frame of `extended`. */
  wanted: (WantedImage | WantedClip)[]
  /**
   * Whether the video is rendered in reverse order, so that the image of its start becomes its last
   * frame.
   */
  isReversed: boolean
  hasSound: boolean
  /** Number of variations. Each has a seed of its own. */
  count: number
}

/**
 * Limit of a reference's side. References appear as small objects in the scene, where more pixels
 * would not be visible.
 */
const referenceSideMax = 768
const referencesMax = 10
/** Length of the part of a reference video that plays in a loop. */
const clipSeconds = 3
/** Limit for all frames of all reference videos of a render together: 64 MiB of RGBA. */
const clipPixelsMax = 16 * 1024 * 1024
const secondsByDefault = 5

/**
 * Effect of the input images on a video:
 *
 *   first_frame                   the video begins with this image
 *   first_frame and last_frame    the video begins and ends with these images
 *   last_frame alone              the video ends with this image: the video is rendered as if it
 *                                 began with the image, and then reversed
 *   input_video                   the result shows this video, and then continues from its last
 *                                 frame. With another task than extend, or with a first_frame, it
 *                                 is a reference
 *   reference_images              they appear in the video or image, in front of the prompt's scene
 *   reference_videos              the first seconds of each appear in the same way, in a loop
 *   frames and references         the frames begin and end the video, and the references appear in
 *                                 between
 */
export function planRender({ object, size, parameters, watermarkDesign }: GenerationRequest): PlannedRender {
  if (object === 'text') throw new Error('a text is not rendered')
  const extended = extendedVideo(object, parameters)
  const wanted = wantedImages(object, size, parameters)
  const { prompt = '', negative_prompt: negativePrompt = '', seconds = secondsByDefault } = parameters
  return {
    object,
    plan: {
      width: size.width,
      height: size.height,
      frames: object === 'image' ? 1 : Math.round(seconds * framesPerSecond),
      prompt,
      negativePrompt,
      mode: modeOf(parameters, extended !== null),
    },
    seed: parameters.seed,
    watermark: parameters.watermark === true ? (watermarkDesign ?? productWatermark) : null,
    extended,
    wanted,
    isReversed: parameters.first_frame === undefined && extended === null && parameters.last_frame !== undefined,
    hasSound: object === 'video' && parameters.audio === true,
    count: Math.min(resultsMax, parameters.n ?? 1),
  }
}

function modeOf({ first_frame, last_frame }: GenerationParameters, isExtended: boolean): RenderPlan['mode'] {
  const hasFirst = first_frame !== undefined || isExtended
  if (hasFirst && last_frame !== undefined) return 'first-and-last-frame'
  return hasFirst || last_frame !== undefined ? 'first-frame' : 'text'
}

function extendedVideo(object: GenerationRequest['object'], parameters: GenerationParameters): PlannedRender['extended'] {
  const { input_video: source, first_frame, task = 'extend' } = parameters
  if (source === undefined || first_frame !== undefined || task !== 'extend' || object === 'image') return null
  return { source, position: 'input_video' }
}

function wantedImages(
  object: GenerationRequest['object'],
  size: GenerationRequest['size'],
  parameters: GenerationParameters,
): PlannedRender['wanted'] {
  const { first_frame, last_frame, reference_images = [], reference_videos = [] } = parameters
  const frames: WantedImage[] = []
  if (first_frame !== undefined) frames.push({ source: first_frame, fit: 'cover', ...size, position: 'first_frame' })
  if (last_frame !== undefined) frames.push({ source: last_frame, fit: 'cover', ...size, position: 'last_frame' })
  if (frames.length > 0 && object === 'image') {
    throw new DriverRefusal(
      'invalid_input',
      'A request for an image may have reference_images; first_frame and last_frame are for videos.',
    )
  }
  for (const [name, given] of Object.entries({ reference_images, reference_videos })) {
    if (given.length > referencesMax) throw new DriverRefusal('invalid_input', `At most ${referencesMax} ${name} can be used.`)
  }
  const references = reference_images.map((source, index): WantedImage => {
    const position = `reference_images/${index}`
    return { source, fit: 'inside', width: referenceSideMax, height: referenceSideMax, position }
  })
  return [...frames, ...references, ...wantedClips(object, parameters)]
}

/**
 * Returns the clips of the reference videos. If there are more videos, each has fewer pixels. An
 * image shows the first frame of each video.
 */
function wantedClips(object: GenerationRequest['object'], parameters: GenerationParameters): WantedClip[] {
  const { reference_videos = [], input_video } = parameters
  const videos = reference_videos.map((source, index) => ({ source, position: `reference_videos/${index}` }))
  if (input_video !== undefined && extendedVideo(object, parameters) === null) {
    videos.push({ source: input_video, position: 'input_video' })
  }
  const frames = object === 'image' ? 1 : clipSeconds * framesPerSecond
  const pixelsMax = Math.min(referenceSideMax ** 2, Math.floor(clipPixelsMax / frames / Math.max(1, videos.length)))
  return videos.map(({ source, position }) => ({ source, position, frames, pixelsMax }))
}
