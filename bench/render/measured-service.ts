// A service in a child process that measures its own load. It exchanges messages with its parent,
// `rendering.ts`. When it is ready, it sends `baseUrl` and `key`. The parent sends 'begin' and
// later 'end', and the service sends the `Figures` of the time between the two messages.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { loadConfig, startServer } from '../../packages/server/src/index.ts'

export interface Figures {
  /** Event-loop delay of the thread that serves HTTP. */
  loopDelayP99Ms: number
  loopDelayMaxMs: number
  /** CPU time of all threads. */
  cpuMs: number
  /** Maximum resident memory since the start of the process. */
  memoryPeakMb: number
  memoryNowMb: number
}

const loopResolutionMs = 1
const kilobytesPerMegabyte = 1024

const dataDir = mkdtempSync(path.join(tmpdir(), 'framegate-bench-'))
const env = { ...process.env, FRAMEGATE_DATA_DIR: dataDir, FRAMEGATE_PORT: '0', LOG_LEVEL: 'error' }
const server = await startServer(loadConfig({ env, cwd: dataDir }))
process.send?.({ baseUrl: server.baseUrl, key: server.newKey })

const loop = monitorEventLoopDelay({ resolution: loopResolutionMs })
let cpuBefore = process.cpuUsage()

process.on('message', (message) => {
  if (message === 'begin') {
    cpuBefore = process.cpuUsage()
    loop.reset()
    loop.enable()
  } else if (message === 'end') {
    loop.disable()
    const { user, system } = process.cpuUsage(cpuBefore)
    process.send?.({
      loopDelayP99Ms: delayMs(loop.percentile(99)),
      loopDelayMaxMs: delayMs(loop.max),
      cpuMs: (user + system) / 1000,
      memoryPeakMb: memoryMb('VmHWM'),
      memoryNowMb: memoryMb('VmRSS'),
    } satisfies Figures)
  }
})

process.on('disconnect', () => {
  void server.close().then(() => {
    rmSync(dataDir, { recursive: true, force: true })
    process.exit()
  })
})

/**
 * Converts a value of the histogram. The histogram measures the time between two ticks of its
 * timer, which includes the timer's interval.
 */
function delayMs(nanoseconds: number): number {
  return Math.max(0, nanoseconds / 1e6 - loopResolutionMs)
}

function memoryMb(field: 'VmHWM' | 'VmRSS'): number {
  const status = readFileSync('/proc/self/status', 'utf8')
  const kilobytes = Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1])
  return kilobytes / kilobytesPerMegabyte
}
