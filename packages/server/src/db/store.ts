import type { FailureCode, RouteCondition, TaskStatus } from '@framegate/contract'
import type { CompiledQuery, Kysely } from 'kysely'
import type { Clock } from '../lib/clock.ts'
import type { EntryRow, Tables, Unresolved } from './tables.ts'

/**
 * The data of the service, and the few operations on it that decide its speed and its guarantees.
 * Each engine implements this interface by hand; one contract suite (`store.suite.ts`) holds every
 * engine to it. All ordinary queries go through `query`.
 *
 * Every promise here resolves after the commit, never before: a caller with a result can rely on it
 * after a power cut. Writes of one tick share one commit or a few, and a failed write does not fail
 * the others.
 */
export interface Store extends AsyncDisposable {
  /** Holds the price and queues the task in one commit. */
  accept(task: NewTask): Promise<AcceptOutcome>
  /** Why a task at this price would be refused now; null if it would be accepted. */
  tryAccept(task: TriedTask): Promise<CreditsRefusal | AssetsMissing | null>
  /**
   * The task as this process knows it without asking the engine: exact or undefined, never stale.
   */
  peek(id: string): TaskRecord | undefined
  find(id: string): Promise<TaskRecord | undefined>
  /**
   * Creates ids for new tasks (`identity/task-id.ts`) that no task has and that no other process
   * creates.
   */
  createTaskIds(clock: Clock): () => string
  /** Newest first. */
  list(query: TaskListQuery): Promise<TaskRecord[]>
  /**
   * Claims tasks whose attempt was begun by a worker that died or gave it back, whatever slots are
   * free. Moves tasks whose delay is over into their lane. Returns those claims and the input of an
   * allocator: the lanes with waiting tasks, counted up to `countMax` each, and the state of every
   * slot pool.
   */
  takeDue(leaseMs: number, countMax: number): Promise<DueTasks>
  /**
   * Claims waiting tasks: from each lane as many as its grants allow, the accounts of a lane in
   * turn. Leases each, raises its fence and opens an attempt on the granted route: `assigned` if it
   * takes a slot of pools, otherwise `starting`. Never exceeds a pool's limit, `unconfirmedMax` or
   * pause, whatever other processes claim at the same time.
   */
  claim(lanes: readonly LaneGrant[], leaseMs: number): Promise<Claim[]>
  /**
   * Called right before the request that may start a job is sent. The assigned attempt becomes
   * `starting` and its task `processing`. Any other result means that nothing may be sent.
   *
   * - `missed`: the lease is lost or the task has ended.
   * - `paused`: a pool of the attempt is paused, or was paused and has more attempts assigned than
   *   may be unconfirmed at once.
   */
  beginAttempt(lease: Lease, attempt: number): Promise<'begun' | 'missed' | 'paused'>
  /**
   * Puts waiting tasks into another lane, behind those of their account that wait there. Does
   * nothing for a task that no longer waits in `from`.
   */
  moveToLane(moves: readonly LaneMove[]): Promise<void>
  /** Changes the pause of a pool. A pause never ends sooner than one set before, by any process. */
  changePool(pool: number, change: PoolChange): Promise<void>
  readPools(): Promise<PoolState[]>
  /**
   * Frees the slot of an attempt whose job is known to be over and whose task had ended before. May
   * be repeated.
   */
  releaseSlot(taskId: string, attempt: number): Promise<void>
  /**
   * Records that the submit of this attempt was sent and its response was lost. The attempt keeps
   * its slot while its job is looked up, and no longer counts as unconfirmed. May be repeated.
   */
  markReplyLost(taskId: string, attempt: number): Promise<void>
  /**
   * Records that the driver has accepted. The operation is stored even if the attempt has ended
   * meanwhile, because the job continues upstream. Returns false if the lease is lost or the task
   * has ended. May be repeated.
   */
  recordOperation(lease: Lease, attempt: number, operation: string): Promise<boolean>
  /** Extends leases and stores progress, which never falls. Returns the leases that are lost. */
  renew(leases: RenewedLease[], leaseMs: number): Promise<Lease[]>
  /**
   * Ends the open attempt, frees its slot and queues the task again at `dueAtMs`. Returns false if
   * the lease is lost.
   */
  retryLater(lease: Lease, end: AttemptEnding, dueAtMs: number): Promise<boolean>
  /**
   * Gives leases back, so that the next claim finds the tasks at once. An attempt that was only
   * assigned is dropped with its slot.
   */
  release(leases: Lease[]): Promise<void>
  /**
   * Writes status, charge, result and cost in one commit. Returns false if the lease is lost or the
   * task has ended.
   */
  complete(lease: Lease, result: StoredResult, chargeMicroCredits: number, costs?: Partial<AttemptCosts>): Promise<boolean>
  /**
   * Writes the status and releases the whole hold in one commit. Returns false if the lease is lost
   * or the task has ended.
   */
  fail(lease: Lease, failure: Failure, note?: Partial<AttemptNote>): Promise<boolean>
  /**
   * Ends a task that has not ended, whichever worker has it. Returns false if it has ended already,
   * or does not exist.
   */
  cancel(id: string): Promise<boolean>
  /**
   * Removes the content of ended tasks, in one commit. Skips running and deleted tasks. Returns the
   * ids of the tasks that it has changed. May be repeated.
   */
  erase(tasks: readonly ErasedTask[], what: ErasedContent): Promise<string[]>
  /**
   * Queues a task on hold as if it were new, behind the limits of its account. Returns false if it
   * is not on hold. `along` is written in the same commit.
   */
  releaseHeld(id: string, along?: readonly Statement[]): Promise<boolean>
  /**
   * Adds credits to an account, permanently or until they expire. Credits that expire soonest are
   * spent first. Returns false if a grant with this reference was made before.
   */
  grant(accountNo: number, microCredits: number, note: string, options?: GrantOptions): Promise<boolean>
  /**
   * Corrects a balance up or down, once for each reference. Returns false, without any change, if
   * the balance would fall below zero.
   */
  adjust(accountNo: number, microCredits: number, note: string, options?: AdjustOptions): Promise<boolean>
  /**
   * Sets the clock by which grants expire and idempotency keys are forgotten. It never runs ahead
   * of the store's own.
   */
  expireBy(clock: Clock): void
  /** Time of the acceptance of the newest task, Unix milliseconds; null if there is no task. */
  newestTaskMs(): Promise<number | null>
  /**
   * Takes off what is left of every expired grant. Expired credits cannot be spent in the meantime.
   */
  expireGrants(): Promise<void>
  /**
   * The account's ledger, newest line first. A list that continues after a page is complete,
   * whatever was written since.
   */
  listEntries(query: EntryListQuery): Promise<LedgerEntry[]>
  /**
   * Recomputes every balance from the entries, every hold from the tasks, and what is left of every
   * grant.
   */
  verifyCredits(): Promise<CreditsReport>
  /**
   * Writes one small row in the same way as every other write. Rejects if the database accepts no
   * writes.
   */
  checkWrite(): Promise<void>
  /** Number of tasks that have not ended, by model and status. */
  backlog(): Promise<Backlog[]>
  /** State of the write-ahead log; null for an engine that manages its log itself. */
  changeLog(): ChangeLog | null
  /**
   * Among the tasks accepted last, those that failed after they had been started: a crash may have
   * left files of theirs.
   */
  failedLately(): Promise<string[]>
  /** Results whose retention has expired and whose files still exist, oldest first. */
  expiredResults(limit: number, nowMs: number): Promise<ExpiredResult[]>
  markResultsRemoved(results: ExpiredResult[], nowMs: number): Promise<void>
  /**
   * Calls the listener after the commit of every change by this process that a client can see.
   * Changes by other processes are reported for watched tasks only: their end, and other changes
   * where those are awaited. The report usually comes at once, within some seconds at the latest.
   * Returns a function that stops listening.
   */
  onTaskChanged(listener: (task: TaskRecord) => void, watched?: WatchedTasks): () => void
  /** Called when there may be something new to claim. It is only a hint. */
  onTaskDue(listener: () => void): () => void
  /**
   * Notifies the worker of this attempt, in any process, that its upstream has reported a change.
   * It is only a hint.
   */
  tellNews(attemptId: string): void
  onNews(listener: (attemptId: string) => void): () => void
  /** Counts this process among those that run tasks from now on. */
  joinWorkers(): Promise<void>
  /**
   * Number of processes that run tasks, as of some seconds ago, and the index of this one, from 0.
   */
  readonly workers: WorkersShare
  /** When keys were last used: number and Unix milliseconds of each. */
  keysUsed(uses: (readonly [keyNo: number, atMs: number])[]): Promise<void>
  /**
   * Called within a second after keys, accounts, brands, prices or stored routes were changed, by
   * any process. A listener that rejects is called again. Limits of tasks in flight and of spending
   * are applied without it.
   */
  onRulesChanged(listener: () => Promise<void>): () => void
  /**
   * Writes the statements in one commit, in order, so that a change and its additions are written
   * together or not at all. If the first changes no row, the others are not run: returns false.
   */
  writeTogether(first: Statement, ...others: Statement[]): Promise<boolean>
  /** A read of many rows. It delays no other read and no write. */
  readMany(statement: Statement): Promise<Record<string, unknown>[]>
  /** Called once when the engine fails permanently; the service then stops. */
  onFatal(listener: (cause: Error) => void): () => void
  /** Whether other processes write to it too. */
  readonly isShared: boolean
  /** The query layer for ordinary reads and writes. */
  readonly query: Kysely<Tables>
}

