import { AppError } from '../lib/app-error.ts'
import type { ForwardLimits } from './forward-settings.ts'

const retryAfterSecondsMin = 2

/** The requests of this process that wait for a free slot, with their bodies in memory. */
export class SlotWaitQueue {
  readonly #limits: Pick<ForwardLimits, 'slotPollMs' | 'waitingBytesMax'>
  readonly #wakeFunctions = new Set<() => void>()
  #waitingBytes = 0

  constructor(limits: Pick<ForwardLimits, 'slotPollMs' | 'waitingBytesMax'>) {
    this.#limits = limits
  }

  /**
   * Counts the body of a waiting request until disposal. Throws an `AppError` if the waiting bodies
   * would take too much memory.
   */
  enterQueue(bodyBytes: number): Disposable {
    if (this.#waitingBytes + bodyBytes > this.#limits.waitingBytesMax) throw capacityError()
    this.#waitingBytes += bodyBytes
    return { [Symbol.dispose]: () => void (this.#waitingBytes -= bodyBytes) }
  }

  /**
   * Resolves when a slot may be free, but at the latest after the poll interval or at `untilMs`.
   * Rejects if the signal aborts.
   */
  async waitForSlot(untilMs: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const waitMs = Math.max(0, Math.min(this.#limits.slotPollMs, untilMs - performance.now()))
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, waitMs)
    this.#wakeFunctions.add(resolve)
    signal.addEventListener('abort', () => resolve(), { once: true })
    await promise
    clearTimeout(timer)
    this.#wakeFunctions.delete(resolve)
    signal.throwIfAborted()
  }

  /**
   * Wakes the first waiting request. Called when a request of this process has released its slots.
   */
  wakeFirst(): void {
    const [wake] = this.#wakeFunctions
    wake?.()
  }
}

/**
 * Creates the error for a request that gets no slot in time, or that the queue cannot hold.
 * `pauseSeconds` is the remaining time of the pause of all routes.
 */
export function capacityError(pauseSeconds = 0): AppError {
  return new AppError('rate_limited', 'All providers of this model are at capacity. Nothing was charged; try again shortly.', {
    headers: { 'retry-after': String(Math.max(retryAfterSecondsMin, pauseSeconds)), 'x-should-retry': 'true' },
  })
}
