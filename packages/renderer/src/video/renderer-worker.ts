import { parentPort } from 'node:worker_threads'
import type { FrameRegion } from '../frame-source.ts'
import { createFrameSource } from '../picture/create-frame-source.ts'
import { isStopped, markFrameFull, waitForFreeFrame, type Control } from '../pool/slot-control.ts'
import type { RenderPlan } from '../render-plan.ts'
import { collectAll } from '../collect-garbage.ts'
import { stackOf } from '../stack-of.ts'
import { decodedFrames } from './decoded-frames.ts'

/**
 * A video worker's request to its renderer. The renderer sends the frames in order, followed by one
 * `idle`.
 */
export interface RendererOrder {
  number: number
  plan: RenderPlan
  isReversed: boolean
  format: 'i420' | 'png-rows'
  memory: WebAssembly.Memory
  control: Control
}

export type FromRenderer =
  | { kind: 'frame'; slot: 0 | 1; region: FrameRegion }
  /**
   * After this message, the renderer does not access the memory before the next order. `error` is
   * the reason why it could not continue.
   */
  | { kind: 'idle'; number: number; error?: string }

const port = parentPort
if (port === null) throw new Error('renderer-worker.ts must run as a worker thread')

/**
 * A still leaves little garbage, and its file is still being written at the end of the order.
 * Garbage is therefore collected only if no order follows within this time.
 */
const idleBeforeCollectionMs = 1000
let collecting: NodeJS.Timeout | undefined

port.on('message', (order: RendererOrder) => void render(order))

async function render(order: RendererOrder): Promise<void> {
  clearTimeout(collecting)
  let message: string | undefined
  try {
    await renderFrames(order)
  } catch (error) {
    message = stackOf(error)
  }
  post({ kind: 'idle', number: order.number, ...(message !== undefined && { error: message }) })
  if (order.format === 'i420') collectAll()
  else collecting = setTimeout(collectAll, idleBeforeCollectionMs)
}

async function renderFrames(order: RendererOrder): Promise<void> {
  const { number, plan, isReversed, format, memory, control } = order
  if (isStopped(control, number)) return
  // A stop while the decoder is slow ends this thread, and with it the decoder's output.
  const givenFrames = plan.given && decodedFrames(plan.given, plan.given, new AbortController().signal)
  try {
    // Each frame of the given video has the same memory.
    const first = await givenFrames?.next()
    const source = createFrameSource(plan, memory, first?.value ?? undefined)
    for (let position = 0; position < plan.frames; position++) {
      if (position > 0) await givenFrames?.next()
      const slot = position % 2 === 0 ? 0 : 1
      if (!waitForFreeFrame(control, slot, number)) return
      const index = isReversed ? plan.frames - 1 - position : position
      const region = format === 'png-rows' ? source.renderPngRows(index) : source.renderI420(index, slot)
      markFrameFull(control, slot)
      post({ kind: 'frame', slot, region })
    }
  } finally {
    await givenFrames?.return(undefined)
  }
}

function post(message: FromRenderer): void {
  port?.postMessage(message)
}
