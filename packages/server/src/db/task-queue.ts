import type { FailureCode, RouteCondition, TaskObject } from '@framegate/contract'
import type { Clock } from '../lib/clock.ts'
import type { TaskWebhook } from './event-log.ts'
import type { Statement } from './statement.ts'
import type { Improvement, MadeText, StoredResults, TaskRecord } from './task-queries.ts'
import type { Unresolved } from './tables.ts'

/**
 * Tasks on their way from acceptance to their end: accepted with their price held, claimed on a
 * route with its slots, and written by the worker that holds their lease.
 */
export interface TaskQueue {
  /** Holds the price and queues the task in one commit. */
  accept(task: NewTask): Promise<AcceptOutcome>
  /** Why a task at this price would be refused now; null if it would be accepted. */
  tryAccept(task: TriedTask): Promise<CreditsRefusal | AssetsMissing | null>
  /**
   * Creates ids for new tasks (`identity/task-id.ts`) that no task has and that no other process
   * creates.
   */
  createTaskIds(clock: Clock): () => string
  /**
   * Claims tasks with an attempt that was begun by a worker which died or released it. They need no
   * free slot, because the attempt still holds its slots. Moves tasks whose delay is over into
   * their lane. Returns those claims and the input of an allocator: the lanes with waiting tasks,
   * counted up to `countMax` each, and the state of every slot pool.
   */
  takeDue(leaseMs: number, countMax: number): Promise<DueTasks>
  /**
   * Claims waiting tasks: as many of each lane as its grants allow, from the accounts of the lane
   * in turn. Each task gets a lease, a higher fence and an open attempt on the granted route:
   * `assigned` if it takes a slot of pools, otherwise `starting`. Never exceeds a pool's limit,
   * `unconfirmedMax` or pause, whatever other processes claim at the same time.
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
   * Records the operation of a job that an upstream has accepted. It is stored even if the attempt
   * has ended meanwhile, because the job continues upstream. Returns false if the lease is lost or
   * the task has ended. May be repeated.
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
   * Records that the submit of this attempt was sent and its response was lost. The attempt keeps
   * its slot while its job is looked up, and no longer counts as unconfirmed. May be repeated.
   */
  markReplyLost(taskId: string, attempt: number): Promise<void>
  /**
   * Frees the slot of an attempt whose job is known to be over and whose task had ended before. May
   * be repeated.
   */
  releaseSlot(taskId: string, attempt: number): Promise<void>
  /**
   * Writes the text of a text task, before it completes. May be repeated. Returns false if the lease
   * is lost or the task has ended.
   */
  recordText(lease: Lease, made: MadeText): Promise<boolean>
  /** Writes the improvement of a task's prompt, as `recordText` does. */
  recordImprovement(lease: Lease, improvement: Improvement): Promise<boolean>
  /**
   * Writes status, charge, results and cost in one commit. Returns false if the lease is lost or
   * the task has ended.
   */
  complete(lease: Lease, results: StoredResults, chargeMicroCredits: number, costs?: Partial<AttemptCosts>): Promise<boolean>
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
   * Queues a task on hold as if it were new, within the limits of its account. Returns false if it
   * is not on hold. `extraStatements` is written in the same commit.
   */
  releaseHeld(id: string, extraStatements?: readonly Statement[]): Promise<boolean>
  /**
   * Puts waiting tasks into another lane, behind those of their account that wait there. Does
   * nothing for a task that no longer waits in `from`.
   */
  moveToLane(moves: readonly LaneMove[]): Promise<void>
  /**
   * Changes the pause of a pool. A new pause never shortens the current one, whichever process has
   * set it.
   */
  changePool(pool: number, change: PoolChange): Promise<void>
  readPools(): Promise<PoolState[]>
}

export interface NewTask {
  id: string
  accountNo: number
  /** The key whose limits it counts for; null for none. */
  keyNo: number | null
  model: string
  /** The row of `model_versions` with its definition; null for a built-in model. */
  modelVersionNo: number | null
  object: TaskObject
  /** The model's parameters with defaults filled in and without files, as JSON text. */
  parameters: string
  /**
   * The parameters that are files, as JSON text. They are kept until the task ends, and only a
   * claim reads them.
   */
  images: string | null
  /**
   * The assets that the request names. From the commit on, their files stay until the task has
   * ended.
   */
  assetIds?: readonly string[]
  priceMicroCredits: number
  /** The row of `prices` that sets its price; null for the catalogue. */
  priceNo: number | null
  /** Delay between its acceptance and its earliest claim. */
  delayMs: number
  /** The queue partition of the routes that can serve it (`routing/lanes.ts`). */
  lane: number
  /**
   * A key names one request: the same model and parameters, and the same digest of everything else.
   */
  idempotency: { key: string; digest: string } | null
  /** Receives the end of this task. */
  webhook?: TaskWebhook
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
  images: string | null
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
  /** Number of failed earlier attempts at this task, without those that no upstream accepted. */
  failedBefore: number
  operation: string | null
  startedAtMs: number
  /**
   * Its longest duration, as set by its route when the attempt was opened; null: the deadline of
   * the model.
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
   * Number of the route snapshot from when the attempt was opened (`route_snapshots`); 0 for the
   * embedded route.
   */
  snapshotNo: number
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
   * Attempts in flight that no upstream has accepted yet, without those whose response was lost.
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
   * Combined with the current pause: the later end, the higher count and the worse condition apply.
   * Afterwards one attempt is tried before others.
   */
  | { kind: 'pause'; untilMs: number; refusals: number; condition: Exclude<RouteCondition, 'open'> }
  /**
   * An attempt was accepted. Without effect during a pause. Otherwise doubles `unconfirmedMax`, and
   * removes this limit once it is 64.
   */
  | { kind: 'confirm' }
  /** A free probe succeeded: the pause ends, and one attempt is tried before others. */
  | { kind: 'reopen' }

export interface AttemptEnding {
  /** `not_accepted`: no job was started, and the attempt does not count as a try. */
  state: 'failed' | 'not_accepted'
  reason: string
  /** The upstream's message; only for the operator. */
  detail: string | null
  /**
   * Whether some tasks of its lane may pass it, so that another task tests whether a route works
   * again. Otherwise the task waits in front.
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
  /** The operator's cost, calculated from the cost of the route; null: unknown. */
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
