import { statusesBefore } from '@framegate/contract'
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { unreachable } from '../../lib/unreachable.ts'
import type { AttemptNote, Failure } from '../store.ts'
import type { Allowances } from './allowances.ts'
import { isUnconfirmed, poolsOf } from './claim-tasks.ts'
import type { Ledger } from './ledger.ts'
import type { SlotPools } from './slot-pools.ts'
import type { Usage } from './usage.ts'
import type { WaitingLines } from './waiting-lines.ts'
import type { WriteOperation, WriteOutcome } from '../write-operations.ts'

type EndOperation = Extract<WriteOperation, { kind: 'complete' | 'fail' | 'cancel' }>

type CompleteOperation = Extract<WriteOperation, { kind: 'complete' }>

const missed: WriteOutcome = { kind: 'missed' }
/** What an upstream has begun goes on there, until it is cancelled there too. */
const cancelled: AttemptNote = { detail: null, cost: null, unresolved: 'overdue' }

export interface EndParts {
  ledger: Ledger
  allowances: Allowances
  usage: Usage
  lines: WaitingLines
  pools: SlotPools
}

/**
 * Ends a task and its hold in one go, and admits whoever has waited for that. The update names the statuses from which the
 * table of moves allows it, so of two that end the same task one finds no row, writes no entry, and says `missed`.
 */
export function createEndTask(
  database: DatabaseSync,
  { ledger, allowances, usage, lines, pools }: EndParts,
): (operation: EndOperation, nowMs: number) => WriteOutcome {
  const complete = database.prepare(`
    update tasks
    set status = 'completed', progress = 100, charged = ?, version = version + 1,
      due_at = null, lease_until = null, turn = null, waits = 0, ended_at = ?
    where no = ? and lease_fence = ? and status in (${statusesFor('completed')})
    returning account_no, coalesce(key_no, 0) as key_no, model, price`)
  const fail = database.prepare(`
    update tasks
    set status = 'failed', charged = 0, error_code = ?, error_message = ?, version = version + 1,
      due_at = null, lease_until = null, turn = null, waits = 0, ended_at = ?
    where no = ? and lease_fence = coalesce(?, lease_fence) and status in (${statusesFor('failed')})
    returning account_no, coalesce(key_no, 0) as key_no, model, price`)
  const isWaiting = database.prepare('select 1 from tasks where no = ? and waits = 1')
  const dropUnsent = database.prepare(`
    update task_attempts
    set state = 'not_accepted', reason = ?, ended_at = ?, holds_slot = 0
    where task_no = ? and state = 'assigned'
    returning route_pool, upstream_pool`)
  // The job of one that is overdue goes on upstream: it keeps its slot until that is over (release_slot).
  const endAttempt = database.prepare(`
    update task_attempts
    set state = ?, reason = ?, detail = ?, cost = ?, cost_unit = ?, unresolved = case when frozen_no > 0 then ?6 end, ended_at = ?,
      holds_slot = case when ?6 = 'overdue' then holds_slot else 0 end
    where task_no = ? and state in ('starting', 'started')
    returning route_pool, upstream_pool, operation, holds_slot, reply_lost`)
  const forgetPictures = database.prepare('delete from task_pictures where task_no = ?')
  const insertAsset = database.prepare(`
    insert into assets (task_no, position, id, content_type, size_bytes, sha256, width, height, duration_ms, seed, expires_at)
    values (?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)

  return (operation, nowMs) => {
    switch (operation.kind) {
      case 'complete':
        return completeTask(operation, nowMs)
      case 'fail':
        return failTask(operation.no, operation.fence, operation.failure, operation.note, nowMs)
      case 'cancel':
        return failTask(operation.no, null, operation.failure, cancelled, nowMs)
      default:
        return unreachable(operation)
    }
  }

  function completeTask({ no, fence, result, charge, cost }: CompleteOperation, nowMs: number): WriteOutcome {
    const ended = complete.get(charge, nowMs, no, fence)
    if (ended === undefined) return missed
    ledger.settle(Number(ended['account_no']), no, Number(ended['price']), charge, nowMs)
    land({ no, ended, charge, producedMs: result.durationMs ?? 0, wasWaiting: false }, nowMs)
    endAttempts(['succeeded', null, null, cost?.amount ?? null, cost?.unit ?? null, null, nowMs, no])
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

  function failTask(
    no: number,
    fence: number | null,
    { code, message }: Failure,
    { detail, cost, unresolved }: AttemptNote,
    nowMs: number,
  ): WriteOutcome {
    const wasWaiting = lines.hasAny && isWaiting.get(no) !== undefined
    const ended = fail.get(code, message, nowMs, no, fence)
    if (ended === undefined) return missed
    ledger.release(Number(ended['account_no']), no, Number(ended['price']), nowMs)
    land({ no, ended, charge: 0, producedMs: null, wasWaiting }, nowMs)
    for (const dropped of dropUnsent.all(message, nowMs, no)) giveBack(dropped, true)
    endAttempts(['failed', message, detail, cost?.amount ?? null, cost?.unit ?? null, unresolved, nowMs, no])
    forgetPictures.run(no)
    return { kind: 'ended', endedAtMs: nowMs, charged: 0 }
  }

  function endAttempts(values: SQLInputValue[]): void {
    for (const ended of endAttempt.all(...values)) {
      const held = poolsOf(ended)
      const wasUnconfirmed = isUnconfirmed(ended)
      if (held === null) continue
      if (ended['holds_slot'] === 0) pools.release(held, wasUnconfirmed)
      else if (wasUnconfirmed) pools.confirm(held)
    }
  }

  function giveBack(row: Record<string, unknown>, wasUnconfirmed: boolean): void {
    const held = poolsOf(row)
    if (held !== null) pools.release(held, wasUnconfirmed)
  }

  function land({ no, ended, charge, producedMs, wasWaiting }: Landing, nowMs: number): void {
    const accountNo = Number(ended['account_no'])
    const keyNo = Number(ended['key_no'])
    const price = Number(ended['price'])
    const bearer = allowances.bearer(accountNo, keyNo)
    allowances.spend(bearer, no, charge - price)
    usage.add({ no, accountNo, keyNo, model: String(ended['model']), charge, producedMs })
    // A waiting task holds no allowance, but it may have stood in front of others that fit.
    if (!wasWaiting) allowances.land(bearer, price)
    lines.admitAfter(bearer, nowMs)
  }
}

interface Landing {
  no: number
  /** What the update has returned of the task. */
  ended: Record<string, unknown>
  charge: number
  /** Null when it failed. */
  producedMs: number | null
  wasWaiting: boolean
}

function statusesFor(to: 'completed' | 'failed'): string {
  return statusesBefore(to)
    .map((status) => `'${status}'`)
    .join(', ')
}
