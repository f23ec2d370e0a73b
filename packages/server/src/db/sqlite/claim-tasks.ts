import type { DatabaseSync } from 'node:sqlite'
import { claimedImagesBytesMax, type AttemptPools, type ClaimedImages, type LaneGrant, type RouteGrant } from '../task-queue.ts'
import type { ClaimedRow, WriteOperation, WriteOutcome } from '../write-operations.ts'
import { releasedMark } from '../held-tasks.ts'
import type { LimitCounters } from './limit-counters.ts'
import type { EventOutbox } from './event-outbox.ts'
import type { VirtualStarts } from './virtual-starts.ts'
import type { SlotPools } from './slot-pools.ts'
import type { WaitingLanes } from './waiting-lanes.ts'
import type { WaitQueues } from './wait-queues.ts'

type TakeDueOperation = Extract<WriteOperation, { kind: 'take_due' }>
type ClaimOperation = Extract<WriteOperation, { kind: 'claim' }>

export interface ClaimTasksDependencies {
  outbox: EventOutbox
  limitCounters: LimitCounters
  waitQueues: WaitQueues
  virtualStarts: VirtualStarts
  pools: SlotPools
  waitingLanes: WaitingLanes
}

/** Maximum number of due tasks without a virtual start that one `takeDue` handles. */
const dueBatchMax = 500

export interface ClaimTasks {
  takeDue(operation: TakeDueOperation, nowMs: number): WriteOutcome
  claim(operation: ClaimOperation, nowMs: number): ClaimedRow[]
}

/**
 * Claims tasks in two steps.
 *
 * `takeDue` resumes tasks with an attempt that has begun and is still open, because the worker of
 * such a task has died or released it. It also queues tasks whose delay is over, puts tasks of a
 * restored copy on hold, and returns the lanes (queue partitions) with waiting tasks. It finds
 * these tasks with the index tasks_due_at_idx.
 *
 * `claim` takes the tasks with the lowest virtual starts (`virtual-starts.ts`) of each lane, with
 * the index tasks_virtual_start_idx. It opens an attempt for each on a granted route, as long as
 * the slot pools of the route and of its upstream have free slots.
 */
