import { blendTone, css, hex, lightYuv, mixRgb, scaleRgb, setTone, toYuv, type Rgb } from '../../picture/color.ts'
import { clamp, smoothstep } from '../../picture/curves.ts'
import { paintClouds } from '../clouds/paint-clouds.ts'
import { paintBank } from '../terrain/bank.ts'
import { createMistTexture, paintMist } from '../air/mist.ts'
import { paintPassingBirds } from '../birds/passing-birds.ts'
import type { PlacedSubjects } from '../subjects/placed-subjects.ts'
import { paintShore } from '../water/shore.ts'
import { paintBloom, paintMoon, paintSky, paintStars } from '../sky/sky.ts'
import type { Moment, Painter, Stage } from '../stage.ts'
import { woodsOf } from '../terrain/alpine.ts'
import { lightGround, type Material } from '../terrain/light-ground.ts'
import { paintWaterland } from '../terrain/paint-waterland.ts'
import { createPlane, soften, type Plane } from '../terrain/plane.ts'
import { plantTrees } from '../trees/plant-trees.ts'
import { cutSlices } from '../terrain/slices.ts'
import { combinePainters } from '../combine-painters.ts'

/** A cliff: its distance, its height and its waterfalls. Lengths are in ground units (`Plane`). */
interface Cliff {
  z: number
  height: number
  falls: readonly { x: number; halfWidth: number }[]
  /** Half the width of the gorge in front of the cliff. */
  gorgeHalfWidth: number
}

const cliffs: readonly [Cliff, ...Cliff[]] = [
  // A tall narrow fall.
  { z: 4.6, height: 2.3, falls: [{ x: 0.3, halfWidth: 0.3 }], gorgeHalfWidth: 1.4 },
  // A wide curtain.
  { z: 5, height: 1.5, falls: [{ x: 0, halfWidth: 1.5 }], gorgeHalfWidth: 2.6 },
  // Twin falls.
  {
    z: 4.8,
    height: 1.9,
    falls: [
      { x: -0.65, halfWidth: 0.26 },
      { x: 0.55, halfWidth: 0.4 },
    ],
    gorgeHalfWidth: 1.9,
  },
  // A veil of three falls.
  {
    z: 5.2,
    height: 1.8,
    falls: [
      { x: -1, halfWidth: 0.16 },
      { x: -0.2, halfWidth: 0.5 },
      { x: 0.9, halfWidth: 0.22 },
    ],
    gorgeHalfWidth: 2.2,
  },
]

