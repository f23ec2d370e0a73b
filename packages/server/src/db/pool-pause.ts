/**
 * Latest end of a written pause: a `Retry-After` is followed for at most ten minutes, lengthened by
 * up to a fifth. The rest allows for clocks that differ.
 */
const pauseMsMax = 15 * 60_000

/**
 * Whether the pause is still on. A pause that seems longer than any can be was written before the
 * clock was set back, so it is over.
 */
export function isPausedUntil(pausedUntilMs: number, nowMs: number): boolean {
  return nowMs < pausedUntilMs && pausedUntilMs <= nowMs + pauseMsMax
}
