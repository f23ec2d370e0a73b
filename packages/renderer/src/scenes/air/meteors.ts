import { stillSeconds, type Painter, type Stage } from '../stage.ts'

/**
 * Seconds for which a meteor is visible (`life`), and seconds until all meteors repeat (`period`).
 */
const life = 1.1
const period = 9.6
const spots = 34

/**
 * Paints shooting stars with about the same heading. Some of them are visible at the moment that a
 * still shows.
 */
export function paintMeteors(stage: Stage, count: number): Painter {
  const { compositor, geometry, horizon } = stage
  const { width, unit } = geometry
  const random = stage.random('meteors')
  const from = random() < 0.5 ? 1 : -1
  const meteors = Array.from({ length: count }, (_, index) => ({
    at: index === 0 ? stillSeconds - life * 0.62 : index === 1 ? stillSeconds - life * 0.4 : random() * period,
    x: width * (0.5 - from * (0.34 - 0.6 * random())),
    y: horizon * (0.04 + 0.34 * random()),
    slope: 0.32 + 0.22 * random(),
    long: unit * (index === 0 ? 0.4 : 0.18 + 0.2 * random()),
    bright: index === 0 ? 1 : 0.5 + 0.4 * random(),
  }))
  return ({ seconds }) => {
    for (const { at, x, y, slope, long, bright } of meteors) {
      const age = ((((seconds - at) % period) + period) % period) / life
      if (age > 1) continue
      const travelled = age * long * 1.5
      const shown = Math.min(1, age * 5) * Math.min(1, (1 - age) * 3) * bright
      for (let spot = 0; spot < spots; spot++) {
        const back = (spot / spots) ** 1.4
        const along = travelled - back * long * Math.min(1, age * 2.4)
        if (along < 0) continue
        const fade = (1 - back) ** 2
        const radius = Math.max(1.1, stage.pixels(3.4 * (1 - back) + 1))
        compositor.addSpot(x + from * along, y + along * slope, radius, [150 * shown * fade, 2 * shown, -1 * shown])
      }
      const head = { x: x + from * travelled, y: y + travelled * slope }
      compositor.addSpot(head.x, head.y, stage.pixels(13), [70 * shown, 4 * shown, 0])
    }
  }
}
