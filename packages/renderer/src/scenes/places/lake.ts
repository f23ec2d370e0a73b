import { mixRgb, scaleRgb } from '../../picture/color.ts'
import { smoothstep } from '../../picture/curves.ts'
import { paintClouds } from '../clouds/paint-clouds.ts'
import { paintMotes } from '../air/motes.ts'
import { paintBank } from '../terrain/bank.ts'
import { createMistTexture, paintMist } from '../air/mist.ts'
import { paintPassingBirds } from '../birds/passing-birds.ts'
import type { PlacedSubjects } from '../subjects/placed-subjects.ts'
import { paintShore } from '../water/shore.ts'
import { paintBloom, paintMoon, paintSky, paintStars } from '../sky/sky.ts'
import type { Painter, Stage } from '../stage.ts'
import { createAlpineMaterial, woodsOf } from '../terrain/alpine.ts'
import { lightGround } from '../terrain/light-ground.ts'
import { paintWaterland } from '../terrain/paint-waterland.ts'
import { createPlane, soften, type Plane } from '../terrain/plane.ts'
import { plantTrees } from '../trees/plant-trees.ts'
import { cutSlices } from '../terrain/slices.ts'

/** A landscape around a lake. Lengths are in ground units (`Plane`). */
interface Shores {
  /** Distance of the far shore. */
  farShore: number
  /** Half the width of the water at the far shore. */
  halfWidth: number
  /** Height of the mountains. */
  peakHeight: number
  /** Height of the wooded hills in front of the mountains. */
  hillHeight: number
  /** Value of the noise above which trees grow. Lower values give denser woods. */
  woodsThreshold: number
  /** Height above which snow lies. */
  snowLine: number
}

const shores: readonly [Shores, ...Shores[]] = [
  // A bowl of high mountains.
  { farShore: 6.5, halfWidth: 3.2, peakHeight: 4, hillHeight: 0.4, woodsThreshold: -0.1, snowLine: 1.5 },
  // Low wooded hills.
  { farShore: 5, halfWidth: 2.6, peakHeight: 0.9, hillHeight: 0.95, woodsThreshold: -0.36, snowLine: 9 },
  // A fjord between steep walls.
  { farShore: 15, halfWidth: 1.3, peakHeight: 4.6, hillHeight: 0.6, woodsThreshold: -0.1, snowLine: 2 },
  // Wide water with distant mountains.
  { farShore: 9, halfWidth: 8, peakHeight: 2.9, hillHeight: 0.34, woodsThreshold: -0.24, snowLine: 1.2 },
]