export interface WorkersShare {
  count: number
  rank: number
}

/** Tasks by their ids, in the form of a Map. */
export interface WatchedTasks extends Pick<ReadonlyMap<string, unknown>, 'has' | 'keys'> {
  /**
   * The known version of a watched task: any later one is awaited. If it is null, or the method is
   * missing, only the end is.
   */
  knownVersion?(id: string): number | null
}

/** A write of the query layer, after `compile()`. */
export type Statement = Pick<CompiledQuery, 'sql' | 'parameters'>

/** Statements to write in the commit of a change, for the id of the changed thing. */
export type Along = (id: string) => readonly Statement[]

export const nothingAlong: Along = () => []

export interface ErasedTask {
  id: string
  /** The parameters that remain. */
  parameters: string
}

/**
 * `prompt`: prompt and inputs. `task`: also error texts and upstream messages; its result expires
 * at once, and no client sees the task. `erasureOf` is the account whose erasure counts it.
 */
export type ErasedContent = { kind: 'prompt' } | { kind: 'task'; erasureOf?: number }

export interface AdjustOptions {
  /** Identifies the request, so that a repeated request counts once. */
  reference?: string | undefined
  /** Written in the same commit, unless the change was made before. */
  along?: readonly Statement[]
}

export interface GrantOptions extends AdjustOptions {
  expiresAtMs?: number | undefined
}

