import { clamp } from '../../picture/curves.ts'
import type { Random } from '../../picture/random.ts'

export const membersMax = 9

/**
 * Positions of a group across the frame, as shares of its width; `half` is half the width of a
 * member.
 */
export function spread(count: number, { order, half, random }: { order: number; half: number; random: Random }): number[] {
  const side = random() < 0.5 ? -1 : 1
  const margin = Math.min(0.5, half + 0.01)
  const first = clamp(0.5 + side * (order % 2 ? -1 : 1) * (0.12 + 0.06 * random() + 0.08 * order), margin, 1 - margin)
  const shown = Math.min(membersMax, Math.max(1, count))
  if (shown === 1) return [first]
  // The others share the rest of the width evenly, with some disorder.
  const others = Array.from({ length: shown - 1 }, (_, index) => {
    const free = margin + ((index + 0.5) / (shown - 1)) * (1 - 2 * margin)
    return free + (random() - 0.5) * 0.09
  }).map((x) => (Math.abs(x - first) < half * 1.3 ? x + (x < first ? -1 : 1) * half * 1.3 : x))
  return [first, ...others.map((x) => clamp(x, margin, 1 - margin))]
}
