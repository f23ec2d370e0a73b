import { hex, mixRgb, scaleRgb, type Rgb } from '../../picture/colour.ts'
import { paintClouds } from '../clouds/paint-clouds.ts'
import { paintMotes } from '../floating.ts'
import { paintFlock } from '../flock.ts'
import { paintFlowers } from '../flowers.ts'
import { paintBank } from '../foreground.ts'
import { createMistTexture, paintMist } from '../mist.ts'
import type { PlacedSubjects } from '../place-subjects.ts'
import { paintRidge } from '../ridges.ts'
import { seasoned } from '../season.ts'
import { paintBloom, paintMoon, paintSky, paintStars } from '../sky.ts'
import type { Painter, Stage } from '../stage.ts'

/** Green hills one behind the other under wide clouds, with flowers and grass in front. */
export function paintMeadow(stage: Stage, subjects: PlacedSubjects): (Painter | undefined)[] {
  const { palette, horizon, geometry, brief } = stage
  const { unit, height } = geometry
  const mist = createMistTexture(stage)
  const night = brief.time === 'night'
  const inSeason = (green: Rgb): Rgb => seasoned(green, brief.season, night ? 0.5 : 1)
  const sunny: Rgb = inSeason(
    night ? hex('#2c4a58') : brief.time === 'dusk' ? hex('#b08a4c') : brief.time === 'dawn' ? hex('#a9b478') : hex('#9dbb4e'),
  )
  const deep: Rgb = inSeason(
    night ? hex('#0c1f2c') : brief.time === 'dusk' ? hex('#3c3440') : brief.time === 'dawn' ? hex('#4c6a5c') : hex('#2f6640'),
  )
  const below = height - horizon
  const ground = (share: number): number => horizon + below * share
  const plants = !brief.without.has('plants')
  const hill = (
    order: number,
    foot: number,
    relief: number,
    frequency: number,
    depth: number,
    haze: number,
    until: number,
    tall: number,
  ): Painter =>
    paintRidge(stage, {
      order,
      shape: 'hill',
      foot,
      relief,
      frequency,
      depth,
      top: mixRgb(mixRgb(sunny, deep, 0.12), palette.haze, haze),
      bottom: mixRgb(mixRgb(sunny, deep, 0.62), palette.haze, haze * 0.8),
      lit: mixRgb(palette.lit, sunny, 0.5),
      shade: mixRgb(deep, palette.haze, haze * 0.6),
      slopes: 0.62,
      rim: 0.35,
      fillTo: until,
      rowEnd: Math.min(height, until + 8),
      ...(plants && tall > 0
        ? { firs: { height: stage.pixels(tall), colour: mixRgb(scaleRgb(deep, 0.72), palette.haze, haze * 0.9), density: 0.02 } }
        : {}),
    })
  return [
    paintSky(stage, height),
    paintStars(stage),
    paintMoon(stage),
    paintClouds(stage, horizon),
    subjects.sky,
    paintRidge(stage, {
      order: 0,
      shape: 'mountain',
      foot: horizon + unit * 0.03,
      relief: 0.2,
      frequency: 1.4,
      depth: 0.02,
      top: mixRgb(palette.far, palette.haze, 0.15),
      bottom: palette.haze,
      lit: palette.lit,
      shade: palette.shade,
      slopes: 0.9,
      rim: 0.5,
      fillTo: horizon + unit * 0.1,
      rowEnd: horizon + unit * 0.12,
    }),
    paintMist(stage, mist, { top: horizon - unit * 0.1, height: unit * 0.14, gain: 0.6, order: 0 }),
    hill(2, ground(0.1), 0.12, 1.4, 0.06, 0.5, ground(0.32), 30),
    paintMist(stage, mist, { top: ground(0.02), height: unit * 0.1, gain: 0.42, order: 1 }),
    paintBloom(stage, height),
    hill(3, ground(0.26), 0.15, 1.0, 0.1, 0.26, ground(0.6), 58),
    subjects.floating,
    paintMist(stage, mist, { top: ground(0.2), height: unit * 0.09, gain: 0.2, order: 2 }),
    hill(4, ground(0.5), 0.13, 0.8, 0.17, 0.06, height, 0),
    plants ? paintFlowers(stage, { top: ground(0.42), bottom: height, tint: mixRgb(sunny, deep, 0.4) }) : undefined,
    paintFlock(stage, { count: 7, size: 12 }),
    subjects.ground,
    plants
      ? paintBank(stage, {
          colour: scaleRgb(deep, 0.42),
          blade: scaleRgb(mixRgb(deep, sunny, 0.2), 0.6),
          bankHeight: 0.1,
          bladeHeight: 0.12,
          blades: 2200,
          opening: 0.3,
          seedHeads: true,
        })
      : undefined,
    brief.weather === 'clear'
      ? paintMotes(stage, { count: 50, light: night ? hex('#8aa02c') : scaleRgb(palette.rim, 0.22), top: horizon, size: 0.75 })
      : undefined,
  ]
}
