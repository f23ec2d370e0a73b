import { AppError } from '../lib/app-error.ts'
import type { ForwardLimits } from './forward-settings.ts'

const retryAfterSeconds = '2'

/** The requests of this process that wait for a free slot, with their bodies in memory. */
export class SlotWaitQueue {
  readonly #limits: Pick<ForwardLimits, 'slotPollMs' | 'waitingBytesMax'>
  readonly #waiting = new Set<() => void>()
  #bytes = 0

  constructor(limits: Pick<ForwardLimits, 'slotPollMs' | 'waitingBytesMax'>) {
    this.#limits = limits
  }

  /**
   * Counts the body of a waiting request until disposal. Throws if the waiting bodies take too much
   * memory.
   */
  enterQueue(bytes: number): Disposable {
    if (this.#bytes + bytes > this.#limits.waitingBytesMax) throw capacityError()
    this.#bytes += bytes
    return { [Symbol.dispose]: () => void (this.#bytes -= bytes) }
  }

  /** Resolves when a slot may be free, after the poll interval, and at `untilMs` at the latest. */
  async waitForSlot(untilMs: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const waitMs = Math.max(0, Math.min(this.#limits.slotPollMs, untilMs - performance.now()))
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, waitMs)
    this.#waiting.add(resolve)
    signal.addEventListener('abort', () => resolve(), { once: true })
    await promise
    clearTimeout(timer)
    this.#waiting.delete(resolve)
    signal.throwIfAborted()
  }

  /** Wakes the first waiting request. Called when a request of this process has released its slots. */
  wakeFirst(): void {
    const [first] = this.#waiting
    first?.()
  }
}

/** Creates the error for a request if no route had a free slot in time. */
export function capacityError(): AppError {
  return new AppError('rate_limited', 'All providers of this model are at capacity. Nothing was charged; try again shortly.', {
    headers: { 'retry-after': retryAfterSeconds, 'x-should-retry': 'true' },
  })
}