/** Paints a still lake that mirrors its shores. */
export function paintLake(stage: Stage, subjects: PlacedSubjects): (Painter | undefined)[] {
  const { palette, horizon, geometry, brief } = stage
  const { unit, height } = geometry
  const shore = stage.pick('shores', shores)
  const plane = createPlane(stage, { eyeHeight: 0.16, farthest: 60 })
  const heights = raiseGround(stage, plane, shore)
  const mist = createMistTexture(stage)
  const air = mixRgb(palette.haze, palette.farColor, 0.4)
  const colors = lightGround(stage, plane, heights, {
    material: createAlpineMaterial(stage, plane, { snowLine: shore.snowLine, treeLine: 0.9 }),
    air: {
      from: 3,
      reach: 17,
      shareMax: 0.86,
      color: air,
      fog: { top: 0.05, softness: 0.22, strength: 0.7, color: palette.mist },
    },
  })
  const hasPlants = !brief.omittedParts.has('plants')
  const objects = hasPlants
    ? plantTrees(stage, plane, heights, {
        ...woodsOf(stage, air),
        count: 3200,
        height: 0.22,
        threshold: shore.woodsThreshold,
        highest: 0.95,
        isBare: (index) => (heights[index] ?? 0) < 0.012,
      })
    : undefined
  const slices = cutSlices(plane, [
    { from: 15, depth: 0.02 },
    { from: 8, depth: 0.05 },
    { from: 2, depth: 0.1 },
  ])
  const darkColor = scaleRgb(palette.nearColor, 0.6)
  const hasReeds = stage.pick('reeds', [true, true, false])
  return [
    paintSky(stage),
    paintStars(stage, horizon),
    paintMoon(stage),
    paintClouds(stage),
    subjects.sky,
    ...paintWaterland(stage, {
      relief: { plane, heights, colors, waterline: 0 },
      slices,
      objects,
      water: {
        rippleFar: 1.2,
        rippleNear: stage.pick('ripples', [11, 15, 24]),
        clarityFar: 0.94,
        clarityNear: 0.62,
        frequency: 1,
      },
      afterSlice: (order) =>
        order === 2
          ? paintBloom(stage)
          : paintMist(stage, mist, {
              top: horizon - unit * (0.14 - 0.05 * order),
              height: unit * 0.13,
              gain: 0.6 - 0.1 * order,
              color: mixRgb(palette.mist, palette.farColor, 0.12),
              order,
              rowEnd: horizon,
            }),
      floating: subjects.floating,
    }),
    paintMist(stage, mist, {
      top: horizon - unit * 0.03,
      height: unit * 0.08,
      gain: 0.5,
      color: mixRgb(palette.haze, palette.mist, 0.4),
      order: 5,
    }),
    paintPassingBirds(stage),
    paintShore(stage),
    subjects.ground,
    hasPlants && hasReeds
      ? paintBank(stage, {
          color: darkColor,
          bladeColor: darkColor,
          bankHeight: 0.13,
          bladeHeight: 0.1,
          blades: 1700,
          opening: 0.36,
          hasSeedHeads: true,
        })
      : undefined,
    brief.weather === 'clear'
      ? paintMotes(stage, { count: 46, light: scaleRgb(palette.rim, brief.time === 'day' ? 0.1 : 0.22), top: height * 0.45 })
      : undefined,
  ]
}

function raiseGround(stage: Stage, plane: Plane, { farShore, halfWidth, peakHeight, hillHeight }: Shores): Float32Array {
  const { xs, zs } = plane
  const { noise } = stage
  const wordRandom = stage.wordRandom('lake')
  const shift = stage.random('lake')() * 60
  const count = xs.length
  const lean = (wordRandom() - 0.5) * 1.2
  const mainPeak = {
    x: (wordRandom() - 0.5) * farShore,
    z: farShore + 5 + 4 * wordRandom(),
    height: peakHeight * (0.35 + 0.4 * wordRandom()),
  }
  const broadNoise = noise.sampleAt({ shape: 'soft', octaves: 3, gain: 0.5 }, xs, zs, { scale: 0.28, shiftX: shift })
  const ridges = noise.sample({ shape: 'ridged', octaves: 7, gain: 0.48 }, count, (index, point) => {
    const warp = (broadNoise[index] ?? 0) * 0.7
    point.x = (xs[index] ?? 0) * 0.17 + shift + warp
    point.y = (zs[index] ?? 0) * 0.17 + warp
  })
  const heights = new Float32Array(count)
  for (let index = 0; index < count; index++) {
    const x = xs[index] ?? 0
    const z = zs[index] ?? 0
    const softNoise = broadNoise[index] ?? 0
    const ridge = ridges[index] ?? 0
    const shoreZ = farShore + softNoise * farShore * 0.5
    // The water widens toward the viewer.
    const shoreX = Math.max(0, 2.6 - z) * 2.4 + halfWidth * (0.75 + 0.25 * smoothstep(0, farShore, z)) + softNoise * 2.4
    // Distance inland from the nearest shore. It is negative on the water.
    const inland = Math.max(z - shoreZ, Math.abs(x - lean * z * 0.12) - shoreX)
    const mainPeakShare = Math.exp(-((x - mainPeak.x) ** 2 + (z - mainPeak.z) ** 2) / 9)
    const mountain =
      smoothstep(0.4, 5, inland) * (ridge * peakHeight * 1.5 + softNoise * 0.5) +
      mainPeakShare * mainPeak.height * (0.3 + ridge) * smoothstep(0, 2, inland)
    const hill = smoothstep(0, 1.4, inland) * hillHeight * (0.45 + softNoise + ridge * 0.5)
    heights[index] = inland < 0 ? Math.max(-0.2, inland * 0.2) : mountain + hill + inland * 0.02
  }
  return soften(stage, plane, heights)
}
