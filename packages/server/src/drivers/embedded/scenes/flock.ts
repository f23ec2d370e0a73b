import type { Painter, Stage } from './stage.ts'

/** A loose V of birds that beat their wings, drawn from dark spots. */
export function paintFlock(stage: Stage, { count, size = 15 }: { count: number; size?: number }): Painter | undefined {
  if (stage.brief.without.has('birds')) return undefined
  const { compositor, geometry, horizon } = stage
  const { width, unit } = geometry
  const random = stage.random('flock')
  const start = { x: 0.2 + 0.2 * random(), y: 0.4 + 0.1 * random() }
  const birds = Array.from({ length: count }, (_, index) => {
    const wing = Math.ceil(index / 2)
    return {
      x: ((index % 2 ? 1 : -1) * wing * 0.03 + (random() - 0.5) * 0.012) * unit,
      y: (wing * 0.011 + (random() - 0.5) * 0.008) * unit,
      phase: random() * 6.28,
      pace: 6.2 + random() * 1.3,
      size: stage.pixels(size) * (0.8 + random() * 0.4),
    }
  })
  return ({ seconds, progress }) => {
    const leadX = (start.x + progress * 0.16) * width
    const leadY = (start.y - progress * 0.06) * horizon
    for (const bird of birds) {
      const x = leadX + bird.x
      const y = leadY + bird.y + unit * 0.004 * Math.sin(seconds * 1.1 + bird.phase)
      const beat = Math.sin(seconds * bird.pace + bird.phase) * 0.75 + 0.1
      for (let step = -8; step <= 8; step++) {
        const along = step / 8
        const out = Math.abs(along)
        const lift = -beat * 0.55 * Math.sin(out * 1.9) + out * out * 0.38
        compositor.addSpot(
          x + along * bird.size,
          y + lift * bird.size,
          Math.max(1, (bird.size / 15) * (2.5 - 1.5 * out)),
          [-95, 3, -3],
          'disc',
        )
      }
      compositor.addSpot(x, y + 1, Math.max(1.2, bird.size / 5), [-95, 0, 0], 'disc')
    }
  }
}
