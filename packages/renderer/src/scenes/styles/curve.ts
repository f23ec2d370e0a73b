import { toFixedSample } from '../../picture/fixed-point.ts'
import type { Compositor } from '../../picture/compositor.ts'
import { clamp } from '../../picture/curves.ts'

const knotCount = 17

/**
 * Stores the knots of `tone` for the kernel `curveLuma`, and returns their address. `tone` maps
 * light to light, both from 0 (black) to 1 (white).
 */
export function createCurve({ arena, shorts }: Compositor, tone: (light: number) => number): number {
  const table = arena.allocate(knotCount * 2)
  for (let knot = 0; knot < knotCount; knot++) {
    const light = clamp(tone(clamp((knot * 16 - 16) / 219, 0, 1)))
    shorts[(table >> 1) + knot] = toFixedSample(16 + 219 * light)
  }
  return table
}
