import type { FailureCode, RouteCondition, TaskStatus } from '@framegate/contract'
import type { CompiledQuery, Kysely } from 'kysely'
import type { Clock } from '../lib/clock.ts'
import type { EntryRow, Tables, Unresolved } from './tables.ts'

/**
 * What the service keeps, and the few operations on it that decide its speed and its promises. Each engine implements
 * this interface by hand; one contract suite (`store.suite.ts`) holds every engine to it. Everything ordinary goes
 * through `query`.
 *
 * Every promise here is fulfilled after the commit, never before: who has the answer can rely on it after a power cut.
 * Writes that arrive in one turn of the event loop share a commit or a few; a write that fails does not fail its neighbours.
 */
export interface Store extends AsyncDisposable {
  /**
   * Holds the price and queues the task in one commit. Answers by callback, so that a hundred accepted requests are
   * answered in one loop without a hundred promises.
   */
  accept(task: NewTask, answer: (outcome: AcceptOutcome) => void): void
  /** Why a task at this price would be refused now; null when it would be accepted. */
  tryAccept(task: TriedTask): Promise<CreditsRefusal | AssetsMissing | null>
  /** The task as this process knows it without asking the engine: exact or undefined, never stale. */
  peek(id: string): TaskRecord | undefined
  find(id: string): Promise<TaskRecord | undefined>
  /** Makes ids for new tasks (`lib/task-id.ts`) that no task has and that no other process makes. */
  createTaskIds(clock: Clock): () => string
  /** Newest first. */
  list(query: TaskListQuery): Promise<TaskRecord[]>
  /**
   * Claims tasks whose attempt was begun by a worker that died or gave it back, whatever slots are free. Puts tasks whose delay is over into
   * their lane. Returns those claims and what an allocator needs to know: which lanes have waiting tasks, counted up to
   * `countMax` each, and the state of every slot pool.
   */
  takeDue(leaseMs: number, countMax: number): Promise<DueTasks>
  /**
   * Claims waiting tasks: of each lane as many as its grants say, the accounts of a lane in turn. Leases each, raises its fence and
   * opens an attempt on the granted route: `assigned` where it takes a slot of pools, otherwise `starting`. Never exceeds a pool's
   * limit, `unconfirmedMax` or pause, whatever other processes claim at the same time.
   */
  claim(lanes: readonly LaneGrant[], leaseMs: number): Promise<Claim[]>
  /**
   * Right before the request is sent that may start a job: the assigned attempt becomes `starting` and its task `processing`. `missed` when the lease is
   * lost or the task has ended, `paused` when a pool of the attempt is paused, or has been and more attempts
   * are assigned to it than may be unconfirmed at once: then nothing may be sent.
   */
  beginAttempt(lease: Lease, attempt: number): Promise<'begun' | 'missed' | 'paused'>
  /** Puts a waiting task into another lane, behind those of its account that wait there. Does nothing when it no longer waits in `from`. */
  moveToLane(moves: readonly LaneMove[]): Promise<void>
  /** Changes the pause of a pool. A pause never ends sooner than one that was set before, by whatever process. */
  changePool(pool: number, change: PoolChange): Promise<void>
  readPools(): Promise<PoolState[]>
  /** Frees the slot of an attempt whose job is known to be over although its task had ended before. May be repeated. */
  releaseSlot(taskId: string, attempt: number): Promise<void>
  /**
   * The submit of this attempt was sent, and its response was lost. The attempt keeps its slot while its job is looked up, and no longer
   * counts as unconfirmed. May be repeated.
   */
  markReplyLost(taskId: string, attempt: number): Promise<void>
  /**
   * The driver has accepted: stores its operation with the attempt, also when that has ended meanwhile, for it goes on upstream. False
   * when the lease is lost or the task has ended. May be repeated.
   */
  recordOperation(lease: Lease, attempt: number, operation: string): Promise<boolean>
  /** Prolongs leases and stores progress, which never falls. Answers with the leases that are lost. */
  renew(leases: RenewedLease[], leaseMs: number): Promise<Lease[]>
  /** Ends the open attempt, frees its slot and puts the task back into the queue at `dueAtMs`. False when the lease is lost. */
  retryLater(lease: Lease, end: AttemptEnding, dueAtMs: number): Promise<boolean>
  /** Gives leases back, so that the next claim finds the tasks at once. An attempt that was only assigned is dropped with its slot. */
  release(leases: Lease[]): Promise<void>
  /** Status, charge, result and cost in one commit. False when the lease is lost or the task has ended. */
  complete(lease: Lease, result: StoredResult, chargeMicroCredits: number, costs?: Partial<AttemptCosts>): Promise<boolean>
  /** Status and release of the whole hold in one commit. False when the lease is lost or the task has ended. */
  fail(lease: Lease, failure: Failure, note?: Partial<AttemptNote>): Promise<boolean>
  /** Ends a task that has not ended, whoever works on it. False when it has ended already, or does not exist. */
  cancel(id: string): Promise<boolean>
  /**
   * Removes the content of tasks that have ended, in one commit. Skips tasks that run and those that are deleted. Returns the ids of those
   * that it has changed. May be repeated.
   */
  erase(tasks: readonly ErasedTask[], what: ErasedContent): Promise<string[]>
  /**
   * Lets a task on hold wait for its turn as a new one does, behind the limits of its account. False when it is not on hold. `along` is
   * written in the same commit.
   */
  releaseHeld(id: string, along?: readonly Statement[]): Promise<boolean>
  /**
   * Adds credits to an account, for good or until they expire. What expires soonest is spent first. False when a grant with this
   * reference has been made before.
   */
  grant(accountNo: number, microCredits: number, note: string, options?: GrantOptions): Promise<boolean>
  /** Corrects a balance up or down, once for each reference. False, and nothing is changed, when it would fall below zero. */
  adjust(accountNo: number, microCredits: number, note: string, options?: AdjustOptions): Promise<boolean>
  /** Sets the clock by which grants expire and idempotency keys are forgotten. It never runs ahead of the store's own. */
  expireBy(clock: Clock): void
  /** Time of the acceptance of the newest task, Unix milliseconds; null if there is no task. */
  newestTaskMs(): Promise<number | null>
  /** Takes off what is left of every grant that has expired. Nobody can spend it in the meantime. */
  expireGrants(): Promise<void>
  /** The account's ledger, newest line first. A list that goes on after a page is whole, whatever has been written since. */
  listEntries(query: EntryListQuery): Promise<LedgerEntry[]>
  /** Recomputes every balance from the entries, every hold from the tasks, and what is left of every grant. */
  verifyCredits(): Promise<CreditsReport>
  /** Writes one small row, as every other write is made. Rejects when the database takes no writes. */
  checkWrite(): Promise<void>
  /** How many tasks have not ended, by model and status. */
  backlog(): Promise<Backlog[]>
  /** State of the write-ahead log; null for an engine that manages its log itself. */
  changeLog(): ChangeLog | null
  /** Among the tasks accepted last, those that failed after they had been started: a crash may have left files of theirs. */
  failedLately(): Promise<string[]>
  /** Results whose retention has run out and whose files are still there, oldest first. */
  expiredResults(limit: number, nowMs: number): Promise<ExpiredResult[]>
  markResultsRemoved(results: ExpiredResult[], nowMs: number): Promise<void>
  /**
   * Called after the commit of every change that a client can see and this process has made. Of what other processes do it is told when
   * one of the watched tasks ends, or changes where that is awaited: at once as a rule, within some seconds at the latest. Returns how to
   * stop listening.
   */
  onTaskChanged(listener: (task: TaskRecord) => void, watched?: WatchedTasks): () => void
  /** Called when there may be something new to claim. A hint, never the truth. */
  onTaskDue(listener: () => void): () => void
  /** An upstream has news of this attempt: whoever works on it, in whatever process, is told. A hint, never the truth. */
  tellNews(attemptId: string): void
  onNews(listener: (attemptId: string) => void): () => void
  /** This process works on tasks from now on. */
  joinWorkers(): Promise<void>
  /** How many processes work on tasks, as of some seconds ago, and which of them this is, from 0. */
  readonly workers: WorkersShare
  /** When keys were last used: number and Unix milliseconds of each. */
  keysUsed(uses: (readonly [keyNo: number, atMs: number])[]): Promise<void>
  /**
   * Called within a second after keys, accounts, brands, prices or stored routes were changed, by whatever process. A listener that rejects is called
   * again. Limits of tasks in flight and of spending follow by themselves.
   */
  onRulesChanged(listener: () => Promise<void>): () => void
  /**
   * These in one commit, in their order: what belongs to a change is written with it or not at all. When the first changes no row, the
   * others are not made: false.
   */
  writeTogether(first: Statement, ...others: Statement[]): Promise<boolean>
  /** A read of many rows. It delays no other read and no write. */
  readMany(statement: Statement): Promise<Record<string, unknown>[]>
  /** Called once when the engine cannot go on; the service then stops. */
  onFatal(listener: (cause: Error) => void): () => void
  /** Whether other processes write to it too. */
  readonly isShared: boolean
  /** The query layer for everything ordinary. */
  readonly query: Kysely<Tables>
}

