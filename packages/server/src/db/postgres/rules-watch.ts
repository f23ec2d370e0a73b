import type { Connections } from './connections.ts'

/** Changed keys and limits are known everywhere within a second, also without the message that says so. */
const lookEveryMs = 500

/** Tells of changes of the rules, by whatever process, until every listener has followed. */
export class RulesWatch {
  readonly #connections: Connections
  readonly listeners = new Set<() => Promise<void>>()
  readonly #timer: NodeJS.Timeout
  #version: number
  #isLooking = false
  #looksAgain = false

  private constructor(connections: Connections, version: number) {
    this.#connections = connections
    this.#version = version
    this.#timer = setInterval(() => this.look(), lookEveryMs)
    this.#timer.unref()
  }

  static async open(connections: Connections): Promise<RulesWatch> {
    return new RulesWatch(connections, await readVersion(connections))
  }

  look(): void {
    if (this.#isLooking) {
      this.#looksAgain = true
      return
    }
    this.#isLooking = true
    void this.#follow().finally(() => {
      this.#isLooking = false
      if (!this.#looksAgain) return
      this.#looksAgain = false
      this.look()
    })
  }

  close(): void {
    clearInterval(this.#timer)
  }

  async #follow(): Promise<void> {
    try {
      const version = await readVersion(this.#connections)
      if (version === this.#version) return
      await Promise.all([...this.listeners].map((listener) => listener()))
      this.#version = version
    } catch {
      // The next look finds the same difference and tells it again.
    }
  }
}

async function readVersion(connections: Connections): Promise<number> {
  const rows = await connections.read<{ version: number }>({ name: 'rules_version', text: 'select version from rules_version' })
  return rows[0]?.version ?? 0
}
