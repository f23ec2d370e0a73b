import { parentPort } from 'node:worker_threads'
import type { FromVideoWorker, ToVideoWorker } from './render-order.ts'

/**
 * A worker thread that stands in for the video worker. The prompt of an order selects its behavior.
 */
parentPort?.on('message', (message: ToVideoWorker) => {
  if (message.kind === 'stop') return
  const { number, plan } = message.order
  const endedMessage: FromVideoWorker = { kind: 'ended', number, end: { outcome: 'done' } }
  if (plan.prompt === 'exit') process.exit(7)
  if (plan.prompt === 'throw') throw new Error('an error in the worker')
  if (plan.prompt === 'finish') parentPort?.postMessage(endedMessage)
  // Blocks its thread, like a kernel in an endless loop.
  if (plan.prompt === 'hang') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
})
