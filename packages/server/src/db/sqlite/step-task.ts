import type { DatabaseSync } from 'node:sqlite'
import { unreachable } from '../../lib/unreachable.ts'
import type { WriteOperation, WriteOutcome } from './write-operations.ts'

type StepOperation = Extract<WriteOperation, { kind: 'record_operation' | 'renew' | 'retry_later' | 'release' }>

const missed: WriteOutcome = { kind: 'missed' }

/** The steps of a leased task that do not end it. Each names the fence of its lease: an older one finds no row. */
export function createStepTask(database: DatabaseSync): (operation: StepOperation, nowMs: number) => WriteOutcome {
  const leased = "no = ? and lease_fence = ? and status = 'processing'"
  const isLeased = database.prepare(`select 1 from tasks where ${leased}`)
  const recordOperation = database.prepare(`
    update task_attempts
    set state = 'started', operation = ?
    where task_no = ? and state = 'starting'`)
  const renew = database.prepare(`
    update tasks
    set version = version + (progress < ?), progress = max(progress, ?), due_at = ?, lease_until = ?
    where ${leased}`)
  const setDue = database.prepare(`update tasks set due_at = ?, lease_until = null where ${leased}`)
  const failAttempt = database.prepare(`
    update task_attempts
    set state = 'failed', reason = ?, ended_at = ?
    where task_no = ? and state in ('starting', 'started')`)

  return (operation, nowMs) => {
    const { no, fence } = operation
    switch (operation.kind) {
      case 'record_operation':
        if (isLeased.get(no, fence) === undefined) return missed
        recordOperation.run(operation.operation, no)
        return null
      case 'renew': {
        const untilMs = nowMs + operation.leaseMs
        return renew.run(operation.progress, operation.progress, untilMs, untilMs, no, fence).changes === 1 ? null : missed
      }
      case 'retry_later':
        if (setDue.run(operation.dueAtMs, no, fence).changes !== 1) return missed
        failAttempt.run(operation.reason, nowMs, no)
        return null
      case 'release':
        return setDue.run(nowMs, no, fence).changes === 1 ? null : missed
      default:
        return unreachable(operation)
    }
  }
}
