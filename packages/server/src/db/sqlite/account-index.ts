import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { WriteOperation, WriteOutcome } from '../write-operations.ts'
import { repeatAligned } from '../../lib/repeat-aligned.ts'

const sliceCount = 32
/**
 * Number of tasks at which a slice (see `AccountIndex`) is written without waiting for the timer.
 * Such a write adds several rows to each page of the index that it changes.
 */
const tasksPerWrite = 512
/**
 * Interval at which the timer writes one slice. When few tasks arrive, the row of a task is
 * therefore written after at most `sliceCount` intervals.
 */
const writeIntervalMs = 250

/**
 * The index that lists tasks by account (table `tasks_by_account`). The row of a task is written
 * some time after the task was accepted. Until then, the task waits in memory, in the slice of its
 * group of accounts: an array that alternates account numbers and task numbers. A slice is sorted
 * and sent to the writer when it is long enough. A timer sends the other slices in rotation. A
 * query reads the table and the slices in memory.
 *
 * The setting `tasks_listed_until` is the lowest task number that was missing in the table at the
 * last write. After a crash, the next start inserts the tasks from this number on, and skips rows
 * that already exist.
 */
export class AccountIndex {
  readonly #waiting: number[][] = Array.from({ length: sliceCount }, () => [])
  readonly #selectBefore: StatementSync
  readonly #selectFrom: StatementSync
  readonly #send: (operation: WriteOperation, callback: (outcome: WriteOutcome) => void) => void
  /** Slices that were sent to the writer and have no result yet. */
  readonly #inFlight = new Set<number[]>()
  readonly #timer: Disposable
  #nextSlice = 0
  #highestNo: number
  /**
   * Whether `restartAt` was called. The next start of the service then checks all tasks from the
   * number of that call on.
   */
  #hasRestarted = false

  constructor(reader: DatabaseSync, send: (operation: WriteOperation, callback: (outcome: WriteOutcome) => void) => void) {
    this.#send = send
    this.#selectBefore = reader.prepare(`
      select task_no
      from tasks_by_account
      where account_no = ? and task_no < ?
      order by task_no desc
      limit ?`)
    this.#selectFrom = reader.prepare(`
      select task_no
      from tasks_by_account
      where account_no = ? and task_no >= ?
      order by task_no
      limit ?`)
    this.#highestNo = Number(reader.prepare('select max(no) as no from tasks').get()?.['no'] ?? 0)
    this.#refill(reader)
    this.#timer = repeatAligned(() => this.#writeNextSlice(), writeIntervalMs)
  }

  add(accountNo: number, taskNo: number): void {
    const slice = this.#sliceOf(accountNo)
    slice.push(accountNo, taskNo)
    if (taskNo > this.#highestNo && !this.#hasRestarted) this.#highestNo = taskNo
    if (slice.length >= tasksPerWrite * 2) this.#write(accountNo % sliceCount)
  }

  /**
   * Called when the clock was set back. New tasks get numbers from this one on, although higher
   * numbers exist.
   */
  restartAt(taskNo: number): void {
    this.#highestNo = taskNo - 1
    this.#hasRestarted = true
    // This must be written before the first of these tasks is accepted. Otherwise, the next start
    // after a crash would check only tasks above the previous highest number.
    this.#send({ kind: 'index_accounts', pairs: [], listedUntil: this.#lowestUnindexed() }, () => {})
  }

  /** Returns the numbers of the account's tasks below `beforeNo`, highest first. */
  listBefore(accountNo: number, beforeNo: number, limit: number): number[] {
    const numbers = numbersIn(this.#selectBefore.all(accountNo, beforeNo, limit))
    const unindexed = this.#unindexedOf(accountNo).filter((taskNo) => taskNo < beforeNo)
    return [...new Set([...numbers, ...unindexed])].toSorted((a, b) => b - a).slice(0, limit)
  }

  /** Returns the numbers of the account's tasks from `fromNo` on, lowest first. */
  listFrom(accountNo: number, fromNo: number, limit: number): number[] {
    const numbers = numbersIn(this.#selectFrom.all(accountNo, fromNo, limit))
    const unindexed = this.#unindexedOf(accountNo).filter((taskNo) => taskNo >= fromNo)
    return [...new Set([...numbers, ...unindexed])].toSorted((a, b) => a - b).slice(0, limit)
  }

  /** Returns the numbers of the account's tasks that may be missing in the table. */
  #unindexedOf(accountNo: number): number[] {
    const numbers: number[] = []
    for (const pairs of [this.#sliceOf(accountNo), ...this.#inFlight]) {
      for (let i = 0; i < pairs.length; i += 2) if (pairs[i] === accountNo) numbers.push(pairs[i + 1] ?? 0)
    }
    return numbers
  }

  /** Sends all waiting slices to the writer. */
  close(): void {
    this.#timer[Symbol.dispose]()
    for (let slice = 0; slice < sliceCount; slice++) this.#write(slice)
  }

  #sliceOf(accountNo: number): number[] {
    return this.#waiting[accountNo % sliceCount] ?? []
  }

  #writeNextSlice(): void {
    for (let attempt = 0; attempt < sliceCount; attempt++) {
      const slice = this.#nextSlice
      this.#nextSlice = (slice + 1) % sliceCount
      if (this.#write(slice)) return
    }
  }

  #write(sliceNumber: number): boolean {
    const pairs = sortedPairs(this.#waiting[sliceNumber] ?? [])
    if (pairs.length === 0) return false
    this.#waiting[sliceNumber] = []
    const listedUntil = this.#lowestUnindexed()
    this.#inFlight.add(pairs)
    this.#send({ kind: 'index_accounts', pairs, listedUntil }, (outcome) => {
      this.#inFlight.delete(pairs)
      if (outcome?.kind === 'failed') this.#waiting[sliceNumber]?.push(...pairs)
    })
    return true
  }

  /**
   * Returns the lowest number of a task that may be missing in the table. Every task with a lower
   * number is in the table.
   */
  #lowestUnindexed(): number {
    let lowest = this.#highestNo + 1
    for (const slice of [...this.#waiting, ...this.#inFlight]) {
      for (let i = 1; i < slice.length; i += 2) lowest = Math.min(lowest, slice[i] ?? lowest)
    }
    return lowest
  }

  #refill(reader: DatabaseSync): void {
    const listedUntil = Number(
      reader.prepare("select value from settings where name = 'tasks_listed_until'").get()?.['value'] ?? 0,
    )
    const missingTasks = reader.prepare('select account_no, no from tasks where no >= ? and deleted_at is null order by no')
    for (const row of missingTasks.iterate(listedUntil)) this.add(Number(row['account_no']), Number(row['no']))
  }
}

function numbersIn(rows: readonly Record<string, unknown>[]): number[] {
  return rows.map((row) => Number(row['task_no']))
}

function sortedPairs(flatPairs: number[]): number[] {
  const pairs: [number, number][] = []
  for (let i = 0; i < flatPairs.length; i += 2) pairs.push([flatPairs[i] ?? 0, flatPairs[i + 1] ?? 0])
  return pairs.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]).flat()
}
