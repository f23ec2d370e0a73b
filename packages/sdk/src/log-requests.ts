import { reasonOf } from './attempt.ts'
import type { Fetch } from './transport.ts'

/** `console`, or a logger of another library. */
export interface Logger {
  debug(line: string): void
}

/**
 * A `fetch` that writes one line for each request, also for retries and downloads. The lines
 * contain no keys, bodies or queries, because the queries of links contain signatures.
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
