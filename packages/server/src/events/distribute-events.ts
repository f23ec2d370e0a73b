import type { Store } from '../db/store.ts'
import type { Logger } from '../lib/logger.ts'

/** Finds events of a process that has died before it could distribute them. */
const pollIntervalMs = 1_000
const eventsAtOnceMax = 500

/**
 * Distributes events soon after the commits that record them, until it is disposed of. While one
 * distribution is under way, the events of further commits gather for the next.
 */
export function startEventDistribution(
  store: Pick<Store, 'distributeEvents' | 'onEventsRecorded'>,
  logger: Pick<Logger, 'error'>,
): AsyncDisposable {
  let working: Promise<void> | null = null
  let isDue = false
  const closing = new AbortController()
  const { signal } = closing

  async function work(): Promise<void> {
    while (isDue && !signal.aborted) {
      isDue = false
      try {
        const { events } = await store.distributeEvents(eventsAtOnceMax)
        if (events === eventsAtOnceMax) isDue = true
      } catch (error) {
        if (!signal.aborted) logger.error({ err: error }, 'events could not be distributed; this will be retried')
      }
    }
  }

  function run(): void {
    isDue = true
    working ??= work().finally(() => {
      working = null
    })
  }

  const stopListening = store.onEventsRecorded(run)
  const timer = setInterval(run, pollIntervalMs)
  timer.unref()
  return {
    async [Symbol.asyncDispose]() {
      closing.abort()
      clearInterval(timer)
      stopListening()
      await working
    },
  }
}
