import { blendTone, hex, mixRgb, scaleRgb, setTone, type Rgb } from '../../picture/color.ts'
import type { Layer } from '../../picture/compositor.ts'
import { clamp, smoothstep } from '../../picture/curves.ts'
import { paintClouds } from '../clouds/paint-clouds.ts'
import { paintGlitter } from '../water/glitter.ts'
import { createMistTexture, paintMist } from '../air/mist.ts'
import { drawPalm } from '../trees/palms.ts'
import { paintPassingBirds } from '../birds/passing-birds.ts'
import type { PlacedSubjects } from '../subjects/placed-subjects.ts'
import { paintBloom, paintMoon, paintSky, paintStars } from '../sky/sky.ts'
import { overscan, type Painter, type Stage } from '../stage.ts'
import { lightGround, type Material } from '../terrain/light-ground.ts'
import type { GroundObjects } from '../terrain/paint-slice.ts'
import { paintWaterland } from '../terrain/paint-waterland.ts'
import { createPlane, soften, type Plane } from '../terrain/plane.ts'
import { cutSlices } from '../terrain/slices.ts'

/** Returns how far the waterline at a distance is from the middle, toward the side of the land. */
type Coast = (z: number) => number

/** Paints a sandy bay with turquoise shallows, waves that run up in lines of foam, and palms. */
export function paintBeach(stage: Stage, subjects: PlacedSubjects): (Painter | undefined)[] {
  const { palette, horizon, geometry, brief } = stage
  const { unit } = geometry
  const wordRandom = stage.wordRandom('beach')
  const side = wordRandom() < 0.5 ? -1 : 1
  const [slant, bay, phase] = [0.14 + 0.2 * wordRandom(), 0.5 + 1.1 * wordRandom(), wordRandom() * 6]
  const start = -0.75 + 0.6 * wordRandom()
  // The land is where `side * x` exceeds the result.
  const coast: Coast = (z) => start + slant * z + bay * Math.sin(z * 0.34 + phase) * smoothstep(0.8, 9, z) * (0.3 + z * 0.05)
  const plane = createPlane(stage, { eyeHeight: 0.42, farthest: 42, rise: 0.1 })
  const { heights, inland } = raiseGround(stage, plane, coast, side)
  const isDay = brief.time === 'day'
  const mist = createMistTexture(stage)
  const air = mixRgb(palette.haze, palette.farColor, 0.3)
  const colors = lightGround(stage, plane, heights, {
    material: shoreSand(stage, plane, inland),
    air: { from: 4, reach: 24, shareMax: 0.8, color: air },
    shadows: 0.6,
  })
  const turquoise = mixRgb(hex('#1fb6b4'), palette.waterTint, isDay ? 0.35 : 0.75)
  const hasPlants = !brief.omittedParts.has('plants')
  return [
    paintSky(stage),
    paintStars(stage, horizon),
    paintMoon(stage),
    paintClouds(stage),
    subjects.sky,
    ...paintWaterland(stage, {
      relief: { plane, heights, colors, waterline: 0, shallows: 0.07 },
      slices: cutSlices(plane, [
        { from: 7, depth: 0.04 },
        { from: 2.2, depth: 0.1 },
        { from: 0, depth: 0.17 },
      ]),
      objects: hasPlants ? plantFarPalms(stage, plane, heights, inland, air) : undefined,
      water: {
        rippleFar: 2,
        rippleNear: 40,
        clarityFar: 0.72,
        clarityNear: isDay ? 0.2 : 0.4,
        frequency: 0.5,
        tint: turquoise,
      },
      afterSlice: (order) =>
        order === 0
          ? paintMist(stage, mist, { top: horizon - unit * 0.05, height: unit * 0.07, gain: 0.4, order, rowEnd: horizon })
          : order === 1
            ? paintBloom(stage)
            : undefined,
      floating: subjects.floating,
      onWater: brief.weather === 'clear' ? paintGlitter(stage, 150) : undefined,
    }),
    paintSurf(stage, plane, coast, side),
    paintPassingBirds(stage),
    subjects.ground,
    hasPlants ? paintNearPalm(stage, side) : undefined,
  ]
}

