import type { FailureCode, RouteCondition, TaskObject } from '@framegate/contract'
import type { Clock } from '../lib/clock.ts'
import type { TaskWebhook } from './event-log.ts'
import type { Statement } from './statement.ts'
import type { Improvement, GeneratedText, StoredResults, TaskRecord } from './task-queries.ts'
import type { Unresolved } from './tables/task-tables.ts'

/**
 * The operations on a task from its acceptance to its end. Accepting a task holds (reserves) its
 * price. Claiming a task takes slots (capacity for one attempt) of a route and its upstream, and
 * gives the worker a lease. Only the worker with the current lease can run the attempt.
 */
export interface TaskQueue {
  /** Holds the price and queues the task, both in one commit. */
  accept(task: NewTask): Promise<AcceptOutcome>
  /**
   * Returns the reason why a task at this price would be refused now. Null: it would be accepted.
   */
  findRefusal(task: TaskCheck): Promise<CreditsRefusal | AssetsMissing | null>
  /**
   * Returns a function that creates ids for new tasks (`identity/task-id.ts`). Each id is unique,
   * even among several processes.
   */
  createTaskIds(clock: Clock): () => string
  /**
   * Claims the tasks whose attempt has begun and whose worker has died or released the lease. Such
   * an attempt still holds its slots, so these tasks need no free slot. Moves the other due tasks
   * into their lanes (queue partitions). Returns the claims, the number of waiting tasks of each
   * lane, counted up to `countMax`, and the state of every slot pool. The caller uses the last two
   * to grant slots (`claim`).
   */
  takeDue(leaseMs: number, countMax: number): Promise<DueTasks>
  /**
   * Resets leases and due times that were written while the clock was ahead, so that no task waits
   * until the clock reaches that time again. On SQLite, the start of the service and each write do
   * this.
   */
  resetFutureTimes(leaseMs: number): Promise<void>
  /**
   * Claims waiting tasks, up to the limits of the granted routes. The accounts of a lane take
   * turns. Each claimed task gets a lease, a higher fence and an open attempt on the granted route.
   * The attempt is `assigned` if it takes slots of pools, and `starting` otherwise. The claim
   * respects pauses, the limits of the pools and their `unconfirmedMax`, even if other processes
   * claim at the same time.
   */
  claim(lanes: readonly LaneGrant[], leaseMs: number): Promise<Claim[]>
  /**
   * The worker calls this right before it sends the request that may start a job. After the result
   * `begun`, the attempt is `starting` and its task is `processing`. After any other result, the
   * worker must not send the request.
   *
   * - `missed`: the lease is lost or the task has ended.
   * - `paused`: one of the attempt's pools is paused, or has more than `unconfirmedMax` unconfirmed
   *   attempts.
   */
  beginAttempt(lease: Lease, attempt: number): Promise<'begun' | 'missed' | 'paused'>
  /**
   * Records the operation, which is the driver's record of a job that an upstream has accepted. The
   * operation is stored even if the attempt has ended in the meantime, because the job continues at
   * the upstream. Returns false if the lease is lost or the task has ended. The call may be
   * repeated.
   */
  recordOperation(lease: Lease, attempt: number, operation: string): Promise<boolean>
  /**
   * Extends leases and stores the progress of their tasks. Stored progress never falls. Returns the
   * leases that are lost.
   */
  renew(leases: RenewedLease[], leaseMs: number): Promise<Lease[]>
  /**
   * Ends the open attempt, frees its slots, and queues the task again with the due time `dueAtMs`.
   * Returns false if the lease is lost or the task has ended.
   */
  requeue(lease: Lease, end: AttemptEnding, dueAtMs: number): Promise<boolean>
  /**
   * Gives up leases, so that the next `takeDue` finds their tasks. Deletes each attempt that was
   * only assigned, and frees its slots.
   */
  release(leases: Lease[]): Promise<void>
  /**
   * Records that the submit of this attempt was sent and that its response was lost. The attempt
   * keeps its slots while its job is looked up, but no longer counts as unconfirmed. The call may
   * be repeated.
   */
  markReplyLost(taskId: string, attempt: number): Promise<void>
  /**
   * Frees the slots that an attempt has kept after the end of its task, usually because its job has
   * ended. The call may be repeated.
   */
  releaseSlot(taskId: string, attempt: number): Promise<void>
  /**
   * Writes the text of a text task before the task completes. The call may be repeated. Returns
   * false if the lease is lost or the task has ended.
   */
  recordText(lease: Lease, text: GeneratedText): Promise<boolean>
  /** Writes the improvement of a task's prompt, with the same guarantees as `recordText`. */
  recordImprovement(lease: Lease, improvement: Improvement): Promise<boolean>
  /**
   * Ends the task as completed: writes its status, charge, results and cost in one commit. Returns
   * false if the lease is lost or the task has ended.
   */
  complete(lease: Lease, results: StoredResults, chargeMicroCredits: number, costs?: Partial<AttemptCosts>): Promise<boolean>
  /**
   * Writes the status and releases the whole hold, both in one commit. Returns false if the lease
   * is lost or the task has ended. The `extraStatements` are written in the same commit.
   */
  fail(lease: Lease, failure: Failure, note?: Partial<AttemptNote>, extraStatements?: readonly Statement[]): Promise<boolean>
  /**
   * Ends a queued or running task, even if a worker holds its lease. Returns false if the task has
   * already ended or does not exist.
   */
  cancel(id: string): Promise<boolean>
  /**
   * Removes the content of ended tasks in one commit. Unfinished and deleted tasks are skipped.
   * Returns the ids of the changed tasks. The call may be repeated.
   */
  erase(tasks: readonly ErasedTask[], content: ErasedContent): Promise<string[]>
  /**
   * Releases a task that a restored copy has put on hold (`held-tasks.ts`). The task is queued like
   * a new one, within the limits of its key, account and brand. Returns false if the task is not on
   * hold. The `extraStatements` are written in the same commit.
   */
  releaseHeld(id: string, extraStatements?: readonly Statement[]): Promise<boolean>
  /**
   * Moves waiting tasks to another lane. A task that was never claimed moves behind the tasks of
   * its account in the new lane. Any other task moves to the front of the new lane. A task that no
   * longer waits in the lane `from` stays unchanged.
   */
  moveToLane(moves: readonly LaneMove[]): Promise<void>
  /**
   * Changes the pause of a pool. A new pause never shortens the current pause, even if another
   * process has set the current one.
   */
  changePool(pool: number, change: PoolChange): Promise<void>
  readPools(): Promise<PoolState[]>
}