/** Paints water that falls over a cliff into a pool, with spray that drifts up from its foot. */
export function paintWaterfall(stage: Stage, subjects: PlacedSubjects): (Painter | undefined)[] {
  const { palette, horizon, geometry, brief } = stage
  const { unit, height } = geometry
  const cliffChoice = stage.pick('cliff', cliffs)
  const side = stage.wordRandom('cliff side')() < 0.5 ? -1 : 1
  const cliff: Cliff = { ...cliffChoice, falls: cliffChoice.falls.map(({ x, halfWidth }) => ({ x: x * side, halfWidth })) }
  const plane = createPlane(stage, { eyeHeight: 0.5, farthest: 30, rise: 0.15 })
  const heights = raiseGround(stage, plane, cliff)
  const mist = createMistTexture(stage)
  const air = mixRgb(palette.haze, palette.mist, 0.4)
  const colors = lightGround(stage, plane, heights, {
    material: wetRock(stage, plane),
    air: { from: 2.5, reach: 11, shareMax: 0.85, color: air },
    relief: 0.8,
  })
  const hasPlants = !brief.omittedParts.has('plants')
  const objects = hasPlants
    ? plantTrees(stage, plane, heights, {
        ...woodsOf(stage, air),
        count: 2600,
        height: 0.42,
        threshold: -0.3,
        highest: 9,
        nearest: 2,
        // No trees in the water or on the walls.
        isBare: (index) =>
          (heights[index] ?? 0) < 0.12 || Math.abs((heights[index + plane.rays] ?? 0) - (heights[index] ?? 0)) > 0.05,
      })
    : undefined
  const falls = paintFalls(stage, plane, heights, cliff)
  const spray = paintSpray(stage, plane, cliff, air)
  return [
    paintSky(stage),
    paintStars(stage, horizon),
    paintMoon(stage),
    paintClouds(stage),
    subjects.sky,
    ...paintWaterland(stage, {
      relief: { plane, heights, colors, waterline: 0, shallows: 0.06 },
      slices: cutSlices(
        plane,
        [
          { from: cliff.z + 1.6, depth: 0.04 },
          { from: cliff.z - 1, depth: fallDepth },
          { from: 0, depth: 0.17 },
        ],
        0.15,
      ),
      objects,
      water: { rippleFar: 5, rippleNear: 34, clarityFar: 0.8, clarityNear: 0.45, frequency: 1.2 },
      afterSlice: (order) =>
        order === 0
          ? paintMist(stage, mist, {
              top: horizon - unit * 0.3,
              height: unit * 0.26,
              gain: 0.36,
              color: air,
              order,
              rowEnd: horizon,
            })
          : order === 1
            ? (moment) => falls(moment, 0)
            : undefined,
      floating: undefined,
      afterBank: (order) =>
        order === 1 ? combinePainters([(moment) => falls(moment, horizon), paintBloom(stage, height), spray]) : undefined,
    }),
    subjects.floating,
    paintPassingBirds(stage),
    paintShore(stage),
    subjects.ground,
    hasPlants
      ? paintBank(stage, {
          color: scaleRgb(palette.nearColor, 0.6),
          bladeColor: mixRgb(palette.nearColor, hex('#2c5a30'), 0.4),
          bankHeight: 0.13,
          bladeHeight: 0.1,
          blades: 1500,
          opening: 0.44,
          hasSeedHeads: false,
        })
      : undefined,
    paintMist(stage, mist, { top: horizon + unit * 0.1, height: unit * 0.16, gain: 0.26, color: air, order: 2 }),
  ]
}

const fallDepth = 0.08

function raiseGround(stage: Stage, plane: Plane, { z: edge, height, falls, gorgeHalfWidth }: Cliff): Float32Array {
  const { xs, zs } = plane
  const { noise } = stage
  const shift = stage.random('waterfall')() * 60
  const count = xs.length
  const softNoise = noise.sampleAt({ shape: 'soft', octaves: 4, gain: 0.5 }, xs, zs, { scale: 0.7, shiftX: shift })
  const crags = noise.sampleAt({ shape: 'ridged', octaves: 5, gain: 0.55 }, xs, zs, { scale: 1.3, scaleY: 0.9, shiftX: shift })
  const heights = new Float32Array(count)
  for (let index = 0; index < count; index++) {
    const x = xs[index] ?? 0
    const z = zs[index] ?? 0
    const bump = softNoise[index] ?? 0
    const crag = crags[index] ?? 0
    // Share of falling water: 1 where water runs over the edge.
    let channel = 0
    for (const fall of falls)
      channel = Math.max(channel, 1 - smoothstep(fall.halfWidth * 0.8, fall.halfWidth * 1.15, Math.abs(x - fall.x)))
    const bends = (bump * 1.1 + crag * 0.35) * (1 - channel)
    const plateauShare = smoothstep(edge - 0.06, edge + 0.16, z + bends * 0.8 - 0.2 * (1 - channel))
    const wallAt = gorgeHalfWidth * (0.62 + 0.38 * smoothstep(1, edge, z)) + bump * 1.1
    const wall = smoothstep(0, 0.8, Math.abs(x) - wallAt) * (1 - smoothstep(0.5, 1.9, 2.6 - z))
    const top = height * (0.94 + bump * 0.3 * (1 - channel) + 0.07 * crag) + (z - edge) * 0.03
    const rise = Math.max(plateauShare * (top - channel * 0.07), wall * height * (0.5 + 0.35 * crag + bump * 0.5))
    const bank = Math.max(Math.abs(x) - wallAt * 0.92, (1.15 - z) * 0.5)
    const boulders = smoothstep(0.72, 0.95, crag) * 0.16 * smoothstep(-0.7, -0.1, bank)
    const shore = Math.min(0.2, bank * 0.3 + bump * 0.04) + boulders
    heights[index] = rise > 0.001 ? Math.max(rise, shore) : shore
  }
  return soften(stage, plane, heights, 1)
}

