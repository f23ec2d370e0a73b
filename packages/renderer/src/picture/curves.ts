export function clamp(value: number, min = 0, max = 1): number {
  return value < min ? min : value > max ? max : value
}

export function mix(from: number, to: number, share: number): number {
  return from + (to - from) * share
}

/**
 * Returns 0 at `from` and 1 at `to`, with a smooth transition between them. `from` may be larger
 * than `to`.
 */
export function smoothstep(from: number, to: number, value: number): number {
  const t = clamp((value - from) / (to - from))
  return t * t * (3 - 2 * t)
}