function raiseGround(stage: Stage, plane: Plane, coast: Coast, side: number): { heights: Float32Array; inland: Float32Array } {
  const { xs, zs } = plane
  const shift = stage.random('beach')() * 60
  const count = xs.length
  const hillHeight = stage.pick('beach hills', [0, 0.5, 1.2, 1.8])
  const softNoise = stage.noise.sampleAt({ shape: 'soft', octaves: 4, gain: 0.5 }, xs, zs, { scale: 0.5, shiftX: shift })
  const ridges = stage.noise.sampleAt({ shape: 'ridged', octaves: 6, gain: 0.48 }, xs, zs, { scale: 0.16, shiftX: shift })
  const heights = new Float32Array(count)
  const inland = new Float32Array(count)
  for (let index = 0; index < count; index++) {
    const z = zs[index] ?? 0
    const inlandDistance = side * (xs[index] ?? 0) - coast(z) + (softNoise[index] ?? 0) * 0.16
    inland[index] = inlandDistance
    const bank = smoothstep(0.6, 2.4, inlandDistance)
    heights[index] =
      inlandDistance < 0
        ? Math.max(-0.5, inlandDistance * 0.12)
        : inlandDistance * 0.06 +
          bank * (0.06 + (softNoise[index] ?? 0) * 0.08) +
          smoothstep(3, 8, inlandDistance) * hillHeight * (0.2 + (ridges[index] ?? 0)) * smoothstep(4, 9, z)
  }
  return { heights: soften(stage, plane, heights, 1), inland }
}

/** Returns the material of pale sand, dark where it is wet, with grass and woods behind it. */
function shoreSand(stage: Stage, { xs, zs }: Plane, inland: Float32Array): Material {
  const { noise } = stage
  const sand = hex(stage.pick('beach sand', ['#f2dfb8', '#ecd2a4', '#f6e9d2', '#e4c49a']))
  const wetSand = mixRgb(scaleRgb(sand, 0.62), hex('#6c7c80'), 0.25)
  const [grass, wood] = [hex('#7c9048'), hex('#2f5c38')]
  const grain = noise.sampleAt({ shape: 'soft', octaves: 5, gain: 0.6 }, xs, zs, { scale: 3 })
  return ({ index, height, z }, tone) => {
    const roughness = grain[index] ?? 0
    const inlandDistance = inland[index] ?? 0
    setTone(tone, sand)
    blendTone(tone, scaleRgb(sand, 0.82), clamp(0.3 + roughness * 1.2) * smoothstep(0.1, 0.5, inlandDistance))
    blendTone(tone, wetSand, 1 - smoothstep(0.02, 0.2 + roughness * 0.12, inlandDistance))
    blendTone(tone, hex('#bfe0cc'), smoothstep(0, -0.12, height) * 0.6)
    const farFade = smoothstep(2.5, 6, z)
    blendTone(tone, grass, smoothstep(1.5, 2.6, inlandDistance + roughness) * farFade)
    blendTone(tone, wood, smoothstep(2.4, 3.6, inlandDistance + roughness * 1.5) * farFade)
  }
}

const palmTones = { trunk: hex('#7a634c'), leaf: hex('#4a8a3a') }

function createPalmLook({ palette }: Stage): { trunk: Rgb; leaf: Rgb; litColor: Rgb } {
  const shade = 0.12 + palette.subjectShade * 1.2
  return {
    trunk: mixRgb(palmTones.trunk, palette.nearColor, shade),
    leaf: mixRgb(palmTones.leaf, palette.nearColor, shade),
    litColor: mixRgb(palette.litColor, palmTones.leaf, 0.35),
  }
}