export interface WorkersShare {
  count: number
  rank: number
}

/** Tasks by their ids: what a Map of them says. */
export interface WatchedTasks extends Pick<ReadonlyMap<string, unknown>, 'has' | 'keys'> {
  /** The version of a watched task that is known: any later one is awaited. Null, or without the method, only its end is. */
  knownVersion?(id: string): number | null
}

/** What the query layer makes of a write by `compile()`. */
export type Statement = Pick<CompiledQuery, 'sql' | 'parameters'>

/** What is to be written in the commit of a change, for the id of what changes. */
export type Along = (id: string) => readonly Statement[]

export const nothingAlong: Along = () => []

export interface ErasedTask {
  id: string
  /** What stays of its parameters. */
  parameters: string
}

/**
 * `prompt`: prompt and inputs. `task`: error texts and what upstreams said too, its result expires at once, and no client sees the task.
 * `erasureOf` is the account whose erasure counts it.
 */
export type ErasedContent = { kind: 'prompt' } | { kind: 'task'; erasureOf?: number }

export interface AdjustOptions {
  /** Names the request for it, so that the same request counts once. */
  reference?: string | undefined
  /** Written in the same commit, unless it has been made before. */
  along?: readonly Statement[]
}

export interface GrantOptions extends AdjustOptions {
  expiresAtMs?: number | undefined
}

