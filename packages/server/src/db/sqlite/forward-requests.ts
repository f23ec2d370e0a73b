import type { DatabaseSync } from 'node:sqlite'
import { unreachable } from '../../lib/unreachable.ts'
import type { WriteOperation, WriteOutcome } from '../write-operations.ts'
import type { LimitCounters } from './limit-counters.ts'
import { poolsOf } from './claim-tasks.ts'
import type { Ledger } from './ledger.ts'
import type { SlotPools } from './slot-pools.ts'
import type { Usage } from './usage.ts'

export type ForwardOperation = Extract<
  WriteOperation,
  { kind: 'hold_forwarded' | 'move_forwarded' | 'end_forwarded' | 'renew_forwarded' }
>

export interface ForwardRequestsDependencies {
  ledger: Ledger
  limitCounters: LimitCounters
  usage: Usage
  pools: SlotPools
}

const missedOutcome: WriteOutcome = { kind: 'missed' }

/**
 * Writes forwarded requests (`ForwardedRequests`). A request counts toward the spending limits of
 * its key, but not toward limits on tasks and credits in flight.
 */
export function createForwardRequests(
  database: DatabaseSync,
  { ledger, limitCounters, usage, pools }: ForwardRequestsDependencies,
): (operation: ForwardOperation, nowMs: number) => WriteOutcome {
  const insert = database.prepare(`
    insert into forwarded_requests (
      no, request_id, owner, account_no, key_no, model, object, price, price_no, hold_entry_no, started_at, lease_until, route_no,
      route_pool, upstream_pool
    )
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const readPools = database.prepare('select route_pool, upstream_pool from forwarded_requests where no = ? and ended_at is null')
  const updateRoute = database.prepare(
    'update forwarded_requests set route_no = ?, route_pool = ?, upstream_pool = ? where no = ?',
  )
  const end = database.prepare(`
    update forwarded_requests
    set ended_at = ?1, lease_until = null, outcome = ?2, charged = ?3, input_tokens = ?4, cached_input_tokens = ?5, output_tokens = ?6,
      is_estimated = ?7, paid = ?8
    where no = ?9 and ended_at is null and (?2 <> 'abandoned' or lease_until <= ?1)
    returning account_no, coalesce(key_no, 0) as key_no, model, price, route_no, route_pool, upstream_pool`)
  // Uses the index forwarded_requests_open_idx.
  const renew = database.prepare('update forwarded_requests set lease_until = ? where owner = ? and ended_at is null')

  return (operation, nowMs) => {
    switch (operation.kind) {
      case 'hold_forwarded':
        return hold(operation.request, nowMs)
      case 'move_forwarded':
        return moveTo(operation, nowMs)
      case 'end_forwarded':
        return endOnce(operation, nowMs)
      case 'renew_forwarded':
        renew.run(nowMs + operation.leaseMs, operation.owner)
        return null
      default:
        return unreachable(operation)
    }
  }

  function hold(request: Extract<ForwardOperation, { kind: 'hold_forwarded' }>['request'], nowMs: number): WriteOutcome {
    const { no, accountNo, keyNo, priceMicroCredits: price, route, leaseMs } = request
    const scope = limitCounters.scopeOf(accountNo, keyNo)
    const exceededSpendingLimit = limitCounters.exceededSpendingLimit(scope, no, price)
    if (exceededSpendingLimit !== null) return exceededSpendingLimit
    const balance = ledger.availableOf(accountNo, nowMs)
    if (balance < price) return { kind: 'insufficient_credits', balance }
    if (pools.freeSlots({ pools: route.pools, limit: 1 }, nowMs) === 0) return missedOutcome
    const routePools = { route: route.pools.route.pool, upstream: route.pools.upstream.pool }
    const entryNo = ledger.hold(accountNo, no, price, nowMs)
    limitCounters.spend(scope, no, price)
    insert.run(
      no,
      request.requestId,
      request.owner,
      accountNo,
      keyNo,
      request.model,
      request.object,
      price,
      request.priceNo,
      entryNo,
      nowMs,
      nowMs + leaseMs,
      route.snapshotNo,
      routePools.route,
      routePools.upstream,
    )
    pools.acquireConfirmed(routePools)
    return null
  }

  function moveTo({ no, route }: Extract<ForwardOperation, { kind: 'move_forwarded' }>, nowMs: number): WriteOutcome {
    const row = readPools.get(no)
    if (row === undefined) return missedOutcome
    const previous = poolsOf(row)
    if (previous !== null) pools.release(previous, false)
    if (pools.freeSlots({ pools: route.pools, limit: 1 }, nowMs) === 0) {
      if (previous !== null) pools.acquireConfirmed(previous)
      return missedOutcome
    }
    const routePools = { route: route.pools.route.pool, upstream: route.pools.upstream.pool }
    pools.acquireConfirmed(routePools)
    updateRoute.run(route.snapshotNo, routePools.route, routePools.upstream, no)
    return null
  }

  function endOnce({ no, end: requestedEnd }: Extract<ForwardOperation, { kind: 'end_forwarded' }>, nowMs: number): WriteOutcome {
    const {
      outcome,
      chargeMicroCredits: charge,
      inputTokens,
      cachedInputTokens,
      outputTokens,
      paidMicroCredits: paid,
    } = requestedEnd
    const endedRow = end.get(
      nowMs,
      outcome,
      charge,
      inputTokens,
      cachedInputTokens,
      outputTokens,
      requestedEnd.isEstimated ? 1 : 0,
      paid,
      no,
    )
    if (endedRow === undefined) return missedOutcome
    const scope = limitCounters.scopeOf(Number(endedRow['account_no']), Number(endedRow['key_no']))
    const price = Number(endedRow['price'])
    if (outcome === 'completed' || charge > 0) ledger.settle(scope.accountNo, no, price, charge, nowMs)
    else ledger.release(scope.accountNo, no, price, nowMs)
    limitCounters.spend(scope, no, charge - price)
    const requestPools = poolsOf(endedRow)
    if (requestPools !== null) pools.release(requestPools, false)
    usage.add({
      no,
      accountNo: scope.accountNo,
      keyNo: Number(endedRow['key_no']),
      brandNo: scope.brand.no,
      model: String(endedRow['model']),
      charge,
      producedMs: outcome === 'completed' ? 0 : null,
      routeNo: Number(endedRow['route_no']),
      paid,
      tokens: { input: inputTokens, cachedInput: cachedInputTokens, output: outputTokens },
    })
    return null
  }
}