export interface NewTask {
  id: string
  accountNo: number
  /**
   * The API key whose limits apply to the task. Null: the task was submitted without an API key.
   */
  keyNo: number | null
  model: string
  /** The row of `model_versions` that defines the model. Null for a built-in model. */
  modelVersionNo: number | null
  object: TaskObject
  /**
   * JSON of the model's parameters. Defaults are filled in, and parameters that are files are left
   * out.
   */
  parameters: string
  /**
   * JSON of the parameters that are files. They may take megabytes, so they are stored separately,
   * and only until the task ends.
   */
  images: string | null
  /**
   * Ids of the assets that the request names. Their files are kept from the commit until the end of
   * the task.
   */
  assetIds?: readonly string[]
  priceMicroCredits: number
  /** The row of `prices` that sets the price. Null: the price of the catalogue applies. */
  priceNo: number | null
  /** Delay between the acceptance of the task and its earliest claim. */
  delayMs: number
  /** The lane, a queue partition, of the routes that can serve the task (`routing/lanes.ts`). */
  lane: number
  /**
   * The idempotency key that the client sent, or a key that the service has generated. If a client
   * sends a key again, the model, the parameters and the digest must be the same. The digest covers
   * the rest of the request.
   */
  idempotency: { key: string; digest: string } | null
  /** The webhook that receives the event of the end of this task. */
  webhook?: TaskWebhook
}

