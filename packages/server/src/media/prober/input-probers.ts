import { ProberPool, type ProberPoolOptions } from './prober-pool.ts'

/**
 * CPU time per file. It is less than for results, because an index of ten minutes is small and the
 * client waits.
 */
const cpuSecondsPerFile = 2
const probeMsMax = 110_000

/**
 * Creates the processes that probe videos and sound of clients. Results have other processes, so
 * that neither delays the other.
 */
export function createInputProbers(log: ProberPoolOptions['log']): ProberPool {
  return new ProberPool({ log, cpuSecondsPerFile, probeMsMax })
}
