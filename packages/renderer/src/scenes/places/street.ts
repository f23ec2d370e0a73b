import { hex, mixRgb, scaleRgb } from '../../picture/color.ts'
import { paintClouds } from '../clouds/paint-clouds.ts'
import { createMistTexture, paintMist } from '../air/mist.ts'
import type { PlacedSubjects } from '../subjects/placed-subjects.ts'
import { paintBloom, paintMoon, paintSky, paintStars } from '../sky/sky.ts'
import { overscan, type Painter, type Stage } from '../stage.ts'
import { paintWater } from '../water/water.ts'
import { paintFronts } from '../street/fronts.ts'
import { planHouses } from '../street/houses.ts'
import { paintLampGlow } from '../street/lamps.ts'
import { farthest, focalUnits } from '../street/perspective.ts'
import { asphalt, paintRoad } from '../street/road.ts'
import { chooseStreetKind } from '../street/street-kind.ts'
import { paintTraffic } from '../street/traffic.ts'

/**
 * Paints a street in perspective, with house fronts on both sides, lamps and traffic. The asphalt
 * mirrors them, most of all when it is wet.
 */
export function paintStreet(stage: Stage, subjects: PlacedSubjects): (Painter | undefined)[] {
  const { palette, geometry, horizon, brief } = stage
  const { unit, height } = geometry
  const kind = chooseStreetKind(stage)
  const isDark = brief.time === 'night' || brief.time === 'dusk'
  // In the neon style, the road is always wet, because it mirrors the lights.
  const isWet = brief.weather === 'rain' || brief.style === 'neon'
  const mist = createMistTexture(stage)
  const slices = [
    { nearDistance: 34, farDistance: farthest, depth: 0.03 },
    { nearDistance: 13, farDistance: 34, depth: 0.08 },
    // The nearest slice begins so close to the viewer that its walls end outside the frame.
    {
      nearDistance: Math.min(3.2, (kind.wallDistance * focalUnits * unit * 1.9) / (geometry.width * overscan)),
      farDistance: 13,
      depth: 0.15,
    },
  ]
  const houses = [-1, 1].flatMap((side) => planHouses(stage, kind, side))
  const air = mixRgb(palette.haze, hex('#e8a070'), isDark ? 0.25 : 0)
  const fronts = slices.map((slice) => paintFronts(stage, { kind, plan: houses, slice, air }))
  const lights = paintLampGlow(stage, kind, isDark ? 1 : 0.2)
  return [
    paintSky(stage, height),
    paintStars(stage),
    paintMoon(stage),
    paintClouds(stage, horizon),
    subjects.sky,
    isDark
      ? paintMist(stage, mist, { top: horizon - unit * 0.34, height: unit * 0.42, gain: 0.4, color: air, order: 2 })
      : undefined,
    ...fronts.flatMap((front, order) => [
      front.aboveHorizon,
      order === 0 ? paintBloom(stage, height) : undefined,
      order < 2
        ? paintMist(stage, mist, {
            top: horizon - unit * (0.14 + 0.05 * order),
            height: unit * 0.24,
            gain: 0.34 - 0.14 * order,
            color: air,
            order,
          })
        : undefined,
    ]),
    lights,
    paintWater(stage, {
      rippleFar: 1,
      rippleNear: isWet ? 20 : 6,
      clarityFar: isWet ? 0.82 : 0.3,
      clarityNear: isWet ? 0.5 : 0.08,
      frequency: 1.5,
      tint: mixRgb(scaleRgb(asphalt, isDark ? 0.3 : 0.9), palette.skylight, 0.3),
    }),
    paintRoad(stage, kind, isWet),
    ...fronts.map((front) => front.belowHorizon),
    paintTraffic(stage, kind, isDark ? 1 : 0.5),
    subjects.floating,
    subjects.ground,
  ]
}
