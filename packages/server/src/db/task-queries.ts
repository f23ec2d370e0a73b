import type { FailureCode, PreviewKind, TaskObject, TaskStatus } from '@framegate/contract'

/** Reads of tasks and of their results. */
export interface TaskQueries {
  /**
   * Returns the task from memory. Undefined: the memory of this process may lack the task or its
   * current state.
   */
  peek(id: string): TaskRecord | undefined
  find(id: string): Promise<TaskRecord | undefined>
  /** Lists tasks, newest first unless the query sets another order. */
  list(query: TaskListQuery): Promise<TaskRecord[]>
  /**
   * Returns the time at which the newest task was accepted, in Unix milliseconds. Null: there is no
   * task. On PostgreSQL, forwarded requests count too, and the result does not change after the
   * store was opened.
   */
  readNewestTaskMs(): Promise<number | null>
  /** Number of tasks that have not ended, by model and status. */
  readBacklog(): Promise<Backlog[]>
  /**
   * Returns the ids of recently accepted tasks that were started and then failed. A crash may have
   * left files of these tasks behind.
   */
  listRecentlyFailed(): Promise<string[]>
  /**
   * Lists results whose retention has expired and whose files still exist, oldest expiry first,
   * without the first `skipCount`, by default 0.
   */
  listExpiredResults(limit: number, nowMs: number, skipCount?: number): Promise<ExpiredResult[]>
  markResultsRemoved(results: ExpiredResult[], nowMs: number): Promise<void>
  /** Records a preview whose file is stored. Returns false if its result has expired. */
  recordPreview(preview: NewPreview, nowMs: number): Promise<boolean>
}

/**
 * A task as stored. A record is never changed in place. Every change creates a new record, so a
 * cache may use a record object as its key.
 */
export interface TaskRecord {
  readonly id: string
  readonly accountNo: number
  readonly model: string
  /**
   * The row of `model_versions` that defined the model at acceptance. Null for a built-in model.
   */
  readonly modelVersionNo: number | null
  readonly object: TaskObject
  readonly parameters: string
  readonly status: TaskStatus
  /** 0 to 99 while running, 100 when completed. */
  readonly progress: number
  readonly priceMicroCredits: number
  /** The row of `prices` that determines the charge. Null: the price of the catalogue. */
  readonly priceNo: number | null
  /** Null until the task has ended. */
  readonly chargedMicroCredits: number | null
  /** Rises with every change that a client can see. */
  readonly version: number
  readonly startedAtMs: number | null
  readonly endedAtMs: number | null
  readonly errorCode: FailureCode | null
  readonly errorMessage: string | null
  /**
   * Empty until the task has completed. A completed task has at least one result. The order is the
   * one that clients see.
   */
  readonly results: readonly StoredResult[]
  /** The text of a text task, set once it is written. Left out in lists without texts. */
  readonly generatedText?: GeneratedText
  /** The improvement of the prompt, set once it has begun. */
  readonly improvement?: Improvement
  /** Set once the task is deleted. Its content is removed, and no client sees it. */
  readonly isDeleted?: true
}

/**
 * The outcome of improving a prompt before media are generated from it.
 *
 *   begun      a request to a provider may have been sent, so it is not repeated
 *   improved   the media are generated from the improved prompt
 *   failed     the media are generated from the prompt of the request
 */
export type Improvement =
  | { outcome: 'begun' | 'failed' }
  /** `paid`: the operator's cost in micro-credits; null: unknown. */
  | { outcome: 'improved'; prompt: string; paid: number | null }

/** The result of a text task. The file of the result contains the same text. */
export interface GeneratedText {
  text: string
  /** Set if the service wrote the text itself, without a provider. */
  engine?: 'embedded'
}

/** The results of a completed task, at least one. */
export type StoredResults = readonly [StoredResult, ...StoredResult[]]

export interface StoredResult {
  objectKey: string
  contentType: string
  sizeBytes: number
  sha256: string
  width: number
  height: number
  /** Null for an image or a text. */
  durationMs: number | null
  /** The seed that the driver chose. Null if it chose none. */
  seed: number | null
  /** Time from which on the file may be removed. */
  expiresAtMs: number
  removed: boolean
  /**
   * The thumbnail of the result. Left out if none was created yet. Null if none can be created from
   * this result.
   */
  thumbnail?: StoredPreview | null
}

/** A small image of a result. It is stored next to the file of the result. */
export interface StoredPreview {
  sizeBytes: number
  /** SHA-256 of the file, lower-case hexadecimal. */
  sha256: string
}

export interface NewPreview {
  taskId: string
  /** The object key of the result. */
  objectKey: string
  kind: PreviewKind
  /** Null: no preview can be created from this result. */
  preview: StoredPreview | null
}

export interface TaskListQuery {
  accountNo: number
  limit: number
  /** Restricts the list to tasks accepted before this one. */
  beforeId?: string
  /** Restricts the list to tasks accepted after this one. */
  afterId?: string
  /** Lists the oldest tasks first. Default: the newest first. */
  isOldestFirst?: true
  status?: TaskStatus
  model?: string
  object?: TaskObject
  /** Restricts the list to tasks accepted at or after this time, Unix milliseconds. */
  createdFromMs?: number
  /** Restricts the list to tasks accepted before this time, Unix milliseconds. */
  createdUntilMs?: number
  /** Whether the records of text tasks include their texts. Default: false. */
  withTexts?: boolean
}

export interface Backlog {
  model: string
  status: 'queued' | 'processing'
  tasks: number
  /** Time at which the oldest of these tasks was accepted, Unix milliseconds. */
  oldestAtMs: number
}

export interface ExpiredResult {
  objectKey: string
  taskId: string
}
