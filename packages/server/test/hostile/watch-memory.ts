import { decoderPidsOf, residentBytes } from './decoder-children.ts'

const sampleMs = 10

/**
 * Samples the resident memory of this process and its decoders. `grownBytes` ends the sampling and
 * returns the peak growth.
 */
export function watchMemory(): { grownBytes(): number } {
  const bytesAtStart = bytesInUse()
  let peakBytes = bytesAtStart
  const takeSample = () => (peakBytes = Math.max(peakBytes, bytesInUse()))
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
