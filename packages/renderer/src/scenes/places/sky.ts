import { blendTone, hex, mixRgb, setTone } from '../../picture/color.ts'
import { clamp, smoothstep } from '../../picture/curves.ts'
import { createCloudSheet, paintCloudSheet } from '../clouds/cloud-sheet.ts'
import { drawHeaps, type Heap } from '../clouds/heaps.ts'
import { heapColors, paintClouds } from '../clouds/paint-clouds.ts'
import { createMistTexture, paintMist } from '../air/mist.ts'
import { paintPassingBirds } from '../birds/passing-birds.ts'
import type { PlacedSubjects } from '../subjects/placed-subjects.ts'
import { paintBloom, paintMoon, paintSky, paintStars } from '../sky/sky.ts'
import type { Painter, Stage } from '../stage.ts'
import { lightGround, type Material } from '../terrain/light-ground.ts'
import { paintSlice } from '../terrain/paint-slice.ts'
import { createPlane, soften, type Plane } from '../terrain/plane.ts'
import { cutSlices } from '../terrain/slices.ts'

/**
 * Paints a sea of clouds that reaches to the horizon, seen from above. Towers of cumulus and, in
 * some scenes, summits rise out of it.
 */
export function paintCloudSea(stage: Stage, subjects: PlacedSubjects): (Painter | undefined)[] {
  const { palette, geometry, horizon } = stage
  const { height, unit } = geometry
  const plane = createPlane(stage, { eyeHeight: 0.75, farthest: 60, rise: 0.25 })
  const hasSummits = stage.pick('summits', [false, false, true])
  const { heights, isRock } = raiseGround(stage, plane, hasSummits)
  const mist = createMistTexture(stage)
  const isLow = palette.sunHeight < 0.2
  const colors = lightGround(stage, plane, heights, {
    material: cloudMaterial(stage, plane, isRock),
    air: { from: 3, reach: 20, shareMax: 0.92, color: mixRgb(palette.haze, palette.cloudLit, isLow ? 0.15 : 0.3) },
    relief: 0.7,
    shadows: 0.4,
    sunTangent: isLow ? 0.5 : 1,
  })
  const slices = cutSlices(plane, [
    { from: 12, depth: 0.02 },
    { from: 4, depth: 0.06 },
    { from: 0, depth: 0.12 },
  ])
  return [
    paintSky(stage, height),
    paintStars(stage),
    paintMoon(stage),
    stage.composition.clouds === 'heaps' || stage.composition.clouds === 'towers' ? undefined : paintClouds(stage, horizon),
    subjects.sky,
    paintTowers(stage),
    ...slices.flatMap((slice, order) => [
      paintSlice(stage, { plane, heights, colors }, slice),
      order === 0 ? paintBloom(stage, height) : undefined,
      order < 2
        ? paintMist(stage, mist, {
            top: horizon + unit * (-0.05 + 0.09 * order),
            height: unit * 0.13,
            gain: 0.4,
            color: mixRgb(palette.mist, palette.cloudLit, 0.4),
            order,
          })
        : undefined,
      order === 1 ? subjects.floating : undefined,
    ]),
    paintBankOfHeads(stage, { foot: horizon + (height - horizon) * 0.34, size: 0.12, depth: 0.1, order: 1 }),
    paintBankOfHeads(stage, { foot: horizon + (height - horizon) * 0.66, size: 0.19, depth: 0.17, order: 2 }),
    paintBankOfHeads(stage, { foot: height * 1.02, size: 0.3, depth: 0.27, order: 3 }),
    paintPassingBirds(stage),
    subjects.ground,
  ]
}

/** Paints cumulus that towers over the sea of clouds, mostly far away. */
function paintTowers(stage: Stage): Painter | undefined {
  const { geometry, horizon, composition, sun } = stage
  const { unit, width } = geometry
  if (composition.clouds === 'streaks' && composition.cover < 0.5) return undefined
  const random = stage.random('towers')
  const sheet = createCloudSheet(stage, { bottom: horizon + unit * 0.1 })
  const heaps: Heap[] = []
  const rowAt = (elevation: number): number => (horizon - elevation * unit - sheet.top) / sheet.scale
  const widthUnits = (sheet.columns * sheet.scale) / unit
  for (let index = 0; index < Math.round(widthUnits * 7); index++) {
    const heapWidth = (unit * (0.16 + 0.2 * random())) / sheet.scale
    heaps.push({
      x: random() * sheet.columns,
      base: rowAt(-0.02),
      width: heapWidth,
      height: heapWidth * (0.3 + 0.25 * random()),
      hazeShare: 0.55,
    })
  }
  const side = sun.x < width / 2 ? 1 : -1
  const count = 2 + Math.round(2 * composition.cover)
  for (let index = 0; index < count; index++) {
    const heapWidth = (unit * (0.35 + 0.45 * random())) / sheet.scale
    const position = 0.5 + side * (0.36 - index * 0.24) + (random() - 0.5) * 0.12
    const height = (unit * (index === 0 ? 0.34 + 0.2 * composition.cover : 0.12 + 0.16 * random())) / sheet.scale
    heaps.push({
      x: position * sheet.columns,
      base: rowAt(-0.05),
      width: heapWidth,
      height,
      hazeShare: index === 0 ? 0.16 : 0.34,
    })
  }
  drawHeaps(stage, sheet, heaps, heapColors(stage), random)
  return paintCloudSheet(stage, sheet, { rowEnd: geometry.height, drift: 3, depth: 0.02 })
}

