import type { DatabaseSync } from 'node:sqlite'
import type { ClaimedLane } from '../store.ts'
import type { QueueTurns } from './queue-turns.ts'
import type { ClaimedRow, WriteOperation } from '../write-operations.ts'

type ClaimOperation = Extract<WriteOperation, { kind: 'claim' }>

/** Of the tasks without a turn, so many are looked at in one claim. */
const dueAtOnceMax = 500

/**
 * Takes tasks. First those with an open attempt (index tasks_due_at_idx): their worker died or gave them back, and they go on
 * with that attempt, whatever there is room for. Then, in each lane, whoever has the lowest turn (index tasks_turn_idx), on the
 * routes that have room; tasks whose delay is over get their turn now, and those that are to be tried again stand in front.
 */
export function createClaimTasks(
  database: DatabaseSync,
  turns: QueueTurns,
): (operation: ClaimOperation, nowMs: number) => ClaimedRow[] {
  // With a bare parameter as its limit a statement would be prepared anew for each other limit.
  const dueTasks = database.prepare(`
    select no, tail, account_no, model, status, lease_fence, started_at
    from tasks
    where due_at <= ? and turn is null and waits = 0
    order by due_at
    limit ? + 0`)
  const giveTurn = database.prepare('update tasks set lane = ?, turn = ? where no = ?')
  const nextTasks = database.prepare(`
    select no, tail, lease_fence, started_at, turn
    from tasks
    where lane = ? and turn is not null
    order by turn
    limit ? + 0`)
  const lease = database.prepare(`
    update tasks
    set version = version + (status = 'queued'), status = 'processing', started_at = ?,
      due_at = ?, lease_until = ?, lease_fence = ?, turn = null
    where no = ? and status in ('queued', 'processing')`)
  const lastAttempt = database.prepare(`
    select number, state, route, frozen_no, operation, started_at
    from task_attempts
    where task_no = ?
    order by number desc
    limit 1`)
  const countFailed = database.prepare("select count(*) as failed from task_attempts where task_no = ? and state = 'failed'")
  const readPictures = database.prepare('select pictures from task_pictures where task_no = ?')
  const openAttempt = database.prepare(`
    insert into task_attempts (task_no, number, state, route, frozen_no, started_at)
    values (?, ?, 'starting', ?, ?, ?)`)

  return ({ lanes, leaseMs }, nowMs) => {
    const claimed: ClaimedRow[] = []
    for (const row of dueTasks.all(nowMs, dueAtOnceMax)) {
      const no = Number(row['no'])
      const attempt = row['status'] === 'queued' ? null : resume(no)
      if (attempt !== null) {
        claimed.push(take(row, attempt, leaseMs, nowMs))
        continue
      }
      const lane = turns.laneOf(String(row['model']))
      giveTurn.run(lane, row['status'] === 'queued' ? turns.next(lane, Number(row['account_no'])) : turns.front(lane), no)
    }
    for (const lane of lanes) claimed.push(...claimFrom(lane, leaseMs, nowMs))
    return claimed
  }

  function claimFrom({ lane, routes }: ClaimedLane, leaseMs: number, nowMs: number): ClaimedRow[] {
    const places = routes.flatMap((route) => Array.from({ length: route.limit }, () => route))
    if (places.length === 0) return []
    return nextTasks.all(lane, places.length).flatMap((row, index) => {
      const place = places[index]
      if (place === undefined) return []
      turns.serve(lane, Number(row['turn']))
      return [take(row, open(Number(row['no']), place, nowMs), leaseMs, nowMs)]
    })
  }

  function take(row: Record<string, unknown>, attempt: ClaimedRow['attempt'], leaseMs: number, nowMs: number): ClaimedRow {
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
      attempt,
    }
  }

  /** The attempt that is open; null when there is none. */
  function resume(no: number): ClaimedRow['attempt'] | null {
    const last = lastAttempt.get(no)
    const state = last?.['state']
    if (last === undefined || (state !== 'starting' && state !== 'started')) return null
    const operation = last['operation']
    return {
      number: Number(last['number']),
      state,
      resumed: true,
      failedBefore: Number(countFailed.get(no)?.['failed']),
      route: String(last['route']),
      frozenNo: Number(last['frozen_no']),
      operation: operation === null ? null : String(operation),
      startedAtMs: Number(last['started_at']),
    }
  }

  function open(no: number, { route, frozenNo }: ClaimedLane['routes'][number], nowMs: number): ClaimedRow['attempt'] {
    const last = lastAttempt.get(no)
    const number = Number(last?.['number'] ?? 0) + 1
    const failedBefore = last === undefined ? 0 : Number(countFailed.get(no)?.['failed'])
    openAttempt.run(no, number, route, frozenNo, nowMs)
    return { number, state: 'starting', resumed: false, failedBefore, route, frozenNo, operation: null, startedAtMs: nowMs }
  }
}
