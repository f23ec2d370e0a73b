import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { firstTaskNoAt } from '../../identity/task-id.ts'
import { unreachable } from '../../lib/unreachable.ts'
import { createAcceptTask, findRefusal } from './accept-task.ts'
import type { Statement } from '../statement.ts'
import { LimitCounters } from './limit-counters.ts'
import { createClaimTasks } from './claim-tasks.ts'
import { isTakenOver, type DatabaseOwner } from './database-owner.ts'
import { createDistributeEvents } from './distribute-events.ts'
import { createEndTask } from './end-task.ts'
import { createEraseTasks } from './erase-tasks.ts'
import { createForwardRequests } from './forward-requests.ts'
import { EventOutbox } from './event-outbox.ts'
import { IdempotencyKeys } from './idempotency-keys.ts'
import { Ledger } from './ledger.ts'
import { VirtualStarts } from './virtual-starts.ts'
import { SlotPools } from './slot-pools.ts'
import { writerBusyTimeoutMs } from './open-database.ts'
import { PreparedStatements } from './prepared-statements.ts'
import { transientReasonOf } from './sqlite-errors.ts'
import { createRemoveTasks } from './remove-tasks.ts'
import { createStepTask } from './step-task.ts'
import { TaskAssets } from './task-assets.ts'
import { Usage } from './usage.ts'
import { WaitingLanes } from './waiting-lanes.ts'
import { WaitQueues } from './wait-queues.ts'
import type { WriteBatch, WriteOperation, WriteOutcome } from '../write-operations.ts'

/**
 * Time for which a batch waits for another process's lock after an earlier batch has waited in
 * vain.
 */
const retryBusyTimeoutMs = 100

const subscriptionTables = /event_subscribers|credits_low_at/
/**
 * Matches a statement that only changes a table of webhooks. Such statements are frequent, and none
 * of them changes a limit.
 */
const webhookStatement = /^\s*(?:insert into|update|delete from) "?webhook_/

type BatchTimes = Pick<WriteBatch, 'nowMs' | 'expiryMs'>

/**
 * The only writer of an SQLite database. All operations of a batch share one transaction.
 *
 * If an operation or the commit throws, the transaction is rolled back, and each operation is tried
 * again in a transaction of its own. Only the faulty operation then fails, with its reason, and the
 * others are written. If another process holds the database's lock, all operations fail.
 */
export class Writer {
  readonly #database: DatabaseSync
  readonly #owner: DatabaseOwner | undefined
  readonly #ledger: Ledger
  readonly #outbox: EventOutbox
  readonly #usage: Usage
  readonly #limitCounters: LimitCounters
  readonly #taskAssets: TaskAssets
  readonly #waitQueues: WaitQueues
  readonly #pools: SlotPools
  readonly #accept: ReturnType<typeof createAcceptTask>
  readonly #keys: IdempotencyKeys
  readonly #claim: ReturnType<typeof createClaimTasks>
  readonly #step: ReturnType<typeof createStepTask>
  readonly #end: ReturnType<typeof createEndTask>
  readonly #erase: ReturnType<typeof createEraseTasks>
  readonly #removeTasks: ReturnType<typeof createRemoveTasks>
  readonly #forward: ReturnType<typeof createForwardRequests>
  readonly #distribute: ReturnType<typeof createDistributeEvents>
  readonly #begin: StatementSync
  readonly #commit: StatementSync
  readonly #rollback: StatementSync
  readonly #indexTask: StatementSync
  readonly #setUsed: StatementSync
  readonly #setListedUntil: StatementSync
  readonly #makeDue: StatementSync
  readonly #writeCheck: StatementSync
  readonly #releaseHeld: StatementSync
  #lastNowMs: number
  #hasErased = false
  /** Whether a batch has waited `writerBusyTimeoutMs` in vain for another process's lock. */
  #isLocked = false
  readonly #statements: PreparedStatements
  #isSyncing = true

