import type { Experimental_VideoModelV3CallOptions } from '@ai-sdk/provider'
import type { Framegate, Model, TaskRequest } from '@framegate/sdk'
import { isVideo, mediaInput, type InputFile } from './media-input.ts'
import { RequestParameters, type UnsupportedWarning } from './request-parameters.ts'

export interface BuiltRequest {
  request: TaskRequest
  warnings: UnsupportedWarning[]
}

/**
 * Converts the options of a video call to a request. `providerOptions.framegate` overrides all
 * fields except `model`.
 */
export async function videoRequest(
  client: Framegate,
  model: Model,
  options: Experimental_VideoModelV3CallOptions & { webhookUrl?: string | undefined },
): Promise<BuiltRequest> {
  const parameters = new RequestParameters(model)
  parameters.set('prompt', 'prompt', options.prompt)
  parameters.setSize('resolution', options.resolution, options.aspectRatio !== undefined)
  if (options.aspectRatio === 'adaptive') parameters.warn('aspectRatio', 'The model has no adaptive ratio.')
  else parameters.set('aspectRatio', 'aspect_ratio', options.aspectRatio)
  parameters.set('duration', 'seconds', options.duration)
  if (options.fps !== undefined) parameters.warn('fps', 'The model determines the frame rate.')
  parameters.set('seed', 'seed', options.seed)
  parameters.set('generateAudio', 'audio', options.generateAudio)
  await setFiles(client, parameters, options)
  return {
    request: {
      ...parameters.values,
      ...(options.webhookUrl !== undefined && { webhook_url: options.webhookUrl }),
      ...options.providerOptions['framegate'],
      model: model.id,
    },
    warnings: parameters.warnings,
  }
}

async function setFiles(
  client: Framegate,
  parameters: RequestParameters,
  { image, frameImages = [], inputReferences = [], abortSignal }: Experimental_VideoModelV3CallOptions,
): Promise<void> {
  const setFile = async (feature: string, parameter: string, file: InputFile | undefined): Promise<void> => {
    if (file === undefined) return
    // A file for which the model has no parameter is not uploaded.
    parameters.set(feature, parameter, parameters.has(parameter) ? await mediaInput(client, file, abortSignal) : null)
  }
  // The AI SDK also passes a first frame as `image`.
  if (!frameImages.some(({ frameType }) => frameType === 'first_frame')) await setFile('image', 'first_frame', image)
  for (const { frameType, image: frame } of frameImages) await setFile('frameImages', frameType, frame)
  for (const kind of ['reference_images', 'reference_videos']) {
    const files = inputReferences.filter((file) => isVideo(file) === (kind === 'reference_videos'))
    if (files.length === 0) continue
    const values = parameters.has(kind) ? await Promise.all(files.map((file) => mediaInput(client, file, abortSignal))) : []
    parameters.set('inputReferences', kind, values)
  }
}
