import { NoSuchModelError } from '@ai-sdk/provider'
import type { AnyModel } from '@framegate/sdk'
import { createConnection } from './connection.ts'
import { createImageModel, type FramegateImageModel } from './image-model.ts'
import type { FramegateProviderSettings } from './settings.ts'
import { createVideoModel, type FramegateVideoModel } from './video-model.ts'

/** Models of one Framegate service. The same objects serve versions 6 and 7 of the AI SDK. */
export interface FramegateProvider {
  readonly specificationVersion: 'v3'
  image(modelId: AnyModel): FramegateImageModel
  imageModel(modelId: AnyModel): FramegateImageModel
  video(modelId: AnyModel): FramegateVideoModel
  videoModel(modelId: AnyModel): FramegateVideoModel
  /** Throws, because Framegate's chat models are used through `@ai-sdk/openai-compatible`. */
  languageModel(modelId: string): never
  /** Throws, as `languageModel` does. */
  embeddingModel(modelId: string): never
}

export function createFramegate(settings: FramegateProviderSettings = {}): FramegateProvider {
  const connection = createConnection(settings)
  const image = (modelId: string) => createImageModel(connection, modelId)
  const video = (modelId: string) => createVideoModel(connection, modelId)
  return {
    specificationVersion: 'v3',
    image,
    imageModel: image,
    video,
    videoModel: video,
    languageModel: (modelId) => throwNoSuchModel(modelId, 'languageModel'),
    embeddingModel: (modelId) => throwNoSuchModel(modelId, 'embeddingModel'),
  }
}

/** Provider for the service in the environment variables FRAMEGATE_URL and FRAMEGATE_API_KEY. */
export const framegate: FramegateProvider = createFramegate()

function throwNoSuchModel(modelId: string, modelType: 'languageModel' | 'embeddingModel'): never {
  throw new NoSuchModelError({
    modelId,
    modelType,
    message: `This provider has images and videos only. Use @ai-sdk/openai-compatible with {base_url}/v1 for ${modelId}.`,
  })
}
