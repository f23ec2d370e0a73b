import type { OrderEnd } from './render-order.ts'
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
 * Carries out orders in order of arrival, one per slot at a time. Slots open on first need and stay
 * warm between orders.
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
   * Never rejects. An order that is stopped while it waits ends at once. The buffers of the images'
   * pixels are transferred to the worker.
   */
  async carryOut(order: OrderInSlot, signal: AbortSignal, onProgress: (percent: number) => void): Promise<OrderEnd> {
    if (!(await this.#isAdmitted(signal))) return { how: 'stopped' }
    const open = this.#isClosed ? undefined : this.#take()
    try {
      const end = await open?.slot.carryOut(order, signal, onProgress)
      return end === undefined || this.#isClosed ? { how: 'stopped' } : end
    } finally {
      if (open !== undefined) this.#giveBack(open)
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
  async #isAdmitted(signal: AbortSignal): Promise<boolean> {
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

  #take(): OpenSlot {
    for (let open = this.#idle.pop(); open !== undefined; open = this.#idle.pop()) {
      clearTimeout(open.closing)
      if (!open.slot.isDead) return open
      this.#open.delete(open)
    }
    const open = { slot: this.#openSlot(), orders: 0, closing: undefined }
    this.#open.add(open)
    return open
  }

  #giveBack(open: OpenSlot): void {
    open.orders += 1
    if (open.slot.isDead || open.orders >= ordersPerSlotMax || this.#isClosed) {
      void this.#discard(open)
      return
    }
    open.closing = setTimeout(() => {
      this.#idle.splice(this.#idle.indexOf(open), 1)
      void this.#discard(open)
    }, idleMsMax)
    open.closing.unref()
    this.#idle.push(open)
  }

  async #discard(open: OpenSlot): Promise<void> {
    await open.slot.close()
    this.#open.delete(open)
  }
}
