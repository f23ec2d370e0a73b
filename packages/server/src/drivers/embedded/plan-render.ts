import { framesPerSecond, resultsMax } from '@framegate/contract'
import type { RenderPlan } from '@framegate/renderer'
import { productWatermark, type WatermarkDesign } from '../../watermark/watermark-design.ts'
import { DriverRefusal, type GenerationRequest } from '../driver.ts'
import type { GenerationParameters } from '../../catalogue/generation-parameters.ts'

/** An image that the plan still lacks, and how to read it. */
export interface WantedImage {
  source: string
  fit: 'cover' | 'inside'
  width: number
  height: number
  /** Its place in the parameters, for example `reference_images/0`. */
  position: string
  /** The frame to use, if the source is a video. */
  which?: 'first' | 'last'
}

/** Everything that a request asks for, except the pixels of its images. */
export interface PlannedRender {
  object: GenerationRequest['object']
  plan: Omit<RenderPlan, 'seed' | 'images' | 'overlay'>
  /** Left out: the renderer derives it from the prompt. */
  seed: number | undefined
  watermark: WatermarkDesign | null
  wanted: WantedImage[]
  /** The video is rendered backwards, so that the image it would start from is its last frame. */
  isReversed: boolean
  hasSound: boolean
  /** Number of variations, each with a seed of its own. */
  count: number
}

/** References appear as small objects in the scene, where more pixels would not be visible. */
const referenceSideMax = 768
const referencesMax = 10
const secondsByDefault = 5

/**
 * How the input images shape a video:
 *
 *   first_frame                   the video begins with it
 *   first_frame and last_frame    the video begins and ends with them
 *   last_frame alone              the video ends with it: rendered as if it began with it, then
 *                                 reversed
 *   input_video                   the video begins with its last frame
 *   reference_images              they appear in the video or image, before the scene of the prompt
 *   reference_videos              the first frame of each appears in the same way
 *   frames and references         the frames lead, the references appear in between
 */
export function planRender({ object, size, parameters, watermarkDesign }: GenerationRequest): PlannedRender {
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
      mode: modeOf(parameters),
    },
    seed: parameters.seed,
    watermark: parameters.watermark === true ? (watermarkDesign ?? productWatermark) : null,
    wanted,
    isReversed: (parameters.first_frame ?? parameters.input_video) === undefined && parameters.last_frame !== undefined,
    hasSound: object === 'video' && parameters.audio === true,
    count: Math.min(resultsMax, parameters.n ?? 1),
  }
}

function modeOf({ first_frame, last_frame, input_video }: GenerationParameters): RenderPlan['mode'] {
  const first = first_frame ?? input_video
  if (first !== undefined && last_frame !== undefined) return 'first-and-last-frame'
  if (first !== undefined || last_frame !== undefined) return 'first-frame'
  return 'text'
}

function wantedImages(
  object: GenerationRequest['object'],
  size: GenerationRequest['size'],
  parameters: GenerationParameters,
): WantedImage[] {
  const { first_frame, last_frame, input_video, reference_images = [], reference_videos = [] } = parameters
  const frames: WantedImage[] = []
  if (first_frame !== undefined) frames.push({ source: first_frame, fit: 'cover', ...size, position: 'first_frame' })
  else if (input_video !== undefined) {
    frames.push({ source: input_video, fit: 'cover', ...size, position: 'input_video', which: 'last' })
  }
  if (last_frame !== undefined) frames.push({ source: last_frame, fit: 'cover', ...size, position: 'last_frame' })
  if (frames.length > 0 && object === 'image') {
    throw new DriverRefusal('invalid_input', 'An image takes reference_images; first_frame and last_frame belong to videos.')
  }
  if (reference_videos.length > referencesMax) {
    throw new DriverRefusal('invalid_input', `At most ${referencesMax} reference_videos can be used.`)
  }
  if (reference_images.length > referencesMax) {
    throw new DriverRefusal('invalid_input', `At most ${referencesMax} reference_images can be used.`)
  }
  const references = reference_images.map((source, index): WantedImage => {
    const position = `reference_images/${index}`
    return { source, fit: 'inside', width: referenceSideMax, height: referenceSideMax, position }
  })
  const videos = reference_videos.map((source, index): WantedImage => {
    const position = `reference_videos/${index}`
    return { source, fit: 'inside', width: referenceSideMax, height: referenceSideMax, position, which: 'first' }
  })
  return [...frames, ...references, ...videos]
}
