import { clamp } from '../../picture/curves.ts'
import type { Random } from '../../picture/random.ts'

export const membersMax = 9

/**
 * Returns the positions of a group in the frame, as shares of its width. `halfWidth` is half the
 * width of a member.
 */
export function spread(
  count: number,
  { order, halfWidth, random }: { order: number; halfWidth: number; random: Random },
): number[] {
  const side = random() < 0.5 ? -1 : 1
  const margin = Math.min(0.5, halfWidth + 0.01)
  const first = clamp(0.5 + side * (order % 2 ? -1 : 1) * (0.12 + 0.06 * random() + 0.08 * order), margin, 1 - margin)
  const shownCount = Math.min(membersMax, Math.max(1, count))
  if (shownCount === 1) return [first]
  // The other members share the rest of the width evenly, with a random offset.
  const otherSpots = Array.from({ length: shownCount - 1 }, (_, index) => {
    const freeSpot = margin + ((index + 0.5) / (shownCount - 1)) * (1 - 2 * margin)
    return freeSpot + (random() - 0.5) * 0.09
  }).map((x) => (Math.abs(x - first) < halfWidth * 1.3 ? x + (x < first ? -1 : 1) * halfWidth * 1.3 : x))
  return [first, ...otherSpots.map((x) => clamp(x, margin, 1 - margin))]
}
