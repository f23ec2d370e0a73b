const delayMsMin = 500
const delayMsMax = 10_000
/** Polling a tenth of the time that has passed notices the end at most a tenth late. */
const shareOfElapsed = 0.1
const jitterShare = 0.2

/** When to poll an operation next, for one that has run for `elapsedMs`. `random` is in [0, 1). */
export function pollDelayMs(elapsedMs: number, random: number): number {
  const delayMs = Math.min(delayMsMax, Math.max(delayMsMin, elapsedMs * shareOfElapsed))
  return delayMs * (1 - jitterShare / 2 + jitterShare * random)
}
