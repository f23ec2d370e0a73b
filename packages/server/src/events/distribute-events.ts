import type { Store } from '../db/store.ts'
import type { Logger } from '../lib/logger.ts'
import { repeatAligned } from '../lib/repeat-aligned.ts'

/**
 * Interval of polls, which find the events of processes that ended before they distributed them.
 */
const pollIntervalMs = 1_000
const eventsPerBatchMax = 500

/**
 * Distributes events to webhooks and streams right after the commits that record them, until
 * disposal. Events that are recorded during a distribution are part of the next one.
 */
export function startEventDistribution(
  store: Pick<Store, 'distributeEvents' | 'onEventsRecorded'>,
  logger: Pick<Logger, 'error'>,
): AsyncDisposable {
  let running: Promise<void> | null = null
  let isDue = false
  const closeController = new AbortController()
  const { signal } = closeController

  async function distribute(): Promise<void> {
    while (isDue && !signal.aborted) {
      isDue = false
      try {
        const { eventCount } = await store.distributeEvents(eventsPerBatchMax)
        if (eventCount === eventsPerBatchMax) isDue = true
      } catch (error) {
        if (!signal.aborted) logger.error({ err: error }, 'events could not be distributed; this will be retried')
      }
    }
  }

  function run(): void {
    isDue = true
    running ??= distribute().finally(() => {
      running = null
    })
  }

  const stopListening = store.onEventsRecorded(run)
  const polls = repeatAligned(run, pollIntervalMs)
  return {
    async [Symbol.asyncDispose]() {
      closeController.abort()
      polls[Symbol.dispose]()
      stopListening()
      await running
    },
  }
}
