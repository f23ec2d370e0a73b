import { blendTone, hex, mixRgb, setTone } from '../../picture/color.ts'
import { smoothstep } from '../../picture/curves.ts'
import { paintBank } from '../terrain/bank.ts'
import type { PlacedSubjects } from '../subjects/placed-subjects.ts'
import type { Painter, Stage } from '../stage.ts'
import { lightGround, type Material } from '../terrain/light-ground.ts'
import { paintDryland } from '../terrain/paint-dryland.ts'
import { createPlane, soften, type Plane } from '../terrain/plane.ts'
import { plantTrees } from '../trees/plant-trees.ts'
import { cutSlices } from '../terrain/slices.ts'

/** Paints snow in drifts and hollows, firs under snow, and white mountains in the haze. */
export function paintSnowfield(stage: Stage, subjects: PlacedSubjects): (Painter | undefined)[] {
  const { palette, brief } = stage
  const plane = createPlane(stage, { eyeHeight: 0.6, farthest: 60, rise: 0.25 })
  const heights = raiseGround(stage, plane)
  const air = mixRgb(palette.haze, palette.farColor, 0.2)
  const colors = lightGround(stage, plane, heights, {
    material: snowMaterial(stage, plane),
    air: { from: 2.5, reach: 16, shareMax: 0.86, color: air, fog: { top: 0, softness: 0.4, strength: 0.5, color: palette.mist } },
    relief: 1.3,
    shadows: 0.7,
  })
  const hasPlants = !brief.omittedParts.has('plants')
  const firs = hasPlants
    ? plantTrees(stage, plane, heights, {
        count: 1500,
        height: 0.34,
        color: mixRgb(mixRgb(palette.nearColor, hex('#1d3a44'), 0.5), palette.skylight, 0.16),
        snow: mixRgb(hex('#f2f5fb'), palette.skylight, 0.3),
        air,
        reach: 12,
        threshold: 0.06,
        highest: 1.4,
        nearest: 2.1,
      })
    : undefined
  const slices = cutSlices(plane, [
    { from: 16, depth: 0.02 },
    { from: 6, depth: 0.06 },
    { from: 2.6, depth: 0.12 },
    { from: 0, depth: 0.2 },
  ])
  const white = mixRgb(hex('#f4f6fb'), palette.skylight, 0.45)
  return [
    ...paintDryland(stage, subjects, {
      relief: { plane, heights, colors },
      slices,
      objectsAt: () => firs,
      mist: { banks: 3, topAbove: 0.12, fall: 0.06, height: 0.15, gain: 0.6, thinning: 0.13 },
    }),
    subjects.ground,
    hasPlants
      ? paintBank(stage, {
          color: mixRgb(white, palette.shade, 0.3),
          bladeColor: mixRgb(hex('#6b5640'), palette.nearColor, 0.4),
          bankHeight: 0.07,
          bladeHeight: 0.1,
          blades: 240,
          opening: 0.5,
          hasSeedHeads: true,
        })
      : undefined,
  ]
}

function raiseGround(stage: Stage, plane: Plane): Float32Array {
  const { xs, zs } = plane
  const { noise } = stage
  const wordRandom = stage.wordRandom('snowfield')
  const shift = stage.random('snowfield')() * 60
  const count = xs.length
  const [rolling, peakHeight] = [0.5 + 0.5 * wordRandom(), 1.6 + 2 * wordRandom()]
  const windAngle = wordRandom() * 3
  const hills = noise.sampleAt({ shape: 'soft', octaves: 3, gain: 0.42 }, xs, zs, { scale: 0.26, shiftX: shift })
  const ridges = noise.sampleAt({ shape: 'ridged', octaves: 6, gain: 0.48 }, xs, zs, { scale: 0.13, shiftX: shift, shiftY: 20 })
  const drifts = noise.sample({ shape: 'ridged', octaves: 2, gain: 0.4 }, count, (index, point) => {
    const x = xs[index] ?? 0
    const z = zs[index] ?? 0
    const bend = (hills[index] ?? 0) * 2
    point.x = (x * Math.cos(windAngle) - z * Math.sin(windAngle)) * 0.55 + bend + shift
    point.y = (x * Math.sin(windAngle) + z * Math.cos(windAngle)) * 1.9 + bend
  })
  const heights = new Float32Array(count)
  for (let index = 0; index < count; index++) {
    const z = zs[index] ?? 0
    const nearFade = smoothstep(0.8, 4, z)
    const farFade = smoothstep(11, 22, z)
    heights[index] =
      (hills[index] ?? 0) * rolling * (0.35 + 0.65 * nearFade) +
      (ridges[index] ?? 0) * peakHeight * farFade * 1.5 +
      ((drifts[index] ?? 0) - 0.3) * 0.09 * (1 - farFade) -
      0.08
  }
  return soften(stage, plane, heights, 1)
}

/** Returns the material of white and bluish snow, with bare rock on steep distant slopes. */
function snowMaterial(stage: Stage, { xs, zs }: Plane): Material {
  const { noise, palette } = stage
  const white = hex('#f6f8fd')
  const blue = mixRgb(hex('#b8cbe8'), palette.skylight, 0.25)
  const rock = mixRgb(hex('#6c6a72'), palette.farColor, 0.4)
  const grain = noise.sampleAt({ shape: 'soft', octaves: 5, gain: 0.6 }, xs, zs, { scale: 1.7, shiftY: 3 })
  return ({ index, z, level }, tone) => {
    const roughness = grain[index] ?? 0
    setTone(tone, white)
    blendTone(tone, blue, 0.25 + roughness * 0.4)
    blendTone(tone, rock, smoothstep(9, 14, z) * (1 - smoothstep(0.45, 0.66, level + roughness * 0.2)))
  }
}
