import { applyPause, isPausedUntil } from '../db/pool-pause.ts'
import type { PoolPause } from '../db/task-queue.ts'
import { pauseAfter } from './pause.ts'

/** Number of different requests in a row after which the route, not the request, is suspected. */
const requestsUntilPause = 3

/** Time after which a failed request no longer counts. It exceeds every pause. */
const failureAgeMsMax = 60 * 60_000

/**
 * A forwarded request to which a route responded with an error that the request may have caused.
 */
export interface SuspectedRequest {
  accountNo: number
  digest: string
  retryAfterMs: number | null
}

/** The failed requests of a route since its last success. */
interface RouteFailures {
  /**
   * Failures by the digest of the request, oldest first. Of each account, at most the newest
   * `requestsUntilPause` failures are kept.
   */
  readonly failureByDigest: Map<string, { accountNo: number; atMs: number }>
  readonly pauseByAccount: Map<number, PoolPause>
}

/**
 * Errors of routes that the requests may have caused, by the number of the slot pool of the route.
 * Errors of three different requests in a row pause the route. If all of them belong to one
 * account, the pause applies only to this account, because otherwise one client could block the
 * route for all others. Each process counts for itself.
 */
export class SuspectedRequests {
  readonly #failuresByPool = new Map<number, RouteFailures>()

  /**
   * Records a failed request. Returns `pause` if the caller must pause the route for all accounts,
   * and `account_paused` if the route is now paused for this account.
   */
  record(pool: number, { accountNo, digest, retryAfterMs }: SuspectedRequest, nowMs: number): 'pause' | 'account_paused' | null {
    const failures = this.#failuresByPool.get(pool) ?? { failureByDigest: new Map(), pauseByAccount: new Map() }
    this.#failuresByPool.set(pool, failures)
    const { failureByDigest, pauseByAccount } = failures
    for (const [failedDigest, { atMs }] of failureByDigest)
      if (Math.abs(nowMs - atMs) > failureAgeMsMax) failureByDigest.delete(failedDigest)
    failureByDigest.delete(digest)
    const failuresOfAccount = [...failureByDigest].filter(([, failure]) => failure.accountNo === accountNo)
    const [oldestFailure] = failuresOfAccount
    if (oldestFailure !== undefined && failuresOfAccount.length >= requestsUntilPause) failureByDigest.delete(oldestFailure[0])
    failureByDigest.set(digest, { accountNo, atMs: nowMs })
    if (failureByDigest.size < requestsUntilPause) return null
    if (new Set([...failureByDigest.values()].map((failure) => failure.accountNo)).size > 1) {
      this.clear(pool)
      return 'pause'
    }
    const current = pauseByAccount.get(accountNo) ?? open
    const refusal = { condition: 'unavailable', retryAfterMs, mayConcernRequest: true } as const
    pauseByAccount.set(accountNo, applyPause(current, pauseAfter(refusal, current, nowMs, Math.random()), nowMs))
    return 'account_paused'
  }

  /** Returns when the pause of a route for this account ends, or null if there is no such pause. */
  pausedUntilMs(pool: number, accountNo: number, nowMs: number): number | null {
    const untilMs = this.#failuresByPool.get(pool)?.pauseByAccount.get(accountNo)?.pausedUntilMs ?? 0
    return isPausedUntil(untilMs, nowMs) ? untilMs : null
  }

  /** Whether the third or a later consecutive pause of a route for this account is in progress. */
  isOutOfOrder(pool: number, accountNo: number, nowMs: number): boolean {
    const isOutOfOrder = this.#failuresByPool.get(pool)?.pauseByAccount.get(accountNo)?.condition === 'out_of_order'
    return isOutOfOrder && this.pausedUntilMs(pool, accountNo, nowMs) !== null
  }

  /** Forgets the failures of a route after a success. */
  clear(pool: number): void {
    this.#failuresByPool.delete(pool)
  }
}

const open: PoolPause = { pausedUntilMs: 0, unconfirmedMax: null, refusals: 0, condition: 'open' }
