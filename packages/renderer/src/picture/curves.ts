export function clamp(value: number, low = 0, high = 1): number {
  return value < low ? low : value > high ? high : value
}

export function mix(from: number, to: number, share: number): number {
  return from + (to - from) * share
}

/** 0 at `from`, 1 at `to`, with soft ends. `from` may be the larger. */
export function smoothstep(from: number, to: number, value: number): number {
  const t = clamp((value - from) / (to - from))
  return t * t * (3 - 2 * t)
}
