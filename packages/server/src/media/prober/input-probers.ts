import { ProberPool, type ProberPoolOptions } from './prober-pool.ts'

/** Less than for results: an index of ten minutes is small, and the client waits. */
const cpuSecondsPerFile = 2
const probeMsMax = 110_000

/** Probes the videos and sound of clients, in other processes than results: neither delays the other. */
export function createInputProbers(log: ProberPoolOptions['log']): ProberPool {
  return new ProberPool({ log, cpuSecondsPerFile, probeMsMax })
}
