import { AppError } from '../lib/app-error.ts'
import type { ForwardLimits } from './forward-settings.ts'

const retryAfterSecondsMin = 2

/** A request that waits for a slot. */
export interface WaitingRequest {
  accountNo: number
  model: string
  /** Memory of the body. */
  bytes: number
}

interface Waiter {
  model: string
  wake: () => void
}

/** The waiting requests of one account. */
interface AccountQueue {
  requestCount: number
  bytes: number
  waiters: Set<Waiter>
}

/**
 * The requests of this process that wait for a free slot, with their bodies in memory. Accounts
 * take turns, so that many requests of one account do not delay those of others.
 */
export class SlotWaitQueue {
  readonly #limits: Pick<ForwardLimits, 'slotPollMs' | 'waitingBytesMax'>
  /** Queues of the accounts with waiting requests. The first account is the next to get a slot. */
  readonly #queueByAccount = new Map<number, AccountQueue>()
  #waitingBytes = 0

  constructor(limits: Pick<ForwardLimits, 'slotPollMs' | 'waitingBytesMax'>) {
    this.#limits = limits
  }

  /**
   * Adds a request to the queue until disposal. Throws an `AppError` if the bodies of the account,
   * including this one, exceed the memory that is still free.
   */
  enterQueue({ accountNo, bytes }: WaitingRequest): Disposable {
    const queue = this.#queueByAccount.get(accountNo) ?? { requestCount: 0, bytes: 0, waiters: new Set<Waiter>() }
    const freeBytes = this.#limits.waitingBytesMax - this.#waitingBytes
    if (queue.bytes + bytes > freeBytes) throw capacityError()
    this.#queueByAccount.set(accountNo, queue)
    const count = (change: 1 | -1): void => {
      queue.requestCount += change
      queue.bytes += change * bytes
      this.#waitingBytes += change * bytes
    }
    count(1)
    return {
      [Symbol.dispose]: () => {
        count(-1)
        if (queue.requestCount === 0) this.#queueByAccount.delete(accountNo)
      },
    }
  }

  /**
   * Resolves when a slot may be free, but at the latest after the poll interval or at `untilMs`.
   * Rejects if the signal aborts. The request must be in the queue.
   */
  async waitForSlot({ accountNo, model }: WaitingRequest, untilMs: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const waitMs = Math.max(0, Math.min(this.#limits.slotPollMs, untilMs - performance.now()))
    const { promise, resolve: wake } = Promise.withResolvers<void>()
    const timer = setTimeout(wake, waitMs)
    const waiter = { model, wake }
    const waiters = this.#queueByAccount.get(accountNo)?.waiters
    waiters?.add(waiter)
    const onAbort = (): void => wake()
    signal.addEventListener('abort', onAbort)
    await promise
    signal.removeEventListener('abort', onAbort)
    clearTimeout(timer)
    waiters?.delete(waiter)
    signal.throwIfAborted()
  }

  /**
   * Wakes a request of the next account, because another request has released its slots. `hasSlot`
   * returns whether a route of the model has a free slot. With `accountNo`, it ignores routes that
   * are paused for this account. Models may share an upstream, so the released slot may also serve
   * requests for other models.
   */
  wakeNext(hasSlot: (model: string, accountNo?: number) => boolean): void {
    const modelsWithoutSlot = new Set<string>()
    for (const [accountNo, queue] of this.#queueByAccount) {
      const modelsPausedForAccount = new Set<string>()
      for (const waiter of queue.waiters) {
        const { model } = waiter
        if (modelsWithoutSlot.has(model) || modelsPausedForAccount.has(model)) continue
        if (!hasSlot(model, accountNo)) {
          const unusableModels = hasSlot(model) ? modelsPausedForAccount : modelsWithoutSlot
          unusableModels.add(model)
          continue
        }
        queue.waiters.delete(waiter)
        // Moves the account behind the others for the next slot.
        this.#queueByAccount.delete(accountNo)
        this.#queueByAccount.set(accountNo, queue)
        waiter.wake()
        return
      }
    }
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
