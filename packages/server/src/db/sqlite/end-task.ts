import { statusesBefore } from '@framegate/contract'
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { unreachable } from '../../lib/unreachable.ts'
import type { AttemptNote, Failure } from '../task-queue.ts'
import type { LimitCounters, LimitScope } from './limit-counters.ts'
import { isUnconfirmed, poolsOf } from './claim-tasks.ts'
import type { EventOutbox } from './event-outbox.ts'
import type { Ledger } from './ledger.ts'
import type { SlotPools } from './slot-pools.ts'
import { noRoute, type EndedTask, type Usage } from './usage.ts'
import type { WaitQueues } from './wait-queues.ts'
import { producedMsOf, type CompleteOperation, type WriteOperation, type WriteOutcome } from '../write-operations.ts'

type EndOperation = Extract<WriteOperation, { kind: 'complete' | 'fail' | 'cancel' }>

const missedOutcome: WriteOutcome = { kind: 'missed' }
/**
 * The note for the attempt of a cancelled task. The job of this attempt continues at the upstream
 * until it is cancelled there too.
 */
const cancelledNote: AttemptNote = { detail: null, cost: null, unresolved: 'overdue', paidMicroCredits: null }

export interface EndTaskDependencies {
  ledger: Ledger
  outbox: EventOutbox
  limitCounters: LimitCounters
  usage: Usage
  waitQueues: WaitQueues
  pools: SlotPools
}

/**
 * Ends a task together with its hold, and admits tasks that waited for a limit. The update finds
 * the task only in a status that may change to the new one (`status.ts` of the contract). If two
 * calls end the same task, the later one finds no row, writes no entry and returns `missedOutcome`.
 */
