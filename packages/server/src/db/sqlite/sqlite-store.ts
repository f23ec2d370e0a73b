import path from 'node:path'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { Kysely } from 'kysely'
import type { Clock } from '../../lib/clock.ts'
import { SerialQueue } from '../../lib/serial-queue.ts'
import { subscribe } from '../../lib/subscribe.ts'
import { firstTaskNoAt, taskIdOf, taskNoOf } from '../../identity/task-id.ts'
import {
  abandonedEnd,
  abandonedPerBatchMax,
  type ForwardedEnd,
  type ForwardRoute,
  type HoldOutcome,
  type NewForwardedRequest,
} from '../forwarded-requests.ts'
import type { DistributedEvents } from '../event-log.ts'
import type { AdjustOptions, CreditsReport, EntryListQuery, GrantOptions, LedgerEntry } from '../ledger.ts'
import type { Statement } from '../statement.ts'
import type { WriteAheadLog, Store } from '../store.ts'
import { StoreListeners, type DistributedListener } from '../store-listeners.ts'
import type { DroppedMonth, MovedTasks, RemovedTasks, TaskRange } from '../task-history.ts'
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
import { recordImprovement, recordText } from '../record-text.ts'
import { listExpiredResults, listRecentlyFailed, markRemoved, recordPreview, withThumbnail } from '../stored-results.ts'
import { TaskChanges } from '../task-changes.ts'
import type { Tables } from '../tables.ts'
import { WaitingSubmits } from '../waiting-submits.ts'
import { acceptedRecord, failureOf, holdOutcomeOf, refusalOf, refusedAccept } from '../write-outcomes.ts'
import { AccountIndex } from './account-index.ts'
import { logFileBytes } from './write-ahead-log.ts'
import {
  DatabaseThreads,
  startDatabaseThreads,
  type DatabaseLogger,
  type DatabaseThreadsDependencies,
} from './database-threads.ts'
import { createSqliteDialect } from './kysely-dialect.ts'
import { openReadingConnection } from './open-database.ts'
import { LogSync } from './log-sync.ts'
import { LargeReads } from './large-reads.ts'
import { EntryReader } from './read-entries.ts'
import { TaskReader } from './read-tasks.ts'
import { ConfigWatch } from './config-watch.ts'
import { readNow, unavailableOf } from './sqlite-errors.ts'
import { TaskMemory } from './task-memory.ts'
import { WriteBatcher } from './write-batcher.ts'
import {
  readTaskOfKey,
  removeKeys,
  replaceGeneratedKey,
  type GeneratedKey,
  type GeneratedKeySearch,
  type TaskOfKey,
} from '../retried-requests.ts'
import {
  acceptOperationOf,
  findRefusalOperation,
  noAndFenceOf,
  noteOf,
  type ClaimedRow,
  type WriteOperation,
  type WriteOutcome,
} from '../write-operations.ts'

export interface SqliteStoreOptions {
  /**
   * Folder of `framegate.db`. The caller has locked it, so that no other process writes to the
   * database.
   */
  dataDir: string
  clock: Clock
  logger?: DatabaseLogger
  /**
   * Whether the database is a restored copy, whose tasks are put on hold. Copies by `framegate
   * backup` contain a mark, and do not need this option.
   */
  isRestored?: boolean
  /** Counts the changes of tasks for other threads that keep records in memory. */
  taskChanges?: TaskChanges
}

export interface SqliteStoreDependencies extends DatabaseThreadsDependencies {
  clock: Clock
  taskChanges?: TaskChanges
}

/** Opens the store, applies migrations, and ends the leases of earlier processes. */
export async function openSqliteStore({ dataDir, isRestored = false, ...options }: SqliteStoreOptions): Promise<SqliteStore> {
  const file = path.join(dataDir, 'framegate.db')
  const threads = await startDatabaseThreads(file, { nowMs: options.clock(), isRestored })
  return new SqliteStore({ ...threads, ...options, reader: openReadingConnection(file), file })
}

