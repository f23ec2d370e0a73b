import { Worker } from 'node:worker_threads'
import type { VideoWorkerOptions, FromVideoWorker, RenderOutcome, RenderOrder, ToVideoWorker } from './render-order.ts'
import { createControl, stopOrder } from './slot-control.ts'
import { isSystemError } from '../is-system-error.ts'
import { stackOf } from '../stack-of.ts'

/** If a stopped order has not ended within this time, its threads are terminated. */
const stopMsMax = 150

export interface SlotOptions {
  /** Module of the thread that carries out orders. */
  workerUrl: URL
}

export type UnnumberedOrder = Omit<RenderOrder, 'number'>

/**
 * One video worker with its renderer. It carries out one order at a time. If the worker dies, its
 * order fails and the slot cannot be used again.
 */
export class RenderSlot {
  readonly #worker: Worker
  readonly #control = createControl()
  readonly #exited: Promise<void>
  #currentOrder: { number: number; onProgress(percent: number): void; onEnd(outcome: RenderOutcome): void } | undefined
  #lastNumber = 0
  #isDead = false
  #failure: RenderOutcome & { outcome: 'failed' } = { outcome: 'failed', error: 'the render worker ended' }

  constructor({ workerUrl }: SlotOptions) {
    this.#worker = new Worker(workerUrl, { workerData: { control: this.#control } satisfies VideoWorkerOptions })
    this.#worker.on('message', (message: FromVideoWorker) => this.#receive(message))
    this.#worker.on('error', (error) => {
      this.#failure = {
        outcome: 'failed',
        error: `the render worker failed: ${stackOf(error)}`,
        isOfStorage: isSystemError(error),
      }
    })
    this.#exited = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        this.#isDead = true
        this.#currentOrder?.onEnd(this.#failure)
        resolve()
      })
    })
  }

  get isDead(): boolean {
    return this.#isDead
  }

  /**
   * Renders one order. An error of the worker is returned as an outcome. If the signal aborts, the
   * order ends within a fraction of a second in every phase of its work.
   */
  async render(order: UnnumberedOrder, signal: AbortSignal, onProgress: (percent: number) => void): Promise<RenderOutcome> {
    if (signal.aborted) return { outcome: 'stopped' }
    const number = ++this.#lastNumber
    let stopTimer: NodeJS.Timeout | undefined
    const stop = (): void => {
      stopOrder(this.#control, number)
      this.#post({ kind: 'stop', number })
      stopTimer = setTimeout(() => void this.close(), stopMsMax)
    }
    signal.addEventListener('abort', stop, { once: true })
    try {
      const outcome = await new Promise<RenderOutcome>((onEnd) => {
        this.#currentOrder = { number, onProgress, onEnd }
        if (this.#isDead) return onEnd(this.#failure)
        const message: ToVideoWorker = { kind: 'order', order: { ...order, number } }
        const pixels = order.plan.images.map(({ rgba }) => rgba.buffer as ArrayBuffer)
        this.#worker.postMessage(message, pixels)
        onProgress(0)
      })
      return signal.aborted ? { outcome: 'stopped' } : outcome
    } finally {
      this.#currentOrder = undefined
      signal.removeEventListener('abort', stop)
      clearTimeout(stopTimer)
    }
  }

  /** Terminates the threads, even in the middle of an order. Safe to call twice. */
  async close(): Promise<void> {
    this.#isDead = true
    await this.#worker.terminate()
    await this.#exited
  }

  #post(message: ToVideoWorker): void {
    this.#worker.postMessage(message)
  }

  #receive(message: FromVideoWorker): void {
    const order = this.#currentOrder
    if (order === undefined || message.number !== order.number) return
    if (message.kind === 'progress') order.onProgress(message.percent)
    else order.onEnd(message.end)
  }
}
