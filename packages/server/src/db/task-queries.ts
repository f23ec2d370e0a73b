import type { FailureCode, PreviewKind, TaskObject, TaskStatus } from '@framegate/contract'

/** Tasks and results as they are read. */
export interface TaskQueries {
  /**
   * The task as this process knows it without a query to the database: its current state or
   * undefined, never an older state.
   */
  peek(id: string): TaskRecord | undefined
  find(id: string): Promise<TaskRecord | undefined>
  /** Newest first, unless the query says otherwise. */
  list(query: TaskListQuery): Promise<TaskRecord[]>
  /** Time of the acceptance of the newest task, Unix milliseconds; null if there is no task. */
  newestTaskMs(): Promise<number | null>
  /** Number of tasks that have not ended, by model and status. */
  backlog(): Promise<Backlog[]>
  /**
   * Among the tasks accepted last, those that failed after they had been started: a crash may have
   * left their files behind.
   */
  recentlyFailed(): Promise<string[]>
  /** Results whose retention has expired and whose files still exist, oldest first. */
  expiredResults(limit: number, nowMs: number): Promise<ExpiredResult[]>
  markResultsRemoved(results: ExpiredResult[], nowMs: number): Promise<void>
  /** Records a preview that was stored. False if the result is no longer kept. */
  recordPreview(made: MadePreview, nowMs: number): Promise<boolean>
}

/**
 * A task as stored. It is never changed in place: every commit creates a new record, so derived
 * data may be cached by its identity.
 */
export interface TaskRecord {
  readonly id: string
  readonly accountNo: number
  readonly model: string
  /** The row of `model_versions` under which it was accepted; null for a built-in model. */
  readonly modelVersionNo: number | null
  readonly object: TaskObject
  readonly parameters: string
  readonly status: TaskStatus
  /** 0 to 99 while running, 100 when completed. */
  readonly progress: number
  readonly priceMicroCredits: number
  /** The row of `prices` that determines its charge; null for the catalogue. */
  readonly priceNo: number | null
  /** Null until the task has ended. */
  readonly chargedMicroCredits: number | null
  /** Rises with every change that a client can see. */
  readonly version: number
  readonly startedAtMs: number | null
  readonly endedAtMs: number | null
  readonly errorCode: FailureCode | null
  readonly errorMessage: string | null
  /** Empty until the task has completed; then at least one, in the order that clients see. */
  readonly results: readonly StoredResult[]
  /** Of a text task, once it is made. Left out of a list without texts. */
  readonly madeText?: MadeText
  /** Of a task whose prompt is to be improved, once that was begun. */
  readonly improvement?: Improvement
  /** Set once its content is removed and no client sees it. */
  readonly isDeleted?: true
}

/**
 * The outcome of improving a prompt before the media are made from it.
 *
 *   begun    a request to a provider was sent; without another outcome it is not repeated
 *   improved
 *   failed   the media are made from the prompt of the request
 */
export type Improvement =
  | { outcome: 'begun' | 'failed' }
  /** `paid`: the operator's cost in micro-credits; null: unknown. */
  | { outcome: 'improved'; prompt: string; paid: number | null }

/** The result of a text task, which is also in its file. */
export interface MadeText {
  text: string
  /** Set if the service wrote it without a provider. */
  engine?: 'embedded'
}

/** All results of a completed task. */
export type StoredResults = readonly [StoredResult, ...StoredResult[]]

export interface StoredResult {
  objectKey: string
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
  /** Left out if none was made yet; null if none can be made of it. */
  thumbnail?: StoredPreview | null
}

/** A small image of a result, stored beside its file. */
export interface StoredPreview {
  sizeBytes: number
  /** Lower-case hex. */
  sha256: string
}

export interface MadePreview {
  taskId: string
  /** The key of the result. */
  objectKey: string
  kind: PreviewKind
  /** Null: none can be made of this result. */
  preview: StoredPreview | null
}

export interface TaskListQuery {
  accountNo: number
  limit: number
  /** Only tasks accepted before this one. */
  beforeId?: string
  /** Only tasks accepted after this one. */
  afterId?: string
  /** Default: newest first. */
  isOldestFirst?: true
  status?: TaskStatus
  model?: string
  object?: TaskObject
  /** Unix milliseconds: tasks accepted at or after the first time, and before the second. */
  createdFromMs?: number
  createdUntilMs?: number
  /** Whether records of text tasks have their text. Default: no. */
  withTexts?: boolean
}

export interface Backlog {
  model: string
  status: 'queued' | 'processing'
  tasks: number
  /** When the oldest of them was accepted, Unix milliseconds. */
  oldestAtMs: number
}

export interface ExpiredResult {
  objectKey: string
  taskId: string
}
