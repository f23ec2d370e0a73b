import { resultsMax } from '@framegate/contract'
import type { DriverOutput, Json, PollOutcome, ProviderCost } from '../driver.ts'
import type { ResultLocation } from './fetch-result.ts'
import { isLocalResult, type LocalResults } from './local-results.ts'
import { listIn, objectIn, textIn, type JsonObject } from './read-json.ts'

/**
 * Returns a successful outcome with at most `resultsMax` outputs, in the upstream's order. Null if
 * there are none. A seed outside the range of the service's seeds is left out.
 */
export function succeededWith(outputs: readonly DriverOutput[], cost?: ProviderCost): PollOutcome | null {
  const [firstOutput, ...otherOutputs] = outputs.slice(0, resultsMax).map(withoutInvalidSeed)
  if (firstOutput === undefined) return null
  return { state: 'succeeded', outputs: [firstOutput, ...otherOutputs], ...(cost !== undefined && { cost }) }
}

function withoutInvalidSeed(output: DriverOutput): DriverOutput {
  const { seed, ...otherFields } = output
  return seed === undefined || (Number.isSafeInteger(seed) && seed >= 0) ? output : otherFields
}

/**
 * Stores the images that the response to a submit contains as base64 or as data URIs. Returns the
 * locations of all images, for the operation.
 */
export async function storeImages(
  images: readonly JsonObject[],
  { attemptId, signal }: { attemptId: string; signal: AbortSignal },
  localResults: Pick<LocalResults, 'store'>,
): Promise<ResultLocation[]> {
  const locations: ResultLocation[] = []
  let storedCount = 0
  for (const image of images.slice(0, resultsMax)) {
    const url = textIn(image['url'])
    const encodedImage = url === '' ? textIn(image['b64_json']) : base64In(url)
    if (encodedImage === null) locations.push({ url })
    else if (encodedImage !== '') {
      locations.push(await localResults.store(attemptId, storedCount++, Buffer.from(encodedImage, 'base64'), signal))
    }
  }
  return locations
}

/** Returns the base64 contents of a data URI. Null if the URL is not a data URI in base64. */
function base64In(url: string): string | null {
  const comma = url.startsWith('data:') ? url.indexOf(',') : -1
  return comma !== -1 && url.slice(0, comma).endsWith(';base64') ? url.slice(comma + 1) : null
}

/**
 * Returns the outputs at the locations in an operation's `results`. Operations of earlier versions
 * have `result`.
 */
export function storedOutputs(operation: JsonObject, contentType: string): DriverOutput[] {
  const { results, result } = operation
  const locations = results === undefined ? [result] : listIn(results)
  return locations.map(objectIn).map((location) => ({ contentType, location: location as Json }))
}

/** Returns the number of results in an operation that are stored on this machine. */
export function localResultCountOf(operation: JsonObject): number {
  return storedOutputs(operation, '').filter(({ location }) => isLocalResult(location)).length
}
