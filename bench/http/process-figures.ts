import { monitorEventLoopDelay } from 'node:perf_hooks'

/** Figures of a process under load. */
export interface Figures {
  /** CPU time of the thread that serves HTTP. */
  mainCpuMs: number
  /**
   * CPU time of all other threads, such as the writer, the checkpoint thread and the garbage
   * collector.
   */
  otherCpuMs: number
  loopDelayP99Ms: number
}

const resolutionMs = 1
export const bytesPerMegabyte = 1024 * 1024

/** Creates the remote calls that measure this process. `end` returns the figures since `begin`. */
export function createMeasuringCalls(): { begin: () => void; end: () => Figures } {
  const loop = monitorEventLoopDelay({ resolution: resolutionMs })
  let threadUsageBefore = process.threadCpuUsage()
  let totalUsageBefore = process.cpuUsage()
  return {
    begin() {
      threadUsageBefore = process.threadCpuUsage()
      totalUsageBefore = process.cpuUsage()
      loop.reset()
      loop.enable()
    },
    end() {
      loop.disable()
      const mainCpuMs = sumMs(process.threadCpuUsage(threadUsageBefore))
      return {
        mainCpuMs,
        otherCpuMs: sumMs(process.cpuUsage(totalUsageBefore)) - mainCpuMs,
        // The histogram measures the whole time between two ticks of its timer, including the
        // resolution.
        loopDelayP99Ms: Math.max(0, loop.percentile(99) / 1e6 - resolutionMs),
      }
    },
  }
}

function sumMs({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000
}

/** Memory of the process after a full garbage collection. */
export function memoryAfterCollectionMb(): number {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  return process.memoryUsage().rss / bytesPerMegabyte
}
