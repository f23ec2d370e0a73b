/**
 * No pause is written with an end further away: `Retry-After` is followed for at most ten minutes, lengthened by up to a fifth. The rest
 * allows for clocks that differ.
 */
const pauseMsMax = 15 * 60_000

/** Whether nothing may be submitted yet. A pause that seems longer than any was written before the clock was set back: it is over. */
export function isPausedUntil(pausedUntilMs: number, nowMs: number): boolean {
  return nowMs < pausedUntilMs && pausedUntilMs <= nowMs + pauseMsMax
}
