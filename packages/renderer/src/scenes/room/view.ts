import { hex, mixRgb } from '../../picture/color.ts'
import { paintClouds } from '../clouds/paint-clouds.ts'
import { createMistTexture, paintMist } from '../air/mist.ts'
import { paintRidge } from '../terrain/ridges.ts'
import { paintBloom, paintMoon, paintSky, paintStars } from '../sky/sky.ts'
import { paintSkyline } from '../buildings/skyline.ts'
import type { Painter, Stage } from '../stage.ts'
import { paintWater } from '../water/water.ts'
import type { RoomKind } from './room.ts'

export function paintView(stage: Stage, kind: RoomKind): (Painter | undefined)[] {
  const { palette, geometry, horizon } = stage
  const { unit, height } = geometry
  const mist = createMistTexture(stage)
  const view = kind === 'cafe' ? 'city' : stage.pick('view', ['hills', 'city', 'sea', 'hills', 'city'])
  const farRidge = paintRidge(stage, {
    order: 1,
    shape: 'mountain',
    foot: horizon + unit * 0.02,
    relief: 0.2,
    frequency: 1.4,
    depth: 0.02,
    top: mixRgb(palette.farColor, palette.haze, 0.2),
    bottom: palette.haze,
    litColor: palette.litColor,
    shade: palette.shade,
    slopes: 0.9,
    rim: 0.5,
    fillTo: horizon + unit * 0.08,
    rowEnd: view === 'sea' ? horizon : Math.min(height, horizon + unit * 0.12),
  })
  const fog = paintMist(stage, mist, { top: horizon - unit * 0.1, height: unit * 0.16, gain: 0.5, order: 0 })
  const sky = [paintSky(stage, height), paintStars(stage), paintMoon(stage), paintClouds(stage, horizon)]
  if (view === 'sea')
    return [
      ...sky,
      farRidge,
      fog,
      paintBloom(stage),
      paintWater(stage, { rippleFar: 2, rippleNear: 40, clarityFar: 0.86, clarityNear: 0.4, frequency: 0.5 }),
    ]
  if (view === 'city') return [...sky, ...paintRoofs(stage), paintBloom(stage, height)]
  return [
    ...sky,
    farRidge,
    fog,
    paintBloom(stage, height),
    ...[0, 1].map((order) =>
      paintRidge(stage, {
        order: 3 + order,
        shape: 'hill',
        foot: horizon + unit * (0.06 + 0.1 * order),
        relief: 0.12,
        frequency: 1.3 - 0.3 * order,
        depth: 0.04 + 0.02 * order,
        top: mixRgb(mixRgb(hex('#5c7c3c'), palette.nearColor, 0.2 + palette.subjectShade), palette.haze, 0.45 - 0.3 * order),
        bottom: mixRgb(mixRgb(hex('#3c5c2c'), palette.nearColor, 0.3 + palette.subjectShade), palette.haze, 0.3 - 0.2 * order),
        litColor: palette.litColor,
        shade: palette.shade,
        slopes: 0.6,
        rim: 0.3,
        firs: {
          height: stage.toPixels(34 + 40 * order),
          color: mixRgb(palette.nearColor, palette.haze, 0.3 - 0.2 * order),
          density: 0.06,
        },
        fillTo: horizon + unit * 0.3,
        rowEnd: Math.min(height, horizon + unit * 0.32),
      }),
    ),
  ]
}

function paintRoofs(stage: Stage): Painter[] {
  const { palette, geometry, horizon, brief } = stage
  const { unit } = geometry
  const litShare = { night: 0.5, dusk: 0.34, dawn: 0.12, day: 0.04 }[brief.time]
  const warmLight = ['#ffd890', '#ffb860', '#fff0c8', '#ffc474', '#bfe0ff'].map(hex)
  return [0, 1, 2].map((order) => {
    const haze = 0.66 - 0.26 * order
    const body = mixRgb(
      brief.time === 'day' ? hex('#7a8490') : mixRgb(palette.nearColor, palette.farColor, 0.35),
      palette.nearColor,
      0.2 + 0.2 * order,
    )
    return paintSkyline(stage, {
      order,
      foot: horizon + unit * 0.2,
      tallest: 0.5 - 0.1 * order,
      towerWidth: 0.05 + 0.02 * order,
      depth: 0.02 + 0.02 * order,
      top: mixRgb(body, palette.haze, haze * 0.8),
      bottom: mixRgb(body, palette.haze, haze),
      litShare: litShare * (0.6 + 0.15 * order),
      windows: warmLight.map((color) => mixRgb(color, palette.haze, haze * 0.5)),
      rowEnd: Math.min(geometry.height, horizon + unit * 0.22),
    })
  })
}