export interface NewTask {
  id: string
  accountNo: number
  /** Whose limits it counts for; null for none. */
  keyNo: number | null
  model: string
  object: 'image' | 'video'
  /** The model's parameters with defaults filled in and without pictures, as JSON text. */
  parameters: string
  /** Those of them that are pictures, as JSON text. Kept until the task ends, and only the claim reads them. */
  pictures: string | null
  /** The assets that they name: from the commit on, their files stay until the task has ended. */
  assetIds?: readonly string[]
  priceMicroCredits: number
  /** The line of `prices` that says so; null for the catalogue. */
  priceNo: number | null
  /** May be claimed so much later than it is accepted. */
  delayMs: number
  /** The queue partition of the routes that can serve it (`routing/lanes.ts`). */
  lane: number
  /** A key names one request: the same model, parameters, and digest of whatever else it was. */
  idempotency: { key: string; digest: string } | null
}

export type AcceptOutcome =
  | { kind: 'accepted'; task: TaskRecord }
  | { kind: 'replayed'; taskId: string }
  | { kind: 'key_reused' }
  | AssetsMissing
  | CreditsRefusal
  /** More tasks wait than this store takes on, or it cannot be written to: nothing was written, the client may come back later. */
  | { kind: 'overloaded' }
  | { kind: 'failed'; cause: Error }

export type TriedTask = Pick<NewTask, 'accountNo' | 'keyNo' | 'priceMicroCredits' | 'assetIds'>

/** The account has none of these: they never were, are deleted, or are another's. */
export interface AssetsMissing {
  kind: 'assets_missing'
  ids: readonly string[]
}

/** The account, its key or its brand may not take this task on. */
export type CreditsRefusal =
  | { kind: 'insufficient_credits'; balanceMicroCredits: number }
  | { kind: 'spending_limit'; period: 'day' | 'month'; maxMicroCredits: number; spentMicroCredits: number }
  /** The account does not let tasks wait, or this one alone is over the limit. */
  | { kind: 'too_many_in_flight'; whose: 'key' | 'account' | 'brand'; limit: 'tasks' | 'credits'; max: number }

