import { stillSeconds, type Painter, type Stage } from '../stage.ts'

/**
 * Seconds for which a meteor is visible (`life`), and seconds after which all meteors repeat
 * (`period`).
 */
const life = 1.1
const period = 9.6
const spots = 34

/** Paints shooting stars with about the same heading. In a still, some of them are visible. */
export function paintMeteors(stage: Stage, count: number): Painter {
  const { compositor, geometry, horizon } = stage
  const { width, unit } = geometry
  const random = stage.random('meteors')
  const from = random() < 0.5 ? 1 : -1
  const meteors = Array.from({ length: count }, (_, index) => ({
    startSeconds: index === 0 ? stillSeconds - life * 0.62 : index === 1 ? stillSeconds - life * 0.4 : random() * period,
    x: width * (0.5 - from * (0.34 - 0.6 * random())),
    y: horizon * (0.04 + 0.34 * random()),
    slope: 0.32 + 0.22 * random(),
    length: unit * (index === 0 ? 0.4 : 0.18 + 0.2 * random()),
    bright: index === 0 ? 1 : 0.5 + 0.4 * random(),
  }))
  return ({ seconds }) => {
    for (const { startSeconds, x, y, slope, length, bright } of meteors) {
      const age = ((((seconds - startSeconds) % period) + period) % period) / life
      if (age > 1) continue
      const traveled = age * length * 1.5
      const brightness = Math.min(1, age * 5) * Math.min(1, (1 - age) * 3) * bright
      for (let spot = 0; spot < spots; spot++) {
        const distanceBack = (spot / spots) ** 1.4
        const startX = traveled - distanceBack * length * Math.min(1, age * 2.4)
        if (startX < 0) continue
        const fade = (1 - distanceBack) ** 2
        const radius = Math.max(1.1, stage.pixels(3.4 * (1 - distanceBack) + 1))
        compositor.addSpot(x + from * startX, y + startX * slope, radius, [
          150 * brightness * fade,
          2 * brightness,
          -1 * brightness,
        ])
      }
      const head = { x: x + from * traveled, y: y + traveled * slope }
      compositor.addSpot(head.x, head.y, stage.pixels(13), [70 * brightness, 4 * brightness, 0])
    }
  }
}