export type AcceptOutcome =
  | { kind: 'accepted'; task: TaskRecord }
  | { kind: 'replayed'; taskId: string }
  | { kind: 'key_reused' }
  | AssetsMissing
  | CreditsRefusal
  /**
   * Too many writes wait for this store, its memory for unfinished tasks is full, or the database
   * accepts no writes. Nothing was written, and the client may retry later. `cause` is set if a
   * write failed.
   */
  | { kind: 'overloaded'; cause?: Error }
  | { kind: 'failed'; cause: Error }

export type TaskCheck = Pick<NewTask, 'accountNo' | 'keyNo' | 'priceMicroCredits' | 'assetIds'>

/** Ids of assets that are unknown, incomplete, deleted, or owned by another account. */
export interface AssetsMissing {
  kind: 'assets_missing'
  ids: readonly string[]
}

/**
 * The balance of the account, or a limit of the account, its key or its brand, does not allow this
 * task.
 */
export type CreditsRefusal =
  | { kind: 'insufficient_credits'; balanceMicroCredits: number }
  | { kind: 'spending_limit'; period: 'day' | 'month'; maxMicroCredits: number; spentMicroCredits: number }
  /**
   * The task exceeds a limit, and it cannot wait: the account's tasks are refused at a limit, or
   * the limit is too low for this task alone.
   */
  | { kind: 'too_many_in_flight'; whose: 'key' | 'account' | 'brand'; limit: 'tasks' | 'credits'; max: number }

export interface Lease {
  id: string
  /** Raised by every claim. With an older fence, only `recordOperation` has an effect. */
  fence: number
}

export interface RenewedLease extends Lease {
  progress: number
}

/**
 * The input files of a claimed task. Files of more than `claimedImagesBytesMax` bytes must be read
 * from `task_images` when they are needed, because many claimed tasks are in memory at the same
 * time.
 */
export type ClaimedImages =
  /** `text` is null if the task has no input files. */
  { text: string | null } | { bytes: number }

/** Maximum size of the JSON of a task's input files in a claim. It suffices for several URLs. */
export const claimedImagesBytesMax = 4 * 1024

export interface Claim extends Lease {
  task: TaskRecord
  images: ClaimedImages
  attempt: Attempt
}

/**
 * One attempt at a task, with its states:
 *
 *   assigned   a route and its slots are reserved; nothing was sent
 *   starting   committed right before the submit is sent, so a job may have been started
 *   started    the driver's operation of the job is recorded
 */
export interface Attempt extends AttemptRoute {
  /** Number of the attempt within its task, from 1. */
  number: number
  state: 'assigned' | 'starting' | 'started'
  /**
   * False: this claim opened the attempt. True: an earlier claim opened the attempt, and this claim
   * continues it.
   */
  resumed: boolean
  /** Number of claims that have continued the attempt since it began. */
  timesResumed: number
  /**
   * Number of earlier attempts at this task that failed. Attempts with the state `not_accepted` do
   * not count.
   */
  failedBefore: number
  operation: string | null
  startedAtMs: number
  /**
   * Maximum duration of the attempt, copied from the route when the attempt was opened. Null: the
   * deadline of the model applies.
   */
  deadlineMs: number | null
  /**
   * The slot pools whose slots the attempt holds. Null: the process counts the slots of the route
   * in memory.
   */
  pools: AttemptPools | null
  /**
   * Set if the task was on hold. The installation that was copied may have made the same attempt,
   * so the worker looks for an existing job before it starts one.
   */
  mustFindJob?: true
}

export interface AttemptRoute {
  route: string
  /**
   * Number of the route snapshot (`route_snapshots`): the definition of the route at the creation
   * of the attempt. 0 for the embedded route, on which the service itself generates the media.
   */
  snapshotNo: number
}