/** Paints near clouds: two rows of round heads that fade into the haze at their base. */
function paintBankOfHeads(stage: Stage, bank: { foot: number; size: number; depth: number; order: number }): Painter {
  const { geometry, palette } = stage
  const { unit, height } = geometry
  const random = stage.random(`bank of heads ${bank.order}`)
  const bankHeight = bank.size * unit
  const bottom = Math.min(height * 1.12, bank.foot + bankHeight * 0.9)
  const sheet = createCloudSheet(stage, { top: bank.foot - bankHeight * 1.9, bottom })
  const width = sheet.columns * sheet.scale
  const heaps: Heap[] = []
  const gap = stage.wordRandom(`gap ${bank.order}`)()
  for (const row of [0, 1]) {
    const count = Math.round((width / bankHeight) * 0.85)
    for (let index = 0; index < count; index++) {
      const position = (index + random()) / count
      // Low clouds in the gap leave the ones behind visible.
      const isOpen = Math.abs(position - gap) < 0.12
      const size = bankHeight * (0.5 + 0.75 * random()) * (isOpen ? 0.45 : 1)
      heaps.push({
        x: position * sheet.columns,
        base: (bank.foot + bankHeight * (0.1 + 0.34 * row + (isOpen ? 0.3 : 0)) - sheet.top) / sheet.scale,
        width: (size * (1.5 + random())) / sheet.scale,
        height: size / sheet.scale,
        hazeShare: 0.34 - 0.1 * bank.order,
        isRound: true,
      })
    }
  }
  const colors = heapColors(stage)
  const shade = mixRgb(colors.shade, palette.skylight, 0.35)
  drawHeaps(stage, sheet, heaps, { ...colors, shade, haze: mixRgb(palette.haze, palette.cloudLit, 0.3) }, random)
  return paintCloudSheet(stage, sheet, { rowEnd: height, drift: 4 + 5 * bank.order, depth: bank.depth })
}

/**
 * Raises round heads of clouds in three sizes with creases between them, and summits above them.
 * `isRock` is 1 where a summit is higher than the clouds.
 */
function raiseGround(stage: Stage, plane: Plane, hasSummits: boolean): { heights: Float32Array; isRock: Uint8Array } {
  const { xs, zs } = plane
  const { noise } = stage
  const wordRandom = stage.wordRandom('cloud sea')
  const shift = stage.random('cloud sea')() * 60
  const count = xs.length
  const [fineness, height] = [0.2 + 0.16 * wordRandom(), 0.5 + 0.5 * wordRandom()]
  const swell = noise.sample({ shape: 'soft', octaves: 2, gain: 0.5 }, count, (index, point) => {
    point.x = (xs[index] ?? 0) * fineness * 0.6 + shift
    point.y = (zs[index] ?? 0) * fineness * 0.5
  })
  const sampleHeads = (scale: number, curl: number): Float32Array =>
    noise.sample({ shape: 'ridged', octaves: 1, gain: 0.5 }, count, (index, point) => {
      const warp = (swell[index] ?? 0) * curl
      point.x = (xs[index] ?? 0) * scale + warp + shift
      point.y = (zs[index] ?? 0) * scale * 0.85 + warp
    })
  const [largeHeads, mediumHeads, smallHeads] = [
    sampleHeads(fineness * 1.6, 0.9),
    sampleHeads(fineness * 4.2, 1.6),
    sampleHeads(fineness * 10, 2.4),
  ]
  const crags = hasSummits
    ? noise.sample({ shape: 'ridged', octaves: 6, gain: 0.5 }, count, (index, point) => {
        point.x = (xs[index] ?? 0) * 0.2 + shift + 9
        point.y = (zs[index] ?? 0) * 0.2
      })
    : undefined
  const heights = new Float32Array(count)
  const isRock = new Uint8Array(count)
  for (let index = 0; index < count; index++) {
    const z = zs[index] ?? 0
    const nearFade = smoothstep(0.6, 3, z)
    const roundness = 1.5 - (largeHeads[index] ?? 0) * 1.5 - (mediumHeads[index] ?? 0) * 0.62 - (smallHeads[index] ?? 0) * 0.24
    const cloud = (roundness - 0.62) * height * 0.6 * (0.35 + 0.65 * nearFade) + (swell[index] ?? 0) * 0.7 * nearFade - 0.1
    const rock = crags ? ((crags[index] ?? 0) - 0.5) * 4.4 * smoothstep(6, 10, z) - 0.25 : -9
    heights[index] = Math.max(cloud, rock)
    if (rock > cloud) isRock[index] = 1
  }
  return { heights: soften(stage, plane, heights, 1), isRock }
}

/**
 * Returns the material of clouds, which are white in the light and never completely dark, and of
 * the rock and snow of summits.
 */
function cloudMaterial(stage: Stage, { xs, zs }: Plane, isRock: Uint8Array): Material {
  const { palette, noise } = stage
  const glow = mixRgb(palette.cloudShade, palette.skylight, 0.4)
  const stone = mixRgb(hex('#5c585c'), palette.farColor, 0.3)
  const grain = noise.sampleAt({ shape: 'soft', octaves: 4, gain: 0.55 }, xs, zs, { scale: 3 })
  return ({ index, height, level }, tone, shine) => {
    const roughness = grain[index] ?? 0
    if (isRock[index]) {
      setTone(tone, stone)
      blendTone(tone, [244, 247, 255], smoothstep(0.5, 0.7, level + roughness * 0.2) * smoothstep(0.1, 0.5, height))
      return
    }
    setTone(tone, [206, 210, 220])
    // Light that enters a cloud leaves it on all sides. Heads have more of this light than creases.
    const share = clamp(0.2 + height * 0.3 + roughness * 0.16)
    shine[0] = glow[0] * share
    shine[1] = glow[1] * share
    shine[2] = glow[2] * share
  }
}
