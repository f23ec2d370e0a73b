import { ProberPool, type ProberPoolOptions } from './prober-pool.ts'

/**
 * Minimum CPU seconds for each file. There are fewer than for results, because an input file is at
 * most ten minutes long and the client waits for the response.
 */
const cpuSecondsPerFile = 2
const probeMsMax = 110_000

/**
 * Creates the pool of processes that probe input videos and sounds. Results have another pool, so
 * that inputs and results do not delay each other.
 */
export function createInputProbers(log: ProberPoolOptions['log']): ProberPool {
  return new ProberPool({ log, cpuSecondsPerFile, probeMsMax })
}
