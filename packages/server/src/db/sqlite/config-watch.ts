import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { SerialQueue } from '../../lib/serial-queue.ts'
import { repeatAligned } from '../../lib/repeat-aligned.ts'

/**
 * Interval of the poll. It ensures that every thread applies changed keys and limits within a
 * second.
 */
const checkIntervalMs = 250

/**
 * Polls `config_version`, because another thread may have changed keys, accounts, brands, prices,
 * models, upstreams or routes.
 */
export class ConfigWatch implements Disposable {
  readonly listeners = new Set<() => Promise<void>>()
  readonly #readVersion: StatementSync
  readonly #beforeNotifying: () => Promise<unknown>
  readonly #checks = new SerialQueue()
  readonly #timer: Disposable
  #version: number
  #isPolling = false

  constructor(reader: DatabaseSync, beforeNotifying: () => Promise<unknown>) {
    this.#readVersion = reader.prepare('select version from config_version')
    this.#version = this.#currentVersion()
    this.#beforeNotifying = beforeNotifying
    this.#timer = repeatAligned(() => void this.#poll(), checkIntervalMs)
  }

  /** Resolves when all listeners have applied the changes that were committed before the call. */
  check(): Promise<void> {
    return this.#checks.run(() => this.#notify())
  }

  [Symbol.dispose](): void {
    this.#timer[Symbol.dispose]()
  }

  #currentVersion(): number {
    return Number(this.#readVersion.get()?.['version'])
  }

  async #poll(): Promise<void> {
    if (this.#isPolling) return
    this.#isPolling = true
    // After an error, the next poll finds the same difference and notifies the listeners again.
    await this.check().catch(() => undefined)
    this.#isPolling = false
  }

  async #notify(): Promise<void> {
    const version = this.#currentVersion()
    if (version === this.#version) return
    await this.#beforeNotifying()
    await Promise.all([...this.listeners].map((listener) => listener()))
    this.#version = version
  }
}
