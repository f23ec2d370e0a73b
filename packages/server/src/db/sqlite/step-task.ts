import type { DatabaseSync } from 'node:sqlite'
import { unreachable } from '../../lib/unreachable.ts'
import type { WriteOperation, WriteOutcome } from '../write-operations.ts'

type StepOperation = Extract<
  WriteOperation,
  { kind: 'record_operation' | 'next_attempt' | 'change_route' | 'renew' | 'retry_later' | 'release' }
>

const missed: WriteOutcome = { kind: 'missed' }

/** The steps of a leased task that do not end it. Each names the fence of its lease: an older one finds no row. */
export function createStepTask(database: DatabaseSync): (operation: StepOperation, nowMs: number) => WriteOutcome {
  const leased = "no = ? and lease_fence = ? and status = 'processing'"
  const isLeased = database.prepare(`select 1 from tasks where ${leased}`)
  const recordOperation = database.prepare(`
    update task_attempts
    set state = 'started', operation = ?
    where task_no = ? and number = ? and state = 'starting'`)
  // Its task has ended while it was started: somebody has to look what becomes of it.
  const recordLate = database.prepare(`
    update task_attempts
    set operation = ?, unresolved = case when frozen_no > 0 then coalesce(unresolved, 'overdue') end
    where task_no = ? and number = ? and operation is null`)
  const renew = database.prepare(`
    update tasks
    set version = version + (progress < ?), progress = max(progress, ?), due_at = ?, lease_until = ?
    where ${leased}`)
  const setDue = database.prepare(`update tasks set due_at = ?, lease_until = null where ${leased}`)
  const changeRoute = database.prepare(`
    update task_attempts
    set route = ?, frozen_no = ?
    where task_no = ? and state = 'starting'`)
  const endAttempt = database.prepare(`
    update task_attempts
    set state = ?, reason = ?, detail = ?, ended_at = ?
    where task_no = ? and state in ('starting', 'started')`)

  const openAttempt = database.prepare(`
    insert into task_attempts (task_no, number, state, route, frozen_no, started_at)
    values (?, ?, 'starting', ?, ?, ?)`)

  return (operation, nowMs) => {
    const { no, fence } = operation
    switch (operation.kind) {
      case 'record_operation':
        if (recordOperation.run(operation.operation, no, operation.attempt).changes === 1) {
          return isLeased.get(no, fence) === undefined ? missed : null
        }
        recordLate.run(operation.operation, no, operation.attempt)
        return missed
      case 'next_attempt': {
        if (isLeased.get(no, fence) === undefined) return missed
        const { attempt, end, route, frozenNo } = operation
        endAttempt.run(end.state, end.reason, end.detail, nowMs, no)
        openAttempt.run(no, attempt, route, frozenNo, nowMs)
        return null
      }
      case 'change_route':
        if (isLeased.get(no, fence) === undefined) return missed
        changeRoute.run(operation.route, operation.frozenNo, no)
        return null
      case 'renew': {
        const untilMs = nowMs + operation.leaseMs
        return renew.run(operation.progress, operation.progress, untilMs, untilMs, no, fence).changes === 1 ? null : missed
      }
      case 'retry_later':
        if (setDue.run(operation.dueAtMs, no, fence).changes !== 1) return missed
        endAttempt.run(operation.end.state, operation.end.reason, operation.end.detail, nowMs, no)
        return null
      case 'release':
        return setDue.run(nowMs, no, fence).changes === 1 ? null : missed
      default:
        return unreachable(operation)
    }
  }
}
