/**
 * Loaded into a started service by `node --import`. Delays the start of the HTTP threads by more
 * time than the main thread needs to notice a changed file.
 */
import { threadName } from 'node:worker_threads'

const delayMs = 1_500

if (threadName === 'http') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, delayMs)
