import type { MediaObject } from '@framegate/contract'
import type { GenerationRequest, Json } from '../driver.ts'
import { mediaParameterNames, type MediaParameter } from '../../catalogue/generation-parameters.ts'
import type { ParameterName } from '../upstream/requested-parameters.ts'
import { withInputNames } from '../upstream/named-inputs.ts'
import { refuseBeyond } from '../upstream/model-limits.ts'
import { applyOperatorOverrides, withoutRenamed, type Body } from '../upstream/renamed-parameters.ts'
import type { ParameterRefusal, UpstreamRequest, UpstreamTarget } from '../upstream/upstream-driver.ts'
import { bodyByRouteInput, hasRouteInput, refuseByRouteInput } from '../upstream/described-input.ts'
import { fileUrlOrData, type UpstreamImages } from '../upstream/upstream-images.ts'
import { imageFamilies, videoFamilies, type EndpointFamily } from './endpoint-families.ts'

type Input = Omit<EndpointFamily, 'endpoints' | 'tiers'>

export function refuseInput(request: UpstreamRequest, target: UpstreamTarget): ParameterRefusal | null {
  if (hasRouteInput(target)) return refuseByRouteInput(request, target.input)
  const missing = imagesOf(target.model).needs.find((name) => request.parameters[name] === undefined)
  if (missing !== undefined) return { parameter: missing, message: `${missing} is required with this model here` }
  const input = inputOf(target.model, request.object)
  return refuseBeyond(withoutRenamed(request, target), { ...input, parameters: takenBy(input, target.model) })
}

export async function bodyOf(
  request: GenerationRequest,
  target: UpstreamTarget,
  images: UpstreamImages,
  signal: AbortSignal,
): Promise<Body> {
  if (hasRouteInput(target)) {
    return bodyByRouteInput(request, target, (source, name, position) =>
      fileUrlOrData(images, source, { name, position, signal }),
    )
  }
  const { fields, secondsAs, always = {} } = inputOf(target.model, request.object)
  const { size, seconds, audio, ...asTheyAre } = fields
  const ours = named(withoutRenamed(request, target))
  const body: Body = {}
  const isShapedOtherwise = 'aspect_ratio' in target.parameters || 'resolution' in target.parameters
  if (size !== undefined && !isShapedOtherwise) body[size] = { ...request.size }
  if (seconds !== undefined && ours.parameters.seconds !== undefined)
    body[seconds] = secondsIn(ours.parameters.seconds, secondsAs)
  // Sound costs extra, and is generated unless the request disables it.
  if (audio !== undefined && !('audio' in target.parameters)) body[audio] = request.parameters.audio === true
  const spoken = await applyOperatorOverrides(body, { ...target, parameters: asTheyAre, extra: always }, ours, images, signal)
  return applyOperatorOverrides(oneVideo(spoken), target, request, images, signal)
}

/** Prompts name their inputs `@Video1`. */
function named(request: GenerationRequest): GenerationRequest {
  const prompt = withInputNames(request.parameters, (noun, number) => `@${noun}${number}`)
  return prompt === undefined ? request : { ...request, parameters: { ...request.parameters, prompt } }
}

/** Replaces a list in `video_url` by its first video, because the field takes only one. */
function oneVideo(body: Body): Body {
  const { video_url: videos } = body
  return Array.isArray(videos) && videos[0] !== undefined ? { ...body, video_url: videos[0] } : body
}

/**
 * The parameters that an endpoint takes. A parameter with a limit but no field is not sent: the
 * endpoint always produces that value.
 */
function takenBy(input: Input, model: string): ParameterName[] {
  const taken = Object.keys(input.fields).filter((name) => name !== 'size') as ParameterName[]
  if (input.sourceDecides === true) taken.push('seconds', 'resolution', 'aspect_ratio', 'task')
  if (input.seconds !== undefined) taken.push('seconds')
  if (input.resolutions !== undefined || input.fields.size !== undefined) taken.push('resolution')
  const isShaped = input.aspectRatios !== undefined || input.fields.size !== undefined || isShapedByFrame(input, model)
  if (isShaped) taken.push('aspect_ratio')
  return taken
}

function secondsIn(seconds: number, form: Input['secondsAs']): Json {
  if (form === 'number') return seconds
  return form === 'with unit' ? `${seconds}s` : String(seconds)
}

function inputOf(model: string, object: GenerationRequest['object']): Input {
  const families = object === 'video' ? videoFamilies : imageFamilies
  const { tiers, ...known } = families.find(({ endpoints }) => endpoints.test(model)) ?? {
    tiers: undefined,
    ...unknownFamily[object === 'video' ? 'video' : 'image'],
  }
  const { takes } = imagesOf(model)
  const fields = { ...known.fields }
  for (const name of imageParameters) if (!takes.includes(name)) delete fields[name]
  const input: Input = { ...known, fields }
  if (tiers !== undefined) input.resolutions = [model.includes('/pro/') ? tiers.pro : tiers.standard]
  if (isShapedByFrame(input, model)) delete input.aspectRatios
  return input
}

/** Without a field for the ratio, a video has the shape of its first frame. */
function isShapedByFrame({ fields }: Input, model: string): boolean {
  return imagesOf(model).needs.includes('first_frame') && fields.aspect_ratio === undefined
}

const imageParameters: readonly MediaParameter[] = mediaParameterNames

/** The last words of an endpoint's name state its input; without such words the input is text. */
function imagesOf(model: string): { takes: readonly MediaParameter[]; needs: readonly MediaParameter[] } {
  if (/\/first-last-frame-to-video/.test(model))
    return { takes: ['first_frame', 'last_frame'], needs: ['first_frame', 'last_frame'] }
  if (/\/image-to-video/.test(model)) return { takes: ['first_frame', 'last_frame'], needs: ['first_frame'] }
  if (/\/video-to-video\/edit/.test(model)) {
    return { takes: ['input_video', 'reference_images'], needs: ['input_video'] }
  }
  if (/\/video-to-video\/reference/.test(model)) {
    return { takes: ['reference_videos', 'reference_images'], needs: ['reference_videos'] }
  }
  if (/seedance-2\.0.*\/reference-to-video/.test(model)) {
    return { takes: ['reference_images', 'reference_videos', 'reference_audios'], needs: [] }
  }
  if (/\/(reference-to-video|edit)/.test(model)) {
    return { takes: ['first_frame', 'last_frame', 'reference_images'], needs: ['reference_images'] }
  }
  return { takes: [], needs: [] }
}

/**
 * Fields of endpoints that are not listed: the names that nearly all endpoints use. For other names
 * the operator sets the route's `parameters`.
 */
const unknownFamily: Record<MediaObject, Input> = {
  video: {
    fields: {
      prompt: 'prompt',
      aspect_ratio: 'aspect_ratio',
      resolution: 'resolution',
      seconds: 'duration',
      first_frame: 'image_url',
      reference_images: 'image_urls',
      input_video: 'video_url',
      input_audio: 'audio_url',
      reference_videos: 'video_urls',
      reference_audios: 'audio_urls',
    },
  },
  image: { fields: { prompt: 'prompt', size: 'image_size', reference_images: 'image_urls', n: 'num_images' } },
}
