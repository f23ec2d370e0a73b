import type { MediaObject } from '@framegate/contract'
import type { GenerationRequest, Json } from '../driver.ts'
import { mediaParameterNames, type MediaParameter } from '../../catalogue/generation-parameters.ts'
import type { ParameterName } from '../upstream/requested-parameters.ts'
import { withInputNames } from '../upstream/named-inputs.ts'
import { refuseBeyondLimits } from '../upstream/model-limits.ts'
import { applyOperatorOverrides, isShapeRenamed, withoutRenamed, type Body } from '../upstream/renamed-parameters.ts'
import type { ParameterRefusal, UpstreamRequest, UpstreamTarget } from '../upstream/upstream-driver.ts'
import { bodyByRouteInput, hasRouteInput, refuseByRouteInput } from '../upstream/described-input.ts'
import { fileUrlOrData, type UpstreamFiles } from '../upstream/upstream-files.ts'
import { imageFamilies, videoFamilies, type EndpointFamily } from './endpoint-families.ts'

/** Inputs of one endpoint. */
type EndpointInput = Omit<EndpointFamily, 'endpoints' | 'tiers'>

export function refuseInput(request: UpstreamRequest, target: UpstreamTarget): ParameterRefusal | null {
  if (hasRouteInput(target)) return refuseByRouteInput(request, target.input)
  const missingParameter = filesOf(target.model).required.find((name) => request.parameters[name] === undefined)
  if (missingParameter !== undefined)
    return { parameter: missingParameter, message: `${missingParameter} is required for this model` }
  const input = inputOf(target.model, request.object)
  return refuseBeyondLimits(withoutRenamed(request, target), { ...input, parameters: acceptedParameters(input, target.model) })
}

export async function bodyOf(
  request: GenerationRequest,
  target: UpstreamTarget,
  files: UpstreamFiles,
  signal: AbortSignal,
): Promise<Body> {
  if (hasRouteInput(target)) {
    return bodyByRouteInput(request, target, (source, name, position) => fileUrlOrData(files, source, { name, position, signal }))
  }
  const { fields, secondsFormat, defaults = {} } = inputOf(target.model, request.object)
  const { size, seconds, audio, ...unchangedNames } = fields
  const handledRequest = withProviderNames(withoutRenamed(request, target))
  const body: Body = {}
  if (size !== undefined && !isShapeRenamed(target)) body[size] = { ...request.size }
  if (seconds !== undefined && handledRequest.parameters.seconds !== undefined)
    body[seconds] = secondsIn(handledRequest.parameters.seconds, secondsFormat)
  // Audio costs extra, and the endpoint generates it unless the request disables it.
  if (audio !== undefined && !('audio' in target.parameters)) body[audio] = request.parameters.audio === true
  const completeBody = await applyOperatorOverrides(
    body,
    { ...target, parameters: unchangedNames, extra: defaults },
    handledRequest,
    files,
    signal,
  )
  return applyOperatorOverrides(withSingleVideo(completeBody), target, request, files, signal)
}

/** Replaces the names of inputs in the prompt with the provider's, such as `@Video1`. */
function withProviderNames(request: GenerationRequest): GenerationRequest {
  const prompt = withInputNames(request.parameters, (noun, number) => `@${noun}${number}`)
  return prompt === undefined ? request : { ...request, parameters: { ...request.parameters, prompt } }
}

/** Replaces a list in `video_url` with its first video, because the field accepts only one. */
function withSingleVideo(body: Body): Body {
  const { video_url: videos } = body
  return Array.isArray(videos) && videos[0] !== undefined ? { ...body, video_url: videos[0] } : body
}

/**
 * Returns the parameters that an endpoint accepts. A parameter without a field is accepted, but not
 * sent, if only one value is permitted and the endpoint always uses it, or if an input file
 * determines it.
 */
function acceptedParameters(input: EndpointInput, model: string): ParameterName[] {
  const acceptedNames = Object.keys(input.fields).filter((name) => name !== 'size') as ParameterName[]
  if (input.isShapedByVideo === true) acceptedNames.push('seconds', 'resolution', 'aspect_ratio', 'task')
  if (input.seconds !== undefined) acceptedNames.push('seconds')
  if (input.resolutions !== undefined || input.fields.size !== undefined) acceptedNames.push('resolution')
  const isShaped = input.aspectRatios !== undefined || input.fields.size !== undefined || isShapedByFrame(input, model)
  if (isShaped) acceptedNames.push('aspect_ratio')
  return acceptedNames
}

function secondsIn(seconds: number, format: EndpointInput['secondsFormat']): Json {
  if (format === 'number') return seconds
  return format === 'with unit' ? `${seconds}s` : String(seconds)
}

function inputOf(model: string, object: GenerationRequest['object']): EndpointInput {
  const families = object === 'video' ? videoFamilies : imageFamilies
  const { tiers, ...family } = families.find(({ endpoints }) => endpoints.test(model)) ?? {
    tiers: undefined,
    ...unknownFamily[object === 'video' ? 'video' : 'image'],
  }
  const { accepted } = filesOf(model)
  const fields = { ...family.fields }
  for (const name of mediaParameterNames) if (!accepted.includes(name)) delete fields[name]
  const input: EndpointInput = { ...family, fields }
  if (tiers !== undefined) input.resolutions = [model.includes('/pro/') ? tiers.pro : tiers.standard]
  if (isShapedByFrame(input, model)) delete input.aspectRatios
  return input
}

/**
 * Whether the first frame determines the ratio, because the endpoint has no field for the ratio.
 */
function isShapedByFrame({ fields }: EndpointInput, model: string): boolean {
  return filesOf(model).required.includes('first_frame') && fields.aspect_ratio === undefined
}

/**
 * Returns the files that an endpoint accepts and requires, from the suffix of its name, such as
 * `image-to-video`. An endpoint without such a suffix accepts only text.
 */
function filesOf(model: string): { accepted: readonly MediaParameter[]; required: readonly MediaParameter[] } {
  if (/\/first-last-frame-to-video/.test(model))
    return { accepted: ['first_frame', 'last_frame'], required: ['first_frame', 'last_frame'] }
  if (/\/image-to-video/.test(model)) return { accepted: ['first_frame', 'last_frame'], required: ['first_frame'] }
  if (/\/video-to-video\/edit/.test(model)) {
    return { accepted: ['input_video', 'reference_images'], required: ['input_video'] }
  }
  if (/\/video-to-video\/reference/.test(model)) {
    return { accepted: ['reference_videos', 'reference_images'], required: ['reference_videos'] }
  }
  if (/seedance-2\.0.*\/reference-to-video/.test(model)) {
    return { accepted: ['reference_images', 'reference_videos', 'reference_audios'], required: [] }
  }
  if (/\/(reference-to-video|edit)/.test(model)) {
    return { accepted: ['first_frame', 'last_frame', 'reference_images'], required: ['reference_images'] }
  }
  return { accepted: [], required: [] }
}

/**
 * Fields for unknown endpoints: the names that nearly all endpoints use. For other names, the
 * operator sets `parameters`.
 */
const unknownFamily: Record<MediaObject, EndpointInput> = {
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
