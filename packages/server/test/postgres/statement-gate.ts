import { AsyncResource } from 'node:async_hooks'
import { nextTick, type VirtualProcess } from '../routing/virtual-time.ts'

interface Passage {
  readonly process: VirtualProcess
  /** Sends the statement. Resolves when its result has been received, even if that is an error. */
  send(): Promise<void>
  /** Stops waiting for a result, because the process was killed. */
  giveUp(): void
}

/** After a result, the next statement reaches the gate within this many ticks of the event loop. */
const reactionTicks = 2

/**
 * Gate for all traffic between the workers of a test case and the database. The sockets are real
 * although time is virtual, so the gate tracks whether anything is in flight. It lets one statement
 * through at a time, in a random order that the seed of `random` determines. In concurrent mode,
 * it sends all waiting statements at once, and the database decides the order.
 */
export class StatementGate {
  readonly #random: () => number
  readonly #isConcurrent: boolean
  #waiting: Passage[] = []
  #inProgress: Passage[] = []
  #isOpen = false
  #steps: (() => void)[] = []

  constructor(random: () => number, isConcurrent: boolean) {
    this.#random = random
    this.#isConcurrent = isConcurrent
  }

  get isIdle(): boolean {
    return !this.#isOpen
  }

  /** Waits for the next statement, the next result, or the end of all traffic. */
  step(): Promise<void> {
    return this.isIdle ? nextTick() : new Promise((resolve) => this.#steps.push(resolve))
  }

  /** Runs `work` when the gate admits it. Never settles if the process is killed. */
  pass<Result>(process: VirtualProcess, work: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (process.hasExited) return
      const { promise: givenUp, resolve: giveUp } = Promise.withResolvers<void>()
      // Timers that `work` sets belong to the process that waits.
      const send = AsyncResource.bind(async () => {
        try {
          const result = await work()
          if (!process.hasExited) resolve(result)
        } catch (error) {
          if (!process.hasExited) reject(error instanceof Error ? error : new Error(String(error)))
        }
      })
      this.#waiting.push({ process, send: () => Promise.race([send(), givenUp]), giveUp })
      if (!this.#isOpen) void this.#letThrough()
    })
  }

  /** Stops sending statements of this process, and drops its pending results. */
  close(process: VirtualProcess): void {
    this.#waiting = this.#waiting.filter((passage) => passage.process !== process)
    for (const passage of this.#inProgress) if (passage.process === process) passage.giveUp()
  }

  async #letThrough(): Promise<void> {
    this.#isOpen = true
    for (await passTicks(); this.#waiting.length > 0; await passTicks()) {
      this.#inProgress = this.#isConcurrent ? this.#waiting.splice(0) : this.#acquireNext()
      const results = this.#inProgress.map((passage) => passage.send())
      await nextTick()
      this.#endStep()
      await Promise.all(results)
      this.#inProgress = []
      this.#endStep()
    }
    this.#isOpen = false
    this.#endStep()
  }

  #acquireNext(): Passage[] {
    return this.#waiting.splice(Math.floor(this.#random() * this.#waiting.length), 1)
  }

  #endStep(): void {
    for (const resolve of this.#steps.splice(0)) resolve()
  }
}

async function passTicks(): Promise<void> {
  for (let tick = 0; tick < reactionTicks; tick++) await nextTick()
}