/** Returns palms in a loose row along the upper beach. */
function plantFarPalms(
  stage: Stage,
  { rays, steps, zs }: Plane,
  heights: Float32Array,
  inland: Float32Array,
  air: Rgb,
): GroundObjects {
  const random = stage.random('far palms')
  const look = createPalmLook(stage)
  const spots = Array.from({ length: 4200 }, () => ({ ray: Math.floor(random() * rays), step: Math.floor(random() * steps) }))
    .filter(({ ray, step }) => {
      const index = step * rays + ray
      const inlandDistance = inland[index] ?? 0
      return inlandDistance > 1.1 && inlandDistance < 3.4 && (zs[index] ?? 0) > 3.4 && (heights[index] ?? 0) < 0.6
    })
    .toSorted((a, b) => b.step - a.step)
    .filter((_, index) => index % 3 === 0)
    .slice(-46)
  return {
    height: 0.62,
    draw: (context, locate) => {
      const shape = stage.random('palm shapes')
      for (const { ray, step } of spots) {
        const spot = locate(ray, step)
        const height = (spot?.scale ?? 0) * (0.3 + 0.32 * shape())
        if (!spot || height < 5) continue
        const haze = 0.7 * (1 - Math.exp(-(zs[step * rays] ?? 0) / 18))
        const tone = (color: Rgb): Rgb => mixRgb(color, air, haze)
        const foot = { x: spot.x, y: spot.y, height, lean: (shape() - 0.5) * 0.8, random: shape }
        drawPalm(context, { ...foot, trunk: tone(look.trunk), leaf: tone(look.leaf), litColor: tone(look.litColor) })
      }
    },
  }
}

/**
 * Paints the crown of a palm beside the viewer. It hangs into the frame from an upper corner. Some
 * beaches have none.
 */
function paintNearPalm(stage: Stage, side: number): Painter | undefined {
  if (!stage.pick('near palm', [true, true, false])) return undefined
  const { compositor, geometry } = stage
  const { unit, width } = geometry
  const random = stage.random('near palm')
  const look = createPalmLook(stage)
  const darkColor = stage.palette.nearColor
  const layer = compositor.layer(unit * 0.8, unit * 0.66, (context, w, h) => {
    drawPalm(context, {
      x: w * (side > 0 ? 0.95 : 0.05),
      y: h * 1.6,
      height: unit * 0.86,
      lean: -side * 0.12,
      trunk: mixRgb(look.trunk, darkColor, 0.4),
      leaf: mixRgb(look.leaf, darkColor, 0.4),
      litColor: look.litColor,
      random,
    })
  })
  const x = side > 0 ? width - layer.width * 0.8 : -layer.width * 0.2
  return (moment) => {
    const sway = Math.sin(moment.seconds * 0.8) * stage.toPixels(3)
    stage.drawAt(layer, { x: x + sway, y: -unit * 0.12, depth: 0.3 }, moment)
  }
}

const surfPoseCount = 16
/** Duration of the surf's cycle. */
const surfSeconds = 6.5
/** Distance from the waterline, in ground units, at which a wave starts to break. */
const breakDistance = 1.7

/**
 * Paints waves that come in, break and run up the sand. The motion is a cycle of drawn poses, each
 * of which fades into the next.
 */
