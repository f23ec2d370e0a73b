import { parentPort, workerData } from 'node:worker_threads'
import type { VideoWorkerOptions, FromVideoWorker, RenderOutcome, RenderOrder, ToVideoWorker } from '../pool/render-order.ts'
import { collectAll, collectYoung } from '../collect-garbage.ts'
import { H264Encoder } from './h264/h264-encoder.ts'
import { lowerThreadPriority } from './lower-thread-priority.ts'
import { frameCountOf, renderVideo } from './render-video.ts'
import { Renderer } from './renderer.ts'
import { isSystemError } from '../is-system-error.ts'
import { stackOf } from '../stack-of.ts'

const port = parentPort
if (port === null) throw new Error('video-worker.ts must run as a worker thread')
const { control } = workerData as VideoWorkerOptions
lowerThreadPriority()
const renderer = new Renderer(control)
renderer.start()
const encoder = new H264Encoder()

let currentRender: { number: number; stopping: AbortController } | undefined

port.on('message', (message: ToVideoWorker) => {
  if (message.kind === 'stop') {
    if (currentRender?.number === message.number) currentRender.stopping.abort()
    return
  }
  void render(message.order)
})

async function render(order: RenderOrder): Promise<void> {
  const { number } = order
  const stopping = new AbortController()
  currentRender = { number, stopping }
  const end = await renderToFile(order, stopping.signal)
  currentRender = undefined
  post({ kind: 'ended', number, end })
  // A still leaves few buffers, and the service stores its file at this moment. A short garbage
  // collection is enough.
  if (order.object === 'image') collectYoung()
  else collectAll()
}

async function renderToFile(order: RenderOrder, signal: AbortSignal): Promise<RenderOutcome> {
  try {
    if (order.object === 'image') {
      const { renderStill } = await import('../still/render-still.ts')
      await renderStill(order, renderer, signal)
    } else {
      const onFrame = progressReporter(order)
      await renderVideo(order, { renderer, encoder, signal, onFrame })
    }
    return { outcome: 'done' }
  } catch (error) {
    if (signal.aborted) return { outcome: 'stopped' }
    return { outcome: 'failed', error: stackOf(error), isOfStorage: isSystemError(error) }
  }
}

/** The last percent is left for writing the file. */
const percentMax = 99

function progressReporter(order: RenderOrder): (framesDone: number) => void {
  const { number } = order
  const frameCount = frameCountOf(order)
  let reportedPercent = 0
  return (framesDone) => {
    const percent = Math.floor((percentMax * framesDone) / frameCount)
    if (percent === reportedPercent) return
    reportedPercent = percent
    post({ kind: 'progress', number, percent })
  }
}

function post(message: FromVideoWorker): void {
  port?.postMessage(message)
}
