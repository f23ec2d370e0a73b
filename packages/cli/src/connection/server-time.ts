import { CommandFailure } from '../command-failure.ts'
import { exitCodes } from '../exit-codes.ts'

const timeoutMs = 5_000

/**
 * Returns the server's time in Unix milliseconds. Returns null if a proxy removes the Date header.
 * Throws if the server does not respond, or if `signal` is aborted.
 */
export async function readServerTime(baseUrl: string, signal: AbortSignal): Promise<number | null> {
  const response = await requestAny(baseUrl, signal)
  await response.body?.cancel()
  const timeMs = Date.parse(response.headers.get('date') ?? '')
  return Number.isFinite(timeMs) ? timeMs : null
}

async function requestAny(baseUrl: string, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(`${baseUrl}/v2/model-center/tasks`, { signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) })
  } catch (error) {
    if (signal.aborted) throw error
    throw new CommandFailure(exitCodes.failed, `The server at ${baseUrl} did not respond to the request for its time.`, {
      cause: error,
    })
  }
}
