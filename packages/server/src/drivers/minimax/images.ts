import { resultsMax } from '@framegate/contract'
import type { GenerationRequest, Operation, PollOutcome, StartContext } from '../driver.ts'
import { AcceptanceUnknown, completedWithoutResult, refusalError } from '../upstream/classify-error.ts'
import { refuseBeyondLimits } from '../upstream/model-limits.ts'
import { listIn, numberIn, objectIn, textIn } from '../upstream/read-json.ts'
import { applyOperatorOverrides, isShapeRenamed, withoutRenamed, type Body } from '../upstream/renamed-parameters.ts'
import { succeededWith } from '../upstream/succeeded-with.ts'
import type { ParameterRefusal, UpstreamRequest, UpstreamTarget } from '../upstream/upstream-driver.ts'
import { urlOrDataUri } from '../upstream/upstream-files.ts'
import { submit, type MinimaxConnection } from './connection.ts'

/**
 * Response timeout. The upstream responds only when the images are complete, which may take
 * minutes.
 */
const responseTimeoutMs = 10 * 60_000
/** Maximum width and height of an image, in pixels. */
const sideMax = 2048

/** Whether the model accepts a size in pixels. Other models accept only a ratio. */
function acceptsPixelSize({ model }: UpstreamTarget): boolean {
  return model === 'image-01'
}

export function refuseImage(request: UpstreamRequest, target: UpstreamTarget): ParameterRefusal | null {
  const limitRefusal = refuseBeyondLimits(withoutRenamed(request, target), {
    parameters: ['prompt', 'aspect_ratio', 'resolution', 'reference_images', 'seed', 'watermark', 'n'],
    referenceImagesMax: 1,
    resultsMax: 9,
    ...(!acceptsPixelSize(target) && { resolutions: ['1K'] }),
  })
  const { width, height } = request.size
  // A size that the operator has set or renamed is not checked.
  const isSizeChecked = acceptsPixelSize(target) && !('width' in target.extra) && !isShapeRenamed(target)
  if (limitRefusal !== null || !isSizeChecked || Math.max(width, height) <= sideMax) return limitRefusal
  return { parameter: 'resolution', message: 'resolution must be 1K at this aspect_ratio for this model' }
}

export async function startImage(
  connection: MinimaxConnection,
  request: GenerationRequest,
  context: StartContext,
): Promise<Operation> {
  const json = await bodyOf(connection, request, context.signal)
  const response = await submit(connection, '/v1/image_generation', { json, timeoutMs: responseTimeoutMs }, context)
  const { image_urls: imageUrls } = objectIn(response['data'])
  if (!Array.isArray(imageUrls)) throw new AcceptanceUnknown('HTTP 200 without a list of images')
  const urls = listIn(imageUrls)
    .map(textIn)
    .filter((url) => url !== '')
    .slice(0, resultsMax)
  if (imageUrls.length === 0) throw refusalError('content_policy', 'the response has no image')
  return { urls, drawn: numberIn(objectIn(response['metadata'])['success_count']) ?? urls.length }
}

export function pollImage({ urls, url, drawn }: Operation): PollOutcome {
  // An earlier version of the service stored `url`.
  const outputs = (urls === undefined ? [url] : listIn(urls)).map((value) => ({
    contentType: 'image/jpeg',
    location: { url: textIn(value) },
  }))
  const cost = { amount: numberIn(drawn) ?? outputs.length, unit: 'images' }
  return succeededWith(outputs, cost) ?? completedWithoutResult('the response has no image', cost)
}

async function bodyOf({ target, tools }: MinimaxConnection, request: GenerationRequest, signal: AbortSignal): Promise<Body> {
  const { prompt, aspect_ratio, reference_images = [], seed, watermark, n = 1 } = withoutRenamed(request, target).parameters
  const [reference] = reference_images

  const body: Body = {
    model: target.model,
    ...(prompt !== undefined && { prompt }),
    ...(!isShapeRenamed(target) && acceptsPixelSize(target) && { width: request.size.width, height: request.size.height }),
    ...(aspect_ratio !== undefined && !acceptsPixelSize(target) && { aspect_ratio }),
    ...(reference !== undefined && {
      subject_reference: [
        { type: 'character', image_file: await urlOrDataUri(tools.files, reference, 'reference_images/0', signal) },
      ],
    }),
    ...(seed !== undefined && { seed }),
    ...(watermark === true && { aigc_watermark: true }),
    n,
    prompt_optimizer: false,
    response_format: 'url',
  }
  return applyOperatorOverrides(body, target, request, tools.files, signal)
}
