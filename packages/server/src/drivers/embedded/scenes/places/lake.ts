import { mixRgb, scaleRgb } from '../../picture/colour.ts'
import { clamp } from '../../picture/curves.ts'
import { paintClouds } from '../clouds/paint-clouds.ts'
import { paintMotes } from '../floating.ts'
import { paintPassingBirds } from '../passing-birds.ts'
import { paintBank } from '../foreground.ts'
import { createMistTexture, paintMist } from '../mist.ts'
import { paintRidge, type RidgeLook } from '../ridges.ts'
import { paintShore } from '../shore.ts'
import { paintBloom, paintMoon, paintSky, paintStars } from '../sky.ts'
import type { Painter, Stage } from '../stage.ts'
import { paintWater } from '../water.ts'
import type { PlacedSubjects } from '../place-subjects.ts'

/** Mountains in four depths around a still lake. */
export function paintLake(stage: Stage, subjects: PlacedSubjects): (Painter | undefined)[] {
  const { palette, horizon, geometry, brief } = stage
  const { unit } = geometry
  const mist = createMistTexture(stage)
  const isSnowy = brief.weather === 'snow'
  const ranges = [
    { foot: 0.095, relief: 0.3, frequency: 1.3, depth: 0.02 },
    { foot: 0.065, relief: 0.22, frequency: 1.85, depth: 0.05 },
    { foot: 0.03, relief: 0.13, frequency: 2.5, depth: 0.09 },
    { foot: 0.007, relief: 0.06, frequency: 3.9, depth: 0.14 },
  ]
  const painters: (Painter | undefined)[] = [
    paintSky(stage),
    paintStars(stage, horizon),
    paintMoon(stage),
    paintClouds(stage),
    subjects.sky,
  ]
  for (const [order, range] of ranges.entries()) {
    const nearness = order / (ranges.length - 1)
    const body = mixRgb(palette.far, mixRgb(palette.near, palette.far, 0.3), nearness ** 0.55)
    const top = mixRgb(
      mixRgb(body, palette.near, nearness * nearness * 0.45),
      [240, 244, 250],
      isSnowy ? 0.4 * (1 - nearness) : 0,
    )
    const firs = {
      height: stage.pixels(order === 2 ? 16 : 42),
      colour: mixRgb(top, palette.near, order === 2 ? 0.4 : 0.8),
      density: order === 2 ? 0.24 : 0.06,
    }
    const look: RidgeLook = {
      order,
      shape: 'mountain',
      foot: horizon - unit * range.foot,
      relief: range.relief,
      frequency: range.frequency,
      depth: range.depth,
      top,
      bottom: mixRgb(palette.haze, mixRgb(palette.far, palette.near, 0.5), nearness),
      lit: palette.lit,
      shade: palette.shade,
      slopes: order < 3 ? 1 - nearness * 0.4 : 0,
      rim: brief.time === 'day' ? 0.3 : 1 - nearness * 0.5,
      fillTo: horizon + 4,
      rowEnd: horizon,
      ...(order >= 2 && !brief.without.has('plants') ? { firs } : {}),
    }
    painters.push(
      paintRidge(stage, look),
      paintMist(stage, mist, {
        top: horizon - unit * (0.14 - 0.036 * order),
        height: unit * (0.12 - 0.02 * order),
        gain: clamp(0.62 - 0.05 * order),
        colour: mixRgb(palette.mist, palette.far, [0, 0.2, 0.55, 0.25][order] ?? 0),
        order,
        rowEnd: horizon,
      }),
    )
  }
  painters.push(
    paintBloom(stage),
    subjects.floating,
    paintWater(stage, { rippleFar: 1.2, rippleNear: 15, clarityFar: 0.93, clarityNear: 0.6, frequency: 1 }),
    paintMist(stage, mist, {
      top: horizon - unit * 0.035,
      height: unit * 0.085,
      gain: 0.62,
      colour: mixRgb(palette.haze, palette.mist, 0.4),
      order: 5,
    }),
    // After the mirror: so small a reflection would only be blots.
    paintPassingBirds(stage, { count: 9 }),
    paintShore(stage),
    subjects.ground,
  )
  if (!brief.without.has('plants')) {
    const dark = scaleRgb(palette.near, 0.55)
    painters.push(
      paintBank(stage, {
        colour: dark,
        blade: dark,
        bankHeight: 0.14,
        bladeHeight: 0.1,
        blades: 1700,
        opening: 0.36,
        seedHeads: true,
      }),
    )
  }
  if (brief.weather === 'clear')
    painters.push(
      paintMotes(stage, {
        count: 46,
        light: scaleRgb(palette.rim, brief.time === 'day' ? 0.1 : 0.22),
        top: geometry.height * 0.45,
      }),
    )
  return painters
}