  /** Creates the writer. `owner` is left out if no other process can open the database. */
  constructor(database: DatabaseSync, nowMs: number, owner?: DatabaseOwner) {
    this.#database = database
    this.#statements = new PreparedStatements(database)
    this.#owner = owner
    this.#outbox = new EventOutbox(database)
    this.#ledger = new Ledger(database, this.#outbox)
    this.#usage = new Usage(database)
    this.#limitCounters = new LimitCounters(database, this.#usage, nowMs)
    const virtualStarts = new VirtualStarts(database)
    this.#waitQueues = new WaitQueues(database, this.#limitCounters, virtualStarts)
    this.#taskAssets = new TaskAssets(database)
    this.#pools = new SlotPools(database)
    this.#keys = new IdempotencyKeys(database, nowMs)
    const dependencies = {
      ledger: this.#ledger,
      outbox: this.#outbox,
      limitCounters: this.#limitCounters,
      taskAssets: this.#taskAssets,
      usage: this.#usage,
      waitQueues: this.#waitQueues,
      pools: this.#pools,
      virtualStarts,
      keys: this.#keys,
      waitingLanes: new WaitingLanes(database),
    }
    this.#accept = createAcceptTask(database, dependencies)
    this.#claim = createClaimTasks(database, dependencies)
    this.#step = createStepTask(database, this.#pools, this.#outbox)
    this.#setUsed = database.prepare('update api_keys set last_used_at = max(coalesce(last_used_at, 0), ?) where no = ?')
    this.#end = createEndTask(database, dependencies)
    this.#erase = createEraseTasks(database)
    this.#removeTasks = createRemoveTasks(database)
    this.#forward = createForwardRequests(database, dependencies)
    this.#distribute = createDistributeEvents(database)
    this.#begin = database.prepare('begin immediate')
    this.#commit = database.prepare('commit')
    this.#rollback = database.prepare('rollback')
    this.#makeDue = database.prepare(
      'update tasks set due_at = ? where due_at > ? and virtual_start is null and waits = 0 and lease_until is null',
    )
    this.#releaseHeld = database.prepare('update tasks set held = 2, waits = 1 where no = ? and waits = 2')
    this.#lastNowMs = nowMs
    this.#indexTask = database.prepare('insert or ignore into tasks_by_account values (?, ?)')
    this.#writeCheck = database.prepare("insert or replace into settings values ('write_checked_at', ?)")
    this.#setListedUntil = database.prepare("insert or replace into settings values ('tasks_listed_until', ?)")
  }

  /**
   * Applies a batch and returns the outcome of each operation. Throws if another process has taken
   * over the database, because this process must not write any more.
   */
  apply(batch: WriteBatch): WriteOutcome[] {
    this.#ledger.setExpiryTime(batch.expiryMs)
    try {
      const outcomes = this.#runTransaction(batch.operations, batch)
      if (this.#isLocked) this.#waitForLock(writerBusyTimeoutMs)
      return outcomes
    } catch (error) {
      if (isTakenOver(error)) throw error
      // Another process holds the lock. Each retry of a single operation, and each later batch,
      // would wait as long for the lock as this batch did.
      const isBusy = isLocked(error)
      if (isBusy) this.#waitForLock(retryBusyTimeoutMs)
      if (batch.operations.length === 1 || isBusy) return batch.operations.map(() => failedOutcome(error))
    }
    return batch.operations.map((operation) => this.#applyAlone(operation, batch))
  }

  /**
   * Whether content was removed since the last call. The write-ahead log may still contain earlier
   * versions of the changed pages.
   */
  takeErased(): boolean {
    const hasErased = this.#hasErased
    this.#hasErased = false
    return hasErased
  }

  /** Whether events were recorded since the last call. */
  takeRecordedEvents(): boolean {
    return this.#outbox.takeRecorded()
  }

  #waitForLock(ms: number): void {
    this.#isLocked = ms < writerBusyTimeoutMs
    this.#database.exec(`pragma busy_timeout = ${ms}`)
  }

  #applyAlone(operation: WriteOperation, times: BatchTimes): WriteOutcome {
    try {
      return this.#runTransaction([operation], times)[0] ?? null
    } catch (error) {
      if (isTakenOver(error)) throw error
      return failedOutcome(error)
    }
  }

  #runTransaction(operations: WriteOperation[], { nowMs, expiryMs }: BatchTimes): WriteOutcome[] {
    this.#syncCommits(!operations.every(isCommittedWithoutSync))
    this.#begin.run()
    try {
      this.#owner?.requireOwnership()
      // The clock was set back. Without this update, tasks whose due time was set before would wait
      // until the clock reaches that time again.
      if (nowMs < this.#lastNowMs) this.#makeDue.run(nowMs, nowMs)
      this.#lastNowMs = nowMs
      this.#limitCounters.beginBatch(nowMs)
      const outcomes = operations.map((operation) => this.#applyOne(operation, nowMs, expiryMs))
      // The end of each forwarded request changes the balance again.
      this.#ledger.flush(operations.every(({ kind }) => kind === 'hold_forwarded'))
      this.#usage.flush()
      this.#commit.run()
      this.#ledger.commit()
      this.#limitCounters.commit()
      return outcomes
    } catch (error) {
      this.#ledger.clearCache()
      this.#outbox.clearCache()
      if (this.#database.isTransaction) this.#rollback.run()
      this.#usage.clearCache()
      this.#limitCounters.rollBack()
      this.#waitQueues.reload()
      this.#pools.reload()
      throw error
    }
  }

  /**
   * Sets whether a commit syncs the log to disk before it returns. Such a commit also syncs all
   * earlier ones.
   */
  #syncCommits(isSyncing: boolean): void {
    if (isSyncing === this.#isSyncing) return
    // SQLite applies this pragma when it compiles the statement, so it cannot be prepared once.
    this.#database.exec(`pragma synchronous = ${isSyncing ? 'full' : 'normal'}`)
    this.#isSyncing = isSyncing
  }

  #applyOne(operation: WriteOperation, nowMs: number, expiryMs: number): WriteOutcome {
    if (operation.kind !== 'query') this.#pools.reloadIfStale()
    switch (operation.kind) {
      case 'accept':
        return this.#accept(operation, nowMs, expiryMs)
      case 'find_task_of_key': {
        const task = this.#keys.find(operation.accountNo, operation.key, expiryMs)
        return task === undefined ? null : { kind: 'task_of_key', no: task.no }
      }
      case 'find_generated_keys':
        return { kind: 'generated_keys', keys: this.#keys.findGenerated(operation) }
      case 'remove_generated_keys':
        this.#keys.removeGenerated(operation.taskNos)
        return null
      case 'find_refusal': {
        const scope = this.#limitCounters.scopeOf(operation.accountNo, operation.keyNo ?? 0)
        const dependencies = { ledger: this.#ledger, limitCounters: this.#limitCounters, taskAssets: this.#taskAssets }
        return findRefusal(dependencies, scope, { ...operation, no: firstTaskNoAt(nowMs) }, nowMs)
      }
      case 'record_key_uses':
        for (let i = 0; i < operation.uses.length; i += 2) {
          this.#setUsed.run(operation.uses[i + 1] ?? null, operation.uses[i] ?? 0)
        }
        return null
      case 'claim':
        return { kind: 'claimed', claims: this.#claim.claim(operation, nowMs) }
      case 'take_due':
        return this.#claim.takeDue(operation, nowMs)
      case 'change_pool':
        this.#pools.change(operation.pool, operation.change, nowMs)
        return null
      case 'check_write':
        this.#writeCheck.run(String(nowMs))
        return null
      case 'read_pools':
        return { kind: 'pools', pools: this.#pools.copyStates() }
      case 'begin':
      case 'move_lane':
      case 'record_operation':
      case 'release_slot':
      case 'mark_reply_lost':
      case 'renew':
      case 'retry_later':
      case 'release':
        return this.#step(operation, nowMs)
      case 'release_held':
        if (this.#releaseHeld.run(operation.no).changes === 0) return { kind: 'missed' }
        this.#writeAll(operation.extraStatements)
        this.#waitQueues.reload()
        this.#waitQueues.admitAll(nowMs)
        return null
      case 'complete':
      case 'cancel':
        return this.#end(operation, nowMs)
      case 'fail': {
        const outcome = this.#end(operation, nowMs)
        if (outcome?.kind === 'ended') this.#writeAll(operation.extraStatements)
        return outcome
      }
      case 'grant': {
        const outcome = this.#ledger.grant(operation, nowMs)
        if (typeof outcome !== 'string') return outcome
        if (outcome === 'duplicate') return { kind: 'missed' }
        this.#writeAll(operation.extraStatements)
        return null
      }
      case 'adjust': {
        const outcome = this.#ledger.adjust(operation, nowMs)
        if (typeof outcome !== 'string') return outcome
        if (outcome === 'uncovered') return { kind: 'missed' }
        if (outcome === 'written') this.#writeAll(operation.extraStatements)
        return null
      }
      case 'expire_grants':
        this.#ledger.expireAll(nowMs)
        return null
      case 'erase':
        this.#hasErased = true
        return this.#erase(operation, nowMs)
      case 'remove_tasks':
        return this.#removeTasks(operation)
      case 'hold_forwarded':
      case 'move_forwarded':
      case 'end_forwarded':
      case 'renew_forwarded':
        return this.#forward(operation, nowMs)
      case 'index_accounts':
        for (let i = 0; i < operation.pairs.length; i += 2) {
          this.#indexTask.run(operation.pairs[i] ?? 0, operation.pairs[i + 1] ?? 0)
        }
        this.#setListedUntil.run(String(operation.listedUntil))
        return null
      case 'limits_changed':
        this.#reloadLimits(nowMs)
        return null
      case 'distribute_events':
        return this.#distribute(operation.countMax)
      case 'query': {
        const outcome = this.#runQuery(operation.query)
        this.#afterStatements([operation.query], nowMs)
        if (operation.query.sql.includes('slot_pools')) this.#pools.markStale()
        return outcome
      }
      case 'write_atomically': {
        const outcome = this.#writeAtomically(operation.statements)
        this.#afterStatements(operation.statements, nowMs)
        return outcome
      }
      default:
        return unreachable(operation)
    }
  }

  /**
   * Called after statements of the query layer, which may have changed limits or subscriptions that
   * are in memory.
   */
  #afterStatements(statements: readonly Statement[], nowMs: number): void {
    if (statements.some(({ sql }) => subscriptionTables.test(sql))) this.#outbox.clearCache()
    if (!statements.every(({ sql }) => webhookStatement.test(sql))) this.#reloadLimits(nowMs)
  }

  #reloadLimits(nowMs: number): void {
    this.#limitCounters.reloadLimits()
    this.#waitQueues.admitAll(nowMs)
  }

  #writeAtomically([statement, ...others]: readonly Statement[]): WriteOutcome {
    if (statement === undefined || this.#runQuery(statement).changes === 0) return { kind: 'missed' }
    this.#writeAll(others)
    return null
  }

  #writeAll(statements: readonly Statement[]): void {
    for (const statement of statements) this.#runQuery(statement)
  }

  #runQuery({ sql, parameters }: Statement): Extract<WriteOutcome, { kind: 'rows' }> {
    const statement = this.#statements.get(sql)
    // The cast is safe: Kysely compiles only values that its column types allow, and SQLite binds
    // all of them.
    const values = parameters as SQLInputValue[]
    if (statement.columns().length > 0) {
      const rows = statement.all(...values)
      return { kind: 'rows', rows, changes: rows.length, lastInsertRowid: 0 }
    }
    const { changes, lastInsertRowid } = statement.run(...values)
    return { kind: 'rows', rows: [], changes: Number(changes), lastInsertRowid: Number(lastInsertRowid) }
  }
}

/**
 * Whether the writer commits the operation without a sync to disk, so that the next operation need
 * not wait for the disk. A killed process loses no such commit, but a power failure may.
 *
 * - A hold or a move of a forwarded request: a power failure also interrupts the request, whose
 *   hold would then be released anyway.
 * - The end of a forwarded request: the store syncs the log afterwards (`log-sync.ts`).
 * - A claim for an upstream: nothing is sent before the commit of `begin`, which syncs the claim
 *   too. A claim for the embedded driver is synced, because it starts the task and may cause an
 *   event.
 * - Due tasks, leases and progress: a power failure also interrupts the work to which they belong.
 */
function isCommittedWithoutSync(operation: WriteOperation): boolean {
  switch (operation.kind) {
    case 'hold_forwarded':
    case 'move_forwarded':
    case 'end_forwarded':
    case 'take_due':
    case 'renew':
      return true
    case 'claim':
      return operation.lanes.every(({ routes }) => routes.every(({ pools }) => pools !== null))
    default:
      return false
  }
}

function failedOutcome(error: unknown): WriteOutcome {
  const { message } = error as Error
  const reason = transientReasonOf(error)
  return { kind: 'failed', message, ...(reason === null ? { code: 'error' } : { code: 'unavailable', reason }) }
}

function isLocked(error: unknown): boolean {
  return transientReasonOf(error) === 'SQLITE_BUSY'
}
