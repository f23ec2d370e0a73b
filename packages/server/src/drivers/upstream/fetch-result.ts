import type { Readable } from 'node:stream'
import type { Json } from '../driver.ts'
import type { LocalResult } from './local-results.ts'
import type { UpstreamTools } from './upstream-driver.ts'

/**
 * Location of a result file: a URL from the upstream, a path at the upstream that requires the API
 * key, or a local copy of a file from the response to the submit.
 */
export type ResultLocation = { url: string } | { path: string } | LocalResult

const resultBytesMax = 1024 * 1024 * 1024
const resultTimeoutMs = 15 * 60_000

export interface ResultSource {
  baseUrl: string
  /** Headers for a `path`. They are never sent to another host, not even after a redirect. */
  headers: Readonly<Record<string, string>>
}

export async function fetchResult(
  location: Json,
  { baseUrl, headers }: ResultSource,
  { fetchUntrusted, download, results }: Pick<UpstreamTools, 'fetchUntrusted' | 'download' | 'results'>,
  signal: AbortSignal,
): Promise<Readable> {
  const resultLocation = location as ResultLocation
  if ('kept' in resultLocation) return results.open(resultLocation, signal)
  const fetchWithoutKey = async (url: string): Promise<Readable> =>
    (await fetchUntrusted(url, { bytesMax: resultBytesMax, timeoutMs: resultTimeoutMs, signal })).stream
  if ('url' in resultLocation) return fetchWithoutKey(resultLocation.url)
  const url = baseUrl + resultLocation.path
  const response = await download({ url, headers, signal, timeoutMs: resultTimeoutMs, bytesMax: resultBytesMax })
  const redirectUrl = response.headers['location']
  if (response.status >= 300 && response.status < 400 && redirectUrl !== undefined)
    return fetchWithoutKey(new URL(redirectUrl, url).href)
  if (response.stream === null) throw new Error(`the download of the result returned HTTP ${response.status}`)
  return response.stream
}
