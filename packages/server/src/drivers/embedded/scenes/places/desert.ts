import { hex, mixRgb, scaleRgb, type Rgb } from '../../picture/colour.ts'
import { paintClouds } from '../clouds/paint-clouds.ts'
import { paintMotes } from '../floating.ts'
import { paintFlock } from '../flock.ts'
import { createMistTexture, paintMist } from '../mist.ts'
import type { PlacedSubjects } from '../place-subjects.ts'
import { paintRidge } from '../ridges.ts'
import { paintBloom, paintMoon, paintSky, paintStars } from '../sky.ts'
import type { Painter, Stage } from '../stage.ts'

/** Dune behind dune, each with a lit and a shaded flank, and dust between them. */
export function paintDesert(stage: Stage, subjects: PlacedSubjects): (Painter | undefined)[] {
  const { palette, horizon, geometry, brief } = stage
  const { unit, height } = geometry
  const mist = createMistTexture(stage)
  const night = brief.time === 'night'
  const sand: Rgb = night
    ? hex('#4a5a78')
    : brief.time === 'dusk'
      ? hex('#e0905c')
      : brief.time === 'dawn'
        ? hex('#e6b48c')
        : hex('#e9bb78')
  const deep: Rgb = night
    ? hex('#101a34')
    : brief.time === 'dusk'
      ? hex('#5a2c4c')
      : brief.time === 'dawn'
        ? hex('#8a6480')
        : hex('#a8683c')
  const below = height - horizon
  const ground = (share: number): number => horizon + below * share
  const dust = mixRgb(palette.haze, sand, 0.4)
  const painters: (Painter | undefined)[] = [
    paintSky(stage, height),
    paintStars(stage),
    paintMoon(stage),
    paintClouds(stage, horizon),
    subjects.sky,
    paintRidge(stage, {
      order: 1,
      shape: 'mountain',
      foot: horizon + unit * 0.02,
      relief: 0.13,
      frequency: 1.2,
      depth: 0.02,
      top: mixRgb(palette.far, palette.haze, 0.25),
      bottom: dust,
      lit: palette.lit,
      shade: palette.shade,
      slopes: 0.8,
      rim: 0.5,
      fillTo: ground(0.2) + unit * 0.1,
      rowEnd: ground(0.2) + unit * 0.12,
    }),
    paintMist(stage, mist, { top: horizon - unit * 0.07, height: unit * 0.12, gain: 0.6, colour: dust, order: 0 }),
  ]
  const dunes = [
    { foot: 0.2, relief: 0.17, frequency: 1.1, depth: 0.06, share: 0.72 },
    { foot: 0.42, relief: 0.26, frequency: 0.75, depth: 0.11, share: 0.4 },
    { foot: 0.74, relief: 0.32, frequency: 0.55, depth: 0.19, share: 0.14 },
  ]
  for (const [index, dune] of dunes.entries()) {
    const hazed = dune.share * (brief.time === 'dawn' ? 0.72 : 1)
    const crest = mixRgb(sand, palette.haze, hazed)
    const next = dunes[index + 1]
    painters.push(
      paintRidge(stage, {
        order: 4 + index,
        shape: 'dune',
        foot: ground(dune.foot),
        relief: dune.relief,
        frequency: dune.frequency,
        depth: dune.depth,
        top: crest,
        bottom: mixRgb(mixRgb(sand, deep, 0.45), palette.haze, hazed * 0.7),
        lit: mixRgb(palette.lit, crest, 0.35),
        shade: mixRgb(deep, palette.haze, hazed * 0.6),
        slopes: 1,
        rim: 0.9,
        // A dune's trough may lie this far below its foot.
        fillTo: next ? ground(next.foot) + unit * 0.18 : height + 4,
        rowEnd: next ? Math.min(height, ground(next.foot) + unit * 0.2) : height,
      }),
      index < 2
        ? paintMist(stage, mist, {
            top: ground(dune.foot) - unit * 0.03,
            height: unit * 0.1,
            gain: 0.4 - 0.12 * index,
            colour: dust,
            order: 1 + index,
          })
        : undefined,
    )
    if (index === 0) painters.push(paintBloom(stage, height))
    if (index === 1) painters.push(subjects.floating)
  }
  painters.push(
    paintFlock(stage, { count: 5, size: 12 }),
    subjects.ground,
    paintRidge(stage, {
      order: 8,
      shape: 'dune',
      foot: height + unit * 0.03,
      relief: 0.13,
      frequency: 0.42,
      depth: 0.32,
      top: mixRgb(deep, sand, 0.3),
      bottom: scaleRgb(deep, 0.6),
      lit: sand,
      shade: scaleRgb(deep, 0.5),
      slopes: 0.5,
      rim: 0.7,
      fillTo: height + unit * 0.1,
    }),
    brief.weather === 'rain'
      ? undefined
      : paintMotes(stage, { count: 60, light: scaleRgb(palette.rim, 0.2), top: horizon * 0.8, size: 0.7 }),
  )
  return painters
}
