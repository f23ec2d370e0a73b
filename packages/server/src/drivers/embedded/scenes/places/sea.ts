import { mixRgb, scaleRgb } from '../../picture/colour.ts'
import { paintClouds } from '../clouds/paint-clouds.ts'
import { paintPassingBirds } from '../passing-birds.ts'
import { paintGlitter } from '../glitter.ts'
import { createMistTexture, paintMist } from '../mist.ts'
import type { PlacedSubjects } from '../place-subjects.ts'
import { paintRidge } from '../ridges.ts'
import { paintShore } from '../shore.ts'
import { paintBloom, paintMoon, paintSky, paintStars } from '../sky.ts'
import type { Painter, Stage } from '../stage.ts'
import { paintWater } from '../water.ts'

/** Open water under a wide sky, far headlands, a path of light and a dark rocky shore. */
export function paintSea(stage: Stage, subjects: PlacedSubjects): (Painter | undefined)[] {
  const { palette, horizon, geometry, brief } = stage
  const { unit, height } = geometry
  const mist = createMistTexture(stage)
  const land = { shape: 'mountain', lit: palette.lit, shade: palette.shade, fillTo: horizon + 4, rowEnd: horizon } as const
  const isRough = brief.weather === 'rain'
  return [
    paintSky(stage),
    paintStars(stage, horizon),
    paintMoon(stage),
    paintClouds(stage),
    subjects.sky,
    paintRidge(stage, {
      ...land,
      order: 1,
      foot: horizon + unit * 0.035,
      relief: 0.1,
      frequency: 0.9,
      depth: 0.03,
      top: mixRgb(palette.far, palette.haze, 0.35),
      bottom: palette.haze,
      slopes: 0.7,
      rim: 0.6,
    }),
    paintMist(stage, mist, { top: horizon - unit * 0.07, height: unit * 0.09, gain: 0.5, order: 1, rowEnd: horizon }),
    paintRidge(stage, {
      ...land,
      order: 3,
      foot: horizon + unit * 0.05,
      relief: 0.15,
      frequency: 0.75,
      depth: 0.06,
      top: mixRgb(palette.far, palette.near, 0.5),
      bottom: mixRgb(palette.far, palette.haze, 0.3),
      slopes: 0.8,
      rim: 0.8,
    }),
    paintMist(stage, mist, { top: horizon - unit * 0.04, height: unit * 0.055, gain: 0.4, order: 2, rowEnd: horizon }),
    paintBloom(stage),
    subjects.floating,
    paintWater(stage, { rippleFar: 2.4, rippleNear: isRough ? 90 : 58, clarityFar: 0.86, clarityNear: 0.34, frequency: 0.42 }),
    brief.weather === 'clear' || brief.weather === 'snow' ? paintGlitter(stage, 230) : undefined,
    paintMist(stage, mist, { top: horizon - unit * 0.02, height: unit * 0.05, gain: 0.5, colour: palette.haze, order: 4 }),
    paintPassingBirds(stage),
    paintShore(stage),
    subjects.ground,
    paintRidge(stage, {
      ...land,
      order: 2,
      foot: height + unit * 0.085,
      relief: 0.11,
      frequency: 0.6,
      depth: 0.3,
      top: scaleRgb(palette.near, 0.8),
      bottom: scaleRgb(palette.near, 0.5),
      slopes: 0.35,
      rim: 0.35,
      fillTo: height + unit * 0.12,
      rowEnd: height,
    }),
  ]
}
