import type { DatabaseSync, StatementSync } from 'node:sqlite'

/**
 * Interval of the poll. It keeps the delay until every process knows changed keys and limits under
 * a second.
 */
const checkIntervalMs = 250

/**
 * Polls for changes of keys, accounts, brands, prices and routes, because another process may
 * change them in the same file.
 */
export class ConfigWatch implements Disposable {
  readonly listeners = new Set<() => Promise<void>>()
  readonly #readVersion: StatementSync
  readonly #timer: NodeJS.Timeout
  #version: number
  #isNotifying = false

  /** Calls `beforeNotifying` before it notifies the listeners. */
  constructor(reader: DatabaseSync, beforeNotifying: () => Promise<unknown>) {
    this.#readVersion = reader.prepare('select version from config_version')
    this.#version = this.#currentVersion()
    this.#timer = setInterval(() => void this.#notify(beforeNotifying), checkIntervalMs)
    this.#timer.unref()
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }

  #currentVersion(): number {
    return Number(this.#readVersion.get()?.['version'])
  }

  async #notify(beforeNotifying: () => Promise<unknown>): Promise<void> {
    if (this.#isNotifying) return
    this.#isNotifying = true
    try {
      const version = this.#currentVersion()
      if (version === this.#version) return
      await beforeNotifying()
      await Promise.all([...this.listeners].map((listener) => listener()))
      this.#version = version
    } catch {
      // The next poll finds the same difference and notifies the listeners again.
    } finally {
      this.#isNotifying = false
    }
  }
}
