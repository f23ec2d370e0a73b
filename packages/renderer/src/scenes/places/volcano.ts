import { blendTone, hex, lightYuv, mixRgb, scaleRgb, setTone } from '../../picture/color.ts'
import { clamp, smoothstep } from '../../picture/curves.ts'
import { createCloudSheet, paintCloudSheet } from '../clouds/cloud-sheet.ts'
import { drawHeaps, type Heap } from '../clouds/heaps.ts'
import { paintClouds } from '../clouds/paint-clouds.ts'
import { createMistTexture, paintMist } from '../air/mist.ts'
import type { PlacedSubjects } from '../subjects/placed-subjects.ts'
import { paintMoon, paintSky, paintStars } from '../sky/sky.ts'
import type { Painter, Stage } from '../stage.ts'
import { lightGround, type Material } from '../terrain/light-ground.ts'
import { paintSlice } from '../terrain/paint-slice.ts'
import { createPlane, soften, type Plane } from '../terrain/plane.ts'
import { plantTrees } from '../trees/plant-trees.ts'
import { cutSlices } from '../terrain/slices.ts'

interface Cone {
  x: number
  z: number
  height: number
  /** Distance from the axis over which the height falls to 37 %. */
  falloffDistance: number
  craterRadius: number
}

const lava = { hotColor: hex('#ffd05a'), glow: hex('#ff6a1e'), deep: hex('#b81c08') }

/**
 * Paints a volcano with a burning crater, streams of lava, a column of smoke in the light of the
 * fire, and embers on the wind.
 */
export function paintVolcano(stage: Stage, subjects: PlacedSubjects): (Painter | undefined)[] {
  const { palette, geometry, horizon, brief } = stage
  const { height, unit, width } = geometry
  const wordRandom = stage.wordRandom('volcano')
  const side = wordRandom() < 0.5 ? -1 : 1
  const cone: Cone = {
    x: side * (0.4 + 2 * wordRandom()),
    z: 9,
    height: 3.4 + 0.9 * wordRandom(),
    falloffDistance: 2.1 + 0.9 * wordRandom(),
    craterRadius: 0.5 + 0.2 * wordRandom(),
  }
  const plane = createPlane(stage, { eyeHeight: 0.75, farthest: 50, rise: 0.3 })
  const heights = raiseGround(stage, plane, cone)
  const mist = createMistTexture(stage)
  const air = mixRgb(mixRgb(palette.haze, palette.farColor, 0.4), lava.deep, 0.16)
  const colors = lightGround(stage, plane, heights, {
    material: basaltMaterial(stage, plane, cone),
    air: {
      from: 4,
      reach: 22,
      shareMax: 0.8,
      color: air,
      fog: { top: -0.1, softness: 0.4, strength: 0.5, color: mixRgb(palette.mist, lava.deep, 0.2) },
    },
  })
  const relief = { plane, heights, colors }
  const slices = cutSlices(plane, [
    { from: 14, depth: 0.02 },
    { from: 4.4, depth: 0.05 },
    { from: 0, depth: 0.17 },
  ])
  const mouth = {
    x: width / 2 + (cone.x / cone.z) * plane.focal,
    y: horizon + ((plane.eyeHeight - rimHeightOf(cone)) / cone.z) * plane.focal,
    radius: (cone.craterRadius / cone.z) * plane.focal,
  }
  const [farSlice, middleSlice, nearSlice] = slices
  const firs = brief.omittedParts.has('plants')
    ? undefined
    : plantTrees(stage, plane, heights, {
        count: 900,
        height: 0.24,
        color: mixRgb(palette.nearColor, hex('#101a14'), 0.5),
        air,
        reach: 12,
        threshold: 0.08,
        highest: 0.34,
      })
  return [
    paintSky(stage, height),
    paintStars(stage),
    paintMoon(stage),
    paintClouds(stage, horizon),
    subjects.sky,
    farSlice ? paintSlice(stage, relief, farSlice) : undefined,
    paintPlume(stage, mouth),
    paintGlow(stage, mouth, 1),
    middleSlice ? paintSlice(stage, relief, middleSlice) : undefined,
    paintGlow(stage, mouth, 0.4),
    paintFountain(stage, mouth),
    paintMist(stage, mist, { top: horizon - unit * 0.06, height: unit * 0.16, gain: 0.4, color: air, order: 1 }),
    subjects.floating,
    nearSlice ? paintSlice(stage, relief, { ...nearSlice, objects: firs }) : undefined,
    subjects.ground,
    paintEmbers(stage),
  ]
}