export interface NewTask {
  id: string
  accountNo: number
  /** The key whose limits it counts for; null for none. */
  keyNo: number | null
  model: string
  object: 'image' | 'video'
  /** The model's parameters with defaults filled in and without images, as JSON text. */
  parameters: string
  /**
   * The parameters that are images, as JSON text. Kept until the task ends; only the claim reads
   * them.
   */
  pictures: string | null
  /** The assets that they name: from the commit on, their files stay until the task has ended. */
  assetIds?: readonly string[]
  priceMicroCredits: number
  /** The row of `prices` with its price; null for the catalogue. */
  priceNo: number | null
  /** How long after its acceptance it may be claimed. */
  delayMs: number
  /** The queue partition of the routes that can serve it (`routing/lanes.ts`). */
  lane: number
  /**
   * A key names one request: the same model and parameters, and the same digest of everything else.
   */
  idempotency: { key: string; digest: string } | null
}

export type AcceptOutcome =
  | { kind: 'accepted'; task: TaskRecord }
  | { kind: 'replayed'; taskId: string }
  | { kind: 'key_reused' }
  | AssetsMissing
  | CreditsRefusal
  /**
   * More tasks wait than this store accepts, or it cannot be written to. Nothing was written, and
   * the client may try again later.
   */
  | { kind: 'overloaded' }
  | { kind: 'failed'; cause: Error }

export type TriedTask = Pick<NewTask, 'accountNo' | 'keyNo' | 'priceMicroCredits' | 'assetIds'>

/** The account has none of these: they never existed, are deleted, or belong to another account. */
export interface AssetsMissing {
  kind: 'assets_missing'
  ids: readonly string[]
}

