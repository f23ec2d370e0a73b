import type { ImageModelV3CallOptions } from '@ai-sdk/provider'
import type { Framegate, Model } from '@framegate/sdk'
import { withCallErrors } from './call-error.ts'
import { requireType, type Connection } from './connection.ts'
import { mediaInput } from './media-input.ts'
import { RequestParameters, type UnsupportedWarning } from './request-parameters.ts'
import { resultMetadata, taskMetadata, type ResultMetadata, type TaskMetadata } from './task-metadata.ts'
import type { BuiltRequest } from './video-request.ts'

/** An image model for versions 6 and 7 of the AI SDK. */
export interface FramegateImageModel {
  readonly specificationVersion: 'v3'
  readonly provider: string
  readonly modelId: string
  readonly maxImagesPerCall: number
  doGenerate(options: ImageModelV3CallOptions): Promise<{
    images: Uint8Array[]
    warnings: UnsupportedWarning[]
    providerMetadata: { framegate: TaskMetadata & { images: ResultMetadata[] } }
    response: { timestamp: Date; modelId: string; headers: undefined }
  }>
}

export function createImageModel(connection: Connection, modelId: string): FramegateImageModel {
  const { clientFor, modelOf, cancelOnAbort } = connection
  return {
    specificationVersion: 'v3',
    provider: 'framegate.image',
    modelId,
    maxImagesPerCall: 1,

    async doGenerate(options) {
      const client = clientFor(options.headers)
      const signal = options.abortSignal
      return withCallErrors({ url: client.baseUrl, values: options, isRepeatable: false }, async () => {
        const model = await modelOf(client, modelId, signal)
        requireType(model, 'image')
        const { request, warnings } = await imageRequest(client, model, options)
        const task = await client.tasks.createAndWait(request, { signal, cancelOnAbort })
        const images = await Promise.all(
          (task.results ?? []).map(async (_, result) => {
            const blob = await (await client.tasks.download(task, { result, signal })).blob()
            return new Uint8Array(await blob.arrayBuffer())
          }),
        )
        return {
          images,
          warnings,
          providerMetadata: { framegate: { ...taskMetadata(task), images: resultMetadata(task) } },
          response: { timestamp: new Date(), modelId, headers: undefined },
        }
      })
    },
  }
}

async function imageRequest(client: Framegate, model: Model, options: ImageModelV3CallOptions): Promise<BuiltRequest> {
  const { prompt, size, aspectRatio, seed, files = [], mask, providerOptions, abortSignal } = options
  const parameters = new RequestParameters(model)
  parameters.set('prompt', 'prompt', prompt)
  parameters.setSize('size', size, aspectRatio !== undefined)
  parameters.set('aspectRatio', 'aspect_ratio', aspectRatio)
  parameters.set('seed', 'seed', seed)
  if (files.length > 0) {
    const isSupported = parameters.has('reference_images')
    const inputs = isSupported ? await Promise.all(files.map((file) => mediaInput(client, file, abortSignal))) : []
    parameters.set('files', 'reference_images', inputs)
  }
  if (mask !== undefined) {
    parameters.set('mask', 'mask', parameters.has('mask') ? await mediaInput(client, mask, abortSignal) : null)
  }
  const request = { ...parameters.values, ...providerOptions['framegate'], model: model.id }
  return { request, warnings: parameters.warnings }
}