function rimHeightOf({ height, craterRadius, falloffDistance }: Cone): number {
  return height * Math.exp(-craterRadius / falloffDistance) - 0.5
}

function raiseGround(stage: Stage, plane: Plane, cone: Cone): Float32Array {
  const { xs, zs } = plane
  const { noise } = stage
  const shift = stage.random('volcano')() * 60
  const count = xs.length
  const gullies = noise.sample({ shape: 'ridged', octaves: 5, gain: 0.52 }, count, (index, point) => {
    const x = (xs[index] ?? 0) - cone.x
    const z = (zs[index] ?? 0) - cone.z
    const distance = Math.hypot(x, z)
    // Gullies run down from the mouth.
    point.x = Math.atan2(x, -z) * 2.6 + shift
    point.y = distance * 0.35
  })
  const ground = noise.sampleAt({ shape: 'ridged', octaves: 6, gain: 0.5 }, xs, zs, { scale: 0.32, shiftX: shift })
  const heights = new Float32Array(count)
  for (let index = 0; index < count; index++) {
    const x = (xs[index] ?? 0) - cone.x
    const z = (zs[index] ?? 0) - cone.z
    const distance = Math.hypot(x, z)
    const flank =
      cone.height * Math.exp(-Math.max(distance, cone.craterRadius) / cone.falloffDistance) - 0.5 * smoothstep(6, 0.4, distance)
    const isInside = distance < cone.craterRadius
    // The rim is lower toward the viewer, so that the fire is visible.
    const notch =
      distance < cone.craterRadius * 2.4
        ? Math.max(0, -z / (distance + 0.01)) * 0.3 * smoothstep(cone.craterRadius * 2.4, cone.craterRadius * 0.6, distance)
        : 0
    const bowl = isInside ? (cone.craterRadius - distance) * 0.9 : 0
    const erosion =
      (gullies[index] ?? 0) * 0.42 * smoothstep(cone.craterRadius, cone.craterRadius + 1.4, distance) * Math.exp(-distance / 6)
    const land = ((ground[index] ?? 0) - 0.3) * (0.26 + 0.9 * smoothstep(13, 24, zs[index] ?? 0))
    heights[index] = Math.max(0, flank) - notch - bowl + erosion + land * smoothstep(0.6, 3, distance) - 0.05
  }
  return soften(stage, plane, heights, 1)
}

/**
 * Returns the material of black rock and ash, with lava in the crater, in streams on the slopes and
 * in cracks of the ground near the viewer.
 */
function basaltMaterial(stage: Stage, { xs, zs }: Plane, cone: Cone): Material {
  const { noise, palette, brief } = stage
  const rock = mixRgb(hex('#4a4244'), palette.farColor, 0.12)
  const ash = hex('#6c5f5c')
  const scorched = hex('#241c1e')
  const strength = brief.time === 'day' ? 0.75 : 1
  const random = stage.random('streams')
  const streams = Array.from({ length: 4 }, () => ({
    heading: (random() - 0.5) * 1.5,
    phase: random() * 6,
    reach: 2.2 + 3.6 * random(),
    width: 0.06 + 0.06 * random(),
  }))
  const grain = noise.sampleAt({ shape: 'soft', octaves: 5, gain: 0.6 }, xs, zs, { scale: 2.4 })
  const cracks = noise.sample({ shape: 'ridged', octaves: 3, gain: 0.5 }, xs.length, (index, point) => {
    point.x = (xs[index] ?? 0) * 1.1 + (grain[index] ?? 0) * 0.4
    point.y = (zs[index] ?? 0) * 1.1 + 30
  })
  return ({ index, x, z, level }, tone, shine) => {
    const roughness = (grain[index] ?? 0) * 1.6
    setTone(tone, rock)
    blendTone(tone, scorched, clamp(0.45 + roughness))
    blendTone(tone, ash, smoothstep(0.75, 0.95, level) * clamp(0.4 - roughness))
    const [fromX, fromZ] = [x - cone.x, z - cone.z]
    const distance = Math.hypot(fromX, fromZ)
    let heat = distance < cone.craterRadius ? smoothstep(1.05, 0.55, distance / cone.craterRadius) * 1.2 : 0
    const heading = Math.atan2(fromX, -fromZ)
    for (const stream of streams) {
      const bend = Math.sin(distance * 2.3 + stream.phase) * 0.12 * distance * 0.5
      const sideDistance = Math.abs(heading - stream.heading) * distance - bend * 0.3
      const streamShare = smoothstep(stream.reach, stream.reach * 0.3, distance)
      heat = Math.max(
        heat,
        (1 - smoothstep(stream.width * 0.4, stream.width * (1.6 + roughness), Math.abs(sideDistance))) *
          streamShare *
          (0.8 + roughness * 0.5),
      )
    }
    // Only the ground near the viewer has cracks.
    const nearShare = 1 - smoothstep(3, 6, z)
    heat = Math.max(heat, smoothstep(0.66, 0.84, cracks[index] ?? 0) * nearShare * (0.7 + roughness * 0.4))
    if (heat <= 0.01) return
    const glow = clamp(heat) * strength
    setTone(shine, lava.deep)
    blendTone(shine, lava.glow, smoothstep(0.2, 0.6, heat))
    blendTone(shine, lava.hotColor, smoothstep(0.65, 1.1, heat))
    shine[0] *= glow
    shine[1] *= glow
    shine[2] *= glow
  }
}

