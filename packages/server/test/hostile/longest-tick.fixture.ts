/**
 * Loaded into a service by `--import`. Writes the longest CPU time of the main thread between two
 * samples to a file.
 */
import { writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const file = process.env['LONGEST_TICK_FILE']
const pollIntervalMs = 1
let lastMs = 0
let longestMs = 0

function usedMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

function takeSample(): void {
  const nowMs = usedMs()
  if (nowMs - lastMs > longestMs) {
    longestMs = nowMs - lastMs
    if (file !== undefined) writeFileSync(file, String(longestMs))
  }
  lastMs = usedMs()
  setTimeout(takeSample, pollIntervalMs).unref()
}

if (isMainThread && file !== undefined) {
  lastMs = usedMs()
  takeSample()
  process.on('SIGUSR2', () => {
    longestMs = 0
    lastMs = usedMs()
    writeFileSync(file, '0')
  })
}
