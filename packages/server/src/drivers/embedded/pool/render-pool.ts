import type { EncoderName, OrderEnd } from './render-order.ts'
import { RenderSlot, type OrderInSlot } from './render-slot.ts'
import { Turns } from './turns.ts'

export interface RenderPoolOptions {
  /** Renders at the same time. */
  slots: number
  encoder: EncoderName
  /** The thread that carries out orders; another one than the film worker only in tests. */
  workerUrl?: URL
}

/** A slot is replaced after so many orders: native memory of encoders and canvases is scattered more with each. */
const ordersPerSlotMax = 50
/** An idle slot keeps its threads and memory for so long. */
const idleMsMax = 60_000

/**
 * Carries out orders in order of arrival, as many at a time as there are slots. Slots are started when first needed, kept
 * warm, replaced after some orders or when they die, and closed when idle for long.
 */
export class RenderPool {
  readonly #options: Required<RenderPoolOptions>
  readonly #turns: Turns
  readonly #idle: { slot: RenderSlot; closing: NodeJS.Timeout }[] = []
  readonly #slots = new Set<RenderSlot>()
  #isClosed = false

  constructor(options: RenderPoolOptions) {
    this.#options = { workerUrl: new URL('../film/film-worker.ts', import.meta.url), ...options }
    this.#turns = new Turns(options.slots)
  }

  /** Never rejects. An order that is stopped while it waits ends at once. The pictures' pixels are taken away. */
  async carryOut(order: OrderInSlot, signal: AbortSignal, onProgress: (percent: number) => void): Promise<OrderEnd> {
    if (!(await this.#turns.take(signal))) return { how: 'stopped' }
    try {
      if (this.#isClosed) return { how: 'stopped' }
      const slot = this.#takeSlot()
      const end = await slot.carryOut(order, signal, onProgress)
      this.#giveBack(slot)
      return end
    } finally {
      this.#turns.giveBack()
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const { closing } of this.#idle) clearTimeout(closing)
    await Promise.all([...this.#slots].map((slot) => slot.close()))
  }

  #takeSlot(): RenderSlot {
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      clearTimeout(idle.closing)
      if (!idle.slot.isDead) return idle.slot
      this.#slots.delete(idle.slot)
    }
    const slot = new RenderSlot(this.#options)
    this.#slots.add(slot)
    return slot
  }

  #giveBack(slot: RenderSlot): void {
    if (slot.isDead || slot.ordersTaken >= ordersPerSlotMax || this.#isClosed) {
      void this.#discard(slot)
      return
    }
    const idle = { slot, closing: setTimeout(() => this.#closeIdle(idle), idleMsMax) }
    idle.closing.unref()
    this.#idle.push(idle)
  }

  #closeIdle(idle: { slot: RenderSlot; closing: NodeJS.Timeout }): void {
    this.#idle.splice(this.#idle.indexOf(idle), 1)
    void this.#discard(idle.slot)
  }

  async #discard(slot: RenderSlot): Promise<void> {
    await slot.close()
    this.#slots.delete(slot)
  }
}
