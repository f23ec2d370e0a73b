import { lightYuv } from '../../picture/color.ts'
import type { Painter, Stage } from '../stage.ts'

/** Paints the path of sparkling light on the water below the sun or moon. */
export function paintGlitter(stage: Stage, count: number): Painter {
  const { compositor, geometry, palette, sun, horizon } = stage
  const random = stage.random('glitter')
  const [y, u, v] = lightYuv(palette.rim)
  const waterHeight = geometry.height - horizon
  const sparks = Array.from({ length: count }, () => {
    const nearness = random() ** 1.7
    return {
      nearness,
      x: (random() + random() + random() - 1.5) * (0.05 + 0.34 * nearness),
      phase: random() * 6.28,
      pace: 1.5 + random() * 3,
    }
  })
  return (moment) => {
    for (const spark of sparks) {
      const shine = Math.sin(spark.phase + moment.seconds * spark.pace)
      if (shine < 0.1) continue
      const point = stage.project(
        sun.x + spark.x * geometry.unit,
        horizon + waterHeight * (0.012 + 0.93 * spark.nearness),
        0.04 + 0.2 * spark.nearness,
        moment,
      )
      const strength = shine * shine * (0.6 - 0.34 * spark.nearness) * (1 - Math.abs(spark.x) * 1.4)
      const radius = Math.max(1.1, stage.toPixels(1.5 + 3 * spark.nearness))
      for (const side of [-1, 0, 1]) {
        compositor.addSpot(point.x + side * radius * 1.5, point.y, radius, [y * strength, u * strength, v * strength])
      }
    }
  }
}
