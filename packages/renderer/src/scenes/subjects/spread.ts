import { clamp } from '../../picture/curves.ts'
import type { Random } from '../../picture/random.ts'

/** Maximum number of members of a group. */
export const membersMax = 9

/**
 * Returns the horizontal positions of a group's members, as shares of the frame's width.
 * `halfWidth` is half the width of a member in the same unit.
 */
export function spread(
  count: number,
  { order, halfWidth, random }: { order: number; halfWidth: number; random: Random },
): number[] {
  const side = random() < 0.5 ? -1 : 1
  const margin = Math.min(0.5, halfWidth + 0.01)
  const firstX = clamp(0.5 + side * (order % 2 ? -1 : 1) * (0.12 + 0.06 * random() + 0.08 * order), margin, 1 - margin)
  const shownCount = Math.min(membersMax, Math.max(1, count))
  if (shownCount === 1) return [firstX]
  // The other members are spread evenly with a random offset, and keep a distance from the first.
  const otherXs = Array.from({ length: shownCount - 1 }, (_, index) => {
    const evenX = margin + ((index + 0.5) / (shownCount - 1)) * (1 - 2 * margin)
    return evenX + (random() - 0.5) * 0.09
  }).map((x) => (Math.abs(x - firstX) < halfWidth * 1.3 ? x + (x < firstX ? -1 : 1) * halfWidth * 1.3 : x))
  return [firstX, ...otherXs.map((x) => clamp(x, margin, 1 - margin))]
}
