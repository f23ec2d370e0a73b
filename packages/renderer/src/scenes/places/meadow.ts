import { blendTone, hex, mixRgb, scaleRgb, setTone } from '../../picture/color.ts'
import { clamp, smoothstep } from '../../picture/curves.ts'
import { paintMotes } from '../air/motes.ts'
import { cropOf } from '../flowers/crop.ts'
import { paintNearFlowers } from '../flowers/near-flowers.ts'
import { plantRows } from '../flowers/plant-rows.ts'
import { paintFlowers } from '../flowers/wild-flowers.ts'
import { paintBank } from '../terrain/bank.ts'
import type { PlacedSubjects } from '../subjects/placed-subjects.ts'
import { crowns, toSeasonColor } from '../trees/season.ts'
import type { Painter, Stage } from '../stage.ts'
import { lightGround, type Material } from '../terrain/light-ground.ts'
import { paintDryland } from '../terrain/paint-dryland.ts'
import { blooms } from '../flowers/blooms.ts'
import type { GroundObjects } from '../terrain/paint-slice.ts'
import { createPlane, soften, type Plane } from '../terrain/plane.ts'
import { plantTrees } from '../trees/plant-trees.ts'
import { cutSlices } from '../terrain/slices.ts'

/**
 * Paints rolling grass or fields in rows under a wide sky, with groups of trees, and with flowers
 * in the foreground.
 */
export function paintMeadow(stage: Stage, subjects: PlacedSubjects): (Painter | undefined)[] {
  const { palette, geometry, horizon, brief } = stage
  const { height } = geometry
  const isNight = brief.time === 'night'
  const plane = createPlane(stage, { eyeHeight: 0.55, farthest: 55, rise: 0.2 })
  const heights = raiseGround(stage, plane)
  const air = mixRgb(palette.haze, palette.farColor, 0.25)
  const colors = lightGround(stage, plane, heights, {
    material: grassMaterial(stage, plane),
    air: {
      from: 2.5,
      reach: 17,
      shareMax: 0.85,
      color: air,
      fog: { top: -0.1, softness: 0.3, strength: 0.4, color: palette.mist },
    },
    relief: 1.2,
  })
  const hasPlants = !brief.omittedParts.has('plants')
  const leaf = mixRgb(
    (brief.season ? crowns[brief.season] : undefined) ?? hex('#4c7a2e'),
    palette.nearColor,
    0.1 + palette.subjectShade,
  )
  const trees = hasPlants
    ? plantTrees(stage, plane, heights, {
        count: 1500,
        height: 0.3,
        color: scaleRgb(leaf, 0.78),
        crown: mixRgb(scaleRgb(leaf, 1.2), palette.sunlight, 0.16),
        air,
        reach: 13,
        threshold: stage.pick('trees', [0.1, 0.18, 0.24]),
        highest: 1.2,
        nearest: 3.4,
      })
    : undefined
  const slices = cutSlices(plane, [
    { from: 16, depth: 0.02 },
    { from: 6, depth: 0.06 },
    { from: 2.6, depth: 0.11 },
    { from: 0, depth: 0.19 },
  ])
  const groundY = (share: number): number => horizon + (height - horizon) * share
  const darkColor = toSeasonColor(mixRgb(hex('#26401f'), palette.nearColor, 0.3 + palette.subjectShade), brief.season, 0.6)
  const isWheat = brief.settings.has('wheat')
  const crop = hasPlants ? cropOf(brief) : undefined
  const rows = crop ? plantRows(stage, plane, { ...crop, heading: headingOf(stage), air }) : undefined
  // In a field of flowers, trees stand only in the distance.
  const objectsAt = (order: number): GroundObjects | undefined =>
    rows && trees && order < 2 ? combineTreesWithFlowers(trees, rows) : (rows ?? trees)
  return [
    ...paintDryland(stage, subjects, {
      relief: { plane, heights, colors },
      slices,
      objectsAt,
      mist: { banks: 2, topAbove: 0.06, fall: 0.05, height: 0.12, gain: 0.46, thinning: 0.2 },
    }),
    hasPlants && !isWheat && !crop
      ? paintFlowers(stage, { top: groundY(0.4), bottom: height, tint: mixRgb(darkColor, palette.litColor, 0.28) })
      : undefined,
    subjects.ground,
    crop ? paintNearFlowers(stage, crop.crop, crop.colors) : undefined,
    hasPlants && !crop
      ? paintBank(stage, {
          color: scaleRgb(darkColor, 0.5),
          bladeColor: scaleRgb(darkColor, 0.8),
          bankHeight: 0.08,
          bladeHeight: 0.12,
          blades: 2000,
          opening: 0.3,
          hasSeedHeads: true,
        })
      : undefined,
    brief.weather === 'clear'
      ? paintMotes(stage, { count: 50, light: isNight ? hex('#8aa02c') : scaleRgb(palette.rim, 0.22), top: horizon, size: 0.75 })
      : undefined,
  ]
}

