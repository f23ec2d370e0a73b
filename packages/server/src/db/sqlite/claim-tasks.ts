import type { DatabaseSync } from 'node:sqlite'
import type { QueueTurns } from './queue-turns.ts'
import type { ClaimedRow, WriteOperation } from './write-operations.ts'

type ClaimOperation = Extract<WriteOperation, { kind: 'claim' }>

/** Of the tasks without a turn, so many are looked at in one claim. */
const dueAtOnceMin = 500

/**
 * Takes tasks. First those that were begun and are due again (index tasks_due_at_idx): their worker died, gave them back, or
 * an attempt is to be repeated. Then whoever has the lowest turn (index tasks_turn_idx); tasks whose delay is over get
 * theirs now. A task whose attempt is still open goes on with that attempt; otherwise a new one is opened as `starting`.
 */
export function createClaimTasks(
  database: DatabaseSync,
  turns: QueueTurns,
): (operation: ClaimOperation, nowMs: number) => ClaimedRow[] {
  // With a bare parameter as its limit a statement would be prepared anew for each other limit.
  const dueTasks = database.prepare(`
    select no, tail, account_no, status, lease_fence, started_at
    from tasks
    where due_at <= ? and turn is null and waits = 0
    order by due_at
    limit ? + 0`)
  const giveTurn = database.prepare('update tasks set turn = ? where no = ?')
  const nextTasks = database.prepare(`
    select no, tail, lease_fence, started_at, turn
    from tasks
    where turn is not null
    order by turn
    limit ? + 0`)
  const lease = database.prepare(`
    update tasks
    set version = version + (status = 'queued'), status = 'processing', started_at = ?,
      due_at = ?, lease_until = ?, lease_fence = ?, turn = null
    where no = ? and status in ('queued', 'processing')`)
  const lastAttempt = database.prepare(`
    select number, state, route, operation, started_at
    from task_attempts
    where task_no = ?
    order by number desc
    limit 1`)
  const readPictures = database.prepare('select pictures from task_pictures where task_no = ?')
  const openAttempt = database.prepare(`
    insert into task_attempts (task_no, number, state, route, started_at)
    values (?, ?, 'starting', ?, ?)`)

  return ({ limit, leaseMs, route }, nowMs) => {
    const claimed: ClaimedRow[] = []
    for (const row of dueTasks.all(nowMs, Math.max(limit, dueAtOnceMin))) {
      if (row['status'] === 'queued') giveTurn.run(turns.next(Number(row['account_no'])), Number(row['no']))
      else if (claimed.length < limit) claimed.push(claimOne(row, route, leaseMs, nowMs))
    }
    if (claimed.length === limit) return claimed
    for (const row of nextTasks.all(limit - claimed.length)) {
      turns.serve(Number(row['turn']))
      claimed.push(claimOne(row, route, leaseMs, nowMs))
    }
    return claimed
  }

  function claimOne(row: Record<string, unknown>, route: string, leaseMs: number, nowMs: number): ClaimedRow {
    const no = Number(row['no'])
    const fence = Number(row['lease_fence']) + 1
    const startedAtMs = Number(row['started_at'] ?? nowMs)
    lease.run(startedAtMs, nowMs + leaseMs, nowMs + leaseMs, fence, no)
    const pictures = readPictures.get(no)?.['pictures']
    return {
      no,
      tail: String(row['tail']),
      fence,
      startedAtMs,
      pictures: pictures === undefined ? null : String(pictures),
      attempt: openOrResume(no, route, nowMs),
    }
  }

  function openOrResume(no: number, route: string, nowMs: number): ClaimedRow['attempt'] {
    const last = lastAttempt.get(no)
    const state = last?.['state']
    if (last !== undefined && (state === 'starting' || state === 'started')) {
      const operation = last['operation']
      return {
        number: Number(last['number']),
        state,
        resumed: true,
        route: String(last['route']),
        operation: operation === null ? null : String(operation),
        startedAtMs: Number(last['started_at']),
      }
    }
    const number = Number(last?.['number'] ?? 0) + 1
    openAttempt.run(no, number, route, nowMs)
    return { number, state: 'starting', resumed: false, route, operation: null, startedAtMs: nowMs }
  }
}