/** A limit of the account, its key or its brand does not allow this task. */
export type CreditsRefusal =
  | { kind: 'insufficient_credits'; balanceMicroCredits: number }
  | { kind: 'spending_limit'; period: 'day' | 'month'; maxMicroCredits: number; spentMicroCredits: number }
  /** The account does not let tasks wait, or this task alone exceeds the limit. */
  | { kind: 'too_many_in_flight'; whose: 'key' | 'account' | 'brand'; limit: 'tasks' | 'credits'; max: number }

/**
 * A task as stored. It is never changed in place: every commit creates a new record, so derived
 * data may be cached by its identity.
 */
export interface TaskRecord {
  readonly id: string
  readonly accountNo: number
  readonly model: string
  readonly object: 'image' | 'video'
  readonly parameters: string
  readonly status: TaskStatus
  /** 0 to 99 while running, 100 when completed. */
  readonly progress: number
  readonly priceMicroCredits: number
  /** The row of `prices` that it is settled by; null for the catalogue. */
  readonly priceNo: number | null
  /** Null until the task has ended. */
  readonly chargedMicroCredits: number | null
  /** Rises with every change that a client can see. */
  readonly version: number
  readonly startedAtMs: number | null
  readonly endedAtMs: number | null
  readonly errorCode: FailureCode | null
  readonly errorMessage: string | null
  readonly result: StoredResult | null
  /** Its content is gone, and no client sees it. */
  readonly isDeleted?: true
}

export interface StoredResult {
  assetId: string
  contentType: string
  sizeBytes: number
  sha256: string
  width: number
  height: number
  /** Null for images. */
  durationMs: number | null
  /** The seed that was used, if the driver chose it. */
  seed: number | null
  /** When the file may be removed. */
  expiresAtMs: number
  removed: boolean
}

export interface Lease {
  id: string
  /** Raised by every claim: a write that names an older fence finds no row. */
  fence: number
}

export interface RenewedLease extends Lease {
  progress: number
}

export interface Claim extends Lease {
  task: TaskRecord
  pictures: string | null
  attempt: Attempt
}

/**
 * One try at a task.
 *
 *   assigned   a route and its slots are reserved; nothing was sent
 *   starting   committed right before the submit is sent: a job may have been started
 *   started    carries the driver's operation
 */
export interface Attempt extends AttemptRoute {
  /** Counts from 1. */
  number: number
  state: 'assigned' | 'starting' | 'started'
  /**
   * False if this claim opened the attempt; true if it continues one that an earlier claim opened.
   */
  resumed: boolean
  /** Number of claims that have continued it since it began. */
  timesResumed: number
  /** Failed earlier attempts at this task, without those that no upstream accepted. */
  failedBefore: number
  operation: string | null
  startedAtMs: number
  /**
   * Its longest duration, as its route set it when it was opened; null: the deadline of the model.
   */
  deadlineMs: number | null
  /** The slot pools that it occupies; null on a route that only this process serves. */
  pools: AttemptPools | null
  /**
   * Whether its task was on hold. Another copy of the installation may have made the same attempt,
   * so its job is looked up before one is started.
   */
  looksFirst?: true
}

export interface AttemptRoute {
  route: string
  /**
   * Number of the route snapshot from when the attempt was opened (`frozen_routes`); 0 for the
   * embedded route.
   */
  frozenNo: number
}

export interface AttemptPools {
  route: number
  upstream: number
}

export interface DueTasks {
  claims: Claim[]
  waiting: readonly WaitingLane[]
  pools: readonly PoolState[]
}

/** Tasks of a lane that wait to be claimed, counted up to a maximum. */
export interface WaitingLane {
  lane: number
  tasks: number
}

/** Number of tasks of one lane that may be claimed now, and their routes. */
export interface LaneGrant {
  lane: number
  routes: readonly RouteGrant[]
}

export interface RouteGrant extends AttemptRoute {
  /** At most this many tasks. */
  limit: number
  deadlineMs: number | null
  /** Null: the slots belong to this process, and the caller counts them. */
  pools: { route: PoolLimit; upstream: PoolLimit } | null
}

export interface PoolLimit {
  pool: number
  inFlightMax: number
}

export interface LaneMove {
  id: string
  from: number
  to: number
}

