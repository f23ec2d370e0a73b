import { Worker } from 'node:worker_threads'
import { memoryPagesFor, pagesMax } from '../picture/memory-pages.ts'
import type { RenderOrder } from '../pool/render-order.ts'
import { freeAllFrames, markFrameFree, type SlotControl } from '../pool/slot-control.ts'
import type { RenderPlan } from '../render-plan.ts'
import { Mailbox } from './mailbox.ts'
import type { FramesRequest, FromRenderer } from './renderer-worker.ts'

const pageBytes = 65_536
/**
 * The set-up of a scene cannot be interrupted. A renderer that is still busy this long after a stop
 * is terminated. The next order starts a new one.
 */
const stopMsMax = 100

export interface RenderedFrame {
  /** The frame, in shared memory. */
  bytes: Uint8Array
  /** Returns the frame's memory to the renderer. The bytes must not be read after this call. */
  release: () => void
}

/**
 * Controls the renderer thread of a video worker, and owns the image memory that both share. The
 * thread and the memory are kept between videos, because imports and new pages take a large part of
 * a short video's time.
 */
export class Renderer {
  readonly #control: SlotControl
  #worker: Worker | undefined
  #memory: WebAssembly.Memory | undefined

  constructor(control: SlotControl) {
    this.#control = control
  }

  /** Starts the thread if it is not running. */
  start(): Worker {
    this.#worker ??= this.#spawn()
    return this.#worker
  }

  /**
   * Yields the frames in playback order. If the signal aborts, it throws the signal's reason as
   * soon as the renderer is idle or terminated.
   */
  async *frames(order: RenderOrder, format: 'i420' | 'png-rows', signal: AbortSignal): AsyncGenerator<RenderedFrame> {
    const { number, plan, isReversed } = order
    const worker = this.start()
    const memory = this.#memoryFor(plan)
    const mailbox = new Mailbox<FromRenderer>(worker)
    const control = this.#control
    freeAllFrames(control)
    const request: FramesRequest = { number, plan, isReversed, format, memory, control }
    worker.postMessage(
      request,
      plan.images.map(({ rgba }) => rgba.buffer as ArrayBuffer),
    )
    let isIdle = false
    try {
      for (;;) {
        const message = await mailbox.next(signal)
        if (message.kind === 'idle') {
          isIdle = true
          if (message.error !== undefined) throw new Error(`rendering failed: ${message.error}`)
          return
        }
        const { slot, region } = message
        const bytes = new Uint8Array(memory.buffer, region.byteOffset, region.byteLength)
        yield { bytes, release: () => markFrameFree(control, slot) }
      }
    } finally {
      if (!isIdle) await this.#waitUntilIdle(mailbox)
      mailbox.close()
    }
  }

  async close(): Promise<void> {
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
  }

  /** Returns the current memory if it is large enough for the plan, or else a new one. */
  #memoryFor(plan: RenderPlan): WebAssembly.Memory {
    const pages = memoryPagesFor(plan)
    if (this.#memory === undefined || this.#memory.buffer.byteLength < pages * pageBytes) {
      this.#memory = new WebAssembly.Memory({ initial: pages, maximum: pagesMax, shared: true })
    }
    return this.#memory
  }

  #spawn(): Worker {
    const worker = new Worker(new URL('./renderer-worker.ts', import.meta.url))
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = undefined
    })
    // The mailbox reports the error to `frames`. Without this listener, the error would end the
    // video worker.
    worker.on('error', () => {})
    return worker
  }

  /**
   * Resolves when the renderer no longer writes into the memory. Terminates the renderer if it does
   * not finish in time.
   */
  async #waitUntilIdle(mailbox: Mailbox<FromRenderer>): Promise<void> {
    const timeout = AbortSignal.timeout(stopMsMax)
    try {
      while ((await mailbox.next(timeout)).kind !== 'idle');
    } catch {
      await this.close()
    }
  }
}