/** A task as stored. Never changed in place: every commit makes a new one, so anything may be cached by its identity. */
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
  /** The line of `prices` that it is settled by; null for the catalogue. */
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
  /** The seed that was used, when the driver chose it. */
  seed: number | null
  /** When the file may be removed. */
  expiresAtMs: number
  removed: boolean
}

export interface Lease {
  id: string
  /** Raised by every claim: a write that names an older one finds nothing. */
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
  /** False when this claim opened the attempt; true when it continues one that an earlier claim opened. */
  resumed: boolean
  /** How many claims have continued it since it began. */
  timesResumed: number
  /** Attempts at this task that have failed before, those that no upstream accepted not counted. */
  failedBefore: number
  operation: string | null
  startedAtMs: number
  /** How long it may take, as its route said when it was opened; null: as the model has it. */
  deadlineMs: number | null
  /** The slot pools that it occupies; null on a route that only this process serves. */
  pools: AttemptPools | null
  /** Whether its task was on hold. Another process may have made the same attempt, so its job is looked up before one is started. */
  looksFirst?: true
}

export interface AttemptRoute {
  route: string
  /** The route as it was when the attempt was opened (`frozen_routes`); 0 for the embedded one. */
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

/** How many tasks of one lane may be claimed now, and on which routes. */
export interface LaneGrant {
  lane: number
  routes: readonly RouteGrant[]
}

export interface RouteGrant extends AttemptRoute {
  /** At most this many tasks. */
  limit: number
  deadlineMs: number | null
  /** Null: its slots are this process's own and counted by the caller. */
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
 * Slots of an upstream, or of one route to it, that all processes share. In flight are attempts from their claim until their job is
 * known to be over; a cancelled task's job may outlive its task.
 */
export interface PoolState extends PoolPause {
  no: number
  inFlight: number
  /** Attempts in flight that no upstream has accepted yet, apart from those whose reply was lost. */
  unconfirmed: number
}

export interface PoolPause {
  /** Nothing is submitted before this time, Unix milliseconds; 0: it was never paused. */
  pausedUntilMs: number
  /** How many attempts may be unconfirmed at once: 1 after a pause, doubled by each that is accepted; null: any number. */
  unconfirmedMax: number | null
  /** Pauses in a row without an accepted attempt between them. */
  refusals: number
  condition: RouteCondition
}

export type PoolChange =
  /** Keeps the later end, the higher count and the worse condition of what it finds, and lets one attempt go first afterwards. */
  | { kind: 'pause'; untilMs: number; refusals: number; condition: Exclude<RouteCondition, 'open'> }
  /** An attempt was accepted. Without effect during a pause; otherwise doubles `unconfirmedMax`, and removes it from 64 on. */
  | { kind: 'confirm' }
  /** A free probe succeeded: ends the pause; one attempt goes first. */
  | { kind: 'reopen' }

export interface AttemptEnding {
  /** `not_accepted`: surely nothing was started, and it does not count as a try. */
  state: 'failed' | 'not_accepted'
  reason: string
  /** What the upstream said; only for the operator. */
  detail: string | null
  /** Lets some tasks of its lane pass, so that another one finds out whether a route works again; otherwise the task waits in front. */
  goesBehind?: boolean
  /** Where it waits from now on; the lane that it was claimed from unless given. */
  lane?: number
}

/** What an upstream says that it charges, in its own unit. */
export interface AttemptCost {
  amount: number
  unit: string
}

export interface AttemptCosts {
  /** As the upstream reports it. */
  cost: AttemptCost | null
  /** What the operator pays, by the cost of the route; null: not known. */
  paidMicroCredits: number | null
}

/** What is known of a failed attempt besides its reason. */
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
  /** What it has added to the balance. */
  microCredits: number
  /** What it has added to what is held. */
  heldMicroCredits: number
  balanceAfterMicroCredits: number
  /** Never before the line before it. */
  atMs: number
  note: string | null
  /** Of a grant that expires. */
  expiresAtMs: number | null
}

/** Where a line stands in its ledger. */
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
  /** Accounts and tasks whose figures disagree, in words. */
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
