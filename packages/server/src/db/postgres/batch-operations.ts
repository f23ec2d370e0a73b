import type { AcceptOperation, WriteOperation } from '../write-operations.ts'
import { jsonOf } from './storable-text.ts'

/** What goes to the database in batches, by `write_batch` (migrations/postgres). */
export type BatchOperation = Exclude<
  WriteOperation,
  {
    kind:
      | 'keys_used'
      | 'set_lanes'
      | 'grant'
      | 'adjust'
      | 'expire_grants'
      | 'index_accounts'
      | 'limits_changed'
      | 'query'
      | 'together'
  }
>

type EndOperation = Extract<BatchOperation, { kind: 'complete' | 'fail' | 'cancel' }>
type StepOperation = Exclude<BatchOperation, EndOperation | { kind: 'accept' | 'try' | 'claim' }>

export type LaneOf = (model: string) => number

/** The parameters of `write_batch` behind the number of the batch: what is written, sorted by what it is. */
export function batchParameters(operations: readonly BatchOperation[], laneOf: LaneOf, nowMs: number | null): unknown[] {
  const accounts = new Set<number>()
  const tasks = new Set<number>()
  const claims: unknown[] = []
  const steps: unknown[] = []
  const ends: unknown[] = []
  const tries: unknown[] = []
  const accepts: unknown[] = []
  for (const [i, operation] of operations.entries()) {
    switch (operation.kind) {
      case 'claim':
        claims.push({ i, lanes: operation.lanes, leaseMs: operation.leaseMs })
        break
      case 'accept':
        accounts.add(operation.accountNo)
        accepts.push(acceptRow(i, operation, laneOf))
        break
      case 'try': {
        const { accountNo, keyNo, price, assetIds } = operation
        accounts.add(accountNo)
        tries.push({ i, account_no: accountNo, key_no: keyNo, price, asset_ids: assetIds })
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
  return [nowMs, [...accounts], [...tasks], ...[claims, steps, ends, tries, accepts].map(textOf)]
}

function textOf(rows: readonly unknown[]): string | null {
  return rows.length === 0 ? null : jsonOf(rows)
}

function acceptRow(i: number, task: AcceptOperation, laneOf: LaneOf) {
  const { no, tail, accountNo, keyNo, model, object, parameters, pictures, assetIds, price, priceNo, delayMs, key, digest } = task
  return {
    i,
    no,
    tail,
    account_no: accountNo,
    key_no: keyNo,
    model,
    object,
    parameters,
    pictures: pictures ?? undefined,
    asset_ids: assetIds,
    price,
    price_no: priceNo ?? undefined,
    delay_ms: delayMs,
    key: key ?? undefined,
    digest: digest ?? undefined,
    lane: laneOf(model),
  }
}

function stepRow(i: number, step: StepOperation) {
  const { kind, no, fence } = step
  switch (step.kind) {
    case 'record_operation':
      return { i, kind, no, fence, attempt: step.attempt, operation: step.operation }
    case 'next_attempt':
      return { i, kind, no, fence, attempt: step.attempt, ...step.end, route: step.route, frozen_no: step.frozenNo }
    case 'change_route':
      return { i, kind, no, fence, route: step.route, frozen_no: step.frozenNo }
    case 'renew':
      return { i, kind, no, fence, progress: step.progress, lease_ms: step.leaseMs }
    case 'retry_later':
      return { i, kind, no, fence, ...step.end, due_ms: step.dueAtMs }
    case 'release':
      return { i, kind, no, fence }
    default:
      return step satisfies never
  }
}

function endRow(i: number, end: EndOperation) {
  const { kind, no } = end
  switch (end.kind) {
    case 'complete': {
      const { fence, charge, cost, result } = end
      return {
        i,
        kind,
        no,
        fence,
        charge,
        cost: cost?.amount,
        cost_unit: cost?.unit,
        asset_id: result.assetId,
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
    case 'fail': {
      const { fence, failure, note } = end
      const { detail, cost, unresolved } = note
      return { i, kind, no, fence, ...failure, detail, cost: cost?.amount, cost_unit: cost?.unit, unresolved }
    }
    case 'cancel':
      // What an upstream has begun goes on there, until it is cancelled there too.
      return { i, kind, no, ...end.failure, unresolved: 'overdue' }
    default:
      return end satisfies never
  }
}
