import { hex, lightYuv } from '../../picture/color.ts'
import type { Painter, Stage } from '../stage.ts'
import { focalUnits, createProjection } from './perspective.ts'
import type { StreetKind } from './street-kind.ts'

/**
 * Paints headlights that come nearer on one side and taillights that go away on the other, with
 * their streaks on the road.
 */
export function paintTraffic(stage: Stage, kind: StreetKind, strength: number): Painter | undefined {
  if (kind.kerbDistance < 3 || strength < 0.6) return undefined
  const { compositor, geometry } = stage
  const project = createProjection(stage)
  const random = stage.random('street traffic')
  const [head, tail] = [lightYuv(hex('#fff0d0')), lightYuv(hex('#ff3020'))]
  const cars = Array.from({ length: 9 }, (_, index) => ({
    phase: random(),
    side: index % 2 ? 1 : -1,
    pace: 0.05 + 0.03 * random(),
  }))
  return (moment) => {
    for (const { phase, side, pace } of cars) {
      const pathShare = (phase + moment.seconds * pace) % 1
      const z = side < 0 ? 120 - 104 * pathShare : 18 + 104 * pathShare
      const size = (geometry.unit * focalUnits) / z
      const light = side < 0 ? head : tail
      const brightness = Math.min(1, pathShare * 6, (1 - pathShare) * 6) * strength
      for (const lamp of [-0.6, 0.6]) {
        const point = project(side * kind.kerbDistance * 0.42 + lamp, 0.65, z)
        const screenPoint = stage.project(point.x, point.y, 0.06, moment)
        const ground = stage.project(point.x, project(0, 0, z).y, 0.06, moment)
        compositor.addSpot(screenPoint.x, screenPoint.y, Math.max(1.3, size * 0.3), [
          light[0] * brightness,
          light[1] * brightness,
          light[2] * brightness,
        ])
        for (const fall of [0.3, 0.7, 1.2]) {
          const dim = brightness * 0.16
          compositor.addSpot(ground.x, ground.y + size * fall, Math.max(1.4, size * 0.34), [
            light[0] * dim,
            light[1] * dim,
            light[2] * dim,
          ])
        }
      }
    }
  }
}
