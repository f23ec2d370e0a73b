import type { NewTask } from './task-queue.ts'

/** Maximum number of operations that wait for the writer: about one second of its work. */
const operationsWaitingMax = 20_000
/** Maximum size of the accepted tasks that wait for the writer, in characters. */
const waitingCharactersMax = 256 * 1024 * 1024

/** Counts the size of the submits that wait for the writer. */
export class WaitingSubmits {
  #characters = 0

  /** Whether the store must refuse a submit because too many operations or characters wait. */
  isFull(operationsWaiting: number): boolean {
    return operationsWaiting > operationsWaitingMax || this.#characters > waitingCharactersMax
  }

  /** Adds a task, and returns its size for `remove`. */
  add({ parameters, images }: NewTask): number {
    const characters = parameters.length + (images?.length ?? 0)
    this.#characters += characters
    return characters
  }

  remove(characters: number): void {
    this.#characters -= characters
  }
}
