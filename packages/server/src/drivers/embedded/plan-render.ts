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
}

/** The first frames of a video, which the plan still lacks. */
export interface WantedClip {
  source: string
  position: string
  frames: number
  /** Of each frame. */
  pixelsMax: number
}

/**
 * `extend`: the result shows the video, and then continues from its last frame. `edit` treats its
 * frames as the prompt says, `keep` leaves them as they are, and `motion` moves an image along.
 */
export type VideoUse = 'extend' | 'edit' | 'keep' | 'motion'

/** Everything that a request asks for, except the pixels of its images. */
export interface PlannedRender {
  object: GenerationRequest['object']
  plan: Omit<RenderPlan, 'seed' | 'images' | 'overlay'>
  /** Left out: the renderer derives it from the prompt. */
  seed: number | undefined
  watermark: WatermarkDesign | null
  /** The given video that decides the frames, and how. */
  video: { source: string; position: string; use: VideoUse } | null
  /** The given sound. `isSpoken`: the result is at most as long. */
  sound: { source: string; position: string; isSpoken: boolean } | null
  /** The sound of the video is heard, unless another is given. */
  keepsSound: boolean
  /** In the order in which the plan has them, after the last frame of an extended video. */
  wanted: (WantedImage | WantedClip)[]
  /** The video is rendered backwards, so that the image it would start from is its last frame. */
  isReversed: boolean
  hasSound: boolean
  /** Number of variations, each with a seed of its own. */
  count: number
}

/** References appear as small objects in the scene, where more pixels would not be visible. */
const referenceSideMax = 768
const referencesMax = 10
/** A reference video plays its first seconds in a loop. */
const clipSeconds = 3
/** For all frames of all reference videos of a render together: 64 MiB of RGBA. */
const clipPixelsMax = 16 * 1024 * 1024
const secondsByDefault = 5

/**
 * How the input images shape a video:
 *
 *   first_frame                   the video begins with it
 *   first_frame and last_frame    the video begins and ends with them
 *   last_frame alone              the video ends with it: rendered as if it began with it, then
 *                                 reversed
 *   input_video                   the result shows it, and then continues from its last frame. With
 *                                 a first_frame, it is a reference
 *     task edit                   its frames are treated as the prompt says
 *     task motion                 the first_frame or the first reference image moves along with it
 *     task lip_sync               it plays with the sound of input_audio
 *   input_audio                   it is heard in place of any other sound
 *   reference_images              they appear in the video or image, before the scene of the prompt
 *   reference_videos              the first seconds of each appear in the same way, in a loop
 *   frames and references         the frames lead, the references appear in between
 */
export function planRender({ object, size, parameters, watermarkDesign }: GenerationRequest): PlannedRender {
  const video = usedVideo(object, parameters)
  const wanted = wantedImages(object, size, parameters)
  const { input_audio: sound, task } = parameters
  const { prompt = '', negative_prompt: negativePrompt = '', seconds = secondsByDefault } = parameters
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
    keepsSound: parameters.keep_audio !== false,
    wanted,
    isReversed: parameters.first_frame === undefined && video === null && parameters.last_frame !== undefined,
    hasSound: object === 'video' && parameters.audio === true,
    count: Math.min(resultsMax, parameters.n ?? 1),
  }
}

function modeOf({ first_frame, last_frame }: GenerationParameters, use: VideoUse | undefined): RenderPlan['mode'] {
  if (use !== undefined && use !== 'extend') return use
  const hasFirst = first_frame !== undefined || use === 'extend'
  if (hasFirst && last_frame !== undefined) return 'first-and-last-frame'
  return hasFirst || last_frame !== undefined ? 'first-frame' : 'text'
}

function usedVideo(object: GenerationRequest['object'], parameters: GenerationParameters): PlannedRender['video'] {
  const { input_video: source, task = 'extend' } = parameters
  if (source === undefined || object === 'image') return null
  const use = useOf(task, parameters)
  return use === null ? null : { source, position: 'input_video', use }
}

/** Null: the video is a reference. */
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
    throw new DriverRefusal('invalid_input', 'An image takes reference_images; first_frame and last_frame belong to videos.')
  }
  for (const [name, given] of Object.entries({ reference_images, reference_videos })) {
    if (given.length > referencesMax) throw new DriverRefusal('invalid_input', `At most ${referencesMax} ${name} can be used.`)
  }
  // Without a first frame, the first reference image is the one that moves.
  const isMoved = first_frame === undefined && usedVideo(object, parameters)?.use === 'motion'
  const references = reference_images.map((source, index): WantedImage => {
    const position = `reference_images/${index}`
    if (isMoved && index === 0) return { source, fit: 'cover', ...size, position }
    return { source, fit: 'inside', width: referenceSideMax, height: referenceSideMax, position }
  })
  return [...frames, ...references, ...wantedClips(object, parameters)]
}

/** More videos have fewer pixels each. An image shows the first frame of each. */
function wantedClips(object: GenerationRequest['object'], parameters: GenerationParameters): WantedClip[] {
  const { reference_videos = [], input_video } = parameters
  const videos = reference_videos.map((source, index) => ({ source, position: `reference_videos/${index}` }))
  if (input_video !== undefined && usedVideo(object, parameters) === null) {
    videos.push({ source: input_video, position: 'input_video' })
  }
  const frames = object === 'image' ? 1 : clipSeconds * framesPerSecond
  const pixelsMax = Math.min(referenceSideMax ** 2, Math.floor(clipPixelsMax / frames / Math.max(1, videos.length)))
  return videos.map(({ source, position }) => ({ source, position, frames, pixelsMax }))
}
