/** Number of counters. Tasks whose ids end alike share one, which only causes needless reads. */
const countersMax = 65_536
const hexDigits = 4

/**
 * Counts the changes of tasks, in memory that all threads share. A thread that keeps the record of a
 * task uses it only while the count is the one from before it read the record. The count rises after
 * the commit of a change and before the caller gets its result. After a change was acknowledged,
 * therefore no thread shows the task as it was before.
 */
export class TaskChanges {
  readonly memory: SharedArrayBuffer
  readonly #counters: Int32Array<SharedArrayBuffer>

  constructor(memory = new SharedArrayBuffer(countersMax * Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory
    this.#counters = new Int32Array(memory)
  }

  countOf(taskId: string): number {
    return Atomics.load(this.#counters, counterOf(taskId))
  }

  add(taskId: string): void {
    Atomics.add(this.#counters, counterOf(taskId), 1)
  }
}

/** The last digits of a task's id are random. */
function counterOf(taskId: string): number {
  return Number.parseInt(taskId.slice(-hexDigits), 16)
}
