import type { CreditsReport } from '../db/ledger.ts'
import type { Store } from '../db/store.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'

const firstDelayMs = 60_000
const checkIntervalMs = 24 * 60 * 60 * 1000

/** Checks the ledger periodically and on request, and remembers the latest result. */
export interface LedgerCheck extends AsyncDisposable {
  check(): Promise<CreditsReport>
  /** The result of the latest check. Null until the first check has completed. */
  readonly latest: { differences: number; atMs: number } | null
}

export interface LedgerCheckOptions {
  /**
   * Whether the ledger is also checked periodically: a minute after the start, and then once a day.
   */
  isPeriodic: boolean
  clock: Clock
  logger: Logger
}

export function startLedgerCheck(
  store: Pick<Store, 'verifyCredits'>,
  { isPeriodic, clock, logger }: LedgerCheckOptions,
): LedgerCheck {
  let latest: LedgerCheck['latest'] = null
  let currentCheck: Promise<unknown> = Promise.resolve()
  const closing = new AbortController()

  async function check(): Promise<CreditsReport> {
    const report = await store.verifyCredits(closing.signal)
    latest = { differences: report.differences.length, atMs: clock() }
    if (latest.differences > 0) logger.error({ differences: report.differences.slice(0, 10) }, 'the ledger does not balance')
    return report
  }

  function runPeriodicCheck(): void {
    currentCheck = check().catch((error: unknown) => {
      if (!closing.signal.aborted) logger.error({ err: error }, 'the ledger could not be checked')
    })
  }

  const firstTimer = isPeriodic ? setTimeout(runPeriodicCheck, firstDelayMs) : undefined
  const timer = isPeriodic ? setInterval(runPeriodicCheck, checkIntervalMs) : undefined
  return {
    check,
    get latest() {
      return latest
    },
    async [Symbol.asyncDispose]() {
      clearTimeout(firstTimer)
      clearInterval(timer)
      closing.abort()
      await currentCheck
    },
  }
}
