import { WarmPool } from '../../../lib/warm-pool.ts'
import type { EncoderName, OrderEnd } from './render-order.ts'
import { RenderSlot, type OrderInSlot } from './render-slot.ts'

export interface RenderPoolOptions {
  /** Number of concurrent renders. */
  slots: number
  encoder: EncoderName
  /** Module of the thread that carries out orders. Only tests replace the film worker. */
  workerUrl?: URL
}

/**
 * A slot is replaced after this many orders, because each one fragments the native memory of
 * encoders and canvases further.
 */
const ordersPerSlotMax = 50
/** An idle slot keeps its threads and memory for this long. */
const idleMsMax = 60_000

/**
 * Carries out orders in order of arrival, one per slot at a time. Slots stay warm between orders.
 */
export class RenderPool {
  readonly #slots: WarmPool<RenderSlot>

  constructor({ slots, encoder, workerUrl = new URL('../film/film-worker.ts', import.meta.url) }: RenderPoolOptions) {
    const open = (): RenderSlot => new RenderSlot({ encoder, workerUrl })
    this.#slots = new WarmPool({ open, membersMax: slots, usesMax: ordersPerSlotMax, idleMsMax })
  }

  /**
   * Never rejects. An order that is stopped while it waits ends at once. The buffers of the images'
   * pixels are transferred to the worker.
   */
  async carryOut(order: OrderInSlot, signal: AbortSignal, onProgress: (percent: number) => void): Promise<OrderEnd> {
    const end = await this.#slots.use(signal, (slot) => slot.carryOut(order, signal, onProgress))
    return end ?? { how: 'stopped' }
  }

  close(): Promise<void> {
    return this.#slots.close()
  }
}