/** Returns the material of dark wet rock, with moss or snow where it is level. */
function wetRock(stage: Stage, { xs, zs }: Plane): Material {
  const { noise, palette, brief } = stage
  const isWinter = brief.weather === 'snow'
  const rock = mixRgb(hex(stage.pick('rock', ['#6a665f', '#5c5f60', '#75675a'])), palette.farColor, 0.15)
  const moss = isWinter ? hex('#e6ecf4') : brief.season === 'autumn' ? hex('#94743a') : hex('#55742f')
  const darkColor = scaleRgb(rock, 0.5)
  const grain = noise.sampleAt({ shape: 'soft', octaves: 5, gain: 0.62 }, xs, zs, { scale: 4 })
  return ({ index, height, level }, tone) => {
    const roughness = (grain[index] ?? 0) * 1.6
    const layers = Math.sin(height * 26 + roughness * 5) * 0.5
    setTone(tone, rock)
    blendTone(tone, darkColor, clamp(0.42 + roughness * 0.7 + layers * 0.3))
    blendTone(tone, moss, smoothstep(0.5, 0.85, level + roughness * 0.3) * smoothstep(0.02, 0.1, height))
    blendTone(tone, darkColor, 1 - smoothstep(0.01, 0.07, height))
  }
}

/**
 * Paints falling sheets of water strands that repeat from top to bottom. Each fall has two
 * overlapping sheets with different speeds.
 */
function paintFalls(stage: Stage, plane: Plane, heights: Float32Array, cliff: Cliff): (moment: Moment, rowFirst: number) => void {
  const { compositor, geometry, palette, horizon } = stage
  const pixelsPerLength = plane.focal / cliff.z
  const white = mixRgb(mixRgb(hex('#f4f9fc'), palette.sunlight, 0.3), palette.skylight, stage.brief.time === 'night' ? 0.6 : 0.22)
  const blue = mixRgb(scaleRgb(palette.skylight, 0.8), white, 0.25)
  const bottom = horizon + (plane.eyeHeight + 0.01) * pixelsPerLength
  const scale = Math.max(1, geometry.unit / 540)
  const period = Math.ceil((cliff.height * pixelsPerLength * 0.8) / scale / 2) * 2
  const sheets = cliff.falls.map(({ x, halfWidth }, order) => {
    const width = halfWidth * 2.5 * pixelsPerLength
    const top = lipRow(stage, plane, heights, cliff, x)
    const random = stage.random(`strands ${order}`)
    const drawStrands = (density: number, alpha: number) =>
      compositor.layer(width / scale, period, (context, w, h) => {
        context.lineCap = 'round'
        if (density > 1) {
          const fill = context.createLinearGradient(0, 0, w, 0)
          fill.addColorStop(0, css(blue, 0))
          fill.addColorStop(0.07, css(blue, 0.3))
          fill.addColorStop(0.2, css(blue, 0.86))
          fill.addColorStop(0.5, css(mixRgb(blue, white, 0.4), 0.94))
          fill.addColorStop(0.8, css(blue, 0.86))
          fill.addColorStop(0.93, css(blue, 0.3))
          fill.addColorStop(1, css(blue, 0))
          context.fillStyle = fill
          context.fillRect(0, 0, w, h)
        }
        const count = Math.round(w * density)
        for (let strand = 0; strand < count; strand++) {
          const drawX = (random() + random() * 0.4 - 0.2) * w
          const edge = 1 - Math.abs((drawX / w) * 2 - 1) ** 4
          const length = h * (0.16 + 0.5 * random())
          const y = random() * h
          context.lineWidth = Math.max(0.7, w * (0.003 + 0.016 * random() ** 3))
          for (const shift of [0, -h]) {
            const fade = context.createLinearGradient(0, y + shift, 0, y + shift + length)
            const strength = alpha * edge * (0.3 + 0.7 * random())
            fade.addColorStop(0, css(white, 0))
            fade.addColorStop(0.4, css(white, strength))
            fade.addColorStop(1, css(white, 0))
            context.strokeStyle = fade
            context.beginPath()
            context.moveTo(drawX, y + shift)
            context.lineTo(drawX + (random() - 0.5) * w * 0.015, y + shift + length)
            context.stroke()
          }
        }
      })
    const lip = compositor.layer(width, Math.max(8, width * 0.12), (context, w, h) => {
      context.translate(w / 2, h / 2)
      context.scale(1, h / w)
      const lipGlow = context.createRadialGradient(0, 0, 0, 0, 0, w * 0.46)
      lipGlow.addColorStop(0, css(white, 0.95))
      lipGlow.addColorStop(0.7, css(mixRgb(white, blue, 0.4), 0.8))
      lipGlow.addColorStop(1, css(blue, 0))
      context.fillStyle = lipGlow
      context.fillRect(-w / 2, -w / 2, w, w)
    })
    return { x: geometry.width / 2 + x * pixelsPerLength, top, lip, back: drawStrands(2.4, 0.55), front: drawStrands(0.9, 0.8) }
  })
  return (moment, rowFirst) => {
    for (const { x, top, lip, back, front } of sheets) {
      scroll(stage, back, { x, top, bottom, scale, speed: 0.62, rowFirst }, moment)
      scroll(stage, front, { x, top, bottom, scale, speed: 0.94, rowFirst }, moment)
      if (rowFirst < top) stage.drawAt(lip, { x: x - lip.width / 2, y: top - lip.height * 0.5, depth: fallDepth }, moment)
    }
  }
}

