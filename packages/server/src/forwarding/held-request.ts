import { setTimeout as sleep } from 'node:timers/promises'
import { priceOfTokens, type TokenCounts } from '../catalogue/token-price.ts'
import type { PriceRule } from '../catalogue/model.ts'
import type { ForwardedEnd } from '../db/forwarded-requests.ts'
import type { Store } from '../db/store.ts'
import { StoreUnavailable } from '../db/store-unavailable.ts'
import type { Logger } from '../lib/logger.ts'
import type { RouteCost } from '../routing/configuration/definitions.ts'
import { microCreditsOf } from '../credits/micro-credits.ts'

export interface RequestListeners {
  /** Called once with the number of used tokens, before the end of the request is written. */
  onTokensUsed: (tokens: number) => void
  /**
   * Called once: after the end of the request was written, after the last attempt to write it has
   * failed, or if nothing had to be written.
   */
  onEnded: () => void
  /** Called if the end could not be written. It must be written later. */
  onUnwritten: (no: number, end: ForwardedEnd) => void
}

export interface HeldRequestDependencies extends RequestListeners {
  store: Pick<Store, 'endForwarded'>
  logger: Pick<Logger, 'warn' | 'error'>
}

/** The hold of a request, and the price by which it is settled. */
export interface Hold {
  /** Number of the forwarded request. */
  no: number
  requestId: string
  rule: PriceRule
  priceMicroCredits: number
}

const retryDelaysMs = [100, 500, 2_000, 5_000, 10_000] as const

/**
 * A request with a hold. The first call of `release` or `settle` ends it; others have no effect.
 */
export class HeldRequest {
  readonly no: number
  /** Whether the end must be written, because credits may be held. */
  mayBeHeld = false
  readonly #dependencies: HeldRequestDependencies
  readonly #hold: Hold
  #ending: Promise<void> | undefined

  constructor(dependencies: HeldRequestDependencies, hold: Hold) {
    this.#dependencies = dependencies
    this.#hold = hold
    this.no = hold.no
  }

  /** Releases the whole hold, because nothing was delivered. */
  release(paidMicroCredits: number | null = 0): Promise<void> {
    return this.#write(releasedEnd(paidMicroCredits))
  }

  /**
   * Passes the release to `onUnwritten`, because the database is unavailable and the client must
   * not wait for it. The caller still calls `release`, which then writes nothing.
   */
  releaseLater(): void {
    this.mayBeHeld = false
    this.#dependencies.onUnwritten(this.no, releasedEnd(0))
  }

  /** Charges the price of the tokens, but at most the held amount. */
  settle(
    outcome: 'completed' | 'failed',
    tokens: TokenCounts,
    { isEstimated, cost }: { isEstimated: boolean; cost: RouteCost | null },
  ): Promise<void> {
    const { rule, priceMicroCredits } = this.#hold
    return this.#write({
      outcome,
      chargeMicroCredits: Math.min(priceMicroCredits, priceOfTokens(rule, tokens)),
      inputTokens: tokens.input,
      cachedInputTokens: tokens.cachedInput,
      outputTokens: tokens.output,
      isEstimated,
      paidMicroCredits: costOfTokens(cost, tokens),
    })
  }

  #write(end: ForwardedEnd): Promise<void> {
    return (this.#ending ??= this.#writeOnce(end))
  }

  async #writeOnce(end: ForwardedEnd): Promise<void> {
    this.#dependencies.onTokensUsed(end.inputTokens + end.outputTokens)
    try {
      if (this.mayBeHeld) await this.#writeUntilDone(end)
    } finally {
      this.#dependencies.onEnded()
    }
  }

  /** Retries while the database is unavailable. */
  async #writeUntilDone(end: ForwardedEnd): Promise<void> {
    const { store, onUnwritten, logger } = this.#dependencies
    const { no, requestId } = this.#hold
    for (let attempt = 0; ; attempt++) {
      try {
        if (!(await store.endForwarded(no, end))) {
          logger.warn({ requestId }, 'a forwarded request had already ended, because its lease had expired')
        }
        return
      } catch (error) {
        const waitMs = retryDelaysMs[attempt]
        if (!(error instanceof StoreUnavailable) || waitMs === undefined) {
          logger.error({ err: error, requestId }, 'the end of a forwarded request could not be written; this will be retried')
          return onUnwritten(no, end)
        }
        await sleep(waitMs, undefined, { ref: false })
      }
    }
  }
}

function releasedEnd(paidMicroCredits: number | null): ForwardedEnd {
  const noUsage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, isEstimated: false }
  return { outcome: 'failed', chargeMicroCredits: 0, ...noUsage, paidMicroCredits }
}

/** Returns the operator's cost in micro-credits. Null: the route has no cost for requests. */
function costOfTokens(cost: RouteCost | null, { input, cachedInput, output }: TokenCounts): number | null {
  if (cost === null || (cost.tokens === undefined && cost.perTask === 0)) return null
  const { tokens = { input: 0, cachedInput: 0, output: 0 }, perTask } = cost
  // Credits per million tokens are micro-credits per token.
  const tokenCost = (input - cachedInput) * tokens.input + cachedInput * tokens.cachedInput + output * tokens.output
  return microCreditsOf(perTask) + Math.round(tokenCost)
}