/** Position and radius of the crater, in frame pixels. */
interface Mouth {
  x: number
  y: number
  radius: number
}

/** Paints smoke that leans with the wind. The fire lights it from below. */
function paintPlume(stage: Stage, mouth: Mouth): Painter {
  const { geometry, palette, brief } = stage
  const { unit } = geometry
  const random = stage.random('plume')
  const wind = (stage.wordRandom('wind')() < 0.5 ? -1 : 1) * (0.25 + 0.5 * stage.wordRandom('wind strength')())
  const sheet = createCloudSheet(stage)
  const pointAt = (elevation: number): { x: number; y: number } => ({
    x: (mouth.x + wind * unit * elevation ** 1.5 - sheet.left) / sheet.scale,
    y: (mouth.y - elevation * unit - sheet.top) / sheet.scale,
  })
  const heaps: Heap[] = []
  const tallest = (mouth.y / unit) * 1.15
  const count = 15
  for (let index = count - 1; index >= 0; index--) {
    const elevation = (index / count) * tallest
    const size = (mouth.radius * 0.9 + unit * (0.04 + elevation * 0.52) * (0.75 + 0.5 * random())) / sheet.scale
    const { x, y } = pointAt(elevation + 0.01)
    heaps.push({
      x: x + (random() - 0.5) * size * 0.5,
      base: y + size * 0.4,
      width: size * 1.7,
      height: size,
      hazeShare: 0.1 + elevation * 0.16,
      isRound: true,
    })
  }
  const isDark = brief.time === 'night' || brief.time === 'dusk'
  const smoke = mixRgb(mixRgb(palette.cloudShade, hex('#2c262a'), 0.6), palette.nearColor, isDark ? 0.3 : 0)
  drawHeaps(
    stage,
    sheet,
    heaps,
    {
      litColor: mixRgb(mixRgb(smoke, palette.cloudLit, isDark ? 0.4 : 0.6), lava.glow, isDark ? 0.12 : 0),
      shade: scaleRgb(smoke, 0.7),
      haze: mixRgb(palette.haze, smoke, 0.5),
      rim: mixRgb(smoke, palette.cloudLit, 0.5),
      light: { x: -Math.sign(wind) * 0.4, y: isDark ? 0.7 : -0.3, z: 0.58 },
    },
    random,
  )
  reddenFoot(sheet, mouth, unit, isDark ? 0.85 : 0.45)
  return paintCloudSheet(stage, sheet, { rowEnd: geometry.height, drift: -Math.sign(wind) * 2.4, depth: 0.045 })
}

