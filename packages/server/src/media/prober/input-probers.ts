import { ProberPool, type ProberPoolOptions } from './prober-pool.ts'

/**
 * Minimum CPU seconds for each file. They are fewer than for results, because the index of a file
 * of ten minutes is small, and the client waits.
 */
const cpuSecondsPerFile = 2
const probeMsMax = 110_000

/**
 * Creates the pool of processes that probe input videos and sounds. Results have a pool of their
 * own, so that neither delays the other.
 */
export function createInputProbers(log: ProberPoolOptions['log']): ProberPool {
  return new ProberPool({ log, cpuSecondsPerFile, probeMsMax })
}