export function createClaimTasks(
  database: DatabaseSync,
  { outbox, limitCounters, waitQueues, virtualStarts, pools, waitingLanes }: ClaimTasksDependencies,
): ClaimTasks {
  // `? + 0` instead of `?`, because SQLite prepares a statement again for each new value of a bare
  // parameter in `limit`.
  const dueTasks = database.prepare(`
    select no, tail, account_no, coalesce(key_no, 0) as key_no, price, lane, lease_fence, started_at, goes_behind, held
    from tasks
    where due_at <= ? and virtual_start is null and waits = 0
    order by due_at
    limit ? + 0`)
  const setVirtualStart = database.prepare('update tasks set virtual_start = ?, goes_behind = 0 where no = ?')
  const setOnHold = database.prepare(
    'update tasks set waits = 2, first_due_at = null, goes_behind = 0, lease_until = null where no = ?',
  )
  const nextTasks = database.prepare(`
    select no, tail, lease_fence, started_at, virtual_start, held
    from tasks
    where lane = ? and virtual_start is not null
    order by virtual_start
    limit ? + 0`)
  const resumeTask = database.prepare('update tasks set due_at = ?, lease_until = ?, lease_fence = ? where no = ?')
  const assignTask = database.prepare(`
    update tasks
    set first_due_at = coalesce(first_due_at, due_at), due_at = ?, lease_until = ?, lease_fence = ?, virtual_start = null
    where no = ?`)
  const beginTask = database.prepare(`
    update tasks
    set version = version + (status = 'queued'), status = 'processing', started_at = ?,
      due_at = ?, lease_until = ?, lease_fence = ?, virtual_start = null
    where no = ?`)
  const lastAttempt = database.prepare(`
    select number, state, route, snapshot_no, operation, started_at, deadline_ms, route_pool, upstream_pool, begun_fence
    from task_attempts
    where task_no = ?
    order by number desc
    limit 1`)
  const countFailed = database.prepare("select count(*) as failed from task_attempts where task_no = ? and state = 'failed'")
  const readImages = database.prepare(`
    select octet_length(images) as bytes,
      case when octet_length(images) <= ${claimedImagesBytesMax} then images end as text
    from task_images
    where task_no = ?`)
  const insertAttempt = database.prepare(`
    insert into task_attempts
      (task_no, number, state, route, snapshot_no, started_at, deadline_ms, route_pool, upstream_pool, holds_slot, begun_fence)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const deleteAttempt = database.prepare('delete from task_attempts where task_no = ? and number = ?')

  return {
    takeDue({ leaseMs, countMax }, nowMs) {
      const claims: ClaimedRow[] = []
      for (const row of dueTasks.all(nowMs, dueBatchMax)) {
        const no = Number(row['no'])
        const fence = Number(row['lease_fence']) + 1
        const attempt = fence === 1 ? null : resumeOrDeleteAttempt(no, fence)
        if (attempt === null && row['held'] === 1) putOnHold(row, nowMs)
        else if (attempt === null) setVirtualStart.run(nextVirtualStart(row), no)
        else {
          resumeTask.run(nowMs + leaseMs, nowMs + leaseMs, fence, no)
          claims.push(claimedRow(row, fence, Number(row['started_at'] ?? nowMs), attempt))
        }
      }
      return { kind: 'due', claims, waiting: waitingLanes.count(countMax), pools: pools.copyStates() }
    },

    claim: ({ lanes, leaseMs }, nowMs) => lanes.flatMap((lane) => claimFrom(lane, leaseMs, nowMs)),
  }

  /** Puts a task on hold. From then on it does not count toward limits on tasks in flight. */
  function putOnHold(row: Record<string, unknown>, nowMs: number): void {
    setOnHold.run(Number(row['no']))
    const scope = limitCounters.scopeOf(Number(row['account_no']), Number(row['key_no']))
    limitCounters.release(scope, Number(row['price']))
    waitQueues.admitAfter(scope, nowMs)
  }

  function nextVirtualStart(row: Record<string, unknown>): number {
    const lane = Number(row['lane'])
    if (Number(row['lease_fence']) === 0) return virtualStarts.next(lane, Number(row['account_no']))
    return Number(row['goes_behind']) === 1 ? virtualStarts.backOf(lane) : virtualStarts.frontOf(lane)
  }

  function claimFrom({ lane, routes }: LaneGrant, leaseMs: number, nowMs: number): ClaimedRow[] {
    return routes.flatMap((route) => {
      const freeSlots = pools.freeSlots(route, nowMs)
      if (freeSlots === 0) return []
      return nextTasks.all(lane, freeSlots).map((row) => {
        virtualStarts.advance(lane, Number(row['virtual_start']))
        const no = Number(row['no'])
        const fence = Number(row['lease_fence']) + 1
        const leaseUntilMs = nowMs + leaseMs
        const startedAtMs = Number(row['started_at'] ?? nowMs)
        if (route.pools === null) {
          beginTask.run(startedAtMs, leaseUntilMs, leaseUntilMs, fence, no)
          if (row['started_at'] === null) outbox.recordTaskStart(no, nowMs)
        } else assignTask.run(leaseUntilMs, leaseUntilMs, fence, no)
        const attempt = openAttempt(no, fence, route, nowMs)
        return claimedRow(row, fence, startedAtMs, row['held'] === releasedMark ? { ...attempt, mustFindJob: true } : attempt)
      })
    })
  }

  function claimedRow(
    row: Record<string, unknown>,
    fence: number,
    startedAtMs: number,
    attempt: ClaimedRow['attempt'],
  ): ClaimedRow {
    const no = Number(row['no'])
    return { no, tail: String(row['tail']), fence, startedAtMs, images: claimedImages(readImages.get(no)), attempt }
  }

  /**
   * Returns the open attempt of the task if it has begun, otherwise null. Deletes an open attempt
   * that was only assigned, because nothing was sent for it.
   */
  function resumeOrDeleteAttempt(no: number, fence: number): ClaimedRow['attempt'] | null {
    const lastRow = lastAttempt.get(no)
    const state = lastRow?.['state']
    if (lastRow === undefined || (state !== 'assigned' && state !== 'starting' && state !== 'started')) return null
    const number = Number(lastRow['number'])
    const attemptPools = poolsOf(lastRow)
    if (state === 'assigned') {
      deleteAttempt.run(no, number)
      if (attemptPools !== null) pools.release(attemptPools, true)
      return null
    }
    const operation = lastRow['operation']
    const deadlineMs = lastRow['deadline_ms']
    return {
      number,
      state,
      resumed: true,
      timesResumed: fence - Number(lastRow['begun_fence']),
      failedBefore: Number(countFailed.get(no)?.['failed']),
      route: String(lastRow['route']),
      snapshotNo: Number(lastRow['snapshot_no']),
      operation: operation === null ? null : String(operation),
      startedAtMs: Number(lastRow['started_at']),
      deadlineMs: deadlineMs === null ? null : Number(deadlineMs),
      pools: attemptPools,
    }
  }

  function openAttempt(no: number, fence: number, grant: RouteGrant, nowMs: number): ClaimedRow['attempt'] {
    const { route, snapshotNo, deadlineMs } = grant
    const attemptPools = grant.pools === null ? null : { route: grant.pools.route.pool, upstream: grant.pools.upstream.pool }
    const lastRow = fence === 1 ? undefined : lastAttempt.get(no)
    const number = Number(lastRow?.['number'] ?? 0) + 1
    const failedBefore = lastRow === undefined ? 0 : Number(countFailed.get(no)?.['failed'])
    const state = attemptPools === null ? 'starting' : 'assigned'
    const [routePool, upstreamPool] = [attemptPools?.route ?? null, attemptPools?.upstream ?? null]
    const [holdsSlot, begunFence] = attemptPools === null ? [0, fence] : [1, 0]
    insertAttempt.run(no, number, state, route, snapshotNo, nowMs, deadlineMs, routePool, upstreamPool, holdsSlot, begunFence)
    if (attemptPools !== null) pools.acquire(attemptPools)
    return {
      number,
      state,
      resumed: false,
      timesResumed: 0,
      failedBefore,
      route,
      snapshotNo,
      operation: null,
      startedAtMs: nowMs,
      deadlineMs,
      pools: attemptPools,
    }
  }
}

/**
 * Whether an attempt with slots counts as unconfirmed: the upstream has not accepted it yet, and
 * the response to its submit is not known to be lost.
 */
export function isUnconfirmed(row: Record<string, unknown>): boolean {
  return row['operation'] === null && row['reply_lost'] === 0
}

/**
 * Returns the pools in which an attempt or a forwarded request has taken slots. Null: only this
 * process counts the slots of the route.
 */
export function poolsOf(row: Record<string, unknown>): AttemptPools | null {
  const route = row['route_pool']
  const upstream = row['upstream_pool']
  return route === null || upstream === null ? null : { route: Number(route), upstream: Number(upstream) }
}

function claimedImages(row: Record<string, unknown> | undefined): ClaimedImages {
  if (row === undefined) return { text: null }
  const { text, bytes } = row
  return typeof text === 'string' ? { text } : { bytes: Number(bytes) }
}
