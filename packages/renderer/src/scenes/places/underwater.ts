import { blendTone, colorRamp, hex, mixRgb, scaleRgb, setTone, toYuv, type Rgb } from '../../picture/color.ts'
import { clamp, smoothstep } from '../../picture/curves.ts'
import { paintMotes } from '../air/motes.ts'
import { paintLightShafts } from '../sky/light-shafts.ts'
import { createMistTexture, paintMist } from '../air/mist.ts'
import type { PlacedSubjects } from '../subjects/placed-subjects.ts'
import { drawCoral, drawKelp } from '../reef/corals.ts'
import type { TimeOfDay } from '../prompt/scene-brief.ts'
import type { Painter, Stage } from '../stage.ts'
import { paintShoal } from '../subjects/swim.ts'
import { combineObjects, type GroundObject } from '../terrain/ground-objects.ts'
import { lightGround, type Material } from '../terrain/light-ground.ts'
import { paintSlice } from '../terrain/paint-slice.ts'
import { createPlane, soften, type Plane } from '../terrain/plane.ts'
import { cutSlices } from '../terrain/slices.ts'

/** Colors of the water, from the surface to the deep. */
const waterByTime: Record<TimeOfDay, readonly Rgb[]> = {
  day: ['#b4f2ea', '#4cc4cc', '#1c8fb4', '#0f6494', '#0a4672'].map(hex),
  dawn: ['#ffe2cc', '#9ccfd0', '#4a9ab8', '#2a6c98', '#1c4a76'].map(hex),
  dusk: ['#ffc49a', '#a486b8', '#54609e', '#2c4482', '#182a5c'].map(hex),
  night: ['#5a9ac4', '#2a5f94', '#153c6c', '#0b254c', '#061632'].map(hex),
}

const coralColors = ['#f0607a', '#f08a3c', '#b85cc8', '#f4c04c', '#e84a5c', '#6a7ae8'].map(hex)

/**
 * Paints a seabed of sand and rock under light from the surface, with a reef, a kelp forest or a
 * few plants.
 */
export function paintUnderwater(stage: Stage, subjects: PlacedSubjects): (Painter | undefined)[] {
  const { geometry, brief, horizon } = stage
  const { unit, height } = geometry
  const accent = brief.colors[0]
  const water = waterByTime[brief.time].map((color) => (accent ? mixRgb(color, accent, 0.4) : color))
  const ramp = colorRamp(water)
  const farColor = ramp(0.52)
  const deepColor = ramp(1)
  const light = water[0] ?? farColor
  const mist = createMistTexture(stage)
  const plane = createPlane(stage, { eyeHeight: 0.85, farthest: 26, rise: 0.25 })
  const heights = raiseGround(stage, plane)
  const sea: Sea = { farColor, deepColor, light, isNight: brief.time === 'night' }
  const colors = lightGround(stage, plane, heights, {
    palette: {
      ...stage.palette,
      sunlight: mixRgb(light, farColor, sea.isNight ? 0.6 : 0.25),
      skylight: mixRgb(farColor, deepColor, 0.3),
      sunHeight: 0.5,
    },
    material: seabedMaterial(stage, plane, sea),
    air: { from: 1.2, reach: 7.5, shareMax: 0.97, color: farColor },
    shadows: 0.3,
  })
  const plants = brief.omittedParts.has('plants') ? [] : growPlants(stage, plane, heights, sea)
  const objects = combineObjects(plants, 1.9)
  const slices = cutSlices(plane, [
    { from: 7, depth: 0.04 },
    { from: 2.8, depth: 0.1 },
    { from: 0, depth: 0.2 },
  ])
  const [back, middle, front] = slices.map((slice) => paintSlice(stage, { plane, heights, colors }, { ...slice, objects }))
  return [
    paintWaterColumn(stage, ramp, light),
    back,
    paintMist(stage, mist, { top: horizon - unit * 0.16, height: unit * 0.34, gain: 0.6, color: farColor, order: 0 }),
    paintShoal(stage, mixRgb(farColor, deepColor, 0.55)),
    middle,
    subjects.sky,
    subjects.floating,
    paintMist(stage, mist, { top: horizon, height: unit * 0.24, gain: 0.3, color: farColor, order: 2 }),
    paintLightShafts(stage, light, sea.isNight ? 0.2 : 0.34),
    subjects.ground,
    front,
    paintMotes(stage, { count: 70, light: scaleRgb(light, 0.22), top: -height * 0.02, size: 0.8 }),
  ]
}

