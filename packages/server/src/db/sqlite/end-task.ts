import { statusesBefore } from '@framegate/contract'
import type { DatabaseSync } from 'node:sqlite'
import { unreachable } from '../../lib/unreachable.ts'
import type { Failure, StoredResult } from '../store.ts'
import type { Ledger } from './ledger.ts'
import type { WriteOperation, WriteOutcome } from './write-operations.ts'

type EndOperation = Extract<WriteOperation, { kind: 'complete' | 'fail' | 'cancel' }>

const missed: WriteOutcome = { kind: 'missed' }

/**
 * Ends a task and its hold in one go. The update names the statuses from which the table of moves allows it, so of two
 * that end the same task one finds no row, writes no entry, and says `missed`.
 */
export function createEndTask(database: DatabaseSync, ledger: Ledger): (operation: EndOperation, nowMs: number) => WriteOutcome {
  const complete = database.prepare(`
    update tasks
    set status = 'completed', progress = 100, charged = ?, version = version + 1,
      due_at = null, lease_until = null, ended_at = ?
    where no = ? and lease_fence = ? and status in (${statusesFor('completed')})
    returning account_no, price`)
  const fail = database.prepare(`
    update tasks
    set status = 'failed', charged = 0, error_code = ?, error_message = ?, version = version + 1,
      due_at = null, lease_until = null, ended_at = ?
    where no = ? and lease_fence = coalesce(?, lease_fence) and status in (${statusesFor('failed')})
    returning account_no, price`)
  const endAttempt = database.prepare(`
    update task_attempts
    set state = ?, reason = ?, ended_at = ?
    where task_no = ? and state in ('starting', 'started')`)
  const forgetPictures = database.prepare('delete from task_pictures where task_no = ?')
  const insertAsset = database.prepare(`
    insert into assets (task_no, position, id, content_type, size_bytes, sha256, width, height, duration_ms, seed, expires_at)
    values (?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)

  return (operation, nowMs) => {
    switch (operation.kind) {
      case 'complete':
        return completeTask(operation.no, operation.fence, operation.result, operation.charge, nowMs)
      case 'fail':
        return failTask(operation.no, operation.fence, operation.failure, nowMs)
      case 'cancel':
        return failTask(operation.no, null, operation.failure, nowMs)
      default:
        return unreachable(operation)
    }
  }

  function completeTask(no: number, fence: number, result: StoredResult, charge: number, nowMs: number): WriteOutcome {
    const ended = complete.get(charge, nowMs, no, fence)
    if (ended === undefined) return missed
    ledger.settle(Number(ended['account_no']), no, Number(ended['price']), charge, nowMs)
    endAttempt.run('succeeded', null, nowMs, no)
    forgetPictures.run(no)
    insertAsset.run(
      no,
      result.assetId,
      result.contentType,
      result.sizeBytes,
      result.sha256,
      result.width,
      result.height,
      result.durationMs,
      result.seed,
      result.expiresAtMs,
    )
    return { kind: 'ended', endedAtMs: nowMs, charged: charge }
  }

  function failTask(no: number, fence: number | null, { code, message }: Failure, nowMs: number): WriteOutcome {
    const ended = fail.get(code, message, nowMs, no, fence)
    if (ended === undefined) return missed
    ledger.release(Number(ended['account_no']), no, Number(ended['price']), nowMs)
    endAttempt.run('failed', message, nowMs, no)
    forgetPictures.run(no)
    return { kind: 'ended', endedAtMs: nowMs, charged: 0 }
  }
}

function statusesFor(to: 'completed' | 'failed'): string {
  return statusesBefore(to)
    .map((status) => `'${status}'`)
    .join(', ')
}
