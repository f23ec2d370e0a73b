import type { DatabaseSync } from 'node:sqlite'
import { unreachable } from '../../lib/unreachable.ts'
import type { WriteOperation, WriteOutcome } from '../write-operations.ts'
import { isUnconfirmed, poolsOf } from './claim-tasks.ts'
import type { EventOutbox } from './event-outbox.ts'
import type { SlotPools } from './slot-pools.ts'

type StepOperation = Extract<
  WriteOperation,
  { kind: 'begin' | 'record_operation' | 'renew' | 'retry_later' | 'release' | 'release_slot' | 'mark_reply_lost' | 'move_lane' }
>

const missedOutcome: WriteOutcome = { kind: 'missed' }

/**
 * The steps of a task that do not end it. A step names the fence of the worker's claim, and has no
 * effect if the task was claimed again since. As an exception, `record_operation` always stores the
 * operation. `release_slot`, `mark_reply_lost` and `move_lane` need no lease.
 */
export function createStepTask(
  database: DatabaseSync,
  pools: SlotPools,
  outbox: EventOutbox,
): (operation: StepOperation, nowMs: number) => WriteOutcome {
  const leasedCondition = 'no = ? and lease_fence = ? and ended_at is null'
  const isLeased = database.prepare(`select 1 from tasks where ${leasedCondition}`)
  const readAttempt = database.prepare(
    'select state, route_pool, upstream_pool, holds_slot from task_attempts where task_no = ? and number = ?',
  )
  const beginAttempt = database.prepare(
    "update task_attempts set state = 'starting', started_at = ?, begun_fence = ? where task_no = ? and number = ?",
  )
  const beginTask = database.prepare(`
    update tasks
    set version = version + (status = 'queued'), status = 'processing', started_at = coalesce(started_at, ?)
    where no = ?
    returning started_at`)
  const recordOperation = database.prepare(`
    update task_attempts
    set state = 'started', operation = ?
    where task_no = ? and number = ? and state = 'starting'
    returning route_pool, upstream_pool, reply_lost`)
  const isRecorded = database.prepare(
    "select 1 from task_attempts where task_no = ? and number = ? and state = 'started' and operation = ?",
  )
  // Records the operation of an attempt whose task ended during the submit. The job continues at
  // the upstream, and the service must poll it until it has ended.
  const recordLate = database.prepare(`
    update task_attempts
    set operation = ?, unresolved = case when snapshot_no > 0 then coalesce(unresolved, 'overdue') end
    where task_no = ? and number = ? and operation is null`)
  const renew = database.prepare(`
    update tasks
    set version = version + (progress < ?), progress = max(progress, ?), due_at = ?, lease_until = ?
    where ${leasedCondition}`)
  const setDue = database.prepare(`update tasks set due_at = ?, lease_until = null where ${leasedCondition}`)
  const requeue = database.prepare(`
    update tasks
    set version = version + (status = 'processing'), status = 'queued', due_at = ?, lease_until = null, goes_behind = ?,
      lane = coalesce(?, lane)
    where ${leasedCondition}`)
  const endAttempt = database.prepare(`
    update task_attempts
    set state = ?, reason = ?, detail = ?, ended_at = ?, holds_slot = 0
    where task_no = ? and state in ('assigned', 'starting', 'started')
    returning route_pool, upstream_pool, operation, reply_lost`)
  const deleteAssigned = database.prepare(`
    delete from task_attempts
    where task_no = ? and state = 'assigned'
    returning route_pool, upstream_pool`)
  const releaseSlot = database.prepare(`
    update task_attempts
    set holds_slot = 0
    where task_no = ? and number = ? and holds_slot = 1
    returning route_pool, upstream_pool`)
  const markReplyLost = database.prepare(`
    update task_attempts
    set reply_lost = 1
    where task_no = ? and number = ? and state = 'starting' and reply_lost = 0
    returning route_pool, upstream_pool`)
  const moveLane = database.prepare(
    'update tasks set lane = ?, virtual_start = null, due_at = min(due_at, ?) where no = ? and lane = ? and virtual_start is not null',
  )

  return (operation, nowMs) => {
    switch (operation.kind) {
      case 'begin':
        return begin(operation, nowMs)
      case 'record_operation': {
        const { no, fence, attempt } = operation
        const recordedRow = recordOperation.get(operation.operation, no, attempt)
        if (recordedRow === undefined) {
          if (isRecorded.get(no, attempt, operation.operation) !== undefined) return outcomeOfRow(isLeased.get(no, fence))
          recordLate.run(operation.operation, no, attempt)
          return missedOutcome
        }
        const attemptPools = poolsOf(recordedRow)
        if (attemptPools !== null && recordedRow['reply_lost'] === 0) pools.confirm(attemptPools)
        return outcomeOfRow(isLeased.get(no, fence))
      }
      case 'renew': {
        const { no, fence, progress } = operation
        const untilMs = nowMs + operation.leaseMs
        return renew.run(progress, progress, untilMs, untilMs, no, fence).changes === 1 ? null : missedOutcome
      }
      case 'retry_later': {
        const { no, fence, end, dueAtMs } = operation
        if (requeue.run(dueAtMs, end.movesToBack === true ? 1 : 0, end.lane ?? null, no, fence).changes !== 1)
          return missedOutcome
        for (const endedAttempt of endAttempt.all(end.state, end.reason, end.detail, nowMs, no))
          returnSlots(endedAttempt, isUnconfirmed(endedAttempt))
        return null
      }
      case 'release':
        if (setDue.run(nowMs, operation.no, operation.fence).changes !== 1) return missedOutcome
        for (const releasedAttempt of deleteAssigned.all(operation.no)) returnSlots(releasedAttempt, true)
        return null
      case 'release_slot': {
        const releasedAttempt = releaseSlot.get(operation.no, operation.attempt)
        // `false`, because the task has already ended, and its end removed the attempt from the
        // count of unconfirmed attempts.
        if (releasedAttempt !== undefined) returnSlots(releasedAttempt, false)
        return null
      }
      case 'mark_reply_lost': {
        const updatedRow = markReplyLost.get(operation.no, operation.attempt)
        const attemptPools = updatedRow === undefined ? null : poolsOf(updatedRow)
        if (attemptPools !== null) pools.confirm(attemptPools)
        return null
      }
      case 'move_lane':
        moveLane.run(operation.to, nowMs, operation.no, operation.from)
        return null
      default:
        return unreachable(operation)
    }
  }

  function begin({ no, fence, attempt }: Extract<StepOperation, { kind: 'begin' }>, nowMs: number): WriteOutcome {
    if (isLeased.get(no, fence) === undefined) return missedOutcome
    const row = readAttempt.get(no, attempt)
    if (row?.['state'] === 'starting') return null
    if (row?.['state'] !== 'assigned') return missedOutcome
    const attemptPools = poolsOf(row)
    if (attemptPools !== null && pools.isPaused(attemptPools, nowMs)) return { kind: 'paused' }
    beginAttempt.run(nowMs, fence, no, attempt)
    const startedAtMs = Number(beginTask.get(nowMs, no)?.['started_at'])
    if (startedAtMs === nowMs) outbox.recordTaskStart(no, nowMs)
    return { kind: 'begun', startedAtMs }
  }

  function returnSlots(row: Record<string, unknown>, wasUnconfirmed: boolean): void {
    const attemptPools = poolsOf(row)
    if (attemptPools !== null) pools.release(attemptPools, wasUnconfirmed)
  }
}

function outcomeOfRow(row: unknown): WriteOutcome {
  return row === undefined ? missedOutcome : null
}