/**
 * The store on SQLite. One writer thread commits writes in groups, and the thread of this store
 * reads on a connection of its own. Every task that has not ended is also in memory. These records
 * are current, because the data folder is locked and all writes go through this class. After each
 * commit, the record of a changed task is replaced before the caller that changed the task receives
 * its result.
 */
export class SqliteStore implements Store {
  readonly isShared = false
  readonly database: Kysely<Tables>
  readonly workers = { count: 1, rank: 0 }
  readonly #threads: DatabaseThreads
  readonly #reader: DatabaseSync
  readonly #writes: WriteBatcher
  readonly #taskMemory = new TaskMemory()
  readonly #accountIndex: AccountIndex
  readonly #entries: EntryReader
  readonly #tasks: TaskReader
  readonly #readAbandoned: StatementSync
  readonly #clock: Clock
  readonly #listeners = new StoreListeners()
  readonly #configWatch: ConfigWatch
  readonly #verifying = new SerialQueue()
  readonly #logSync: LogSync
  readonly #largeReads: LargeReads
  readonly #file: string
  readonly #taskChanges: TaskChanges
  readonly #waitingSubmits = new WaitingSubmits()
  #isClosing = false

  constructor({ clock, taskChanges = new TaskChanges(), ...dependencies }: SqliteStoreDependencies) {
    const { writer, reader, file } = dependencies
    this.#taskChanges = taskChanges
    this.#reader = reader
    this.#file = file
    this.#clock = clock
    this.#writes = new WriteBatcher(writer, clock)
    this.#writes.onEvents = () => this.#listeners.notifyEventsRecorded()
    this.database = new Kysely<Tables>({
      dialect: createSqliteDialect(reader, (query) => this.#writes.write({ kind: 'query', query })),
    })
    this.#entries = new EntryReader(reader)
    this.#largeReads = new LargeReads(file)
    this.#logSync = new LogSync(file)
    this.#readAbandoned = reader.prepare(
      'select no from forwarded_requests where ended_at is null and lease_until <= ? and owner <> ? order by no limit ? + 0',
    )
    this.#accountIndex = new AccountIndex(reader, (operation, callback) => this.#writes.push(operation, callback))
    this.#tasks = new TaskReader(reader, this.#taskMemory, this.#accountIndex)
    this.#configWatch = new ConfigWatch(reader, () => this.#applyStep({ kind: 'limits_changed' }))
    this.#threads = new DatabaseThreads(dependencies)
    this.#threads.onFatal((cause) => this.#writes.fail(cause.message))
  }

  createTaskIds(clock: Clock): () => string {
    return this.#tasks.createTaskIds(clock)
  }