/** Returns the frame row at which the water flows over the edge. */
function lipRow({ geometry, horizon }: Stage, plane: Plane, heights: Float32Array, cliff: Cliff, x: number): number {
  const { rays, steps, distances, focal, left, right, eyeHeight } = plane
  let highest = horizon
  for (let step = 0; step < steps; step++) {
    const z = distances[step] ?? 1
    if (z < cliff.z - 0.6 || z > cliff.z + 1.4) continue
    const ray = Math.round((((x / z) * focal + geometry.width / 2 - left) / (right - left)) * (rays - 1))
    const row = horizon + ((eyeHeight - (heights[step * rays + Math.max(0, Math.min(rays - 1, ray))] ?? 0)) / z) * focal
    highest = Math.min(highest, row)
  }
  return highest
}

/** Draws a vertically repeating layer between two rows. The layer moves down with time. */
function scroll(
  stage: Stage,
  layer: Parameters<Stage['drawAt']>[0],
  {
    x,
    top,
    bottom,
    scale,
    speed,
    rowFirst: rowMin,
  }: { x: number; top: number; bottom: number; scale: number; speed: number; rowFirst: number },
  moment: Moment,
): void {
  const upper = stage.project(x, top, fallDepth, moment)
  const lower = stage.project(x, bottom, fallDepth, moment)
  const size = scale * upper.zoom
  const height = layer.height * size
  const fallDistance = ((moment.seconds * speed) % 1) * height
  const rowEnd = roundToEven(lower.y)
  for (let y = upper.y + fallDistance - height; y < rowEnd; y += height) {
    const rowFirst = roundToEven(Math.max(y, upper.y, rowMin))
    stage.compositor.drawLayer(layer, {
      x: upper.x - (layer.width * size) / 2,
      y,
      scale: size,
      rowFirst,
      rowEnd: Math.min(rowEnd, roundToEven(y + height)),
    })
  }
}

/**
 * Rounds to an even row. Rows are drawn in pairs, and a row that two sheets draw would be twice as
 * bright.
 */
function roundToEven(row: number): number {
  return Math.round(row / 2) * 2
}

