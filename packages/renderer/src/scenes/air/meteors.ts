import { stillSeconds, type Painter, type Stage } from '../stage.ts'

/** Time for which a meteor is visible. */
const visibleSeconds = 1.1
/** Time after which all meteors repeat. */
const periodSeconds = 9.6
/** Number of spots of light that form a meteor's trail. */
const spotCount = 34

/** Paints shooting stars with about the same heading. A still shows at least two of them. */
export function paintMeteors(stage: Stage, count: number): Painter {
  const { compositor, geometry, horizon } = stage
  const { width, unit } = geometry
  const random = stage.random('meteors')
  const heading = random() < 0.5 ? 1 : -1
  const meteors = Array.from({ length: count }, (_, index) => ({
    startSeconds:
      index === 0
        ? stillSeconds - visibleSeconds * 0.62
        : index === 1
          ? stillSeconds - visibleSeconds * 0.4
          : random() * periodSeconds,
    x: width * (0.5 - heading * (0.34 - 0.6 * random())),
    y: horizon * (0.04 + 0.34 * random()),
    slope: 0.32 + 0.22 * random(),
    length: unit * (index === 0 ? 0.4 : 0.18 + 0.2 * random()),
    brightnessMax: index === 0 ? 1 : 0.5 + 0.4 * random(),
  }))
  return ({ seconds }) => {
    for (const { startSeconds, x, y, slope, length, brightnessMax } of meteors) {
      const age = ((((seconds - startSeconds) % periodSeconds) + periodSeconds) % periodSeconds) / visibleSeconds
      if (age > 1) continue
      const traveled = age * length * 1.5
      const brightness = Math.min(1, age * 5) * Math.min(1, (1 - age) * 3) * brightnessMax
      for (let spot = 0; spot < spotCount; spot++) {
        const distanceBack = (spot / spotCount) ** 1.4
        const startX = traveled - distanceBack * length * Math.min(1, age * 2.4)
        if (startX < 0) continue
        const fade = (1 - distanceBack) ** 2
        const radius = Math.max(1.1, stage.toPixels(3.4 * (1 - distanceBack) + 1))
        compositor.addSpot(x + heading * startX, y + startX * slope, radius, [
          150 * brightness * fade,
          2 * brightness,
          -1 * brightness,
        ])
      }
      const head = { x: x + heading * traveled, y: y + traveled * slope }
      compositor.addSpot(head.x, head.y, stage.toPixels(13), [70 * brightness, 4 * brightness, 0])
    }
  }
}
