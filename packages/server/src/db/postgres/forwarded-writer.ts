import { callBack } from '../../lib/call-back.ts'
import type { Clock } from '../../lib/clock.ts'
import {
  abandonedEnd,
  abandonedPerBatchMax,
  type ForwardedEnd,
  type ForwardRoute,
  type HoldOutcome,
  type NewForwardedRequest,
} from '../forwarded-requests.ts'
import { StoreUnavailable } from '../store-unavailable.ts'
import type { WriteOutcome } from '../write-operations.ts'
import { failureOf, holdOutcomeOf } from '../write-outcomes.ts'
import type { ConnectionPool } from './connections.ts'
import type { OrderedWriter } from './ordered-writer.ts'
import { jsonOf } from './storable-text.ts'

interface Change {
  /** Parameters of the SQL function `change_forwarded`. */
  row: Readonly<Record<string, unknown>> & { kind: string }
  callback: (outcome: WriteOutcome) => void
}

const changesPerBatchMax = 256
/**
 * Maximum number of times that a batch is sent if its connection is lost. The database does not
 * apply a change twice.
 */
const attemptsMax = 3

/**
 * Writes changes of forwarded requests in batches. Each batch needs one round trip
 * (0018-forwarded-requests.sql). Changes that arrive while a batch is in flight form the next
 * batch.
 */
export class ForwardedWriter {
  readonly #writer: OrderedWriter
  readonly #connections: ConnectionPool
  /** A clock that replaces the clock of the database in tests. */
  readonly #testClock: Clock | null
  #queue: Change[] = []
  #isWriting = false

  constructor(writer: OrderedWriter, connections: ConnectionPool, testClock: Clock | null) {
    this.#writer = writer
    this.#connections = connections
    this.#testClock = testClock
  }

  async hold(request: NewForwardedRequest): Promise<HoldOutcome> {
    if (this.#writer.isUnavailable) return { kind: 'unavailable', mayBeHeld: false }
    const { no, requestId, owner, accountNo, keyNo, model, object, priceMicroCredits, priceNo, route, leaseMs } = request
    const outcome = await this.#write({
      kind: 'hold_forwarded',
      no,
      request_id: requestId,
      owner,
      account_no: accountNo,
      key_no: keyNo,
      model,
      object,
      price: priceMicroCredits,
      price_no: priceNo ?? undefined,
      lease_ms: leaseMs,
      ...columnsOf(route),
    })
    const holdOutcome = holdOutcomeOf(outcome)
    return holdOutcome.kind === 'unavailable' ? { ...holdOutcome, mayBeHeld: true } : holdOutcome
  }

  move(no: number, route: ForwardRoute): Promise<boolean> {
    return this.#applyStep({ kind: 'move_forwarded', no, ...columnsOf(route) })
  }

  end(no: number, end: ForwardedEnd): Promise<boolean> {
    return this.#applyStep({
      kind: 'end_forwarded',
      no,
      outcome: end.outcome,
      charge: end.chargeMicroCredits,
      input_tokens: end.inputTokens,
      cached_input_tokens: end.cachedInputTokens,
      output_tokens: end.outputTokens,
      is_estimated: Number(end.isEstimated),
      paid: end.paidMicroCredits ?? undefined,
    })
  }

  async renew(owner: string, leaseMs: number): Promise<void> {
    const sql = `
      update forwarded_requests set lease_until = coalesce($3, database_ms()) + $2
      where owner = $1 and ended_at is null`
    await this.#writer.run((client) => client.query(sql, [owner, leaseMs, this.#testClock?.() ?? null]))
  }

  async endAbandonedRequests(activeOwner: string): Promise<number> {
    const rows = await this.#connections.read<{ no: number }>({
      text: `
        select no from forwarded_requests
        where ended_at is null and lease_until <= coalesce($1, database_ms()) and owner <> $3
        order by no
        limit $2`,
      values: [this.#testClock?.() ?? null, abandonedPerBatchMax, activeOwner],
    })
    const results = await Promise.all(rows.map(({ no }) => this.end(no, abandonedEnd)))
    return results.filter((isEnded) => isEnded).length
  }

  async #applyStep(row: Change['row']): Promise<boolean> {
    const outcome = await this.#write(row)
    if (outcome?.kind === 'missed') return false
    if (outcome !== null) throw failureOf(outcome)
    return true
  }

  #write(row: Change['row']): Promise<WriteOutcome> {
    return new Promise((resolve) => {
      this.#queue.push({ row, callback: resolve })
      if (!this.#isWriting) void this.#writeQueue()
    })
  }

  async #writeQueue(): Promise<void> {
    this.#isWriting = true
    // Waits until all changes of this tick are collected.
    await new Promise((resolve) => setImmediate(resolve))
    while (this.#queue.length > 0) await this.#writeBatch(this.#queue.splice(0, changesPerBatchMax))
    this.#isWriting = false
  }

  async #writeBatch(batch: readonly Change[]): Promise<void> {
    try {
      const outcomes = new Map(await this.#send(batch))
      for (const [i, { callback }] of batch.entries()) callBack(callback, outcomes.get(i) ?? null)
    } catch (error) {
      const half = Math.ceil(batch.length / 2)
      const isUnavailable = error instanceof StoreUnavailable
      if (batch.length > 1 && !isUnavailable) {
        await this.#writeBatch(batch.slice(0, half))
        await this.#writeBatch(batch.slice(half))
        return
      }
      const { message } = error as Error
      for (const { callback } of batch)
        callBack(callback, { kind: 'failed', message, code: isUnavailable ? 'unavailable' : 'error' })
    }
  }

  async #send(batch: readonly Change[]): Promise<[number, WriteOutcome][]> {
    const rowsJson = jsonOf(batch.map(({ row }, i) => ({ i, ...row })))
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#writer.run(async (client) => {
          const query = { name: 'change_forwarded', text: 'select change_forwarded($1::json, $2) as outcomes' }
          const { rows } = await client.query<{ outcomes: [number, WriteOutcome][] | null }>({
            ...query,
            values: [rowsJson, this.#testClock?.() ?? null],
          })
          return rows[0]?.outcomes ?? []
        })
      } catch (error) {
        if (!(error instanceof StoreUnavailable) || attempt === attemptsMax) throw error
      }
    }
  }
}

function columnsOf({ snapshotNo, pools: { route, upstream } }: ForwardRoute) {
  return {
    route_no: snapshotNo,
    route_pool: route.pool,
    route_max: route.inFlightMax,
    upstream_pool: upstream.pool,
    upstream_max: upstream.inFlightMax,
  }
}
