const sampleMs = 5

/** The most that the process has grown since now, sampled: native decoders allocate where the heap statistics do not look. */
export function watchMemory(): { grownBytes(): number } {
  const atStart = process.memoryUsage.rss()
  let highest = atStart
  const sample = () => (highest = Math.max(highest, process.memoryUsage.rss()))
  const timer = setInterval(sample, sampleMs)
  return {
    grownBytes() {
      clearInterval(timer)
      return sample() - atStart
    },
  }
}
