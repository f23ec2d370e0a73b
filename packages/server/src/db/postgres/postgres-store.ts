import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { isTerminal } from '@framegate/contract'
import { Kysely } from 'kysely'
import type { Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import { SerialQueue } from '../../lib/serial-queue.ts'
import { subscribe } from '../../lib/subscribe.ts'
import { createdAtMsOfNo, createTaskIdsInSlot, firstTaskNoAt, isTaskId, taskIdOf, taskNoOf } from '../../identity/task-id.ts'
import { releasedMark } from '../held-tasks.ts'
import type { WatchedTasks } from '../change-feed.ts'
import type { ForwardedEnd, ForwardRoute, HoldOutcome, NewForwardedRequest } from '../forwarded-requests.ts'
import type { DistributedEvents } from '../event-log.ts'
import type { AdjustOptions, CreditsReport, EntryListQuery, ExpireOptions, GrantOptions, LedgerEntry } from '../ledger.ts'
import type { Statement } from '../statement.ts'
import type { Store } from '../store.ts'
import { StoreListeners, type DistributedListener } from '../store-listeners.ts'
import type { DroppedMonth, MoveRange, MovedTasks, RemovedTasks, TaskRange } from '../task-history.ts'
import type {
  Backlog,
  ExpiredResult,
  Improvement,
  NewPreview,
  GeneratedText,
  StoredResults,
  TaskListQuery,
  TaskRecord,
} from '../task-queries.ts'
import type {
  AcceptOutcome,
  AssetsMissing,
  AttemptCosts,
  AttemptEnding,
  AttemptNote,
  Claim,
  CreditsRefusal,
  DueTasks,
  ErasedContent,
  ErasedTask,
  Failure,
  LaneGrant,
  LaneMove,
  Lease,
  NewTask,
  PoolChange,
  PoolState,
  RenewedLease,
  TaskCheck,
} from '../task-queue.ts'
import type { WorkerPosition } from '../workers.ts'
import { recordImprovement, recordText } from '../record-text.ts'
import { listExpiredResults, listRecentlyFailed, markRemoved, recordPreview, withThumbnail } from '../stored-results.ts'
import type { Tables } from '../tables.ts'
import { taskRecordOf } from '../task-record.ts'
import {
  idempotencyRetentionMs,
  readTaskOfKey,
  removeKeys,
  replaceGeneratedKey,
  type GeneratedKey,
  type GeneratedKeySearch,
  type TaskOfKey,
} from '../retried-requests.ts'
import { findGeneratedKeys, removeGeneratedKeys } from './generated-keys.ts'
import { WaitingSubmits } from '../waiting-submits.ts'
import { acceptOperationOf, findRefusalOperation, noAndFenceOf, noteOf } from '../write-operations.ts'
import { acceptedRecord, failureOf, refusalOf, refusedAccept } from '../write-outcomes.ts'
import type { BatchOutcome, WrittenBatch, ClaimedTask } from './batch-result.ts'
import type { BatchOperation } from './batch-operations.ts'
import { ChangeMessages } from './change-messages.ts'
import { ForwardedWriter } from './forwarded-writer.ts'
import type { ConnectionPool } from './connections.ts'
import { EndedTasks } from './ended-tasks.ts'
import { eraseTasks, removeTasks, type EraseDependencies } from './erase-tasks.ts'
import { expireGrants } from './expire-grants.ts'
import { listTasks } from './list-tasks.ts'
import { dropPastMonth } from './past-months.ts'
import { holdRestored } from './hold-restored.ts'
import { adjustCredits, grantCredits, type CreditWriter } from './move-credits.ts'
import { NextTaskFinder } from './next-task.ts'
import { OrderedWriter } from './ordered-writer.ts'
import { purgeCounts } from './purge-counts.ts'
import { purgeKeys } from './purge-keys.ts'
import { createPostgresDialect } from './postgres-dialect.ts'
import { listEntries } from './read-entries.ts'
import { recordKeyUses } from './record-key-uses.ts'
import { TaskReader } from './read-tasks.ts'
import { resetFutureTimes } from './reset-future-times.ts'
import { ConfigWatch } from './config-watch.ts'
import { ListenConnection } from './listen-connection.ts'
import { execute, inTransaction, queryValue } from './transaction.ts'
import { verifyCredits } from './verify-credits.ts'
import { WatchList } from './watch-list.ts'

/**
 * Interval of the poll of watched tasks. The poll is necessary because notifications are only
 * hints.
 */
const watchIntervalMs = 3_000
/** Maximum wait of `applyConfigChanges` for a database that does not respond. */
const applyConfigMsMax = 1_000
/** Interval at which `#purge` runs. */
const purgeIntervalMs = 10 * 60 * 1000
/**
 * If the expiry clock is behind the store's clock by at most this, the batches of the writer
 * compare expiry times with the database's clock.
 */
const clockDifferenceMsMax = 1_000

export interface PostgresStoreOptions {
  connections: ConnectionPool
  /** A clock that replaces the clock of the database in tests. */
  clock?: Clock
  /** Whether the database is a restored copy, whose tasks are put on hold. */
  isRestored?: boolean
  logger?: Pick<Logger, 'error'>
}

/**
 * Opens the store on a migrated database. The store closes `connections` when it is closed. If it
 * cannot be opened, this function closes them.
 */
export async function openPostgresStore({
  connections,
  clock,
  isRestored = false,
  logger,
}: PostgresStoreOptions): Promise<PostgresStore> {
  let store: PostgresStore | undefined
  await using resources = new AsyncDisposableStack()
  resources.defer(() => connections.end())
  const listenConnection = await ListenConnection.open({
    connections,
    onMessage: (payload) => store?.receive(payload),
    onReconnected: () => store?.resync(),
  })
  resources.defer(() => listenConnection.close())
  const configWatch = await ConfigWatch.open(connections)
  resources.defer(() => configWatch.close())
  const [highest] = await connections.read<{ no: number }>({
    text: 'select greatest((select max(no) from tasks), (select max(no) from forwarded_requests), 0) as no',
  })
  await connections.read({ text: 'delete from writers where opened_at < database_ms() - 604800000' })
  await holdRestored(connections, { isRestored, nowMs: clock?.() ?? null })
  store = new PostgresStore({
    connections,
    listenConnection,
    configWatch,
    highestNo: highest?.no ?? 0,
    ...(clock && { clock }),
    ...(logger && { logger }),
  })
  resources.move()
  return store
}

interface PostgresStoreDependencies extends PostgresStoreOptions {
  listenConnection: ListenConnection
  configWatch: ConfigWatch
  /** The highest number of a task or a forwarded request. 0: there is none. */
  highestNo: number
}

/**
 * The store on PostgreSQL. Any number of processes may write to the database at the same time. SQL
 * functions (migrations/postgres) check balances, limits, keys and leases in the transaction of the
 * write. Memory contains only ended tasks.
 */
export class PostgresStore implements Store {
  readonly isShared = true
  readonly database: Kysely<Tables>
  /** The clock of the database, as this process measures it. */
  readonly clock: Clock
  readonly writer: OrderedWriter
  readonly #connections: ConnectionPool
  readonly #listenConnection: ListenConnection
  readonly #configWatch: ConfigWatch
  readonly #messages: ChangeMessages
  readonly #tasks: TaskReader
  readonly #ended = new EndedTasks()
  readonly #highestNo: number
  readonly #listeners = new StoreListeners()
  readonly #watched: WatchList
  readonly #verifying = new SerialQueue()
  readonly #timers: NodeJS.Timeout[]
  readonly #waitingSubmits = new WaitingSubmits()
  #isClosing = false
  /** A clock that replaces the clock of the database in tests. */
  readonly #testClock: Clock | null
  #expiryClock: Clock
  readonly #nextTask: NextTaskFinder
  readonly #forwarded: ForwardedWriter
  readonly #creditWriter: CreditWriter
  readonly #erasure: EraseDependencies

  constructor({ connections, listenConnection, configWatch, highestNo, clock, logger }: PostgresStoreDependencies) {
    const id = randomUUID()
    this.#connections = connections
    this.#listenConnection = listenConnection
    this.#configWatch = configWatch
    this.#highestNo = highestNo
    this.#testClock = clock ?? null
    this.clock = clock ?? (() => listenConnection.now())
    this.#expiryClock = this.clock
    this.#messages = new ChangeMessages(id, (payload) => listenConnection.publish(payload))
    this.#tasks = new TaskReader(connections)
    this.#watched = new WatchList(connections)
    this.#nextTask = new NextTaskFinder(connections)
    this.writer = new OrderedWriter({
      connections,
      id,
      testClock: this.#testClock,
      pendingExpiryMs: () => {
        const expiryMs = this.#expiryClock()
        return this.clock() - expiryMs > clockDifferenceMsMax ? expiryMs : null
      },
      onWritten: (written) => this.#applyWritten(written),
      onWritesLost: () =>
        logger?.error(
          'the database lacks confirmed writes, so it is a copy from an earlier time: stop all processes, and start the ' +
            'first one with --restored',
        ),
    })
    this.#creditWriter = { writer: this.writer, testClock: this.#testClock }
    this.#erasure = { writer: this.writer, messages: this.#messages, testClock: this.#testClock }
    this.database = new Kysely<Tables>({ dialect: createPostgresDialect(connections, this.writer) })
    this.#forwarded = new ForwardedWriter(this.writer, connections, this.#testClock)
    this.#timers = [
      setInterval(() => void this.#pollWatched(), watchIntervalMs),
      setInterval(() => void this.#purge().catch(() => undefined), purgeIntervalMs),
    ]
    for (const timer of this.#timers) timer.unref()
  }

  createTaskIds(clock: Clock): () => string {
    if (createdAtMsOfNo(this.#highestNo) > clock()) this.#nextTask.find(clock())
    return createTaskIdsInSlot(clock, this.#highestNo, () => this.#listenConnection.slot, {
      findNextMs: (ms) => this.#nextTask.find(ms),
    })
  }

  setExpiryClock(clock: Clock): void {
    this.#expiryClock = clock
  }

  async readNewestTaskMs(): Promise<number | null> {
    return this.#highestNo === 0 ? null : createdAtMsOfNo(this.#highestNo)
  }

  async accept(task: NewTask): Promise<AcceptOutcome> {
    const { writer } = this
    if (this.#waitingSubmits.isFull(writer.pendingCount) || writer.isUnavailable) return { kind: 'overloaded' }
    const characters = this.#waitingSubmits.add(task)
    const outcome = await this.#write(acceptOperationOf(task))
    this.#waitingSubmits.remove(characters)
    return this.#finishAccept(task, outcome)
  }

  findTaskOfKey(accountNo: number, key: string): Promise<TaskOfKey | undefined> {
    return readTaskOfKey(this.database, { accountNo, key, oldestNo: this.#oldestNoWithKey() })
  }

  findGeneratedKeys(search: GeneratedKeySearch): Promise<GeneratedKey[]> {
    return findGeneratedKeys(this.database, search)
  }

  replaceGeneratedKey(taskId: string, key: string, newKey: string): Promise<boolean> {
    return replaceGeneratedKey(this.database, taskId, key, newKey)
  }

  removeGeneratedKeys(taskIds: readonly string[]): Promise<void> {
    return removeGeneratedKeys(this.database, taskIds)
  }

  removeKeys(taskIds: readonly string[]): Promise<void> {
    return removeKeys(this.database, taskIds)
  }

  async findRefusal(task: TaskCheck): Promise<CreditsRefusal | AssetsMissing | null> {
    return refusalOf(await this.#write(findRefusalOperation(task)))
  }

  /** Returns an ended task from memory if its files cannot have been removed since it was read. */
  peek(id: string): TaskRecord | undefined {
    // Without a connection for notifications, this process may not know that another process has
    // deleted the task.
    return this.#listenConnection.isListening ? this.#ended.peek(id, this.clock()) : undefined
  }

  async find(id: string): Promise<TaskRecord | undefined> {
    const cachedTask = this.peek(id)
    if (cachedTask !== undefined || !isTaskId(id)) return cachedTask
    const task = await this.#tasks.find(id)
    if (task === undefined || task.isDeleted === true || this.#ended.hasDeleted(id)) return undefined
    this.#ended.add(task)
    return task
  }

  list(query: TaskListQuery): Promise<TaskRecord[]> {
    return listTasks(this.#connections, query)
  }

  async takeDue(leaseMs: number, countMax: number): Promise<DueTasks> {
    const outcome = await this.#write({ kind: 'take_due', leaseMs, countMax })
    if (outcome?.kind !== 'due') throw failureOf(outcome)
    const { claims, waiting, pools } = outcome
    return { claims: claims.map((claimed) => this.#publishClaim(claimed)), waiting, pools }
  }

  resetFutureTimes(leaseMs: number): Promise<void> {
    return this.writer.run((client) => resetFutureTimes(client, { leaseMs, nowMs: this.#testClock?.() ?? null }))
  }

  async claim(lanes: readonly LaneGrant[], leaseMs: number): Promise<Claim[]> {
    const outcome = await this.#write({ kind: 'claim', lanes, leaseMs })
    if (outcome?.kind !== 'claimed') throw failureOf(outcome)
    return outcome.claims.map((claimed) => this.#publishClaim(claimed))
  }

  async beginAttempt(lease: Lease, attempt: number): Promise<'begun' | 'missed' | 'paused'> {
    const outcome = await this.#write({ kind: 'begin', ...noAndFenceOf(lease), attempt })
    if (outcome === null) return 'begun'
    if (outcome.kind === 'missed' || outcome.kind === 'paused') return outcome.kind
    throw failureOf(outcome)
  }

  async moveToLane(moves: readonly LaneMove[]): Promise<void> {
    if (moves.length === 0) return
    await Promise.all(moves.map(({ id, from, to }) => this.#applyStep({ kind: 'move_lane', no: taskNoOf(id), from, to })))
    this.#notifyDue()
  }

  async changePool(pool: number, change: PoolChange): Promise<void> {
    await this.#applyStep({ kind: 'change_pool', pool, change })
    if (change.kind === 'reopen') this.#notifyDue()
    else if (change.kind === 'confirm') this.#listeners.notifyTaskDue()
  }

  async readPools(): Promise<PoolState[]> {
    const [row] = await this.#connections.read<{ pools: PoolState[] }>({
      name: 'read_pools',
      text: 'select pool_states() as pools',
    })
    return row?.pools ?? []
  }

  async markReplyLost(taskId: string, attempt: number): Promise<void> {
    await this.#applyStep({ kind: 'mark_reply_lost', no: taskNoOf(taskId), attempt })
    this.#notifyDue()
  }

  async releaseSlot(taskId: string, attempt: number): Promise<void> {
    await this.#applyStep({ kind: 'release_slot', no: taskNoOf(taskId), attempt })
    this.#notifyDue()
  }

  recordOperation(lease: Lease, attempt: number, operation: string): Promise<boolean> {
    return this.#applyStep({ kind: 'record_operation', ...noAndFenceOf(lease), attempt, operation })
  }

  async renew(leases: RenewedLease[], leaseMs: number): Promise<Lease[]> {
    const areRenewed = await Promise.all(
      leases.map((lease) => this.#applyStep({ kind: 'renew', ...noAndFenceOf(lease), progress: lease.progress, leaseMs })),
    )
    return leases.filter((_, index) => !areRenewed[index])
  }

  async requeue(lease: Lease, end: AttemptEnding, dueAtMs: number): Promise<boolean> {
    const isWritten = await this.#applyStep({ kind: 'retry_later', ...noAndFenceOf(lease), end, dueAtMs })
    if (isWritten && dueAtMs <= this.clock()) this.#notifyDue()
    return isWritten
  }

  async release(leases: Lease[]): Promise<void> {
    if (leases.length === 0) return
    await Promise.all(leases.map((lease) => this.#applyStep({ kind: 'release', ...noAndFenceOf(lease) })))
    this.#messages.notifyDue()
  }

  recordText(lease: Lease, text: GeneratedText): Promise<boolean> {
    return recordText(this.database, lease, text)
  }

  recordImprovement(lease: Lease, improvement: Improvement): Promise<boolean> {
    return recordImprovement(this.database, lease, improvement)
  }

  complete(
    lease: Lease,
    results: StoredResults,
    chargeMicroCredits: number,
    { cost = null, paidMicroCredits: paid = null }: Partial<AttemptCosts> = {},
  ): Promise<boolean> {
    return this.#end({ kind: 'complete', ...noAndFenceOf(lease), results, charge: chargeMicroCredits, cost, paid })
  }

  async fail(
    lease: Lease,
    failure: Failure,
    note: Partial<AttemptNote> = {},
    extraStatements: readonly Statement[] = [],
  ): Promise<boolean> {
    const operation = { kind: 'fail', ...noAndFenceOf(lease), failure, note: noteOf(note) } as const
    if (extraStatements.length === 0) return this.#end({ ...operation, extraStatements: [] })
    let written: WrittenBatch | undefined
    const hasEnded = await inTransaction(this.writer, extraStatements, async (client) => {
      written = await this.writer.writeIn(client, { ...operation, extraStatements: [] })
      return written.outcomes[0]?.kind === 'ended'
    })
    if (written !== undefined) this.#applyWritten(written)
    return hasEnded
  }

  cancel(id: string): Promise<boolean> {
    return this.#end({ kind: 'cancel', no: taskNoOf(id), failure: { code: 'cancelled', message: 'The task was cancelled.' } })
  }

  async erase(tasks: readonly ErasedTask[], content: ErasedContent): Promise<string[]> {
    const ids = await eraseTasks(this.#erasure, tasks, content)
    this.#ended.remove(ids, content.kind === 'task')
    return ids
  }

  async moveTasks({ fromNo, countMax, resultRetentionMs }: MoveRange): Promise<MovedTasks> {
    const values = [fromNo, countMax, resultRetentionMs]
    const result = await this.writer.run((client) => queryValue(client, 'select move_tasks($1, $2, $3) as result', values))
    return result as MovedTasks
  }

  async dropMonth(beforeNo: number): Promise<DroppedMonth> {
    const dropped = await dropPastMonth(this.#connections, beforeNo, this.#messages.monthDroppedMessage())
    if (dropped.kind === 'dropped') this.#ended.clear()
    return dropped
  }

  async removeTasks(range: TaskRange): Promise<RemovedTasks> {
    const removed = await removeTasks(this.#erasure, range)
    this.#ended.remove(removed.ids, true)
    return removed
  }

  grant(accountNo: number, microCredits: number, note: string, options?: GrantOptions): Promise<boolean> {
    return grantCredits(this.#creditWriter, { accountNo, microCredits, note }, options)
  }

  adjust(accountNo: number, microCredits: number, note: string, options?: AdjustOptions): Promise<boolean> {
    return adjustCredits(this.#creditWriter, { accountNo, microCredits, note }, options)
  }

  expireGrants(options?: ExpireOptions): Promise<void> {
    return expireGrants({ writer: this.writer, connections: this.#connections }, this.#expiryClock(), options)
  }

  listEntries(query: EntryListQuery): Promise<LedgerEntry[]> {
    return listEntries(this.#connections, query)
  }

  readMany({ sql, parameters }: Statement): Promise<Record<string, unknown>[]> {
    return this.#connections.read({ text: sql, values: [...parameters] })
  }

  verifyCredits(signal?: AbortSignal): Promise<CreditsReport> {
    return this.#verifying.run(() => verifyCredits(this.#connections, signal))
  }

  async checkWrite(): Promise<void> {
    const sql = `
      insert into settings (name, value) values ('write_checked_at', database_ms()::text)
      on conflict (name) do update set value = excluded.value`
    await this.writer.run((client) => client.query(sql))
  }

  /** Reads only the index tasks_running_idx, except for rows that changed since the last VACUUM. */
  async readBacklog(): Promise<Backlog[]> {
    const rows = await this.#connections.read<{ model: string; status: Backlog['status']; tasks: number; oldest: number }>({
      text: 'select model, status, count(*) as tasks, min(no) as oldest from tasks where ended_at is null group by model, status',
    })
    return rows.map(({ model, status, tasks, oldest }) => ({ model, status, tasks, oldestAtMs: createdAtMsOfNo(oldest) }))
  }

  writeAheadLog(): null {
    return null
  }

  listRecentlyFailed(): Promise<string[]> {
    return listRecentlyFailed(this.database)
  }

  listExpiredResults(limit: number, nowMs: number, skipCount = 0): Promise<ExpiredResult[]> {
    return listExpiredResults(this.database, limit, nowMs, skipCount)
  }

  async markResultsRemoved(results: ExpiredResult[], nowMs: number): Promise<void> {
    if (results.length > 0) await markRemoved(this.database, results, nowMs)
  }

  holdForwarded(request: NewForwardedRequest): Promise<HoldOutcome> {
    return this.#forwarded.hold(request)
  }

  moveForwarded(no: number, route: ForwardRoute): Promise<boolean> {
    return this.#forwarded.move(no, route)
  }

  async endForwarded(no: number, end: ForwardedEnd): Promise<boolean> {
    const isEnded = await this.#forwarded.end(no, end)
    if (isEnded) this.#listeners.notifyTaskDue()
    return isEnded
  }

  renewForwarded(owner: string, leaseMs: number): Promise<void> {
    return this.#forwarded.renew(owner, leaseMs)
  }

  endAbandonedRequests(activeOwner = ''): Promise<number> {
    return this.#forwarded.endAbandonedRequests(activeOwner)
  }

  async recordPreview(preview: NewPreview, nowMs: number): Promise<boolean> {
    if (!(await recordPreview(this.database, preview, nowMs))) return false
    const task = preview.kind === 'thumbnail' ? this.#ended.get(preview.taskId) : undefined
    if (task !== undefined) this.#ended.add(withThumbnail(task, preview))
    return true
  }

  onTaskChanged(listener: (task: TaskRecord) => void, watched?: WatchedTasks): () => void {
    const stop = this.#listeners.onTaskChanged(listener)
    const stopWatching = watched && this.#watched.add(watched)
    return () => {
      stop()
      stopWatching?.()
    }
  }

  onTaskDue(listener: () => void): () => void {
    return this.#listeners.onTaskDue(listener)
  }

  notifyAttempt(attemptId: string): void {
    this.#listeners.notifyAttempt(attemptId)
    this.#messages.notifyAttempt(attemptId)
  }

  onAttemptNotified(listener: (attemptId: string) => void): () => void {
    return this.#listeners.onAttemptNotified(listener)
  }

  async distributeEvents(countMax: number): Promise<DistributedEvents> {
    const result = await this.writer.run((client) => queryValue(client, 'select distribute_events($1) as result', [countMax]))
    const { events, accounts, hasDeliveries } = result as { events: number; accounts: number[]; hasDeliveries: boolean }
    const distributed = { eventCount: events, accountNos: accounts, hasDeliveries }
    if (events === 0) return distributed
    this.#messages.notifyDistributed(accounts, hasDeliveries)
    this.#listeners.notifyEventsDistributed(distributed)
    return distributed
  }

  onEventsRecorded(listener: () => void): () => void {
    return this.#listeners.onEventsRecorded(listener)
  }

  onEventsDistributed(listener: DistributedListener): () => void {
    return this.#listeners.onEventsDistributed(listener)
  }

  async joinWorkers(): Promise<void> {
    await this.#listenConnection.joinWorkers()
    this.#messages.notifyWorkers()
  }

  async joinMediaStore(lockKey: number): Promise<string[]> {
    return await this.#listenConnection.joinMediaStore(lockKey)
  }

  get workers(): WorkerPosition {
    return this.#listenConnection.workers
  }

  recordKeyUses(uses: (readonly [keyNo: number, atMs: number])[]): Promise<void> {
    return recordKeyUses(this.writer, uses)
  }

  onConfigChanged(listener: () => Promise<void>): () => void {
    return subscribe(this.#configWatch.listeners, listener)
  }

  async applyConfigChanges(): Promise<void> {
    await Promise.race([this.#configWatch.check(), sleep(applyConfigMsMax, undefined, { ref: false })])
  }

  async releaseHeld(id: string, extraStatements: readonly Statement[] = []): Promise<boolean> {
    const isReleased = await inTransaction(this.writer, extraStatements, async (client) => {
      const sql = 'select release_held($1, coalesce($2, database_ms())) as result'
      return (await queryValue(client, sql, [taskNoOf(id), this.#testClock?.() ?? null])) === true
    })
    if (isReleased) this.#notifyDue()
    return isReleased
  }

  async writeAtomically(statement: Statement, ...others: Statement[]): Promise<boolean> {
    return inTransaction(this.writer, others, async (client) => ((await execute(client, statement)).rowCount ?? 0) > 0)
  }

  /**
   * Does nothing, because no failure of this store is permanent: it waits until the database
   * responds again.
   */
  onFatal(): () => void {
    return () => undefined
  }

  /** Handles a notification from another process. */
  receive(payload: string): void {
    const message = this.#messages.read(payload)
    if (message === null) return
    if (message.isConfigChanged) void this.#configWatch.check()
    if (message.areWorkersChanged) void this.#listenConnection.measure()
    if (message.isDue) this.#listeners.notifyTaskDue()
    if (message.feeds.length > 0) {
      const distributed = { accountNos: message.feeds, hasDeliveries: message.hasDeliveries }
      this.#listeners.notifyEventsDistributed(distributed)
    }
    for (const attemptId of message.attempts) this.#listeners.notifyAttempt(attemptId)
    if (message.isMonthDropped) this.#ended.clear()
    this.#ended.remove(message.erased, false)
    this.#ended.remove(message.deleted, true)
    for (const id of message.ended) if (this.#watched.has(id)) void this.#readAndNotify(id)
    for (const id of message.changed) if (this.#watched.knownVersion(id) !== null) void this.#readAndNotify(id)
  }

  /** Called when this process may have missed notifications. */
  resync(): void {
    this.#ended.clear()
    void this.#configWatch.check()
    this.#listeners.notifyTaskDue()
    void this.#pollWatched()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close(() => this.writer.close())
  }

  /** Simulates a killed process for tests. Work in flight is not awaited. */
  async crash(): Promise<void> {
    await this.#close(() => this.writer.abandon())
  }

  async #close(closeWriter: () => Promise<void>): Promise<void> {
    if (this.#isClosing) return
    this.#isClosing = true
    for (const timer of this.#timers) clearInterval(timer)
    this.#configWatch.close()
    this.#messages.close()
    await closeWriter()
    await this.#listenConnection.leaveWorkers()
    this.#messages.notifyWorkers()
    await this.#listenConnection.close()
    await this.#connections.end()
  }

  #finishAccept(task: NewTask, outcome: BatchOutcome | null): AcceptOutcome {
    if (outcome?.kind === 'replayed') return { kind: 'replayed', taskId: taskIdOf(outcome.no, outcome.tail) }
    if (outcome !== null) return refusedAccept(outcome)
    this.#notifyDue()
    return { kind: 'accepted', task: acceptedRecord(task) }
  }

  #publishClaim({ task, images, attempt }: ClaimedTask): Claim {
    const record = taskRecordOf({ ...task, object_key: null })
    // An attempt that is only assigned has not begun, so clients see no change.
    const mayHaveStarted = !attempt.resumed && attempt.state === 'starting'
    if (mayHaveStarted) this.#publishChange(record)
    const claimedAttempt = task.held === releasedMark ? { ...attempt, mustFindJob: true as const } : attempt
    return { id: record.id, fence: task.lease_fence, task: record, images: images ?? { text: null }, attempt: claimedAttempt }
  }

  /** Applies the changes of a batch. Each record has the state of its task after the batch. */
  #applyWritten({ changed, hasEvents }: WrittenBatch): void {
    for (const task of changed) this.#publishChange(task)
    if (hasEvents) this.#listeners.notifyEventsRecorded()
  }

  /** Handles a change by this process: notifies its listeners and the other processes. */
  #publishChange(task: TaskRecord): void {
    this.#notifyListeners(task)
    if (isTerminal(task.status)) this.#messages.notifyEnded(task.id)
    else this.#messages.notifyChanged(task.id)
  }

  #notifyListeners(task: TaskRecord): void {
    this.#ended.add(task)
    this.#listeners.notifyTaskChanged(task)
  }

  #notifyDue(): void {
    this.#listeners.scheduleTaskDue(() => this.#messages.notifyDue())
  }

  /** Reads a watched task that another process may have changed, and notifies the listeners. */
  async #readAndNotify(id: string): Promise<void> {
    const task = await this.#tasks.find(id).catch(() => undefined)
    if (task === undefined) return
    const knownVersion = this.#watched.knownVersion(id)
    if (isTerminal(task.status) || (knownVersion !== null && task.version > knownVersion)) this.#notifyListeners(task)
  }

  /** Polls watched tasks, because notifications are only hints. */
  async #pollWatched(): Promise<void> {
    for (const id of await this.#watched.poll()) void this.#readAndNotify(id)
  }

  /** Removes expired idempotency keys and unneeded rows of `in_flight_counts`. */
  async #purge(): Promise<void> {
    const oldestNo = this.#oldestNoWithKey()
    await purgeKeys(this.writer, oldestNo)
    await purgeCounts(this.writer, oldestNo)
  }

  /** Returns the lowest number of a task whose idempotency key has not expired. */
  #oldestNoWithKey(): number {
    return firstTaskNoAt(this.#expiryClock() - idempotencyRetentionMs)
  }

  #write(operation: BatchOperation): Promise<BatchOutcome | null> {
    return new Promise((resolve) => this.writer.push(operation, resolve))
  }

  async #applyStep(operation: BatchOperation): Promise<boolean> {
    const outcome = await this.#write(operation)
    if (outcome?.kind === 'missed') return false
    if (outcome !== null) throw failureOf(outcome)
    return true
  }

  async #end(operation: BatchOperation): Promise<boolean> {
    const outcome = await this.#write(operation)
    if (outcome?.kind === 'missed') return false
    if (outcome?.kind !== 'ended') throw failureOf(outcome)
    return true
  }
}
