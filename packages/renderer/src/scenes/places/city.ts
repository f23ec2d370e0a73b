import { hex, lightYuv, mixRgb, scaleRgb, type Rgb } from '../../picture/color.ts'
import { paintAerialCity } from '../city/aerial-city.ts'
import { paintClouds } from '../clouds/paint-clouds.ts'
import { paintPassingBirds } from '../birds/passing-birds.ts'
import { createMistTexture, paintMist } from '../air/mist.ts'
import type { PlacedSubjects } from '../subjects/placed-subjects.ts'
import { paintShore } from '../water/shore.ts'
import { paintBloom, paintMoon, paintSky, paintStars } from '../sky/sky.ts'
import { paintSkyline } from '../buildings/skyline.ts'
import type { Painter, Stage } from '../stage.ts'
import { paintWater } from '../water/water.ts'

const warmWindows = ['#ffd890', '#ffb860', '#fff0c8', '#ffc474', '#bfe0ff'].map(hex)
const neonWindows = ['#ff5c9e', '#5ce0ff', '#ffd890', '#b07cff', '#ff9050'].map(hex)

/**
 * Returns the painters of a city across the water or from above. Boats and bridges need the water.
 */
export function paintCity(stage: Stage, subjects: PlacedSubjects): (Painter | undefined)[] {
  const needsWater = stage.brief.subjects.some(({ kind }) => kind === 'boat' || kind === 'bridge')
  return needsWater || stage.pick('city', [true, false, false])
    ? paintWaterfront(stage, subjects)
    : paintFromAbove(stage, subjects)
}

/** Paints towers and streets from above, up to the haze at the horizon. */
function paintFromAbove(stage: Stage, subjects: PlacedSubjects): (Painter | undefined)[] {
  const { palette, horizon, geometry, brief } = stage
  const { unit, height } = geometry
  const mist = createMistTexture(stage)
  const isDark = brief.time === 'night' || brief.time === 'dusk'
  const air = mixRgb(palette.haze, hex('#e8935c'), isDark ? 0.28 : 0)
  const [farBlocks, middleBlocks, nearBlocks, lights] = paintAerialCity(stage, {
    air,
    isDark,
    litShare: { night: 0.46, dusk: 0.34, dawn: 0.1, day: 0.02 }[brief.time],
    windows: brief.colors.length > 0 || brief.style === 'neon' ? [...brief.colors, ...neonWindows] : warmWindows,
  })
  const paintMistBank = (order: number, top: number, gain: number): Painter | undefined =>
    paintMist(stage, mist, { top: horizon + unit * top, height: unit * 0.2, gain, color: air, order })
  return [
    paintSky(stage, height),
    paintStars(stage, horizon * 0.7),
    paintMoon(stage),
    paintClouds(stage, horizon),
    subjects.sky,
    paintMistBank(2, -0.22, 0.6),
    farBlocks,
    paintBloom(stage, height),
    paintMistBank(0, -0.12, 0.5),
    middleBlocks,
    paintMistBank(1, -0.02, 0.34),
    nearBlocks,
    lights,
    paintPassingBirds(stage),
    subjects.floating,
    subjects.ground,
  ]
}

/**
 * Paints towers with lit windows at four depths, and traffic on the embankment. The water in front
 * mirrors them.
 */