export function createEndTask(
  database: DatabaseSync,
  { ledger, outbox, limitCounters, usage, waitQueues, pools }: EndTaskDependencies,
): (operation: EndOperation, nowMs: number) => WriteOutcome {
  const complete = database.prepare(`
    update tasks
    set status = 'completed', progress = 100, charged = ?, version = version + 1,
      due_at = null, lease_until = null, virtual_start = null, waits = 0, ended_at = ?
    where no = ? and lease_fence = ? and status in (${statusesFor('completed')})
    returning account_no, coalesce(key_no, 0) as key_no, model, price`)
  const fail = database.prepare(`
    update tasks
    set status = 'failed', charged = 0, error_code = ?, error_message = ?, version = version + 1,
      due_at = null, lease_until = null, virtual_start = null, waits = 0, ended_at = ?
    where no = ? and lease_fence = coalesce(?, lease_fence) and status in (${statusesFor('failed')})
    returning account_no, coalesce(key_no, 0) as key_no, model, price`)
  const readStatus = database.prepare(`
    select
      waits > 0 as is_waiting,
      exists (select 1 from task_attempts where task_no = tasks.no) as has_attempts,
      exists (select 1 from task_images where task_no = tasks.no) as has_images
    from tasks
    where no = ?`)
  const endUnsent = database.prepare(`
    update task_attempts
    set state = 'not_accepted', reason = ?, ended_at = ?, holds_slot = 0
    where task_no = ? and state = 'assigned'
    returning route_pool, upstream_pool`)
  // The job of an overdue attempt continues at the upstream. The attempt keeps its slots until
  // `release_slot` frees them, usually when the job has ended.
  const endStarted = database.prepare(`
    update task_attempts
    set state = ?1, reason = ?2, detail = ?3, cost = ?4, cost_unit = ?5, unresolved = case when snapshot_no > 0 then ?6 end,
      paid = case when snapshot_no > 0 then ?7 end, ended_at = ?8, holds_slot = case when ?6 = 'overdue' then holds_slot else 0 end
    where task_no = ?9 and state in ('starting', 'started')
    returning snapshot_no, paid, route_pool, upstream_pool, operation, holds_slot, reply_lost`)
  const deleteImages = database.prepare('delete from task_images where task_no = ?')
  const insertResult = database.prepare(`
    insert into results (task_no, position, object_key, content_type, size_bytes, sha256, width, height, duration_ms, seed, expires_at)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)

  return (operation, nowMs) => {
    switch (operation.kind) {
      case 'complete':
        return completeTask(operation, nowMs)
      case 'fail':
        return failTask(operation.no, operation.fence, operation.failure, operation.note, nowMs)
      case 'cancel':
        return failTask(operation.no, null, operation.failure, cancelledNote, nowMs)
      default:
        return unreachable(operation)
    }
  }

  function completeTask({ no, fence, results, charge, cost, paid }: CompleteOperation, nowMs: number): WriteOutcome {
    const endedRow = complete.get(charge, nowMs, no, fence)
    if (endedRow === undefined) return missedOutcome
    const task = pricedTaskOf(no, endedRow)
    ledger.settle(task.scope.accountNo, no, task.price, charge, nowMs)
    releaseLimits(task, { charge, wasWaiting: false }, nowMs)
    const attempt = endAttempt(['succeeded', null, null, cost?.amount ?? null, cost?.unit ?? null, null, paid, nowMs, no])
    usage.add({ ...usageOf(task, attempt), charge, producedMs: producedMsOf(results) })
    deleteImages.run(no)
    for (const [position, result] of results.entries()) {
      insertResult.run(
        no,
        position,
        result.objectKey,
        result.contentType,
        result.sizeBytes,
        result.sha256,
        result.width,
        result.height,
        result.durationMs,
        result.seed,
        result.expiresAtMs,
      )
    }
    outbox.recordTaskEnd(task.scope.accountNo, no, 'task.completed', nowMs)
    return { kind: 'ended', endedAtMs: nowMs, charged: charge }
  }

  function failTask(
    no: number,
    fence: number | null,
    { code, message }: Failure,
    { detail, cost, unresolved, paidMicroCredits: paid }: AttemptNote,
    nowMs: number,
  ): WriteOutcome {
    const row = readStatus.get(no)
    const endedRow = fail.get(code, message, nowMs, no, fence)
    if (endedRow === undefined) return missedOutcome
    const task = pricedTaskOf(no, endedRow)
    ledger.release(task.scope.accountNo, no, task.price, nowMs)
    releaseLimits(task, { charge: 0, wasWaiting: row?.['is_waiting'] === 1 }, nowMs)
    let attempt: Record<string, unknown> | undefined
    if (row?.['has_attempts'] === 1) {
      for (const releasedAttempt of endUnsent.all(message, nowMs, no)) returnSlots(releasedAttempt, true)
      attempt = endAttempt(['failed', message, detail, cost?.amount ?? null, cost?.unit ?? null, unresolved, paid, nowMs, no])
    }
    usage.add({ ...usageOf(task, attempt), charge: 0, producedMs: null })
    if (row?.['has_images'] === 1) deleteImages.run(no)
    outbox.recordTaskEnd(task.scope.accountNo, no, 'task.failed', nowMs)
    return { kind: 'ended', endedAtMs: nowMs, charged: 0 }
  }

  /**
   * Ends the task's open attempt if it has begun, and returns its row. Returns undefined if there
   * is no such attempt.
   */
  function endAttempt(values: SQLInputValue[]): Record<string, unknown> | undefined {
    const endedRow = endStarted.get(...values)
    const attemptPools = endedRow === undefined ? null : poolsOf(endedRow)
    if (endedRow === undefined || attemptPools === null) return endedRow
    const wasUnconfirmed = isUnconfirmed(endedRow)
    if (endedRow['holds_slot'] === 0) pools.release(attemptPools, wasUnconfirmed)
    else if (wasUnconfirmed) pools.confirm(attemptPools)
    return endedRow
  }

  function pricedTaskOf(no: number, endedRow: Record<string, unknown>): PricedTask {
    const keyNo = Number(endedRow['key_no'])
    return {
      no,
      keyNo,
      scope: limitCounters.scopeOf(Number(endedRow['account_no']), keyNo),
      model: String(endedRow['model']),
      price: Number(endedRow['price']),
    }
  }

  function returnSlots(row: Record<string, unknown>, wasUnconfirmed: boolean): void {
    const attemptPools = poolsOf(row)
    if (attemptPools !== null) pools.release(attemptPools, wasUnconfirmed)
  }

  function releaseLimits(
    { no, scope, price }: PricedTask,
    { charge, wasWaiting }: { charge: number; wasWaiting: boolean },
    nowMs: number,
  ): void {
    limitCounters.spend(scope, no, charge - price)
    // A waiting task does not count toward the limits on tasks in flight, but tasks behind it in
    // its queue may now be admitted.
    if (!wasWaiting) limitCounters.release(scope, price)
    waitQueues.admitAfter(scope, nowMs)
  }
}

/** An ended task, from the row that its update returned. */
interface PricedTask {
  no: number
  keyNo: number
  scope: LimitScope
  model: string
  price: number
}

function usageOf(
  { no, keyNo, scope, model }: PricedTask,
  attempt: Record<string, unknown> | undefined,
): Omit<EndedTask, 'charge' | 'producedMs'> {
  const paid = attempt?.['paid'] ?? null
  return {
    no,
    accountNo: scope.accountNo,
    keyNo,
    brandNo: scope.brand.no,
    model,
    routeNo: attempt === undefined ? noRoute : Number(attempt['snapshot_no']),
    paid: paid === null ? null : Number(paid),
  }
}

function statusesFor(endStatus: 'completed' | 'failed'): string {
  return statusesBefore(endStatus)
    .map((status) => `'${status}'`)
    .join(', ')
}
