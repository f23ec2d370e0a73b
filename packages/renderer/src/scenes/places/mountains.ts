import { mixRgb } from '../../picture/color.ts'
import { smoothstep } from '../../picture/curves.ts'
import type { PlacedSubjects } from '../subjects/placed-subjects.ts'
import type { Painter, Stage } from '../stage.ts'
import { createAlpineMaterial, woodsOf } from '../terrain/alpine.ts'
import { lightGround } from '../terrain/light-ground.ts'
import { paintDryland } from '../terrain/paint-dryland.ts'
import { createPlane, soften, type Plane } from '../terrain/plane.ts'
import { plantTrees } from '../trees/plant-trees.ts'
import { cutSlices } from '../terrain/slices.ts'

/** Paints near and far peaks over a valley of fog. */
export function paintMountains(stage: Stage, subjects: PlacedSubjects): (Painter | undefined)[] {
  const { palette, brief } = stage
  const plane = createPlane(stage, { eyeHeight: 0.8, farthest: 70, rise: 0.4 })
  const heights = raiseGround(stage, plane)
  const air = mixRgb(palette.haze, palette.farColor, 0.35)
  const colors = lightGround(stage, plane, heights, {
    material: createAlpineMaterial(stage, plane, { snowLine: stage.pick('snow line', [1.1, 1.4, 0.8, 1.9]), treeLine: 0.8 }),
    air: {
      from: 3,
      reach: 19,
      shareMax: 0.88,
      color: air,
      fog: { top: 0.2, softness: 0.45, strength: 0.95, color: mixRgb(palette.mist, palette.haze, 0.3) },
    },
  })
  const woods = brief.omittedParts.has('plants')
    ? undefined
    : plantTrees(stage, plane, heights, { ...woodsOf(stage, air), count: 2400, height: 0.2, threshold: -0.06, highest: 0.75 })
  const slices = cutSlices(plane, [
    { from: 16, depth: 0.02 },
    { from: 6.5, depth: 0.05 },
    { from: 2.6, depth: 0.1 },
    { from: 0, depth: 0.2 },
  ])
  return [
    ...paintDryland(stage, subjects, {
      relief: { plane, heights, colors },
      slices,
      objectsAt: () => woods,
      mist: {
        banks: 3,
        topAbove: 0.1,
        fall: 0.045,
        height: 0.15,
        gain: 0.66,
        thinning: 0.12,
        color: mixRgb(palette.mist, palette.haze, 0.3),
      },
      birdsAfter: 3,
    }),
    subjects.ground,
  ]
}

function raiseGround(stage: Stage, plane: Plane): Float32Array {
  const { xs, zs } = plane
  const { noise } = stage
  const random = stage.random('mountains')
  const wordRandom = stage.wordRandom('mountains')
  const shift = random() * 40
  const count = xs.length
  const side = wordRandom() < 0.5 ? -1 : 1
  const mainPeak = {
    x: side * (0.6 + 2.6 * wordRandom()),
    z: 8 + 4 * wordRandom(),
    height: 2.6 + 1.4 * wordRandom(),
    width: 4 + 6 * wordRandom(),
  }
  const [bendWidth, ridgeScale, ruggedness] = [0.6 + 0.9 * wordRandom(), 0.13 + 0.06 * wordRandom(), 1.7 + 1.2 * wordRandom()]
  const broadNoise = noise.sampleAt({ shape: 'soft', octaves: 2, gain: 0.5 }, xs, zs, { scale: 0.11, shiftX: shift })
  const ridges = noise.sample({ shape: 'ridged', octaves: 7, gain: 0.47 }, count, (index, point) => {
    const warp = (broadNoise[index] ?? 0) * 1.1
    point.x = (xs[index] ?? 0) * ridgeScale + shift + warp
    point.y = (zs[index] ?? 0) * ridgeScale + warp
  })
  const gullies = noise.sample({ shape: 'ridged', octaves: 4, gain: 0.55 }, count, (index, point) => {
    const ridge = ridges[index] ?? 0
    point.x = (xs[index] ?? 0) * 0.8 + ridge * 1.8 + 9
    point.y = (zs[index] ?? 0) * 0.8 - ridge * 1.8
  })
  const heights = new Float32Array(count)
  for (let index = 0; index < count; index++) {
    const x = xs[index] ?? 0
    const z = zs[index] ?? 0
    const axis = Math.sin(z * 0.2) * bendWidth * side
    const sideDistance = Math.abs(x - axis) / (0.7 + z * 0.16)
    const openness = 0.25 + 0.75 * smoothstep(0, 1.5, sideDistance)
    const nearFade = smoothstep(3.2, 6.5, z)
    const mainPeakShare = Math.exp(-((x - mainPeak.x) ** 2 + (z - mainPeak.z) ** 2) / mainPeak.width)
    const ridge = ridges[index] ?? 0
    const mass =
      openness * (ridge * ruggedness * (1 + smoothstep(12, 40, z) * 1.4) + (broadNoise[index] ?? 0)) +
      mainPeakShare * mainPeak.height * (0.3 + 0.9 * ridge)
    const crag = (gullies[index] ?? 0) * 0.5 * smoothstep(0.2, 1.6, mass)
    // The viewer stands on a slope that falls to the valley from one side.
    const slopeHeight =
      Math.min(0.36, 0.2 - x * side * 0.55) * (1 - smoothstep(0.4, 3.6, z)) + (ridge - 0.3) * 0.35 * (1 - nearFade)
    heights[index] = (mass + crag) * nearFade + Math.max(-0.3, slopeHeight) + (broadNoise[index] ?? 0) * 0.12 - 0.1
  }
  return soften(stage, plane, heights)
}
