import type { GenerationRequest, Operation, PollOutcome, StartContext } from '../driver.ts'
import {
  AcceptanceUnknown,
  formatErrorDetail,
  completedWithoutResult,
  refusalError,
  sendSubmit,
  type SubmitCall,
} from '../upstream/classify-error.ts'
import { refuseBeyondLimits, type ModelLimits } from '../upstream/model-limits.ts'
import { listIn, numberIn, objectIn } from '../upstream/read-json.ts'
import { applyOperatorOverrides, isShapeRenamed, withoutRenamed, type Body } from '../upstream/renamed-parameters.ts'
import { storeImages, storedOutputs, succeededWith } from '../upstream/succeeded-with.ts'
import type { ParameterRefusal, UpstreamRequest, UpstreamTarget } from '../upstream/upstream-driver.ts'
import { urlOrDataUri } from '../upstream/upstream-files.ts'
import type { ArkConnection } from './connection.ts'
import { failureCodeOf, submitErrorOf, readError } from './read-error.ts'

/**
 * Response timeout. The upstream responds only when the image is complete, which may take minutes.
 */
const responseTimeoutMs = 10 * 60_000
/** Maximum response size in bytes, enough for a 4K image in base64. */
const responseBytesMax = 96 * 1024 * 1024

const imageParameters = ['prompt', 'aspect_ratio', 'resolution', 'reference_images', 'watermark'] as const
const unknownModel: ModelLimits = { parameters: [...imageParameters, 'seed'] }

const imageModels: readonly (readonly [name: RegExp, limits: ModelLimits])[] = [
  [/seedream-5-0-pro/, { parameters: imageParameters, resolutions: ['1K', '2K'], referenceImagesMax: 10 }],
  // The models 5.0 and 4.5 generate no images below 3,686,400 pixels.
  [/seedream-5-0/, { parameters: imageParameters, resolutions: ['2K'], referenceImagesMax: 14 }],
  [/seedream-4-5/, { parameters: imageParameters, resolutions: ['2K'], referenceImagesMax: 14 }],
  [/seedream-4-0/, { parameters: imageParameters, resolutions: ['1K', '2K'], referenceImagesMax: 14 }],
  [/seedream-3-0-t2i/, { parameters: ['prompt', 'aspect_ratio', 'resolution', 'watermark', 'seed'], resolutions: ['1K'] }],
]

export function refuseImage(request: UpstreamRequest, target: UpstreamTarget): ParameterRefusal | null {
  const { resolutions, ...limits } = imageModels.find(([name]) => name.test(target.model))?.[1] ?? unknownModel
  // A size that the operator has set in `extra` is not checked.
  const isSizeUnrestricted = resolutions === undefined || 'size' in target.extra
  return refuseBeyondLimits(withoutRenamed(request, target), isSizeUnrestricted ? limits : { ...limits, resolutions })
}

export async function startImage(
  connection: ArkConnection,
  request: GenerationRequest,
  context: StartContext,
): Promise<Operation> {
  const { target, tools, headers } = connection
  const json = await bodyOf(connection, request, context.signal)
  const url = `${target.baseUrl}/images/generations`
  const submit: SubmitCall = { method: 'POST', url, headers, json, timeoutMs: responseTimeoutMs, bytesMax: responseBytesMax }
  const response = await sendSubmit(tools.call, submit, context)
  if (response.status !== 200) throw submitErrorOf(response)
  const body = objectIn(response.json)
  const images = listIn(body['data']).map(objectIn)
  const [firstImage] = images
  if (firstImage === undefined) throw new AcceptanceUnknown('HTTP 200 without an image')
  // The entry of an image that moderation has blocked contains an error instead of the image.
  const results = await storeImages(images, { attemptId: request.attemptId, signal: context.signal }, tools.results)
  const upstreamError = readError(firstImage)
  if (results.length === 0) throw refusalError(failureCodeOf(upstreamError), formatErrorDetail(200, upstreamError))
  const generatedCount = numberIn(objectIn(body['usage'])['generated_images'])
  return { results, ...(generatedCount !== undefined && { drawn: generatedCount }) }
}

export function pollImage(operation: Operation): PollOutcome {
  const generatedCount = numberIn(operation['drawn'])
  const cost = generatedCount === undefined ? undefined : { amount: generatedCount, unit: 'images' }
  const outputs = storedOutputs(operation, 'image/jpeg')
  return succeededWith(outputs, cost) ?? completedWithoutResult('the response has no image', cost)
}

async function bodyOf({ target, tools }: ArkConnection, request: GenerationRequest, signal: AbortSignal): Promise<Body> {
  const handledParameters = withoutRenamed(request, target).parameters
  const references = await Promise.all(
    (handledParameters.reference_images ?? []).map((image, index) =>
      urlOrDataUri(tools.files, image, `reference_images/${index}`, signal),
    ),
  )

  const body: Body = {
    model: target.model,
    ...(handledParameters.prompt !== undefined && { prompt: handledParameters.prompt }),
    ...(references.length > 0 && { image: references }),
    ...(!isShapeRenamed(target) && { size: `${request.size.width}x${request.size.height}` }),
    ...(handledParameters.seed !== undefined && { seed: handledParameters.seed }),
    // The provider draws its watermark unless this field is false.
    ...(!('watermark' in target.parameters) && { watermark: handledParameters.watermark ?? false }),
    response_format: 'url',
  }
  return applyOperatorOverrides(body, target, request, tools.files, signal)
}