/** Adds the fire's light to the smoke above it. */
function reddenFoot(
  { rgba, columns, rows, scale, left, top }: ReturnType<typeof createCloudSheet>,
  mouth: Mouth,
  unit: number,
  strength: number,
): void {
  for (let row = 0, index = 0; row < rows; row++) {
    const offsetY = (top + row * scale - mouth.y) / unit
    for (let column = 0; column < columns; column++, index += 4) {
      const cover = rgba[index + 3] ?? 0
      if (cover === 0) continue
      const offsetX = (left + column * scale - mouth.x) / unit
      const share = strength * Math.exp(-Math.hypot(offsetX * 1.25, offsetY) * 5.2)
      for (let channel = 0; channel < 3; channel++) {
        const value = rgba[index + channel] ?? 0
        rgba[index + channel] = value + (((lava.glow[channel] ?? 0) * cover) / 255 - value) * share * 0.8
      }
    }
  }
}

/** Paints flickering firelight in the air around the crater. */
function paintGlow(stage: Stage, mouth: Mouth, strength: number): Painter {
  const { compositor, geometry, brief } = stage
  const size = geometry.unit * 0.9
  const light = lightYuv(lava.glow)
  const power = (brief.time === 'day' ? 0.26 : 0.5) * strength
  const texture = compositor.texture(64, 64, (u, v, yuv) => {
    const glow = Math.max(0, Math.exp(-Math.hypot(u - 0.5, v - 0.5) * 9) - 0.012) * power
    yuv[0] = light[0] * glow
    yuv[1] = light[1] * glow
    yuv[2] = light[2] * glow
  })
  return (moment) => {
    const { x, y } = stage.project(mouth.x, mouth.y, 0.05, moment)
    const top = y - size * 0.55
    const flicker = 0.8 + 0.12 * Math.sin(moment.seconds * 5.1) + 0.08 * Math.sin(moment.seconds * 11.3 + 1)
    compositor.drawTexture(
      texture,
      { x: x - size / 2, y: top, width: size, height: size, rowFirst: Math.floor(top) & ~3, rowEnd: Math.ceil(top + size) },
      { mode: 'add', gain: flicker },
    )
  }
}

/** Paints molten rock that is thrown up and falls back in arcs. */
function paintFountain(stage: Stage, mouth: Mouth): Painter {
  const { compositor, geometry } = stage
  const random = stage.random('fountain')
  const drops = Array.from({ length: 110 }, () => ({
    sideDistance: (random() - 0.5) * (0.5 + random()),
    rise: 0.5 + 0.5 * random(),
    phase: random(),
    durationSeconds: 1.2 + random() * 1.2,
    size: 1.6 + 2.6 * random(),
  }))
  const light = lightYuv(lava.hotColor)
  return (moment) => {
    for (const { sideDistance, rise, phase, durationSeconds, size } of drops) {
      const lifeShare = (moment.seconds / durationSeconds + phase) % 1
      const lift = 4 * lifeShare * (1 - lifeShare) * rise * geometry.unit * 0.12
      const { x, y } = stage.project(
        mouth.x + sideDistance * lifeShare * mouth.radius * 2.4,
        mouth.y - lift + mouth.radius * 0.1,
        0.05,
        moment,
      )
      const strength = (1 - lifeShare) ** 0.7 * 0.8
      compositor.addSpot(x, y, Math.max(1.2, stage.toPixels(size)), [
        light[0] * strength,
        light[1] * strength,
        light[2] * strength,
      ])
    }
  }
}

/** Paints sparks that the wind carries past the viewer. */
function paintEmbers(stage: Stage): Painter {
  const { compositor, geometry } = stage
  const { width, height } = geometry
  const random = stage.random('embers')
  const light = lightYuv(lava.glow)
  const embers = Array.from({ length: 70 }, () => ({ x: random(), y: random(), nearness: random() ** 2, phase: random() * 6.28 }))
  return ({ seconds }) => {
    for (const { x, y, nearness, phase } of embers) {
      const drawX = (x + seconds * (0.012 + 0.05 * nearness) + 0.01 * Math.sin(seconds * 1.7 + phase)) % 1
      const shareY = (((y - seconds * (0.03 + 0.07 * nearness)) % 1) + 1) % 1
      const glow = (0.4 + 0.6 * Math.abs(Math.sin(seconds * 2.1 + phase * 3))) * Math.min(1, shareY * 5, (1 - shareY) * 5) * 0.7
      const radius = Math.max(1.2, stage.toPixels(1.6 + 4.4 * nearness))
      compositor.addSpot(drawX * width, shareY * height, radius, [light[0] * glow, light[1] * glow, light[2] * glow])
    }
  }
}
