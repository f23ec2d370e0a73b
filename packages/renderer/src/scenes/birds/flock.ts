import type { Random } from '../../picture/random.ts'
import type { Painter, Stage } from '../stage.ts'

export interface FlockLook {
  count: number
  /** Half of the wingspan, in pixels at 1080 rows. */
  size?: number
  formation: 'wedge' | 'line' | 'scattered'
  /**
   * Position of the leader, or of the middle of a scattered flock, at half of the video's duration:
   * `x` is a share of the width, `y` a share of the distance from the top to the horizon.
   */
  x: number
  y: number
}

/** Paints distant birds, each made of dark spots, that beat their wings. */
export function paintFlock(stage: Stage, { count, size = 15, formation, x, y }: FlockLook): Painter {
  const { compositor, geometry, horizon } = stage
  const { width, unit } = geometry
  const random = stage.random('flock')
  const heading = random() < 0.5 ? -1 : 1
  const birds = Array.from({ length: count }, (_, index) => {
    const { offsetX, offsetY } = offsetIn(formation, index, count, random)
    return {
      x: -heading * offsetX * unit,
      y: offsetY * unit,
      phase: random() * 6.28,
      pace: 5.4 + random() * 1.6,
      // Share of a cycle by which the bird's glides are shifted.
      glide: random(),
      size: stage.toPixels(size) * (0.75 + random() * 0.45),
    }
  })
  return ({ seconds, progress }) => {
    const leadX = (x + heading * (progress - 0.5) * 0.14) * width
    const leadY = (y - (progress - 0.5) * 0.06) * horizon
    for (const bird of birds) {
      const cx = leadX + bird.x
      const cy = leadY + bird.y + unit * 0.004 * Math.sin(seconds * 1.1 + bird.phase)
      const isGliding = Math.sin(seconds * 0.7 + bird.glide * 6.28) > 0.55
      const beat = isGliding ? 0.22 : Math.sin(seconds * bird.pace + bird.phase) * 0.75 + 0.1
      for (let step = -8; step <= 8; step++) {
        const wingShare = step / 8
        const wingDistance = Math.abs(wingShare)
        const lift = -beat * 0.55 * Math.sin(wingDistance * 1.9) + wingDistance * wingDistance * 0.38
        const radius = Math.max(1, (bird.size / 15) * (2.5 - 1.5 * wingDistance))
        compositor.addSpot(cx + wingShare * bird.size, cy + lift * bird.size, radius, [-95, 3, -3], 'disc')
      }
      compositor.addSpot(cx, cy + 1, Math.max(1.2, bird.size / 5), [-95, 0, 0], 'disc')
    }
  }
}

/**
 * Returns a bird's offset behind and below the leader, or from the middle of a scattered flock, in
 * units.
 */
function offsetIn(
  formation: FlockLook['formation'],
  index: number,
  count: number,
  random: Random,
): { offsetX: number; offsetY: number } {
  const randomOffset = (size: number): number => (random() - 0.5) * size
  const rank = Math.ceil(index / 2)
  if (formation === 'wedge')
    return { offsetX: rank * 0.03 + randomOffset(0.012), offsetY: (index % 2 ? 1 : -0.35) * rank * 0.012 + randomOffset(0.006) }
  if (formation === 'line') return { offsetX: index * 0.034 + randomOffset(0.012), offsetY: index * 0.006 + randomOffset(0.01) }
  return { offsetX: (index / count - 0.5) * 0.36 + randomOffset(0.12), offsetY: randomOffset(0.16) }
}
