import { hex, mixRgb, scaleRgb, type Rgb } from '../../picture/colour.ts'
import { paintMotes } from '../floating.ts'
import { paintBank } from '../foreground.ts'
import { paintLightShafts } from '../light-shafts.ts'
import { createMistTexture, paintMist } from '../mist.ts'
import type { PlacedSubjects } from '../place-subjects.ts'
import { paintRidge } from '../ridges.ts'
import { seasoned } from '../season.ts'
import { paintMoon, paintSky, paintStars } from '../sky.ts'
import type { Painter, Stage } from '../stage.ts'
import { paintTrunks } from '../trunks.ts'

/** Walls of firs fading into bright haze, trunks before them, beams of light, ferns at the feet. */
export function paintForest(stage: Stage, subjects: PlacedSubjects): (Painter | undefined)[] {
  const { palette, horizon, geometry, brief } = stage
  const { unit, height } = geometry
  const mist = createMistTexture(stage)
  const night = brief.time === 'night'
  const snowy = brief.weather === 'snow'
  const clean: Rgb = night
    ? hex('#2c5068')
    : brief.time === 'day'
      ? hex('#d9e6c4')
      : mixRgb(palette.haze, palette.sky.at(-1) ?? palette.haze, 0.4)
  const inSeason = (colour: Rgb, strength: number): Rgb => seasoned(colour, brief.season, night ? strength * 0.5 : strength)
  const air = brief.season === 'autumn' ? mixRgb(clean, hex('#f4c888'), night ? 0.1 : 0.45) : clean
  const green = inSeason(
    night ? hex('#0a1c22') : brief.time === 'day' ? hex('#1e3c2a') : mixRgb(palette.near, hex('#22402f'), 0.68),
    0.8,
  )
  const floor: Rgb = snowy
    ? mixRgb(hex('#eef2f8'), palette.near, night ? 0.6 : 0.08)
    : inSeason(mixRgb(green, night ? hex('#24443a') : hex('#7c8a3c'), 0.4), 1)
  const snow = snowy ? mixRgb(hex('#f2f5fa'), air, 0.3) : undefined
  const wall = (order: number, foot: number, tall: number, share: number, depth: number): Painter =>
    paintRidge(stage, {
      order,
      shape: 'hill',
      foot,
      relief: 0.05,
      frequency: 1.1,
      depth,
      top: mixRgb(floor, air, share),
      bottom: mixRgb(floor, air, share * 0.85),
      lit: air,
      shade: green,
      slopes: 0.25,
      rim: 0,
      fillTo: horizon + unit * 0.15,
      // The forest floor hides what lies below.
      rowEnd: Math.min(height, Math.ceil(horizon + unit * 0.15)),
      firs: {
        height: unit * tall,
        colour: mixRgb(green, air, share),
        density: 0.5,
        ...(snow ? { snow: mixRgb(snow, air, share * 0.6) } : {}),
      },
    })
  const sunlight = night ? hex('#6f9cb8') : brief.time === 'day' ? hex('#fff2b0') : palette.rim
  // Green leaves are the trunks' own dark; a season shows in them.
  const leaf = (haze: number): Rgb | undefined =>
    brief.season ? mixRgb(inSeason(night ? hex('#1c3a34') : hex('#6a8238'), 1), air, haze) : undefined
  const bladeColour = mixRgb(green, floor, 0.15)
  return [
    paintSky(stage, horizon + unit * 0.15),
    night ? paintStars(stage) : undefined,
    paintMoon(stage),
    subjects.sky,
    wall(1, horizon - unit * 0.02, 0.24, 0.74, 0.03),
    paintMist(stage, mist, { top: horizon - unit * 0.18, height: unit * 0.25, gain: 0.72, colour: air, order: 0 }),
    wall(3, horizon + unit * 0.05, 0.3, 0.44, 0.09),
    paintTrunks(stage, {
      order: 1,
      count: 17,
      width: 0.028,
      foot: horizon + unit * 0.09,
      depth: 0.13,
      colour: mixRgb(green, air, 0.3),
      haze: air,
      lit: sunlight,
      foliage: 0.5,
      leaf: leaf(0.35),
      opening: 0,
    }),
    paintMist(stage, mist, { top: horizon - unit * 0.06, height: unit * 0.2, gain: 0.55, colour: air, order: 2 }),
    paintRidge(stage, {
      order: 5,
      shape: 'hill',
      foot: horizon + unit * 0.14,
      relief: 0.05,
      frequency: 0.9,
      depth: 0.18,
      top: mixRgb(floor, air, 0.28),
      bottom: mixRgb(floor, green, snowy ? 0.2 : 0.7),
      lit: mixRgb(floor, sunlight, 0.5),
      shade: green,
      slopes: 0.6,
      rim: 0,
      fillTo: height,
      rowEnd: height,
    }),
    paintLightShafts(stage, sunlight, night ? 0.16 : brief.weather === 'clear' ? 0.42 : 0.22),
    subjects.floating,
    subjects.ground,
    paintTrunks(stage, {
      order: 2,
      count: 5,
      width: 0.075,
      foot: height * 0.93,
      depth: 0.28,
      colour: scaleRgb(green, 0.72),
      haze: air,
      lit: sunlight,
      foliage: 0.85,
      leaf: leaf(0),
      opening: brief.subjects.length > 0 ? 0.56 : 0.2,
    }),
    brief.without.has('plants')
      ? undefined
      : paintBank(stage, {
          colour: scaleRgb(green, 0.5),
          blade: scaleRgb(bladeColour, 0.62),
          bankHeight: 0.12,
          bladeHeight: 0.11,
          blades: 1900,
          opening: 0.34,
          seedHeads: false,
        }),
    paintMotes(stage, {
      count: night ? 70 : 56,
      light: night ? hex('#8aa02c') : scaleRgb(sunlight, 0.24),
      top: horizon * 0.5,
      size: night ? 0.8 : 0.6,
    }),
  ]
}
