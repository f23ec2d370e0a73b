import type { GenerationRequest, Json } from '../driver.ts'
import type { ParameterName } from '../upstream/requested-parameters.ts'
import { refuseBeyondLimits, type ModelLimits } from '../upstream/model-limits.ts'
import { objectIn } from '../upstream/read-json.ts'
import { applyOperatorOverrides, isShapeRenamed, withoutRenamed, type Body } from '../upstream/renamed-parameters.ts'
import type { ParameterRefusal, UpstreamRequest, UpstreamTarget } from '../upstream/upstream-driver.ts'
import { urlOrDataUri } from '../upstream/upstream-files.ts'
import type { DashscopeConnection } from './connection.ts'

interface ImageModel extends ModelLimits {
  /**
   * Request format:
   *
   *   task      the body is a message, and the response is a task
   *   sync      the body is a message, and the response has the images
   *   legacy    the body has `prompt` and `images`, and the response is a task
   */
  format: 'task' | 'sync' | 'legacy'
  /** Limits of width times height. */
  pixels?: { from: number; to: number }
}

const imageParameters: readonly ParameterName[] = ['prompt', 'aspect_ratio', 'resolution', 'seed', 'watermark']
const parametersWithNegativePrompt: readonly ParameterName[] = [...imageParameters, 'negative_prompt']
const allParameters: readonly ParameterName[] = [...parametersWithNegativePrompt, 'reference_images']
const seedMax = 2 ** 31 - 1

const imageModels: readonly (readonly [name: RegExp, model: ImageModel])[] = [
  [
    /^wan2\.6-t2i/,
    {
      format: 'task',
      parameters: [...parametersWithNegativePrompt, 'n'],
      resultsMax: 4,
      seedMax,
      pixels: { from: 1280 ** 2, to: 1440 ** 2 },
    },
  ],
  [
    /^wan2\.6-image/,
    {
      format: 'task',
      parameters: [...allParameters, 'n'],
      resultsMax: 4,
      seedMax,
      requiresOneOf: ['reference_images'],
      referenceImagesMax: 4,
    },
  ],
  [
    /^wan2\.7-image/,
    {
      format: 'task',
      parameters: [...imageParameters, 'reference_images', 'n'],
      resultsMax: 4,
      seedMax,
      referenceImagesMax: 9,
      pixels: { from: 768 ** 2, to: 2048 ** 2 },
    },
  ],
  [/^wanx?2\.\d-t2i/, { format: 'legacy', parameters: parametersWithNegativePrompt, seedMax }],
  [
    /^wanx?2\.\d-i2i/,
    { format: 'legacy', parameters: allParameters, seedMax, requiresOneOf: ['reference_images'], referenceImagesMax: 2 },
  ],
  [
    /^qwen-image-[23]\.0/,
    {
      format: 'sync',
      parameters: [...allParameters, 'n'],
      resultsMax: 6,
      seedMax,
      referenceImagesMax: 3,
      pixels: { from: 512 ** 2, to: 2048 ** 2 },
    },
  ],
  [/^(qwen-image(-max|-plus)?|z-image)\b(?!-edit)/, { format: 'sync', parameters: parametersWithNegativePrompt, seedMax }],
]

function imageModelOf(name: string): ImageModel {
  return imageModels.find(([pattern]) => pattern.test(name))?.[1] ?? { format: 'sync', parameters: allParameters }
}

export function isSynchronous(target: UpstreamTarget): boolean {
  return imageModelOf(target.model).format === 'sync'
}

export function refuseImage(request: UpstreamRequest, target: UpstreamTarget): ParameterRefusal | null {
  const model = imageModelOf(target.model)
  const limitRefusal = refuseBeyondLimits(withoutRenamed(request, target), model)
  // A size that the operator has set or renamed is not checked.
  const isSizeChecked = !('size' in objectIn(target.extra['parameters'])) && !isShapeRenamed(target)
  if (limitRefusal !== null || model.pixels === undefined || !isSizeChecked) return limitRefusal
  const { width, height } = request.size
  if (width * height >= model.pixels.from && width * height <= model.pixels.to) return null
  const { resolution, aspect_ratio } = request.parameters
  return { parameter: 'resolution', message: `resolution ${resolution} at ${aspect_ratio} is not available for this model` }
}

export function imagePath({ model, parameters: renamedParameters }: UpstreamTarget, { parameters }: GenerationRequest): string {
  const { format } = imageModelOf(model)
  if (format === 'task') return '/services/aigc/image-generation/generation'
  if (format === 'sync') return '/services/aigc/multimodal-generation/generation'
  const hasImages = !('reference_images' in renamedParameters) && (parameters.reference_images ?? []).length > 0
  return hasImages ? '/services/aigc/image2image/image-synthesis' : '/services/aigc/text2image/image-synthesis'
}

export async function imageBody(
  { target, tools }: DashscopeConnection,
  request: GenerationRequest,
  signal: AbortSignal,
): Promise<Body> {
  const handledParameters = withoutRenamed(request, target).parameters
  const { prompt = '', negative_prompt = '', reference_images = [], seed, watermark, n = 1 } = handledParameters
  const isLegacy = imageModelOf(target.model).format === 'legacy'
  const images = await Promise.all(
    reference_images.map((image, index) => urlOrDataUri(tools.files, image, `reference_images/${index}`, signal)),
  )
  const negativeField = negative_prompt === '' ? {} : { negative_prompt }

  const body: Body = {
    model: target.model,
    input: isLegacy
      ? { prompt, ...negativeField, ...(images.length > 0 && { images }) }
      : { messages: [{ role: 'user', content: contentOf(prompt, images) }] },
    parameters: {
      n,
      ...(!isShapeRenamed(target) && { size: `${request.size.width}*${request.size.height}` }),
      ...(!isLegacy && negativeField),
      ...(!target.model.startsWith('wan2.7') && { prompt_extend: false }),
      ...(watermark !== undefined && { watermark }),
      ...(seed !== undefined && { seed }),
    },
  }
  return applyOperatorOverrides(body, target, request, tools.files, signal)
}

function contentOf(prompt: string, images: readonly string[]): Json {
  return [{ text: prompt }, ...images.map((image) => ({ image }))]
}