/**
 * Slots of an upstream, or of one route to it, that all processes share. Attempts are in flight
 * from their claim until their job is known to be over; a cancelled task's job may outlive its
 * task.
 */
export interface PoolState extends PoolPause {
  no: number
  inFlight: number
  /**
   * Attempts in flight that no upstream has accepted yet, apart from those whose reply was lost.
   */
  unconfirmed: number
}

export interface PoolPause {
  /** No submit is sent before this time, Unix milliseconds; 0: it was never paused. */
  pausedUntilMs: number
  /**
   * Number of attempts that may be unconfirmed at once: 1 after a pause, doubled by each accepted
   * attempt; null: unlimited.
   */
  unconfirmedMax: number | null
  /** Consecutive pauses without an accepted attempt between them. */
  refusals: number
  condition: RouteCondition
}

export type PoolChange =
  /**
   * Keeps the later end, the higher count and the worse condition of what it finds, and lets one
   * attempt go first afterwards.
   */
  | { kind: 'pause'; untilMs: number; refusals: number; condition: Exclude<RouteCondition, 'open'> }
  /**
   * An attempt was accepted. Without effect during a pause; otherwise doubles `unconfirmedMax`, and
   * removes it from 64 on.
   */
  | { kind: 'confirm' }
  /** A free probe succeeded: ends the pause; one attempt goes first. */
  | { kind: 'reopen' }

export interface AttemptEnding {
  /** `not_accepted`: certainly nothing was started, and it does not count as a try. */
  state: 'failed' | 'not_accepted'
  reason: string
  /** The upstream's message; only for the operator. */
  detail: string | null
  /**
   * Lets some tasks of its lane pass, so that another one finds out whether a route works again;
   * otherwise the task waits in front.
   */
  goesBehind?: boolean
  /** The lane where it waits from now on. Default: the lane that it was claimed from. */
  lane?: number
}

/** The charge that an upstream reports, in its own unit. */
export interface AttemptCost {
  amount: number
  unit: string
}

export interface AttemptCosts {
  /** As the upstream reports it. */
  cost: AttemptCost | null
  /** The operator's cost, by the cost of the route; null: unknown. */
  paidMicroCredits: number | null
}

/** Facts about a failed attempt besides its reason. */
export interface AttemptNote extends AttemptCosts {
  detail: string | null
  unresolved: Unresolved | null
}

export interface Failure {
  code: FailureCode
  message: string
}

export interface TaskListQuery {
  accountNo: number
  limit: number
  /** Only tasks accepted before this one. */
  beforeId?: string
  status?: TaskStatus
  model?: string
  object?: 'image' | 'video'
  /** Accepted at or after, before: Unix milliseconds. */
  createdFromMs?: number
  createdUntilMs?: number
}

/** A line of an account's ledger. */
export interface LedgerEntry {
  /** Among the account's lines, from 1. */
  position: number
  kind: EntryRow['kind']
  taskId: string | null
  /** The addition to the balance. */
  microCredits: number
  /** The addition to the held credits. */
  heldMicroCredits: number
  balanceAfterMicroCredits: number
  /** Never before the time of the preceding line. */
  atMs: number
  note: string | null
  /** Only for a grant that expires. */
  expiresAtMs: number | null
}

/** The position of a line in its ledger. */
export type EntryPlace = Pick<LedgerEntry, 'position' | 'atMs'>

export interface EntryListQuery {
  accountNo: number
  limit: number
  /** Only lines before this one. */
  before?: EntryPlace
  kind?: EntryRow['kind']
  taskId?: string
  /** At or after, before: Unix milliseconds. */
  createdFromMs?: number
  createdUntilMs?: number
}

export interface CreditsReport {
  accounts: number
  entries: number
  holds: number
  /** Descriptions of accounts and tasks whose figures disagree. */
  differences: string[]
}

export interface ChangeLog {
  bytes: number
  /** Whether a long read transaction makes it grow. */
  isHeld: boolean
}

export interface Backlog {
  model: string
  status: 'queued' | 'processing'
  tasks: number
  /** When the oldest of them was accepted, Unix milliseconds. */
  oldestAtMs: number
}

export interface ExpiredResult {
  assetId: string
  taskId: string
}