interface Sea {
  farColor: Rgb
  deepColor: Rgb
  light: Rgb
  isNight: boolean
}

function raiseGround(stage: Stage, plane: Plane): Float32Array {
  const { xs, zs } = plane
  const { noise } = stage
  const shift = stage.random('seabed')() * 60
  const wordRandom = stage.wordRandom('seabed')
  const [hillHeight, rockHeight] = [0.3 + 0.4 * wordRandom(), 0.6 + 1.3 * wordRandom()]
  const hills = noise.sampleAt({ shape: 'soft', octaves: 3, gain: 0.45 }, xs, zs, { scale: 0.4, shiftX: shift })
  const rocks = noise.sampleAt({ shape: 'ridged', octaves: 5, gain: 0.5 }, xs, zs, { scale: 0.5, shiftX: shift, shiftY: 9 })
  const heights = new Float32Array(xs.length)
  for (let index = 0; index < heights.length; index++) {
    const z = zs[index] ?? 0
    const rock = smoothstep(0.02, 0.26, hills[index] ?? 0) * (rocks[index] ?? 0) * rockHeight
    heights[index] =
      ((hills[index] ?? 0) * hillHeight + rock * smoothstep(2, 4.5, z)) * (0.3 + 0.7 * smoothstep(0.8, 3, z)) - 0.08
  }
  return soften(stage, plane, heights, 1)
}

/** Returns the material of rippled sand and overgrown rock, with caustics except at night. */
function seabedMaterial(stage: Stage, { xs, zs }: Plane, { isNight, light }: Sea): Material {
  const { noise } = stage
  const sand = hex(stage.pick('sea sand', ['#e4d2a4', '#d8c8ac', '#cfc096']))
  const rock = hex('#5c6458')
  const weed = hex('#5a7a48')
  const grain = noise.sampleAt({ shape: 'soft', octaves: 5, gain: 0.6 }, xs, zs, { scale: 2.4 })
  const causticNoise = noise.sample({ shape: 'ridged', octaves: 2, gain: 0.5 }, xs.length, (index, point) => {
    const bend = (grain[index] ?? 0) * 0.5
    point.x = (xs[index] ?? 0) * 2.1 + bend
    point.y = (zs[index] ?? 0) * 2.1 + bend + 40
  })
  return ({ index, x, z, height, level }, tone, shine) => {
    const roughness = grain[index] ?? 0
    const ripple = Math.sin(z * 26 + x * 5 + roughness * 9) * 0.06 * (1 - smoothstep(2, 5, z))
    setTone(tone, sand)
    blendTone(tone, rock, clamp(smoothstep(0.12, 0.4, height) + 1 - smoothstep(0.6, 0.85, level) + roughness * 0.4))
    blendTone(tone, weed, smoothstep(0.16, 0.45, height + roughness * 0.4) * 0.6)
    const brightness = 1 + ripple
    const caustic = isNight ? 0 : smoothstep(0.56, 0.9, causticNoise[index] ?? 0) * 0.3 * Math.exp(-z * 0.16)
    for (const channel of [0, 1, 2] as const) {
      tone[channel] *= brightness
      shine[channel] = light[channel] * caustic
    }
  }
}

/**
 * Distance up to which no kelp grows in the middle of the frame if the prompt names a subject, so
 * that the subject stays visible.
 */