/** Paints clouds of spray that grow and thin out over the foot of each fall, with drops in them. */
function paintSpray(stage: Stage, plane: Plane, { z, falls }: Cliff, air: Rgb): Painter {
  const { compositor, geometry, horizon, noise, palette } = stage
  const { unit } = geometry
  const pixelsPerLength = plane.focal / z
  const side = 64
  const puffs = noise.grid({ shape: 'soft', octaves: 4, gain: 0.55 }, side, side, (u, v, point) => {
    point.x = u * 5
    point.y = v * 5
  })
  const texture = compositor.coverTexture(side, side, (u, v, index) => {
    const distance = Math.hypot(u - 0.5, v - 0.5) * 2
    return (1 - smoothstep(0.2, 0.95, distance + (puffs[index] ?? 0) * 0.5)) * (0.7 + (puffs[index] ?? 0) * 0.6)
  })
  const color = toYuv(mixRgb(air, mixRgb([255, 255, 255], palette.sunlight, 0.4), 0.5))
  const foot = horizon + plane.eyeHeight * pixelsPerLength
  const random = stage.random('spray')
  const light = lightYuv(mixRgb([210, 220, 226], palette.sunlight, 0.3))
  const clouds = falls.flatMap(({ x, halfWidth }) =>
    Array.from({ length: Math.max(3, Math.round(halfWidth * 6)) }, (_, index) => ({
      x: geometry.width / 2 + (x + (random() - 0.5) * halfWidth * 2) * pixelsPerLength,
      size: pixelsPerLength * (0.4 + 0.45 * random()),
      phase: index * 0.37 + random() * 0.1,
    })),
  )
  const drops = falls.flatMap(({ x, halfWidth }) =>
    Array.from({ length: Math.round(30 + halfWidth * 30) }, () => ({
      x: geometry.width / 2 + (x + (random() - 0.5) * halfWidth * 2) * pixelsPerLength,
      sideOffset: (random() - 0.5) * unit * 0.08,
      rise: unit * (0.02 + 0.05 * random()),
      phase: random(),
      durationSeconds: 0.7 + 0.6 * random(),
    })),
  )
  return (moment) => {
    // Foam at the foot of the fall.
    for (const { x, halfWidth } of falls) {
      const point = stage.project(geometry.width / 2 + x * pixelsPerLength, foot, fallDepth, moment)
      const [width, height] = [halfWidth * 3.4 * pixelsPerLength, pixelsPerLength * 0.2]
      compositor.drawTexture(
        texture,
        {
          x: point.x - width / 2,
          y: point.y - height * 0.6,
          width,
          height,
          rowFirst: Math.floor(point.y - height * 0.6) & ~3,
          rowEnd: Math.ceil(point.y + height * 0.4),
        },
        { mode: 'cover', gain: 0.9, color },
      )
    }
    for (const { x, size, phase } of clouds) {
      const lifeShare = (moment.seconds * 0.16 + phase) % 1
      const point = stage.project(x, foot - lifeShare * unit * 0.07, fallDepth, moment)
      const width = size * (0.8 + 0.9 * lifeShare)
      const height = width * 0.7
      compositor.drawTexture(
        texture,
        {
          x: point.x - width / 2,
          y: point.y - height * 0.62,
          width,
          height,
          rowFirst: Math.floor(point.y - height * 0.62) & ~3,
          rowEnd: Math.ceil(point.y + height * 0.38),
        },
        { mode: 'cover', gain: 0.8 * Math.sin(Math.PI * lifeShare) ** 0.7, color },
      )
    }
    for (const { x, sideOffset, rise, phase, durationSeconds } of drops) {
      const lifeShare = (moment.seconds / durationSeconds + phase) % 1
      const point = stage.project(x + sideOffset * lifeShare, foot - 4 * lifeShare * (1 - lifeShare) * rise, fallDepth, moment)
      const strength = (1 - lifeShare) * 0.5
      compositor.addSpot(point.x, point.y, Math.max(1.1, stage.toPixels(1.8)), [
        light[0] * strength,
        light[1] * strength,
        light[2] * strength,
      ])
    }
  }
}
