import { resultsMax } from '@framegate/contract'
import type { DriverOutput, Json, PollOutcome, Usage } from '../driver.ts'
import type { ResultLocation } from './fetch-result.ts'
import type { LocalResults } from './local-results.ts'
import { listIn, objectIn, textIn, type JsonObject } from './read-json.ts'

/** Returns a success with all outputs, in the upstream's order. Null if there is no output. */
export function succeededWith(outputs: readonly DriverOutput[], usage?: Usage): PollOutcome | null {
  const [first, ...others] = outputs.slice(0, resultsMax)
  if (first === undefined) return null
  return { state: 'succeeded', outputs: [first, ...others], ...(usage !== undefined && { usage }) }
}

/**
 * Returns the locations of the images in the response to a submit, in the form in which an
 * operation stores them.
 */
export async function locationsOf(
  images: readonly JsonObject[],
  attemptId: string,
  localResults: Pick<LocalResults, 'keep'>,
): Promise<ResultLocation[]> {
  const locations: ResultLocation[] = []
  for (const image of images.slice(0, resultsMax)) {
    const [url, encoded] = [textIn(image['url']), textIn(image['b64_json'])]
    if (url !== '') locations.push({ url })
    else if (encoded !== '') {
      locations.push({ kept: await localResults.keep(attemptId, locations.length, Buffer.from(encoded, 'base64')) })
    }
  }
  return locations
}

/**
 * Returns the outputs at the locations in an operation's `results`. An operation of an earlier
 * version has `result`.
 */
export function storedOutputs(operation: JsonObject, contentType: string): DriverOutput[] {
  const { results, result } = operation
  const locations = results === undefined ? [result] : listIn(results)
  return locations.map(objectIn).map((location) => ({ contentType, location: location as Json }))
}