const clearDistance = 7
/** Share of the frame's width that has no kelp. */
const clearShare = 0.66

/**
 * Returns corals in groups on a reef, mostly kelp in a kelp forest, and a few of both elsewhere.
 */
function growPlants(
  stage: Stage,
  { rays, steps, zs }: Plane,
  heights: Float32Array,
  { farColor, deepColor, light, isNight }: Sea,
): GroundObject[] {
  const random = stage.random('corals')
  const shape = stage.random('coral shapes')
  const kind = stage.pick('seabed life', ['reef', 'reef', 'kelp', 'deep'])
  const growsInPatches = kind !== 'kelp'
  const hasSubjects = stage.brief.subjects.length > 0
  const count = kind === 'reef' ? 420 : kind === 'kelp' ? 240 : 130
  const patches = stage.noise.sample({ shape: 'soft', octaves: 3, gain: 0.5 }, 64 * 64, (index, point) => {
    point.x = (index % 64) * 0.22
    point.y = Math.floor(index / 64) * 0.22
  })
  return Array.from({ length: count }, () => {
    const ray = Math.floor(random() * rays)
    const step = Math.floor(random() ** 0.8 * steps * 0.8)
    const index = step * rays + ray
    const z = zs[index] ?? 1
    const patch = patches[Math.floor((ray / rays) * 63.9) + 64 * Math.floor((step / steps) * 63.9)] ?? 0
    const haze = 0.95 * (1 - Math.exp(-Math.max(0, z - 1.2) / 7.5))
    const tone = mixRgb(coralColors[Math.floor(random() * coralColors.length)] ?? farColor, deepColor, isNight ? 0.55 : 0.14)
    const isKelp = kind === 'kelp' ? random() < 0.7 : random() < 0.12
    const height = isKelp ? 0.7 + 1.1 * random() : 0.12 + 0.26 * random() * (0.6 + 0.6 * patch)
    return { ray, step, z, patch, haze, tone, isKelp, height, isLow: (heights[index] ?? 0) < 1.2 }
  })
    .filter(({ z, patch, isLow }) => z > 1.1 && isLow && (!growsInPatches || patch > -0.14))
    .filter(
      ({ ray, z, isKelp }) => !isKelp || !hasSubjects || z > clearDistance || Math.abs(ray / (rays - 1) - 0.5) > clearShare / 2,
    )
    .map(({ ray, step, haze, tone, isKelp, height }) => ({
      ray,
      step,
      draw: (context, spot) => {
        const size = spot.scale * height
        if (size < 3) return
        const plantTone = isKelp ? hex('#5f7a2c') : tone
        const plant = {
          x: spot.x,
          y: spot.y + size * 0.03,
          size,
          color: mixRgb(plantTone, farColor, haze),
          darkColor: mixRgb(deepColor, farColor, haze),
          light: mixRgb([255, 244, 232], mixRgb(light, farColor, haze), 0.4 + 0.6 * haze),
        }
        if (isKelp) drawKelp(context, plant, shape)
        else drawCoral(context, plant, shape)
      },
    }))
}

/** Paints the water, which is brightest below the sun. */
function paintWaterColumn(stage: Stage, ramp: (share: number) => Rgb, light: Rgb): Painter {
  const { compositor, geometry, sun } = stage
  const { width, height, unit } = geometry
  const texture = compositor.texture(160, 90, (u, v, yuv) => {
    const sunOffset = (u * width - sun.x) / unit
    const glow = Math.exp(-(sunOffset * sunOffset * 1.6 + (v * height * v * height * 5) / (unit * unit)))
    const color = mixRgb(ramp(clamp(0.16 + v * 0.9 - glow * 0.14 + Math.abs(sunOffset) * 0.06)), light, glow * 0.6)
    yuv.splice(0, 3, ...toYuv(color))
  })
  return () => compositor.drawTexture(texture, { x: 0, y: 0, width, height }, { mode: 'replace' })
}
