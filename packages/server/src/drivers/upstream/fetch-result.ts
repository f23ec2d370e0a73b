import type { Readable } from 'node:stream'
import { UntrustedFetchError } from '../../lib/guarded-fetch/untrusted-fetch-error.ts'
import { messageOf } from '../../lib/message-of.ts'
import { OutputUnavailable, type Json } from '../driver.ts'
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

/** Throws `OutputUnavailable` if the server of the file is temporarily unavailable. */
export async function fetchResult(
  location: Json,
  { baseUrl, headers }: ResultSource,
  { fetchUntrusted, download, results }: Pick<UpstreamTools, 'fetchUntrusted' | 'download' | 'results'>,
  signal: AbortSignal,
): Promise<Readable> {
  const resultLocation = location as ResultLocation
  if ('kept' in resultLocation) return results.open(resultLocation, signal)
  const fetchWithoutKey = async (url: string): Promise<Readable> => {
    try {
      return (await fetchUntrusted(url, { bytesMax: resultBytesMax, timeoutMs: resultTimeoutMs, signal })).stream
    } catch (cause) {
      const isTransient = cause instanceof UntrustedFetchError && (cause.isTransient || isTransientStatus(cause.status))
      throw isTransient ? new OutputUnavailable(cause.message, { cause }) : cause
    }
  }
  if ('url' in resultLocation) return fetchWithoutKey(resultLocation.url)
  const url = baseUrl + resultLocation.path
  const response = await download({ url, headers, signal, timeoutMs: resultTimeoutMs, bytesMax: resultBytesMax }).catch(
    throwUnavailable(signal),
  )
  const redirectUrl = response.headers['location']
  if (response.status >= 300 && response.status < 400 && redirectUrl !== undefined)
    return fetchWithoutKey(new URL(redirectUrl, url).href)
  if (response.stream !== null) return response.stream
  throw downloadErrorOf(response.status, `the download of the result returned HTTP ${response.status}`)
}

/** Returns the error of a download with this HTTP status. */
export function downloadErrorOf(status: number, message: string): Error {
  return isTransientStatus(status) ? new OutputUnavailable(message) : new Error(message)
}

/**
 * Returns a function that throws the error of a download as `OutputUnavailable`, or unchanged if
 * the signal has aborted.
 */
export function throwUnavailable(signal: AbortSignal): (cause: unknown) => never {
  return (cause) => {
    throw signal.aborted ? cause : new OutputUnavailable(messageOf(cause), { cause })
  }
}

/** Whether a server that responds with this status may send the file later. */
function isTransientStatus(status = 0): boolean {
  return status >= 500 || status === 408 || status === 425 || status === 429
}