function paintSurf(stage: Stage, plane: Plane, coast: Coast, side: number): Painter {
  const { compositor, geometry, horizon, palette, brief } = stage
  const { width, height, unit } = geometry
  const scale = Math.max(1, unit / 330)
  const layerWidth = Math.ceil((width * overscan) / 16) * 16
  const columns = Math.max(32, Math.ceil(layerWidth / scale / 2) * 2)
  const rows = Math.max(4, Math.ceil((height * 1.08 - horizon) / scale / 2) * 2)
  const white = mixRgb(
    brief.time === 'night' ? hex('#9fb4c8') : hex('#ffffff'),
    palette.skylight,
    brief.time === 'day' ? 0.05 : 0.3,
  )
  const farthest = plane.distances.at(-1) ?? 1
  // For each texel: distance seaward from the waterline, and distance from the viewer.
  const [seawardDistances, viewerDistances] = [new Float32Array(columns * rows), new Float32Array(columns * rows)]
  for (let row = 0, index = 0; row < rows; row++) {
    const z = (plane.eyeHeight * plane.focal) / ((row + 0.5) * scale)
    for (let column = 0; column < columns; column++, index++) {
      const x = (((column + 0.5) * scale - layerWidth / 2) / plane.focal) * z
      const wander = 0.09 * Math.sin(x * 1.9 + z * 1.3) + 0.05 * Math.sin(x * 4.7 - z * 3.1 + 2)
      seawardDistances[index] = z > farthest ? 99 : coast(z) - side * x + wander
      viewerDistances[index] = z
    }
  }
  const lace = stage.noise.sample({ shape: 'ridged', octaves: 3, gain: 0.6 }, columns * rows, (index, point) => {
    const z = viewerDistances[index] ?? 1
    point.x = ((((index % columns) + 0.5) * scale - layerWidth / 2) / plane.focal) * z * 5
    point.y = z * 5
  })
  const drawPose = (phase: number): Layer => {
    const rgba = new Uint8Array(columns * rows * 4)
    const edge = -0.1 - 0.2 * Math.sin(phase * Math.PI * 2)
    const breakers = [0, 0.34, 0.68].map((offset) => {
      const cycleShare = (phase + offset) % 1
      return {
        seawardDistance: 0.2 + (1 - cycleShare) * (breakDistance - 0.3),
        strength: smoothstep(0, 0.4, cycleShare) * (1 - smoothstep(0.86, 1, cycleShare)),
      }
    })
    for (let index = 0; index < seawardDistances.length; index++) {
      const seaward = seawardDistances[index] ?? 99
      if (seaward > breakDistance + 0.5 || seaward < edge - 0.1) continue
      const z = viewerDistances[index] ?? 1
      const lineWidth = 0.012 + 0.004 * z
      const holes = smoothstep(0.42, 0.78, lace[index] ?? 0)
      const behindEdge = seaward - edge
      let foam = 0
      if (behindEdge > -lineWidth) {
        foam = Math.exp(-((behindEdge / (lineWidth * 1.6)) ** 2)) * 0.9
        if (behindEdge > 0) foam += Math.exp(-behindEdge * 4.2) * (0.1 + 0.62 * holes)
      }
      for (const { seawardDistance, strength } of breakers) {
        const behindFront = seaward - seawardDistance
        if (behindFront > -lineWidth * 2)
          foam +=
            strength *
            (behindFront < 0
              ? 1 + behindFront / (lineWidth * 2)
              : Math.exp(-behindFront * 9) * (0.34 + 0.66 * holes) + Math.exp(-behindFront * 3) * 0.3 * holes)
      }
      const cover = clamp(foam) * 0.92
      rgba[index * 4] = white[0] * cover
      rgba[index * 4 + 1] = white[1] * cover
      rgba[index * 4 + 2] = white[2] * cover
      rgba[index * 4 + 3] = 255 * cover
    }
    return compositor.layerFromPixels(columns, rows, rgba)
  }
  const poses = Array.from({ length: surfPoseCount }, (_, pose) => drawPose(pose / surfPoseCount))
  const x = (width - layerWidth) / 2
  return (moment) => {
    const posePosition = ((moment.seconds / surfSeconds) % 1) * surfPoseCount
    const poseIndex = Math.floor(posePosition)
    const [current, next] = [poses[poseIndex % surfPoseCount], poses[(poseIndex + 1) % surfPoseCount]]
    const nextShare = posePosition - poseIndex
    const placement = { x, y: horizon, depth: 0.13, scale }
    if (current) stage.drawAt(current, { ...placement, opacity: 1 - nextShare }, moment)
    if (next) stage.drawAt(next, { ...placement, opacity: nextShare }, moment)
  }
}
