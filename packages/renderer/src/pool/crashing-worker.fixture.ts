import { parentPort } from 'node:worker_threads'
import type { FromVideoWorker, ToVideoWorker } from './render-order.ts'

/** Stands in for a video worker: does what the prompt says. */
parentPort?.on('message', (message: ToVideoWorker) => {
  if (message.kind === 'stop') return
  const { number, plan } = message.order
  const ended: FromVideoWorker = { kind: 'ended', number, end: { how: 'done' } }
  if (plan.prompt === 'exit') process.exit(7)
  if (plan.prompt === 'throw') throw new Error('an error in the worker')
  if (plan.prompt === 'finish') parentPort?.postMessage(ended)
  // Blocks its thread, as a kernel in an endless loop would.
  if (plan.prompt === 'hang') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
})
