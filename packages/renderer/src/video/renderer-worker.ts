import { parentPort } from 'node:worker_threads'
import type { FrameRegion } from '../frame-source.ts'
import { createFrameSource } from '../picture/create-frame-source.ts'
import { isStopped, markFrameFull, waitForFreeFrame, type SlotControl } from '../pool/slot-control.ts'
import type { RenderPlan } from '../render-plan.ts'
import { collectAll } from '../collect-garbage.ts'
import { stackOf } from '../stack-of.ts'
import { decodedFrames } from './decoded-frames.ts'

/**
 * A video worker's request to its renderer. The renderer sends the frames in playback order,
 * followed by one `idle`.
 */
export interface FramesRequest {
  number: number
  plan: RenderPlan
  isReversed: boolean
  format: 'i420' | 'png-rows'
  memory: WebAssembly.Memory
  control: SlotControl
}

export type FromRenderer =
  | { kind: 'frame'; slot: 0 | 1; region: FrameRegion }
  /**
   * After this message, the renderer does not access the memory until the next request. `error` is
   * the reason why it could not render all frames.
   */
  | { kind: 'idle'; number: number; error?: string }

const port = parentPort
if (port === null) throw new Error('renderer-worker.ts must run as a worker thread')

/**
 * Time after a still until garbage is collected, unless another request arrives. A still leaves
 * little garbage, and the video worker is still writing its file.
 */
const idleBeforeCollectionMs = 1000
let collectionTimer: NodeJS.Timeout | undefined

port.on('message', (request: FramesRequest) => void render(request))

async function render(request: FramesRequest): Promise<void> {
  clearTimeout(collectionTimer)
  let errorText: string | undefined
  try {
    await renderFrames(request)
  } catch (error) {
    errorText = stackOf(error)
  }
  post({ kind: 'idle', number: request.number, ...(errorText !== undefined && { error: errorText }) })
  if (request.format === 'i420') collectAll()
  else collectionTimer = setTimeout(collectAll, idleBeforeCollectionMs)
}

async function renderFrames(request: FramesRequest): Promise<void> {
  const { number, plan, isReversed, format, memory, control } = request
  if (isStopped(control, number)) return
  // No abort signal reaches this thread. If the thread waits for the decoder after a stop, the
  // video worker terminates the thread, and the decoder's output is closed.
  const givenFrames = plan.given && decodedFrames(plan.given, plan.given, new AbortController().signal)
  try {
    // The frame source reads every frame of the given video from the bytes of the first one.
    const firstGivenFrame = await givenFrames?.next()
    const source = createFrameSource(plan, memory, firstGivenFrame?.value ?? undefined)
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
