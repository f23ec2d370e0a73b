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

/** Paints a river that winds out of a valley toward the viewer. */
export function paintRiver(stage: Stage, subjects: PlacedSubjects): (Painter | undefined)[] {
  const { palette, horizon, geometry, brief } = stage
  const { unit, height } = geometry
  const plane = createPlane(stage, { eyeHeight: 0.5, farthest: 55, rise: 0.2 })
  const heights = raiseGround(stage, plane)
  const mist = createMistTexture(stage)
  const air = mixRgb(palette.haze, palette.farColor, 0.35)
  const colors = lightGround(stage, plane, heights, {
    material: createAlpineMaterial(stage, plane, { snowLine: stage.pick('snow line', [1.3, 1.8, 9]), treeLine: 1 }),
    air: {
      from: 2.5,
      reach: 16,
      shareMax: 0.86,
      color: air,
      fog: { top: 0.05, softness: 0.3, strength: 0.6, color: palette.mist },
    },
  })
  const hasPlants = !brief.omittedParts.has('plants')
  const objects = hasPlants
    ? plantTrees(stage, plane, heights, {
        ...woodsOf(stage, air),
        count: 3000,
        height: 0.3,
        threshold: stage.pick('woods', [-0.2, -0.05, 0.1]),
        highest: 1,
        nearest: 1.7,
        isBare: (index) => (heights[index] ?? 0) < 0.035,
      })
    : undefined
  const darkColor = scaleRgb(palette.nearColor, 0.7)
  return [
    paintSky(stage),
    paintStars(stage, horizon),
    paintMoon(stage),
    paintClouds(stage),
    subjects.sky,
    ...paintWaterland(stage, {
      relief: { plane, heights, colors, waterline: 0, shallows: 0.05 },
      slices: cutSlices(plane, [
        { from: 15, depth: 0.02 },
        { from: 6, depth: 0.06 },
        { from: 2.4, depth: 0.11 },
        { from: 0, depth: 0.18 },
      ]),
      objects,
      water: { rippleFar: 1.4, rippleNear: 20, clarityFar: 0.92, clarityNear: 0.55, frequency: 0.9 },
      afterSlice: (order) =>
        order === 1
          ? paintBloom(stage)
          : order === 3
            ? undefined
            : paintMist(stage, mist, {
                top: horizon - unit * (0.13 - 0.04 * order),
                height: unit * 0.13,
                gain: 0.56 - 0.1 * order,
                order,
                rowEnd: horizon,
              }),
      floating: subjects.floating,
    }),
    paintPassingBirds(stage),
    paintShore(stage),
    subjects.ground,
    hasPlants
      ? paintBank(stage, {
          color: scaleRgb(darkColor, 0.7),
          bladeColor: darkColor,
          bankHeight: 0.09,
          bladeHeight: 0.1,
          blades: 1500,
          opening: 0.5,
          hasSeedHeads: true,
        })
      : undefined,
    brief.weather === 'clear'
      ? paintMotes(stage, { count: 40, light: scaleRgb(palette.rim, brief.time === 'day' ? 0.1 : 0.22), top: height * 0.45 })
      : undefined,
  ]
}

function raiseGround(stage: Stage, plane: Plane): Float32Array {
  const { xs, zs } = plane
  const { noise } = stage
  const wordRandom = stage.wordRandom('river')
  const shift = stage.random('river')() * 60
  const count = xs.length
  const side = wordRandom() < 0.5 ? -1 : 1
  const [swing, pace, start] = [0.7 + 0.8 * wordRandom(), 0.5 + 0.35 * wordRandom(), wordRandom() * 1.4]
  const width = 0.32 + 0.3 * wordRandom()
  const [valleyWidth, peakHeight] = [1.6 + 3 * wordRandom(), 0.8 + 3.4 * wordRandom()]
  const broadNoise = noise.sampleAt({ shape: 'soft', octaves: 3, gain: 0.5 }, xs, zs, { scale: 0.3, shiftX: shift })
  const ridges = noise.sample({ shape: 'ridged', octaves: 7, gain: 0.48 }, count, (index, point) => {
    const warp = (broadNoise[index] ?? 0) * 0.7
    point.x = (xs[index] ?? 0) * 0.16 + shift + warp
    point.y = (zs[index] ?? 0) * 0.16 + warp
  })
  const heights = new Float32Array(count)
  for (let index = 0; index < count; index++) {
    const x = xs[index] ?? 0
    const z = zs[index] ?? 0
    const softNoise = broadNoise[index] ?? 0
    const axis = side * (Math.sin(z * pace + start) - Math.sin(start) * Math.exp(-z)) * swing * (0.5 + z * 0.09)
    const bankDistance = Math.abs(x - axis) - width * (0.8 + z * 0.05) - softNoise * 0.5
    const hill = smoothstep(0.3, valleyWidth + z * 0.12, bankDistance)
    const meadow = Math.min(0.09, bankDistance * 0.22) + softNoise * 0.05 * smoothstep(0, 0.5, bankDistance)
    const farFade = smoothstep(7, 16, z)
    heights[index] =
      bankDistance < 0
        ? bankDistance * 0.25
        : Math.max(0.008, meadow) +
          hill * (0.5 + softNoise) * 0.7 * smoothstep(1.5, 4, z) +
          hill * farFade * (ridges[index] ?? 0) * peakHeight * 1.3
  }
  return soften(stage, plane, heights, 1)
}
