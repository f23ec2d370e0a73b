/**
 * Number of counters. Tasks whose ids end with the same digits share a counter. This only causes
 * unnecessary reads.
 */
const counterCount = 65_536
const hexDigits = 4

/**
 * Counts the changes of each task, in memory that all threads share. A thread reads the count
 * before it reads a task record, and caches the record only for as long as the count stays the
 * same. The count rises after the commit of a change and before the caller of the change receives
 * the result. Therefore no thread shows an older state of a task after a change was acknowledged.
 */
export class TaskChanges {
  readonly memory: SharedArrayBuffer
  readonly #counters: Int32Array<SharedArrayBuffer>

  constructor(memory = new SharedArrayBuffer(counterCount * Int32Array.BYTES_PER_ELEMENT)) {
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

// The last digits of a task's id are random.
function counterOf(taskId: string): number {
  return Number.parseInt(taskId.slice(-hexDigits), 16)
}
