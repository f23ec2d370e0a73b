import type { RenderOutcome } from './render-order.ts'
import { RenderSlot, type OrderInSlot } from './render-slot.ts'

export interface RenderPoolOptions {
  /** Number of concurrent renders. */
  slots: number
  /** Module of the thread that carries out orders. Only tests replace the video worker. */
  workerUrl?: URL
}

/**
 * A slot is replaced after this many orders, because each one fragments the native memory of
 * encoders and canvases further.
 */
const ordersPerSlotMax = 50
/** An idle slot keeps its threads and memory for this long. */
const idleMsMax = 60_000

interface OpenSlot {
  slot: RenderSlot
  orders: number
  closing: NodeJS.Timeout | undefined
}

/**
 * Carries out orders in the order of their arrival, one at a time per slot. A slot is opened when
 * it is first needed, and its threads are kept between orders.
 */
export class RenderPool {
  readonly #slotsMax: number
  readonly #openSlot: () => RenderSlot
  readonly #open = new Set<OpenSlot>()
  readonly #idle: OpenSlot[] = []
  readonly #waiting: (() => void)[] = []
  #busy = 0
  #isClosed = false

  constructor({ slots, workerUrl = new URL('../video/video-worker.ts', import.meta.url) }: RenderPoolOptions) {
    this.#slotsMax = slots
    this.#openSlot = () => new RenderSlot({ workerUrl })
  }

  /**
   * Renders one order. The promise never rejects. An order that is stopped while it waits ends at
   * once. The pixel buffers of the images are transferred to the worker.
   */
  async render(order: OrderInSlot, signal: AbortSignal, onProgress: (percent: number) => void): Promise<RenderOutcome> {
    if (!(await this.#waitForSlot(signal))) return { outcome: 'stopped' }
    const openSlot = this.#isClosed ? undefined : this.#acquireSlot()
    try {
      const end = await openSlot?.slot.render(order, signal, onProgress)
      return end === undefined || this.#isClosed ? { outcome: 'stopped' } : end
    } finally {
      if (openSlot !== undefined) this.#releaseSlot(openSlot)
      this.#admitNext()
    }
  }

  /** Ends all orders and terminates their threads. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const { closing } of this.#idle) clearTimeout(closing)
    await Promise.all([...this.#open].map(({ slot }) => slot.close()))
  }

  /** Waits until a slot is free. Returns false if the signal aborts first. */
  async #waitForSlot(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false
    if (this.#busy < this.#slotsMax) {
      this.#busy++
      return true
    }
    return await new Promise<boolean>((resolve) => {
      const enter = (): void => {
        signal.removeEventListener('abort', leave)
        resolve(true)
      }
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1)
        resolve(false)
      }
      signal.addEventListener('abort', leave, { once: true })
      this.#waiting.push(enter)
    })
  }

  /** Called when an order has ended. Gives its slot to the order that has waited longest. */
  #admitNext(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#busy--
    else next()
  }

  #acquireSlot(): OpenSlot {
    for (let openSlot = this.#idle.pop(); openSlot !== undefined; openSlot = this.#idle.pop()) {
      clearTimeout(openSlot.closing)
      if (!openSlot.slot.isDead) return openSlot
      this.#open.delete(openSlot)
    }
    const openSlot = { slot: this.#openSlot(), orders: 0, closing: undefined }
    this.#open.add(openSlot)
    return openSlot
  }

  #releaseSlot(openSlot: OpenSlot): void {
    openSlot.orders += 1
    if (openSlot.slot.isDead || openSlot.orders >= ordersPerSlotMax || this.#isClosed) {
      void this.#discard(openSlot)
      return
    }
    openSlot.closing = setTimeout(() => {
      this.#idle.splice(this.#idle.indexOf(openSlot), 1)
      void this.#discard(openSlot)
    }, idleMsMax)
    openSlot.closing.unref()
    this.#idle.push(openSlot)
  }

  async #discard(openSlot: OpenSlot): Promise<void> {
    await openSlot.slot.close()
    this.#open.delete(openSlot)
  }
}
