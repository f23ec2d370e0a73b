import { hex, mixRgb, scaleRgb, type Rgb } from '../../picture/colour.ts'
import { paintClouds } from '../clouds/paint-clouds.ts'
import { paintFlock } from '../flock.ts'
import { paintBank } from '../foreground.ts'
import { createMistTexture, paintMist } from '../mist.ts'
import type { PlacedSubjects } from '../place-subjects.ts'
import { paintRidge } from '../ridges.ts'
import { paintBloom, paintMoon, paintSky, paintStars } from '../sky.ts'
import type { Painter, Stage } from '../stage.ts'

/** Pale mountains, snowy firs in the haze, and rolling snow up to the viewer. */
export function paintSnowfield(stage: Stage, subjects: PlacedSubjects): (Painter | undefined)[] {
  const { palette, horizon, geometry, brief } = stage
  const { unit, height } = geometry
  const mist = createMistTexture(stage)
  const night = brief.time === 'night'
  const white: Rgb = mixRgb(hex('#f4f6fb'), palette.haze, 0.2)
  const snow = night ? hex('#7f9cc0') : brief.time === 'dusk' ? mixRgb(white, hex('#d9a3ae'), 0.45) : white
  const blue = night ? hex('#1c3358') : brief.time === 'dusk' ? hex('#6a5a92') : hex('#8fa8d2')
  const firColour = mixRgb(palette.near, hex('#1d3a44'), 0.5)
  const plants = !brief.without.has('plants')
  const below = height - horizon
  const ground = (share: number): number => horizon + below * share
  const flat = { lit: snow, shade: blue, rim: night ? 0.4 : 0.55 }
  return [
    paintSky(stage, height),
    paintStars(stage),
    paintMoon(stage),
    paintClouds(stage, horizon),
    subjects.sky,
    paintRidge(stage, {
      ...flat,
      order: 0,
      shape: 'mountain',
      foot: horizon - unit * 0.03,
      relief: 0.27,
      frequency: 1.5,
      depth: 0.02,
      top: mixRgb(snow, palette.far, 0.4),
      bottom: palette.haze,
      shade: mixRgb(blue, palette.far, 0.4),
      slopes: 1.1,
      fillTo: horizon + unit * 0.06,
      rowEnd: horizon + unit * 0.1,
    }),
    paintMist(stage, mist, { top: horizon - unit * 0.14, height: unit * 0.17, gain: 0.66, order: 0 }),
    paintRidge(stage, {
      ...flat,
      order: 1,
      shape: 'hill',
      foot: horizon + unit * 0.005,
      relief: 0.11,
      frequency: 1.5,
      depth: 0.06,
      top: mixRgb(snow, palette.far, 0.28),
      bottom: mixRgb(palette.haze, snow, 0.4),
      slopes: 0.5,
      fillTo: ground(0.32),
      rowEnd: ground(0.34),
      ...(plants
        ? {
            firs: {
              height: stage.pixels(46),
              colour: mixRgb(firColour, palette.haze, 0.55),
              density: 0.3,
              snow: mixRgb(snow, palette.haze, 0.3),
            },
          }
        : {}),
    }),
    paintMist(stage, mist, { top: horizon - unit * 0.07, height: unit * 0.14, gain: 0.6, order: 1 }),
    paintBloom(stage, height),
    paintRidge(stage, {
      ...flat,
      order: 2,
      shape: 'hill',
      foot: ground(0.2),
      relief: 0.13,
      frequency: 1.3,
      depth: 0.12,
      top: snow,
      bottom: mixRgb(snow, blue, 0.55),
      slopes: 0.6,
      fillTo: ground(0.62),
      rowEnd: ground(0.64),
      ...(plants
        ? { firs: { height: stage.pixels(150), colour: mixRgb(firColour, palette.haze, 0.25), density: 0.02, snow } }
        : {}),
    }),
    paintMist(stage, mist, { top: horizon + unit * 0.01, height: unit * 0.13, gain: 0.42, order: 2 }),
    paintFlock(stage, { count: 5, size: 12 }),
    paintRidge(stage, {
      ...flat,
      order: 3,
      shape: 'hill',
      foot: ground(0.48),
      relief: 0.12,
      frequency: 0.9,
      depth: 0.2,
      top: scaleRgb(snow, 1.02),
      bottom: mixRgb(snow, blue, 0.62),
      slopes: 0.55,
      fillTo: height,
      rowEnd: height,
    }),
    subjects.floating,
    subjects.ground,
    paintRidge(stage, {
      ...flat,
      order: 4,
      shape: 'hill',
      foot: ground(0.98),
      relief: 0.06,
      frequency: 0.7,
      depth: 0.3,
      top: mixRgb(snow, blue, 0.22),
      bottom: mixRgb(snow, blue, 0.8),
      slopes: 0.4,
      rim: 0,
      fillTo: height + unit * 0.1,
    }),
    plants
      ? paintBank(stage, {
          colour: mixRgb(snow, blue, 0.4),
          blade: mixRgb(hex('#6b5640'), palette.near, 0.3),
          bankHeight: 0.07,
          bladeHeight: 0.1,
          blades: 240,
          opening: 0.5,
          seedHeads: true,
        })
      : undefined,
  ]
}
