import type { RenderOutcome } from './render-order.ts'
import { RenderSlot, type UnnumberedOrder } from './render-slot.ts'
import { isSystemError } from '../is-system-error.ts'
import { stackOf } from '../stack-of.ts'

export interface RenderPoolOptions {
  /** Maximum number of concurrent renders. */
  slots: number
  /** Module of the video worker. Only tests replace it. */
  workerUrl?: URL
}

/**
 * A slot is replaced after this many orders, because each one fragments the native memory of
 * encoders and canvases further.
 */
const ordersPerSlotMax = 50
/** Time after which an idle slot is closed. */
const idleMsMax = 60_000

interface OpenSlot {
  slot: RenderSlot
  orderCount: number
  closeTimer: NodeJS.Timeout | undefined
}

/**
 * Renders orders first in, first out, one at a time per slot. A slot is a video worker thread with
 * its renderer thread. It is opened when it is first needed, and kept between orders.
 */
export class RenderPool {
  readonly #slotsMax: number
  readonly #createSlot: () => RenderSlot
  readonly #openSlots = new Set<OpenSlot>()
  readonly #idleSlots: OpenSlot[] = []
  readonly #waiters: (() => void)[] = []
  #busyCount = 0
  #isClosed = false

  constructor({ slots, workerUrl = new URL('../video/video-worker.ts', import.meta.url) }: RenderPoolOptions) {
    this.#slotsMax = slots
    this.#createSlot = () => new RenderSlot({ workerUrl })
  }

  /**
   * Renders one order. An error of the worker is returned as an outcome. An order that is stopped
   * while it waits for a slot ends at once. The pixel buffers of the images are transferred to the
   * worker.
   */
  async render(order: UnnumberedOrder, signal: AbortSignal, onProgress: (percent: number) => void): Promise<RenderOutcome> {
    if (!(await this.#waitForSlot(signal))) return { outcome: 'stopped' }
    try {
      return await this.#renderInSlot(order, signal, onProgress)
    } finally {
      this.#admitNext()
    }
  }

  /** Stops all orders and terminates the threads of all slots. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const { closeTimer } of this.#idleSlots) clearTimeout(closeTimer)
    await Promise.all([...this.#openSlots].map(({ slot }) => slot.close()))
  }

  async #renderInSlot(
    order: UnnumberedOrder,
    signal: AbortSignal,
    onProgress: (percent: number) => void,
  ): Promise<RenderOutcome> {
    if (this.#isClosed) return { outcome: 'stopped' }
    let openSlot: OpenSlot
    try {
      openSlot = this.#acquireSlot()
    } catch (error) {
      // Node throws if the system permits no further thread.
      return {
        outcome: 'failed',
        error: `the render worker could not be started: ${stackOf(error)}`,
        isOfStorage: isSystemError(error),
      }
    }
    try {
      const end = await openSlot.slot.render(order, signal, onProgress)
      return this.#isClosed ? { outcome: 'stopped' } : end
    } finally {
      this.#releaseSlot(openSlot)
    }
  }

  /** Waits until a slot is free. Returns false if the signal aborts first. */
  async #waitForSlot(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false
    if (this.#busyCount < this.#slotsMax) {
      this.#busyCount++
      return true
    }
    return await new Promise<boolean>((resolve) => {
      const admit = (): void => {
        signal.removeEventListener('abort', abandon)
        resolve(true)
      }
      const abandon = (): void => {
        this.#waiters.splice(this.#waiters.indexOf(admit), 1)
        resolve(false)
      }
      signal.addEventListener('abort', abandon, { once: true })
      this.#waiters.push(admit)
    })
  }

  /** Called when an order has ended. Passes its capacity to the order that has waited longest, if any. */
  #admitNext(): void {
    const next = this.#waiters.shift()
    if (next === undefined) this.#busyCount--
    else next()
  }

  #acquireSlot(): OpenSlot {
    for (let openSlot = this.#idleSlots.pop(); openSlot !== undefined; openSlot = this.#idleSlots.pop()) {
      clearTimeout(openSlot.closeTimer)
      if (!openSlot.slot.isDead) return openSlot
      this.#openSlots.delete(openSlot)
    }
    const openSlot = { slot: this.#createSlot(), orderCount: 0, closeTimer: undefined }
    this.#openSlots.add(openSlot)
    return openSlot
  }

  #releaseSlot(openSlot: OpenSlot): void {
    openSlot.orderCount += 1
    if (openSlot.slot.isDead || openSlot.orderCount >= ordersPerSlotMax || this.#isClosed) {
      void this.#discard(openSlot)
      return
    }
    openSlot.closeTimer = setTimeout(() => {
      this.#idleSlots.splice(this.#idleSlots.indexOf(openSlot), 1)
      void this.#discard(openSlot)
    }, idleMsMax)
    openSlot.closeTimer.unref()
    this.#idleSlots.push(openSlot)
  }

  async #discard(openSlot: OpenSlot): Promise<void> {
    await openSlot.slot.close()
    this.#openSlots.delete(openSlot)
  }
}
