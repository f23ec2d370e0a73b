import { WarmPool } from '../../../lib/warm-pool.ts'
import type { EncoderName, OrderEnd } from './render-order.ts'
import { RenderSlot, type OrderInSlot } from './render-slot.ts'

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

/** Carries out orders in order of arrival, as many at a time as there are slots, which are kept warm. */
export class RenderPool {
  readonly #slots: WarmPool<RenderSlot>

  constructor({ slots, encoder, workerUrl = new URL('../film/film-worker.ts', import.meta.url) }: RenderPoolOptions) {
    const open = (): RenderSlot => new RenderSlot({ encoder, workerUrl })
    this.#slots = new WarmPool({ open, membersMax: slots, usesMax: ordersPerSlotMax, idleMsMax })
  }

  /** Never rejects. An order that is stopped while it waits ends at once. The pictures' pixels are taken away. */
  async carryOut(order: OrderInSlot, signal: AbortSignal, onProgress: (percent: number) => void): Promise<OrderEnd> {
    const end = await this.#slots.use(signal, (slot) => slot.carryOut(order, signal, onProgress))
    return end ?? { how: 'stopped' }
  }

  close(): Promise<void> {
    return this.#slots.close()
  }
}
