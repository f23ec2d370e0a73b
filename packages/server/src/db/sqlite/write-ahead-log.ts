import { statSync } from 'node:fs'

/**
 * The write-ahead log of SQLite. Two threads work on it:
 *
 *   checkpoint thread   checks the log ten times a second; copies a log of at least
 *                       `copiedLogBytesMin` into the database, without waiting for readers; empties
 *                       the log after content was removed. It starts when it has work, or some
 *                       seconds after the writer thread.
 *   writer thread       empties the log after content was removed, if commits or readers prevented
 *                       the checkpoint thread from doing so; restarts the log when it is longer
 *                       than `logBytesMax` and copied completely
 *
 * After a restart, commits write from the start of the log file again. The restart is necessary
 * because, under a steady load, a passive checkpoint alone never reaches the end of the log. An
 * open read transaction of any process prevents the restart. The log then grows, commits continue,
 * and the service warns the operator.
 */
export const logBytesMax = 64 * 1024 * 1024
/** Size from which the checkpoint thread copies the log. */
export const copiedLogBytesMin = 4 * 1024 * 1024
/** Size at which the service warns of a reader that makes the log grow. */
export const logBytesReported = 2 * logBytesMax
/**
 * SQLite writes a header of 24 bytes before each page
 * (https://www.sqlite.org/fileformat2.html#the_write_ahead_log).
 */
export const frameHeaderBytes = 24

/**
 * Minimum interval between two operations that empty the log after content was removed. Each of
 * them must copy the whole log to the database file.
 */
export const emptyIntervalMs = 5_000
/** Delay before the log is emptied again, if commits or readers have prevented the previous try. */
export const emptyRetryMs = 1_000

/**
 * Message of the checkpoint thread to the main thread. The checkpoint thread sends it when a reader
 * begins to make the log grow, and again when the log no longer grows.
 */
export interface LogBlocked {
  kind: 'log_blocked'
  isBlocked: boolean
  /** Size of the content of the log. */
  bytes: number
}

/** Indexes of the flags in an `Int32Array` that the two threads share. */
const [restartDueFlag, restartFailedFlag, erasedFlag, emptyDueFlag, emptiedFlag] = [0, 1, 2, 3, 4]

/** Signals about the log between the two threads, in shared memory. */
export class LogFlags {
  readonly memory: SharedArrayBuffer
  readonly #flags: Int32Array<SharedArrayBuffer>

  constructor(memory = new SharedArrayBuffer(5 * Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory
    this.#flags = new Int32Array(memory)
  }

  /** Called when the log is longer than its limit and is copied completely. */
  requestRestart(): void {
    Atomics.store(this.#flags, restartDueFlag, 1)
  }

  /** Whether a restart was requested since the last call. */
  takeRestartRequest(): boolean {
    return Atomics.load(this.#flags, restartDueFlag) === 1 && Atomics.exchange(this.#flags, restartDueFlag, 0) === 1
  }

  /**
   * Called after content was removed. Until the log is emptied, it still contains earlier versions
   * of the changed pages.
   */
  setErased(): void {
    Atomics.store(this.#flags, erasedFlag, 1)
  }

  /** Whether content was removed, and the checkpoint thread has not yet noticed. */
  get isErased(): boolean {
    return Atomics.load(this.#flags, erasedFlag) === 1
  }

  /** Whether content was removed since the last call. */
  takeErased(): boolean {
    return Atomics.exchange(this.#flags, erasedFlag, 0) === 1
  }

  /** Called when commits or readers have prevented the checkpoint thread from emptying the log. */
  requestEmptying(): void {
    Atomics.store(this.#flags, emptyDueFlag, 1)
  }

  /** Whether emptying was requested since the last call. */
  takeEmptyRequest(): boolean {
    return Atomics.load(this.#flags, emptyDueFlag) === 1 && Atomics.exchange(this.#flags, emptyDueFlag, 0) === 1
  }

  /** Called when the writer has emptied the log. */
  setEmptied(): void {
    Atomics.store(this.#flags, emptiedFlag, 1)
  }

  /** Whether the writer has emptied the log since the last call. */
  takeEmptied(): boolean {
    return Atomics.exchange(this.#flags, emptiedFlag, 0) === 1
  }

  /** Whether the last restart of the log failed. */
  get hasRestartFailed(): boolean {
    return Atomics.load(this.#flags, restartFailedFlag) === 1
  }

  set hasRestartFailed(hasFailed: boolean) {
    Atomics.store(this.#flags, restartFailedFlag, hasFailed ? 1 : 0)
  }
}

/**
 * Size of the log file in bytes, or 0 if there is no file. The file does not shrink when the log
 * restarts.
 */
export function logFileBytes(databaseFile: string): number {
  return statSync(`${databaseFile}-wal`, { throwIfNoEntry: false })?.size ?? 0
}
