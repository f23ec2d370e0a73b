import { parentPort } from 'node:worker_threads'
import type { FrameRegion } from '../frame-source.ts'
import { createFrameSource } from '../picture/create-frame-source.ts'
import { isStopped, markFrameFull, waitForFreeFrame, type Control } from '../pool/slot-control.ts'
import type { RenderPlan } from '../render-plan.ts'
import { collectAll } from '../../../lib/collect-garbage.ts'

/** What a film worker asks of its renderer; answered by frames in order and one `rested` at the end. */
export interface RendererOrder {
  number: number
  plan: RenderPlan
  isReversed: boolean
  format: 'i420' | 'rgb'
  memory: WebAssembly.Memory
  control: Control
}

export type FromRenderer =
  | { kind: 'frame'; slot: 0 | 1; region: FrameRegion }
  /** Touches the memory no more until the next order. `fault`: why it could not go on. */
  | { kind: 'rested'; number: number; fault?: string }

const port = parentPort
if (port === null) throw new Error('renderer-worker.ts runs as a worker thread')

port.on('message', (order: RendererOrder) => {
  let fault: string | undefined
  try {
    renderFrames(order)
  } catch (error) {
    fault = error instanceof Error ? (error.stack ?? error.message) : String(error)
  }
  post({ kind: 'rested', number: order.number, ...(fault !== undefined && { fault }) })
  collectAll()
})

function renderFrames({ number, plan, isReversed, format, memory, control }: RendererOrder): void {
  if (isStopped(control, number)) return
  const source = createFrameSource(plan, memory)
  for (let place = 0; place < plan.frames; place++) {
    const slot = place % 2 === 0 ? 0 : 1
    if (!waitForFreeFrame(control, slot, number)) return
    const index = isReversed ? plan.frames - 1 - place : place
    const region = format === 'rgb' ? source.renderRgb(index) : source.renderI420(index, slot)
    markFrameFull(control, slot)
    post({ kind: 'frame', slot, region })
  }
}

function post(message: FromRenderer): void {
  port?.postMessage(message)
}
