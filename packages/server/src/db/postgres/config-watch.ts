import type { ConnectionPool } from './connections.ts'
import { repeatAligned } from '../../lib/repeat-aligned.ts'

/**
 * Interval of the poll. Even if a notification is lost, every process applies changed keys and
 * limits in less than a second.
 */
const pollIntervalMs = 500

/**
 * Notifies the listeners when any process has changed keys, accounts, brands, prices, models,
 * upstreams or routes. Repeats the notification until every listener has applied the change.
 */
export class ConfigWatch {
  readonly #connections: ConnectionPool
  readonly listeners = new Set<() => Promise<void>>()
  readonly #timer: Disposable
  #version: number
  #isReading = false
  #mustReadAgain = false

  private constructor(connections: ConnectionPool, version: number) {
    this.#connections = connections
    this.#version = version
    this.#timer = repeatAligned(() => this.check(), pollIntervalMs)
  }

  static async open(connections: ConnectionPool): Promise<ConfigWatch> {
    return new ConfigWatch(connections, await readVersion(connections))
  }

  /** Reads the version of the configuration, and notifies the listeners if it has changed. */
  check(): void {
    if (this.#isReading) {
      this.#mustReadAgain = true
      return
    }
    this.#isReading = true
    void this.#notifyChanges().finally(() => {
      this.#isReading = false
      if (!this.#mustReadAgain) return
      this.#mustReadAgain = false
      this.check()
    })
  }

  close(): void {
    this.#timer[Symbol.dispose]()
  }

  async #notifyChanges(): Promise<void> {
    try {
      const version = await readVersion(this.#connections)
      if (version === this.#version) return
      await Promise.all([...this.listeners].map((listener) => listener()))
      this.#version = version
    } catch {
      // The next poll finds the same difference and notifies the listeners again.
    }
  }
}

async function readVersion(connections: ConnectionPool): Promise<number> {
  const rows = await connections.read<{ version: number }>({ name: 'config_version', text: 'select version from config_version' })
  return rows[0]?.version ?? 0
}