function paintWaterfront(stage: Stage, subjects: PlacedSubjects): (Painter | undefined)[] {
  const { palette, horizon, geometry, brief } = stage
  const { unit } = geometry
  const mist = createMistTexture(stage)
  const litShare = { night: 0.52, dusk: 0.34, dawn: 0.12, day: 0.05 }[brief.time]
  const isDark = brief.time === 'night' || brief.time === 'dusk'
  const windows =
    brief.colors.length > 0 || brief.weather === 'rain' || brief.style === 'neon'
      ? [...brief.colors, ...neonWindows]
      : warmWindows
  const glassColor: Rgb = brief.time === 'day' ? hex('#6f8ca8') : mixRgb(palette.nearColor, palette.farColor, 0.35)
  const painters: (Painter | undefined)[] = [
    paintSky(stage),
    paintStars(stage, horizon * 0.7),
    paintMoon(stage),
    paintClouds(stage),
    subjects.sky,
  ]
  const towerRows = [
    { tallest: 0.3, towerWidth: 0.036, depth: 0.03, haze: 0.72 },
    { tallest: 0.36, towerWidth: 0.05, depth: 0.06, haze: 0.48 },
    { tallest: 0.28, towerWidth: 0.064, depth: 0.1, haze: 0.24 },
    { tallest: 0.12, towerWidth: 0.085, depth: 0.14, haze: 0.04 },
  ]
  // The city brightens the air above it.
  if (isDark)
    painters.push(
      paintMist(stage, mist, {
        top: horizon - unit * 0.42,
        height: unit * 0.6,
        gain: 0.55,
        color: mixRgb(palette.mist, hex('#e8935c'), 0.55),
        order: 2,
        rowEnd: horizon,
      }),
    )
  for (const [order, row] of towerRows.entries()) {
    const bodyColor = mixRgb(glassColor, palette.nearColor, 0.25 + order * 0.22)
    painters.push(
      paintSkyline(stage, {
        order,
        foot: horizon + 2,
        tallest: row.tallest,
        towerWidth: row.towerWidth,
        depth: row.depth,
        top: mixRgb(bodyColor, palette.haze, row.haze * 0.75),
        bottom: mixRgb(bodyColor, palette.haze, row.haze),
        litShare: litShare * (0.55 + 0.15 * order),
        windows: windows.map((color) => mixRgb(color, palette.haze, row.haze * 0.6)),
        rowEnd: horizon,
      }),
      paintMist(stage, mist, {
        top: horizon - unit * (0.2 - 0.04 * order),
        height: unit * (0.2 - 0.035 * order),
        gain: 0.5 - 0.09 * order,
        color: isDark ? mixRgb(palette.mist, hex('#e8935c'), brief.time === 'night' ? 0.34 : 0.2) : palette.mist,
        order,
        rowEnd: horizon,
      }),
    )
    if (order === 1) painters.push(paintBloom(stage))
  }
  painters.push(
    paintTraffic(stage, isDark ? 1 : 0.35),
    subjects.floating,
    paintWater(stage, { rippleFar: 1.6, rippleNear: 26, clarityFar: 0.9, clarityNear: 0.62, frequency: 0.9 }),
    paintMist(stage, mist, { top: horizon - unit * 0.012, height: unit * 0.03, gain: 0.35, order: 5 }),
    paintPassingBirds(stage),
    paintShore(stage),
    subjects.ground,
  )
  return painters
}

/** Paints street lamps along the water, and the head and tail lights of cars in two lanes. */
function paintTraffic(stage: Stage, strength: number): Painter {
  const { compositor, geometry, horizon } = stage
  const { width, unit } = geometry
  const random = stage.random('traffic')
  const span = width * 1.3
  const headLight = lightYuv(scaleRgb(hex('#fff0cc'), strength))
  const tailLight = lightYuv(scaleRgb(hex('#ff3a24'), strength))
  const lamp = lightYuv(scaleRgb(hex('#ffc070'), strength * 0.8))
  const cars = Array.from({ length: 30 }, (_, index) => ({
    position: random(),
    speed: (0.035 + random() * 0.02) * (index % 2 ? 1 : -1),
    showsHeadlights: index % 2 === 0,
  }))
  const lampCount = Math.round((26 * span) / (unit * 2.3))
  const lamps = Array.from({ length: lampCount }, (_, index) => (index + 0.5) / lampCount)
  const roadY = horizon - stage.toPixels(7)
  return (moment) => {
    for (const lampX of lamps) {
      const point = stage.project(lampX * span - width * 0.15, roadY - stage.toPixels(16), 0.14, moment)
      compositor.addSpot(point.x, point.y, stage.toPixels(11), lamp)
      compositor.addSpot(point.x, point.y, Math.max(1.2, stage.toPixels(3)), lamp)
    }
    for (const car of cars) {
      const carX = car.position + moment.seconds * car.speed
      const point = stage.project(
        (carX - Math.floor(carX)) * span - width * 0.15,
        roadY + (car.showsHeadlights ? 0 : stage.toPixels(4)),
        0.14,
        moment,
      )
      compositor.addSpot(point.x, point.y, Math.max(1.6, stage.toPixels(6)), car.showsHeadlights ? headLight : tailLight)
    }
  }
}
