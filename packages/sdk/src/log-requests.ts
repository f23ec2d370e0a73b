import { reasonOf } from './attempt.ts'
import type { Fetch } from './transport.ts'

/** `console`, or a logger of another library. */
export interface Logger {
  debug(line: string): void
}

/**
 * Returns a `fetch` that logs one line for each request, also for retries and downloads. The lines
 * contain no keys and no bodies. They contain no queries either, because the query of a result link
 * contains its signature.
 */
export function logRequests(fetch: Fetch, logger: Logger): Fetch {
  return async (url, init) => {
    const startedMs = performance.now()
    const log = (outcome: string): void =>
      logger.debug(
        `framegate: ${init.method ?? 'GET'} ${new URL(url).pathname} -> ${outcome} in ${Math.round(performance.now() - startedMs)} ms`,
      )
    try {
      const response = await fetch(url, init)
      log(`${response.status} (${response.headers.get('x-request-id') ?? '-'})`)
      return response
    } catch (error) {
      log(reasonOf(error))
      throw error
    }
  }
}
