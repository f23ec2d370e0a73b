import type { GenerationRequest } from '../driver.ts'
import type { GenerationParameters } from '../../catalogue/generation-parameters.ts'
import { refuseBeyondLimits } from '../upstream/model-limits.ts'
import { applyOperatorOverrides, withoutRenamed, type Body } from '../upstream/renamed-parameters.ts'
import type { ParameterRefusal, UpstreamRequest, UpstreamTarget, UpstreamTools } from '../upstream/upstream-driver.ts'
import { mediaUrl, urlOrDataUri } from '../upstream/upstream-files.ts'
import type { DashscopeConnection } from './connection.ts'
import { hasPixelSize, sizeOf, videoModelOf, type VideoModel } from './video-models.ts'

export function refuseVideo(request: UpstreamRequest, target: UpstreamTarget): ParameterRefusal | null {
  const requestToCheck = withoutRenamed(request, target)
  const model = videoModelOf(target.model)
  const limitRefusal = refuseBeyondLimits(requestToCheck, model)
  if (limitRefusal !== null || !hasPixelSize(model) || sizeOf(requestToCheck.parameters) !== undefined) return limitRefusal
  const { aspect_ratio, resolution } = requestToCheck.parameters
  if (aspect_ratio === undefined || resolution === undefined) return null
  return {
    parameter: 'aspect_ratio',
    message: `aspect_ratio ${aspect_ratio} is not available at ${resolution} for this model`,
  }
}

export function videoPath({ model }: UpstreamTarget): string {
  const service = videoModelOf(model).format === 'frames' ? 'image2video' : 'video-generation'
  return `/services/aigc/${service}/video-synthesis`
}

export async function videoBody(
  { target, tools }: DashscopeConnection,
  request: GenerationRequest,
  signal: AbortSignal,
): Promise<Body> {
  const { parameters } = withoutRenamed(request, target)
  const { prompt, negative_prompt, seconds, watermark, seed, audio } = parameters
  const model = videoModelOf(target.model)
  const body: Body = {
    model: target.model,
    input: {
      ...(prompt !== undefined && { prompt }),
      ...(negative_prompt !== undefined && negative_prompt !== '' && { negative_prompt }),
      ...(await fileFieldsOf(parameters, model, tools, signal)),
    },
    parameters: {
      ...dimensionsOf(parameters, model),
      ...(seconds !== undefined && { duration: seconds }),
      ...(model.hasOptionalAudio && !('audio' in target.parameters) && { audio: audio ?? false }),
      ...(model.rewritesPrompts && { prompt_extend: false }),
      ...(watermark !== undefined && { watermark }),
      ...(seed !== undefined && { seed }),
    },
  }
  return applyOperatorOverrides(body, target, request, tools.files, signal)
}

function dimensionsOf(parameters: GenerationParameters, model: VideoModel): Body {
  const { resolution, aspect_ratio, first_frame } = parameters
  if (hasPixelSize(model)) {
    const size = sizeOf(parameters)
    return size === undefined ? {} : { size }
  }
  const hasRatio = model.format === 'media' && first_frame === undefined
  return {
    ...(resolution !== undefined && { resolution: resolution.toUpperCase() }),
    ...(hasRatio && aspect_ratio !== undefined && { ratio: aspect_ratio }),
  }
}

async function fileFieldsOf(
  { first_frame, last_frame, reference_images = [], reference_videos = [], reference_audios = [] }: GenerationParameters,
  { format }: VideoModel,
  { files }: UpstreamTools,
  signal: AbortSignal,
): Promise<Body> {
  const firstFrameUrl = first_frame === undefined ? undefined : await urlOrDataUri(files, first_frame, 'first_frame', signal)
  const lastFrameUrl = last_frame === undefined ? undefined : await urlOrDataUri(files, last_frame, 'last_frame', signal)
  const imageUrls = await Promise.all(
    reference_images.map((image, index) => urlOrDataUri(files, image, `reference_images/${index}`, signal)),
  )
  const videoUrls = await Promise.all(reference_videos.map((video, index) => mediaUrl(files, video, `reference_videos/${index}`)))
  const audioUrls = await Promise.all(reference_audios.map((sound, index) => mediaUrl(files, sound, `reference_audios/${index}`)))
  switch (format) {
    case 'size':
      return {}
    case 'image':
      return firstFrameUrl === undefined ? {} : { img_url: firstFrameUrl }
    case 'frames':
      return {
        ...(firstFrameUrl !== undefined && { first_frame_url: firstFrameUrl }),
        ...(lastFrameUrl !== undefined && { last_frame_url: lastFrameUrl }),
      }
    case 'references':
      return { reference_urls: [...imageUrls, ...videoUrls] }
    default: {
      const media = [
        ...(firstFrameUrl === undefined ? [] : [{ type: 'first_frame', url: firstFrameUrl }]),
        ...(lastFrameUrl === undefined ? [] : [{ type: 'last_frame', url: lastFrameUrl }]),
        ...imageUrls.map((url) => ({ type: 'reference_image', url })),
        ...videoUrls.map((url) => ({ type: 'reference_video', url })),
        ...audioUrls.map((url) => ({ type: 'reference_audio', url })),
      ]
      return media.length === 0 ? {} : { media }
    }
  }
}
