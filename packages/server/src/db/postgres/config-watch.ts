import type { ConnectionPool } from './connections.ts'
import { repeatAligned } from '../../lib/repeat-aligned.ts'
import { SerialQueue } from '../../lib/serial-queue.ts'

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
  readonly #checks = new SerialQueue()
  /** The check that has not begun yet. Null if there is none. */
  #nextCheck: Promise<void> | null = null

  private constructor(connections: ConnectionPool, version: number) {
    this.#connections = connections
    this.#version = version
    this.#timer = repeatAligned(() => void this.check(), pollIntervalMs)
  }

  static async open(connections: ConnectionPool): Promise<ConfigWatch> {
    return new ConfigWatch(connections, await readVersion(connections))
  }

  /**
   * Reads the version of the configuration, and notifies the listeners if it has changed. Resolves
   * when they have applied all changes that were committed before the call, or have failed to.
   */
  check(): Promise<void> {
    this.#nextCheck ??= this.#checks.run(() => {
      this.#nextCheck = null
      return this.#notifyChanges()
    })
    return this.#nextCheck
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
