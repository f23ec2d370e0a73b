import { resultsMax } from '@framegate/contract'
import type { DriverOutput, Json, PollOutcome, ProviderCost } from '../driver.ts'
import type { ResultLocation } from './fetch-result.ts'
import type { LocalResults } from './local-results.ts'
import { listIn, objectIn, textIn, type JsonObject } from './read-json.ts'

/**
 * Returns a successful outcome with all outputs, in the upstream's order. Null if there are none.
 */
export function succeededWith(outputs: readonly DriverOutput[], usage?: ProviderCost): PollOutcome | null {
  const [first, ...others] = outputs.slice(0, resultsMax)
  if (first === undefined) return null
  return { state: 'succeeded', outputs: [first, ...others], ...(usage !== undefined && { usage }) }
}

/** Returns the locations of the images in the response to a submit, as an operation stores them. */
export async function locationsOf(
  images: readonly JsonObject[],
  { attemptId, signal }: { attemptId: string; signal: AbortSignal },
  localResults: Pick<LocalResults, 'store'>,
): Promise<ResultLocation[]> {
  const locations: ResultLocation[] = []
  let storedCount = 0
  for (const image of images.slice(0, resultsMax)) {
    const [url, encodedImage] = [textIn(image['url']), textIn(image['b64_json'])]
    if (url !== '') locations.push({ url })
    else if (encodedImage !== '') {
      locations.push(await localResults.store(attemptId, storedCount++, Buffer.from(encodedImage, 'base64'), signal))
    }
  }
  return locations
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