function raiseGround(stage: Stage, plane: Plane): Float32Array {
  const { xs, zs } = plane
  const { noise } = stage
  const wordRandom = stage.wordRandom('meadow')
  const shift = stage.random('meadow')() * 60
  const count = xs.length
  const rolling = 0.35 + 0.75 * wordRandom()
  const fineness = 0.16 + 0.14 * wordRandom()
  // Height of the mountains at the horizon. With 0, there are none.
  const peakHeight = stage.pick('far', [0, 0, 0.7, 1.6, 2.6])
  const hills = noise.sampleAt({ shape: 'soft', octaves: 4, gain: 0.34 }, xs, zs, { scale: fineness, shiftX: shift })
  const ridges =
    peakHeight === 0
      ? undefined
      : noise.sampleAt({ shape: 'ridged', octaves: 5, gain: 0.46 }, xs, zs, { scale: 0.11, shiftX: shift, shiftY: 20 })
  const heights = new Float32Array(count)
  for (let index = 0; index < count; index++) {
    const z = zs[index] ?? 0
    const nearFade = smoothstep(0.6, 4.5, z)
    const farFade = smoothstep(14, 26, z)
    heights[index] =
      (hills[index] ?? 0) * rolling * (0.25 + 0.75 * nearFade) * (1 + farFade * 0.5) +
      (ridges?.[index] ?? 0) * peakHeight * farFade -
      0.06
  }
  return soften(stage, plane, heights, 1)
}

/** Returns the direction of the rows, in radians from straight ahead. */
function headingOf(stage: Stage): number {
  return (stage.wordRandom('rows')() - 0.5) * 0.9
}

/** Returns objects that draw the trees before the flowers. */
function combineTreesWithFlowers(trees: GroundObjects, flowers: GroundObjects): GroundObjects {
  return {
    height: Math.max(trees.height, flowers.height),
    draw(context, locate) {
      trees.draw(context, locate)
      flowers.draw(context, locate)
    },
  }
}

/**
 * Returns the material of grass in patches of the season's colors, of ripe wheat or of a field in
 * bloom.
 */
function grassMaterial(stage: Stage, { xs, zs }: Plane): Material {
  const { noise, brief } = stage
  const { season, settings } = brief
  const tones = stage
    .pick('grass', [
      ['#84983c', '#5f7e34', '#b3ac54', '#44602c'],
      ['#768c48', '#a59a4c', '#566f3c', '#3e5a30'],
      ['#94994a', '#68803a', '#c0a85c', '#4c6630'],
      ['#6c8c4a', '#87a04c', '#4f7444', '#38582f'],
    ])
    .map((tone) => toSeasonColor(hex(tone), season))
  const [mainTone = [0, 0, 0], secondTone = mainTone, thirdTone = mainTone, darkColor = mainTone] = tones
  const isWheat = settings.has('wheat')
  const heading = headingOf(stage)
  const crop = cropOf(brief)
  const sownBloom = crop ? blooms[crop.crop] : undefined
  const grain = noise.sampleAt({ shape: 'soft', octaves: 5, gain: 0.6 }, xs, zs, { scale: 2.6, shiftY: 7 })
  const patches = noise.sampleAt({ shape: 'soft', octaves: 2, gain: 0.4 }, xs, zs, { scale: 0.34, shiftX: 40 })
  return ({ index, x, z, level, height }, tone) => {
    const roughness = grain[index] ?? 0
    const patch = patches[index] ?? 0
    setTone(tone, mainTone)
    blendTone(tone, secondTone, smoothstep(-0.04, 0.01, patch))
    blendTone(tone, thirdTone, smoothstep(0.12, 0.16, patch) * 0.85)
    blendTone(tone, mainTone, smoothstep(0.26, 0.29, patch) * 0.7)
    blendTone(tone, darkColor, clamp(0.22 + roughness * 1.1))
    const rowDistance = x * Math.cos(heading) - z * Math.sin(heading)
    if (isWheat) {
      const wheatShare = 1 - smoothstep(9, 15, z)
      blendTone(tone, hex('#b98a34'), wheatShare)
      blendTone(
        tone,
        hex('#e2b64c'),
        wheatShare * (0.85 + 0.15 * Math.sin(rowDistance * 60 + roughness * 0.8)) * clamp(0.85 + roughness * 0.6),
      )
    }
    if (crop && sownBloom) {
      // Where plants are too far away to be drawn, the ground has the color of the blooms.
      const bloomShare = 1 - smoothstep(12, 18, z)
      const row = Math.floor(rowDistance / sownBloom.rowSpacing / 3)
      const colorNumber = sownBloom.isInRows ? row : Math.floor((patch + 1) * 40)
      const color =
        crop.colors[((colorNumber % crop.colors.length) + crop.colors.length) % crop.colors.length] ?? sownBloom.groundColor
      const density = sownBloom.isInRows
        ? 0.62 + 0.3 * Math.sin((rowDistance / sownBloom.rowSpacing) * Math.PI * 2)
        : clamp(0.1 + patch * 1.6 + roughness * 0.8, 0, 0.7)
      blendTone(tone, sownBloom.groundColor, bloomShare * (0.45 - 0.3 * clamp(roughness + 0.3)))
      blendTone(tone, color, bloomShare * smoothstep(2.5, 6, z) * density * clamp(0.8 + roughness * 0.6))
    }
    // Rock on steep and distant ground.
    const rockShare = smoothstep(12, 18, z) * (1 - smoothstep(0.5, 0.72, level)) * smoothstep(0.2, 0.6, height)
    tone[0] += (122 - tone[0]) * rockShare
    tone[1] += (118 - tone[1]) * rockShare
    tone[2] += (124 - tone[2]) * rockShare
  }
}
