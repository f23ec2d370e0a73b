import { lightYuv } from '../../picture/colour.ts'
import type { Painter, Stage } from '../stage.ts'

/** Paints the broken path of light on the water below the sun or moon. */
export function paintGlitter(stage: Stage, count: number): Painter {
  const { compositor, geometry, palette, sun, horizon } = stage
  const random = stage.random('glitter')
  const [y, u, v] = lightYuv(palette.rim)
  const below = geometry.height - horizon
  const sparks = Array.from({ length: count }, () => {
    const near = random() ** 1.7
    return {
      near,
      across: (random() + random() + random() - 1.5) * (0.05 + 0.34 * near),
      phase: random() * 6.28,
      pace: 1.5 + random() * 3,
    }
  })
  return (moment) => {
    for (const spark of sparks) {
      const shine = Math.sin(spark.phase + moment.seconds * spark.pace)
      if (shine < 0.1) continue
      const point = stage.project(
        sun.x + spark.across * geometry.unit,
        horizon + below * (0.012 + 0.93 * spark.near),
        0.04 + 0.2 * spark.near,
        moment,
      )
      const strength = shine * shine * (0.6 - 0.34 * spark.near) * (1 - Math.abs(spark.across) * 1.4)
      const radius = Math.max(1.1, stage.pixels(1.5 + 3 * spark.near))
      for (const side of [-1, 0, 1]) {
        compositor.addSpot(point.x + side * radius * 1.5, point.y, radius, [y * strength, u * strength, v * strength])
      }
    }
  }
}
