import type { LaneGrant } from '../task-queue.ts'
import type { StoredResult } from '../task-queries.ts'
import { producedMsOf, type AcceptOperation, type WriteOperation } from '../write-operations.ts'
import { jsonOf } from './storable-text.ts'

/** The operations that the SQL function `write_batch` writes (migrations/postgres). */
export type BatchOperation = Exclude<
  WriteOperation,
  {
    kind:
      | 'record_key_uses'
      | 'check_write'
      | 'grant'
      | 'adjust'
      | 'expire_grants'
      | 'erase'
      | 'remove_tasks'
      | 'index_accounts'
      | 'limits_changed'
      | 'distribute_events'
      | 'find_task_of_key'
      | 'find_generated_keys'
      | 'remove_generated_keys'
      | 'read_pools'
      | 'release_held'
      | 'hold_forwarded'
      | 'move_forwarded'
      | 'end_forwarded'
      | 'renew_forwarded'
      | 'query'
      | 'write_atomically'
  }
>

type EndOperation = Extract<BatchOperation, { kind: 'complete' | 'fail' | 'cancel' }>
type PoolChangeOperation = Extract<BatchOperation, { kind: 'change_pool' }>
type StepOperation = Exclude<
  BatchOperation,
  EndOperation | { kind: 'accept' | 'find_refusal' | 'take_due' | 'claim' | 'change_pool' }
>

/**
 * Returns the parameters of `write_batch` that follow the batch number: the time, the numbers of
 * the rows to lock, and the operations, grouped by kind.
 */
export function batchParameters(operations: readonly BatchOperation[], nowMs: number | null): unknown[] {
  const accounts = new Set<number>()
  const tasks = new Set<number>()
  const pools = new Set<number>()
  const poolChanges: unknown[] = []
  const claims: unknown[] = []
  const steps: unknown[] = []
  const ends: unknown[] = []
  const checks: unknown[] = []
  const acceptRows: unknown[] = []
  for (const [i, operation] of operations.entries()) {
    switch (operation.kind) {
      case 'take_due':
        claims.push({ i, leaseMs: operation.leaseMs, countMax: operation.countMax })
        break
      case 'claim':
        for (const no of poolsOf(operation.lanes)) pools.add(no)
        claims.push({ i, lanes: operation.lanes, leaseMs: operation.leaseMs })
        break
      case 'change_pool':
        pools.add(operation.pool)
        poolChanges.push(poolChangeRow(i, operation))
        break
      case 'accept':
        accounts.add(operation.accountNo)
        acceptRows.push(acceptRow(i, operation))
        break
      case 'find_refusal': {
        const { accountNo, keyNo, price, assetIds } = operation
        accounts.add(accountNo)
        checks.push({ i, account_no: accountNo, key_no: keyNo, price, asset_ids: assetIds })
        break
      }
      case 'complete':
      case 'fail':
      case 'cancel':
        tasks.add(operation.no)
        ends.push(endRow(i, operation))
        break
      default:
        tasks.add(operation.no)
        steps.push(stepRow(i, operation))
    }
  }
  const rows = [poolChanges, claims, steps, ends, checks, acceptRows]
  return [nowMs, [...accounts], [...tasks], [...pools], ...rows.map(textOf)]
}

/**
 * Returns the numbers of the slot pools of the routes that a claim may use. `write_batch` locks the
 * rows of these pools while it counts and takes their slots.
 */
function poolsOf(lanes: readonly LaneGrant[]): number[] {
  return lanes.flatMap(({ routes }) =>
    routes.flatMap(({ pools, limit }) => (pools === null || limit === 0 ? [] : [pools.route.pool, pools.upstream.pool])),
  )
}

function poolChangeRow(i: number, { pool, change }: PoolChangeOperation) {
  if (change.kind !== 'pause') return { i, pool, kind: change.kind }
  const { kind, untilMs, refusals, condition } = change
  return { i, pool, kind, until_ms: untilMs, refusals, condition }
}

function textOf(rows: readonly unknown[]): string | null {
  return rows.length === 0 ? null : jsonOf(rows)
}

function acceptRow(i: number, task: AcceptOperation) {
  const { no, tail, accountNo, keyNo, model, modelVersionNo, object, parameters, images, assetIds } = task
  const { price, priceNo, delayMs, lane, key, digest, webhook } = task
  return {
    i,
    no,
    tail,
    account_no: accountNo,
    key_no: keyNo,
    model,
    model_version_no: modelVersionNo ?? undefined,
    object,
    parameters,
    images: images ?? undefined,
    asset_ids: assetIds,
    price,
    price_no: priceNo ?? undefined,
    delay_ms: delayMs,
    key: key ?? undefined,
    digest: digest ?? undefined,
    lane,
    webhook_no: webhook?.endpointNo,
    webhook_url: webhook?.url,
  }
}

function stepRow(i: number, step: StepOperation) {
  const { kind, no } = step
  switch (step.kind) {
    case 'begin':
      return { i, kind, no, fence: step.fence, attempt: step.attempt }
    case 'record_operation':
      return { i, kind, no, fence: step.fence, attempt: step.attempt, operation: step.operation }
    case 'renew':
      return { i, kind, no, fence: step.fence, progress: step.progress, lease_ms: step.leaseMs }
    case 'retry_later': {
      const { state, reason, detail, movesToBack = false, lane } = step.end
      const endFields = { state, reason, detail, goes_behind: Number(movesToBack), due_ms: step.dueAtMs, to_lane: lane }
      return { i, kind, no, fence: step.fence, ...endFields }
    }
    case 'release':
      return { i, kind, no, fence: step.fence }
    case 'move_lane':
      return { i, kind, no, from_lane: step.from, to_lane: step.to }
    case 'release_slot':
    case 'mark_reply_lost':
      return { i, kind, no, attempt: step.attempt }
    default:
      return step satisfies never
  }
}

function resultRow(result: StoredResult) {
  return {
    object_key: result.objectKey,
    content_type: result.contentType,
    size_bytes: result.sizeBytes,
    sha256: result.sha256,
    width: result.width,
    height: result.height,
    duration_ms: result.durationMs,
    seed: result.seed,
    expires_ms: result.expiresAtMs,
  }
}

function endRow(i: number, end: EndOperation) {
  const { kind, no } = end
  switch (end.kind) {
    case 'complete': {
      const { fence, charge, cost, paid, results } = end
      const [firstResult, ...otherResults] = results
      const endFields = { i, kind, no, fence, charge, cost: cost?.amount, cost_unit: cost?.unit, paid }
      if (otherResults.length === 0) return { ...endFields, ...resultRow(firstResult) }
      const otherRows = otherResults.map((result, index) => Object.assign(resultRow(result), { position: index + 1 }))
      return { ...endFields, ...resultRow(firstResult), produced_ms: producedMsOf(results), more: otherRows }
    }
    case 'fail': {
      const { fence, failure, note } = end
      const { detail, cost, unresolved, paidMicroCredits: paid } = note
      return { i, kind, no, fence, ...failure, detail, cost: cost?.amount, cost_unit: cost?.unit, unresolved, paid }
    }
    case 'cancel':
      // The job of an attempt that has begun continues at the upstream until it is cancelled there
      // too.
      return { i, kind, no, ...end.failure, unresolved: 'overdue' }
    default:
      return end satisfies never
  }
}