  async accept(task: NewTask): Promise<AcceptOutcome> {
    if (this.#isFull()) return { kind: 'overloaded' }
    const operation = acceptOperationOf(task)
    const characters = this.#waitingSubmits.add(task)
    return this.#write(operation, (outcome) => {
      this.#waitingSubmits.remove(characters)
      return this.#finishAccept(task, operation.no, outcome)
    })
  }

  async findTaskOfKey(accountNo: number, key: string): Promise<TaskOfKey | undefined> {
    const taskNo = await this.#write({ kind: 'find_task_of_key', accountNo, key }, (outcome) => {
      if (outcome === null) return undefined
      if (outcome.kind !== 'task_of_key') throw failureOf(outcome)
      return outcome.no
    })
    return taskNo === undefined ? undefined : readTaskOfKey(this.database, { taskNo })
  }

  async findGeneratedKeys({ accountNo, digest, sinceMs, countMax }: GeneratedKeySearch): Promise<GeneratedKey[]> {
    const operation = { kind: 'find_generated_keys', accountNo, digest, oldestNo: firstTaskNoAt(sinceMs), countMax } as const
    return this.#write(operation, (outcome) => {
      if (outcome?.kind !== 'generated_keys') throw failureOf(outcome)
      return outcome.keys.map(({ no, tail, key }) => ({ taskId: taskIdOf(no, tail), key }))
    })
  }

  replaceGeneratedKey(taskId: string, key: string, newKey: string): Promise<boolean> {
    return replaceGeneratedKey(this.database, taskId, key, newKey)
  }

  async removeGeneratedKeys(taskIds: readonly string[]): Promise<void> {
    await this.#applyStep({ kind: 'remove_generated_keys', taskNos: taskIds.map(taskNoOf) })
  }

  removeKeys(taskIds: readonly string[]): Promise<void> {
    return removeKeys(this.database, taskIds)
  }

  async findRefusal(task: TaskCheck): Promise<CreditsRefusal | AssetsMissing | null> {
    return this.#write(findRefusalOperation(task), refusalOf)
  }

  peek(id: string): TaskRecord | undefined {
    return this.#taskMemory.peek(id)
  }

  async find(id: string): Promise<TaskRecord | undefined> {
    return this.#tasks.find(id)
  }

  list(query: TaskListQuery): Promise<TaskRecord[]> {
    return this.#tasks.list(query)
  }

  async takeDue(leaseMs: number, countMax: number): Promise<DueTasks> {
    return this.#write({ kind: 'take_due', leaseMs, countMax }, (outcome) => {
      if (outcome?.kind !== 'due') throw failureOf(outcome)
      const { claims, waiting, pools } = outcome
      return { claims: claims.map((row) => this.#publishClaim(row)), waiting, pools }
    })
  }

  async resetFutureTimes(): Promise<void> {}

  async claim(lanes: readonly LaneGrant[], leaseMs: number): Promise<Claim[]> {
    return this.#write({ kind: 'claim', lanes, leaseMs }, (outcome) => {
      if (outcome?.kind !== 'claimed') throw failureOf(outcome)
      return outcome.claims.map((row) => this.#publishClaim(row))
    })
  }

  async beginAttempt(lease: Lease, attempt: number): Promise<'begun' | 'missed' | 'paused'> {
    return this.#write({ kind: 'begin', ...noAndFenceOf(lease), attempt }, (outcome) => {
      if (outcome?.kind === 'missed' || outcome?.kind === 'paused') return outcome.kind
      if (outcome === null) return 'begun'
      if (outcome.kind !== 'begun') throw failureOf(outcome)
      const task = this.#taskMemory.findRunning(lease.id)
      if (task?.status === 'queued') this.#changeTask(task, { status: 'processing', startedAtMs: outcome.startedAtMs })
      return 'begun'
    })
  }

  async moveToLane(moves: readonly LaneMove[]): Promise<void> {
    await Promise.all(moves.map(({ id, from, to }) => this.#applyStep({ kind: 'move_lane', no: taskNoOf(id), from, to })))
    this.#listeners.scheduleTaskDue()
  }

  async changePool(pool: number, change: PoolChange): Promise<void> {
    await this.#applyStep({ kind: 'change_pool', pool, change })
    if (change.kind !== 'pause') this.#listeners.scheduleTaskDue()
  }

  async readPools(): Promise<PoolState[]> {
    return this.#write({ kind: 'read_pools' }, (outcome) => {
      if (outcome?.kind !== 'pools') throw failureOf(outcome)
      return outcome.pools
    })
  }

  async markReplyLost(taskId: string, attempt: number): Promise<void> {
    await this.#applyStep({ kind: 'mark_reply_lost', no: taskNoOf(taskId), attempt })
    this.#listeners.scheduleTaskDue()
  }

  async releaseSlot(taskId: string, attempt: number): Promise<void> {
    await this.#applyStep({ kind: 'release_slot', no: taskNoOf(taskId), attempt })
    this.#listeners.scheduleTaskDue()
  }

  async recordOperation(lease: Lease, attempt: number, operation: string): Promise<boolean> {
    return this.#applyStep({ kind: 'record_operation', ...noAndFenceOf(lease), attempt, operation })
  }

  async renew(leases: RenewedLease[], leaseMs: number): Promise<Lease[]> {
    const results = await Promise.all(
      leases.map((lease) =>
        this.#applyStep({ kind: 'renew', ...noAndFenceOf(lease), progress: lease.progress, leaseMs }, () => {
          const task = this.#taskMemory.findRunning(lease.id)
          if (task !== undefined && task.progress < lease.progress) this.#changeTask(task, { progress: lease.progress })
        }),
      ),
    )
    return leases.filter((_, index) => !results[index])
  }

  async requeue(lease: Lease, end: AttemptEnding, dueAtMs: number): Promise<boolean> {
    return this.#applyStep({ kind: 'retry_later', ...noAndFenceOf(lease), end, dueAtMs }, () => {
      const task = this.#taskMemory.findRunning(lease.id)
      if (task?.status === 'processing') this.#changeTask(task, { status: 'queued' })
    })
  }

  async release(leases: Lease[]): Promise<void> {
    await Promise.all(leases.map((lease) => this.#applyStep({ kind: 'release', ...noAndFenceOf(lease) })))
  }

  async recordText(lease: Lease, text: GeneratedText): Promise<boolean> {
    const isRecorded = await recordText(this.database, lease, text)
    const task = this.#taskMemory.findRunning(lease.id)
    if (isRecorded && task !== undefined) this.#taskMemory.set({ ...task, generatedText: text })
    this.#taskChanges.add(lease.id)
    return isRecorded
  }

  async recordImprovement(lease: Lease, improvement: Improvement): Promise<boolean> {
    const isRecorded = await recordImprovement(this.database, lease, improvement)
    const task = this.#taskMemory.findRunning(lease.id)
    if (isRecorded && task !== undefined) this.#changeTask(task, { improvement })
    return isRecorded
  }

  async complete(
    lease: Lease,
    results: StoredResults,
    chargeMicroCredits: number,
    { cost = null, paidMicroCredits: paid = null }: Partial<AttemptCosts> = {},
  ): Promise<boolean> {
    const operation: WriteOperation = {
      kind: 'complete',
      ...noAndFenceOf(lease),
      results,
      charge: chargeMicroCredits,
      cost,
      paid,
    }
    return this.#end(lease.id, operation, { status: 'completed', progress: 100, results })
  }

  async fail(
    lease: Lease,
    failure: Failure,
    note: Partial<AttemptNote> = {},
    extraStatements: readonly Statement[] = [],
  ): Promise<boolean> {
    const operation: WriteOperation = {
      kind: 'fail',
      ...noAndFenceOf(lease),
      failure,
      note: noteOf(note),
      extraStatements: extraStatements.map(withoutQueryLayer),
    }
    return this.#end(lease.id, operation, failedFields(failure))
  }

  async cancel(id: string): Promise<boolean> {
    const failure: Failure = { code: 'cancelled', message: 'The task was cancelled.' }
    return this.#end(id, { kind: 'cancel', no: taskNoOf(id), failure }, failedFields(failure))
  }

  async erase(tasks: readonly ErasedTask[], content: ErasedContent): Promise<string[]> {
    const isDeletion = content.kind === 'task'
    const erasureOf = content.kind === 'task' ? (content.erasureOf ?? null) : null
    const rows = tasks.map(({ id, parameters }) => ({ no: taskNoOf(id), parameters }))
    return this.#write({ kind: 'erase', tasks: rows, isDeletion, erasureOf }, (outcome) => {
      if (outcome?.kind !== 'erased') throw failureOf(outcome)
      const taskNos = new Set(outcome.nos)
      const ids = tasks.map(({ id }) => id).filter((id) => taskNos.has(taskNoOf(id)))
      for (const id of ids) {
        this.#taskMemory.remove(id)
        this.#taskChanges.add(id)
      }
      return ids
    })
  }

  async moveTasks(): Promise<MovedTasks> {
    return { moved: 0, nextNo: null }
  }

  async dropMonth(): Promise<DroppedMonth> {
    return { kind: 'none' }
  }

  async removeTasks(range: TaskRange): Promise<RemovedTasks> {
    return this.#write({ kind: 'remove_tasks', ...range }, (outcome) => {
      if (outcome?.kind !== 'removed_tasks') throw failureOf(outcome)
      const ids = outcome.removed.map(({ no, tail }) => taskIdOf(no, tail))
      for (const id of ids) {
        this.#taskMemory.remove(id)
        this.#taskChanges.add(id)
      }
      return { ids, nextNo: outcome.nextNo }
    })
  }

  async grant(accountNo: number, microCredits: number, note: string, options: GrantOptions = {}): Promise<boolean> {
    const { expiresAtMs = null, reference = null, extraStatements = [] } = options
    return this.#applyStep({
      kind: 'grant',
      accountNo,
      amount: microCredits,
      note,
      expiresAtMs,
      reference,
      extraStatements: extraStatements.map(withoutQueryLayer),
    })
  }

  async adjust(accountNo: number, microCredits: number, note: string, options: AdjustOptions = {}): Promise<boolean> {
    const { reference = null, extraStatements = [] } = options
    return this.#applyStep({
      kind: 'adjust',
      accountNo,
      amount: microCredits,
      note,
      reference,
      extraStatements: extraStatements.map(withoutQueryLayer),
    })
  }

  async releaseHeld(id: string, extraStatements: readonly Statement[] = []): Promise<boolean> {
    const isReleased = await this.#applyStep({
      kind: 'release_held',
      no: taskNoOf(id),
      extraStatements: extraStatements.map(withoutQueryLayer),
    })
    if (isReleased) this.#listeners.scheduleTaskDue()
    return isReleased
  }

  async writeAtomically(...statements: [Statement, ...Statement[]]): Promise<boolean> {
    return this.#applyStep({ kind: 'write_atomically', statements: statements.map(withoutQueryLayer) })
  }

  setExpiryClock(clock: Clock): void {
    this.#writes.setExpiryClock(clock)
  }

  async readNewestTaskMs(): Promise<number | null> {
    return this.#tasks.readNewestTaskMs()
  }

  async expireGrants(): Promise<void> {
    await this.#applyStep({ kind: 'expire_grants' })
  }

  async listEntries(query: EntryListQuery): Promise<LedgerEntry[]> {
    try {
      return await this.#entries.list(query)
    } catch (error) {
      throw unavailableOf(error)
    }
  }

  /** Runs reads of many rows one after the other. */
  readMany(statement: Statement): Promise<Record<string, unknown>[]> {
    return this.#largeReads.read(statement)
  }

  async verifyCredits(): Promise<CreditsReport> {
    return this.#verifying.run(async () => {
      await this.#writes.drain()
      return this.#threads.verifyCredits()
    })
  }

  async checkWrite(): Promise<void> {
    await this.#applyStep({ kind: 'check_write' })
  }

  async readBacklog(): Promise<Backlog[]> {
    return this.#taskMemory.readBacklog()
  }

  writeAheadLog(): WriteAheadLog {
    return { bytes: logFileBytes(this.#file), isBlocked: this.#threads.isLogBlocked }
  }

  listRecentlyFailed(): Promise<string[]> {
    return listRecentlyFailed(this.database)
  }

  listExpiredResults(limit: number, nowMs: number, skipCount = 0): Promise<ExpiredResult[]> {
    return listExpiredResults(this.database, limit, nowMs, skipCount)
  }

  async markResultsRemoved(results: ExpiredResult[], nowMs: number): Promise<void> {
    if (results.length === 0) return
    await markRemoved(this.database, results, nowMs)
    for (const [taskId, removedResults] of Map.groupBy(results, (result) => result.taskId)) {
      this.#taskChanges.add(taskId)
      const task = this.peek(taskId)
      if (task === undefined) continue
      const objectKeys = new Set(removedResults.map(({ objectKey }) => objectKey))
      const updatedResults = task.results.map((result) =>
        objectKeys.has(result.objectKey) ? { ...result, removed: true } : result,
      )
      // As in `taskRecordOf`, only the first removed file raises the version.
      const version = task.version + (task.results.some(({ removed }) => removed) ? 0 : 1)
      this.#replaceTask({ ...task, results: updatedResults, version })
    }
  }

  async holdForwarded(request: NewForwardedRequest): Promise<HoldOutcome> {
    if (this.#isFull()) return { kind: 'unavailable', mayBeHeld: false }
    return this.#write({ kind: 'hold_forwarded', request }, holdOutcomeOf)
  }

  moveForwarded(no: number, route: ForwardRoute): Promise<boolean> {
    return this.#applyStep({ kind: 'move_forwarded', no, route })
  }

  async endForwarded(no: number, end: ForwardedEnd): Promise<boolean> {
    const isEnded = await this.#applyStep({ kind: 'end_forwarded', no, end })
    // If the sync fails, `checkWrite` makes a commit with a sync, which covers all earlier commits.
    await this.#logSync.sync().catch(() => this.checkWrite())
    if (isEnded) this.#listeners.scheduleTaskDue()
    return isEnded
  }

  async renewForwarded(owner: string, leaseMs: number): Promise<void> {
    await this.#applyStep({ kind: 'renew_forwarded', owner, leaseMs })
  }

  async endAbandonedRequests(activeOwner = ''): Promise<number> {
    const rows = readNow(() => this.#readAbandoned.all(this.#clock(), activeOwner, abandonedPerBatchMax))
    const results = await Promise.all(rows.map((row) => this.endForwarded(Number(row['no']), abandonedEnd)))
    return results.filter((isEnded) => isEnded).length
  }

  async recordPreview(preview: NewPreview, nowMs: number): Promise<boolean> {
    if (!(await recordPreview(this.database, preview, nowMs))) return false
    this.#taskChanges.add(preview.taskId)
    const task = preview.kind === 'thumbnail' ? this.peek(preview.taskId) : undefined
    if (task !== undefined) this.#taskMemory.set(withThumbnail(task, preview))
    return true
  }

  onTaskChanged(listener: (task: TaskRecord) => void): () => void {
    return this.#listeners.onTaskChanged(listener)
  }

  onTaskDue(listener: () => void): () => void {
    return this.#listeners.onTaskDue(listener)
  }

  notifyAttempt(attemptId: string): void {
    this.#listeners.notifyAttempt(attemptId)
  }

  onAttemptNotified(listener: (attemptId: string) => void): () => void {
    return this.#listeners.onAttemptNotified(listener)
  }

  async distributeEvents(countMax: number): Promise<DistributedEvents> {
    return this.#write({ kind: 'distribute_events', countMax }, (outcome) => {
      if (outcome?.kind !== 'distributed') throw failureOf(outcome)
      const { distributed } = outcome
      if (distributed.eventCount > 0) this.#listeners.notifyEventsDistributed(distributed)
      return distributed
    })
  }

  onEventsRecorded(listener: () => void): () => void {
    return this.#listeners.onEventsRecorded(listener)
  }

  onEventsDistributed(listener: DistributedListener): () => void {
    return this.#listeners.onEventsDistributed(listener)
  }

  /** Does nothing. The data folder is locked, so there is no other worker process. */
  async joinWorkers(): Promise<void> {}

  /** Does nothing. The data folder is locked, so there is no other process. */
  async joinMediaStore(): Promise<string[]> {
    return []
  }

  async recordKeyUses(uses: (readonly [keyNo: number, atMs: number])[]): Promise<void> {
    await this.#applyStep({ kind: 'record_key_uses', uses: uses.flat() })
  }

  onConfigChanged(listener: () => Promise<void>): () => void {
    return subscribe(this.#configWatch.listeners, listener)
  }

  /** Does nothing, because there is no other process. */
  async applyConfigChanges(): Promise<void> {}

  onFatal(listener: (cause: Error) => void): () => void {
    return this.#threads.onFatal(listener)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosing) return
    this.#isClosing = true
    this.#threads.beginClosing()
    this.#configWatch[Symbol.dispose]()
    this.#accountIndex.close()
    while (this.#writes.pendingCount > 0) await this.#writes.drain()
    await this.#largeReads.close()
    await this.#logSync[Symbol.asyncDispose]()
    this.#reader.close()
    await this.#threads.close()
  }

  #finishAccept(task: NewTask, no: number, outcome: WriteOutcome): AcceptOutcome {
    if (outcome?.kind === 'replayed') return { kind: 'replayed', taskId: this.#tasks.idOf(outcome.no) }
    if (outcome !== null) return refusedAccept(outcome)
    const record = acceptedRecord(task)
    this.#taskMemory.set(record)
    this.#accountIndex.add(task.accountNo, no)
    this.#listeners.scheduleTaskDue()
    return { kind: 'accepted', task: record }
  }

  #publishClaim(row: ClaimedRow): Claim {
    const id = taskIdOf(row.no, row.tail)
    const cachedTask = this.#taskMemory.findRunning(id)
    if (cachedTask === undefined) throw new Error(`the claimed task ${id} is missing`)
    const hasStarted = cachedTask.status === 'queued' && row.attempt.state !== 'assigned'
    const task = hasStarted ? this.#changeTask(cachedTask, { status: 'processing', startedAtMs: row.startedAtMs }) : cachedTask
    return { id, fence: row.fence, task, images: row.images, attempt: row.attempt }
  }

  /**
   * Writes an operation, and applies its change to memory after the commit. The change is applied
   * before the next write of the same commit receives its result, so memory changes in the order of
   * the writes.
   */
  #write<T>(operation: WriteOperation, onOutcome: (outcome: WriteOutcome) => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#writes.push(operation, (outcome) => {
        try {
          resolve(onOutcome(outcome))
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)))
        }
      })
    })
  }

  #applyStep(operation: WriteOperation, onOutcome?: () => void): Promise<boolean> {
    return this.#write(operation, (outcome) => {
      if (outcome?.kind === 'missed') return false
      if (outcome !== null) throw failureOf(outcome)
      onOutcome?.()
      return true
    })
  }

  #end(id: string, operation: WriteOperation, change: Partial<TaskRecord>): Promise<boolean> {
    return this.#write(operation, (outcome) => {
      if (outcome?.kind === 'missed') return false
      if (outcome?.kind !== 'ended') throw failureOf(outcome)
      const task = this.#taskMemory.findRunning(id)
      if (task !== undefined) {
        this.#changeTask(task, { ...change, chargedMicroCredits: outcome.charged, endedAtMs: outcome.endedAtMs })
      }
      return true
    })
  }

  #changeTask(task: TaskRecord, change: Partial<TaskRecord>): TaskRecord {
    return this.#replaceTask({ ...task, ...change, version: task.version + 1 })
  }

  #replaceTask(changedTask: TaskRecord): TaskRecord {
    this.#taskMemory.set(changedTask)
    this.#taskChanges.add(changedTask.id)
    this.#listeners.notifyTaskChanged(changedTask)
    return changedTask
  }

  #isFull(): boolean {
    return this.#waitingSubmits.isFull(this.#writes.pendingCount) || this.#taskMemory.isFull
  }
}

/**
 * Copies the statement without the query layer's other properties, because these cannot be sent to
 * a thread.
 */
function withoutQueryLayer({ sql, parameters }: Statement): Statement {
  return { sql, parameters }
}

function failedFields(failure: Failure): Partial<TaskRecord> {
  return { status: 'failed', errorCode: failure.code, errorMessage: failure.message }
}
