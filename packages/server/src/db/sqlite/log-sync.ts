import { open, type FileHandle } from 'node:fs/promises'

/**
 * Syncs the write-ahead log to disk while the writer continues to commit. Calls of the same tick
 * share one sync. Calls during a sync share the next one.
 */
export class LogSync implements AsyncDisposable {
  readonly #file: string
  #handle: FileHandle | undefined
  #running: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined

  constructor(databaseFile: string) {
    this.#file = `${databaseFile}-wal`
  }

  /** Resolves when everything that is committed at the time of the call is on disk. */
  sync(): Promise<void> {
    this.#next ??= this.#running.then(
      () => this.#begin(),
      () => this.#begin(),
    )
    return this.#next
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#next?.catch(() => {})
    await this.#running.catch(() => {})
    await this.#handle?.close()
  }

  #begin(): Promise<void> {
    this.#next = undefined
    this.#running = this.#syncOnce()
    return this.#running
  }

  async #syncOnce(): Promise<void> {
    // Windows syncs only files that are open for writing.
    this.#handle ??= await open(this.#file, 'r+')
    await this.#handle.datasync()
  }
}