/** Numbers of the slot pools of an attempt's route and upstream. */
export interface AttemptPools {
  route: number
  upstream: number
}

export interface DueTasks {
  claims: Claim[]
  waiting: readonly WaitingLane[]
  pools: readonly PoolState[]
}

/** A lane with tasks that wait for a claim. */
export interface WaitingLane {
  lane: number
  /** Number of the waiting tasks, counted up to the `countMax` of `takeDue`. */
  tasks: number
}

/** The routes on which tasks of one lane may be claimed now, each with a maximum number. */
export interface LaneGrant {
  lane: number
  routes: readonly RouteGrant[]
}

export interface RouteGrant extends AttemptRoute {
  /** Maximum number of tasks to claim on this route. */
  limit: number
  deadlineMs: number | null
  /** Null: the slots belong to this process alone, and the caller counts them. */
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
 * Slots of an upstream, or of one route to it, which all processes share. An attempt is in flight
 * from its claim until its job is known to have ended. If the job continues after the end of its
 * task, the attempt is in flight for about ten more minutes at most.
 */
export interface PoolState extends PoolPause {
  no: number
  inFlight: number
  /**
   * Number of attempts in flight that no upstream has accepted yet. Attempts whose response was
   * lost are not counted.
   */
  unconfirmed: number
}

export interface PoolPause {
  /** No submit is sent before this time, in Unix milliseconds. 0: the pool was never paused. */
  pausedUntilMs: number
  /**
   * Maximum number of attempts that may be unconfirmed at the same time. It is 1 after a pause, and
   * each attempt that the upstream accepts doubles it. Null: unlimited.
   */
  unconfirmedMax: number | null
  /** Number of consecutive pauses without an accepted attempt between them. */
  refusals: number
  condition: RouteCondition
}

export type PoolChange =
  /**
   * A new pause is combined with the current one: the later end, the higher `refusals` and the
   * worse `condition` apply. `unconfirmedMax` becomes 1.
   */
  | { kind: 'pause'; untilMs: number; refusals: number; condition: Exclude<RouteCondition, 'open'> }
  /**
   * An upstream accepted an attempt. During a pause this changes nothing. Otherwise the pool is
   * open again, and `unconfirmedMax` is doubled. Once it reaches 64, the limit is removed.
   */
  | { kind: 'confirm' }
  /**
   * A probe (a free request that tests the route) succeeded. The pause ends, and `unconfirmedMax`
   * becomes 1.
   */
  | { kind: 'reopen' }

export interface AttemptEnding {
  /** `not_accepted`: no job was started, and the attempt does not count as a failed attempt. */
  state: 'failed' | 'not_accepted'
  reason: string
  /** The upstream's message. Only the operator sees it. */
  detail: string | null
  /**
   * Whether the task moves behind some other tasks of its lane, so that another task is tried next
   * on the route. Otherwise, the task waits at the front of the lane.
   */
  movesToBack?: boolean
  /** The lane in which the task waits from now on. Default: its present lane. */
  lane?: number
}

/** The cost of an attempt as the upstream reports it, in the upstream's own unit. */
export interface AttemptCost {
  amount: number
  unit: string
}

export interface AttemptCosts {
  /** The cost that the upstream reports. Null: it reports none. */
  cost: AttemptCost | null
  /** The operator's cost, calculated from the `cost` setting of the route. Null: unknown. */
  paidMicroCredits: number | null
}

/** What is stored about a failed attempt in addition to its reason. */
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
  /** JSON of the parameters that remain after the removal. */
  parameters: string
}

/**
 * The content to remove. `prompt` removes the prompt, its improvement, the input files, upstream
 * messages, and the text of a failed task. `task` also removes all error texts and generated texts;
 * the results expire immediately, and clients no longer see the task. `erasureOf` is the number of
 * the account whose erasure counts the task.
 */
export type ErasedContent = { kind: 'prompt' } | { kind: 'task'; erasureOf?: number }
