import { decoderPidsOf, residentBytes } from './decoder-children.ts'

const sampleMs = 10

/** Samples the memory growth of this process and its decoders from now on, and returns its peak. */
export function watchMemory(): { grownBytes(): number } {
  const bytesAtStart = bytesInUse()
  let highest = bytesAtStart
  const takeSample = () => (highest = Math.max(highest, bytesInUse()))
  const timer = setInterval(takeSample, sampleMs)
  return {
    grownBytes() {
      clearInterval(timer)
      return takeSample() - bytesAtStart
    },
  }
}

function bytesInUse(): number {
  return decoderPidsOf(process.pid).reduce((sum, pid) => sum + residentBytes(pid), process.memoryUsage.rss())
}
