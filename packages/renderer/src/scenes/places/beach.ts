import { blendTone, hex, mixRgb, scaleRgb, setTone, type Rgb } from '../../picture/colour.ts'
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
import type { Furnish } from '../terrain/paint-slice.ts'
import { paintWaterland } from '../terrain/paint-waterland.ts'
import { createPlane, soften, type Plane } from '../terrain/plane.ts'
import { cutSlices } from '../terrain/slices.ts'

/** Sideways position of the waterline at a distance, positive on the land's side. */
type Coast = (z: number) => number

/**
 * Paints a sandy bay: turquoise shallows, waves that run up in lines of foam, palms on the land's
 * side.
 */
export function paintBeach(stage: Stage, subjects: PlacedSubjects): (Painter | undefined)[] {
  const { palette, horizon, geometry, brief } = stage
  const { unit } = geometry
  const wording = stage.wording('beach')
  const side = wording() < 0.5 ? -1 : 1
  const [slant, bay, phase] = [0.14 + 0.2 * wording(), 0.5 + 1.1 * wording(), wording() * 6]
  const start = -0.75 + 0.6 * wording()
  // The land is where side * x exceeds this value.
  const coast: Coast = (z) => start + slant * z + bay * Math.sin(z * 0.34 + phase) * smoothstep(0.8, 9, z) * (0.3 + z * 0.05)
  const plane = createPlane(stage, { eye: 0.42, far: 42, rise: 0.1 })
  const { heights, inland } = raise(stage, plane, coast, side)
  const isDay = brief.time === 'day'
  const mist = createMistTexture(stage)
  const air = mixRgb(palette.haze, palette.far, 0.3)
  const colours = lightGround(stage, plane, heights, {
    material: shoreSand(stage, plane, inland),
    air: { from: 4, reach: 24, most: 0.8, colour: air },
    shadows: 0.6,
  })
  const turquoise = mixRgb(hex('#1fb6b4'), palette.waterTint, isDay ? 0.35 : 0.75)
  const plants = !brief.without.has('plants')
  return [
    paintSky(stage),
    paintStars(stage, horizon),
    paintMoon(stage),
    paintClouds(stage),
    subjects.sky,
    ...paintWaterland(stage, {
      relief: { plane, heights, colours, waterline: 0, shallows: 0.07 },
      slices: cutSlices(plane, [
        { from: 7, depth: 0.04 },
        { from: 2.2, depth: 0.1 },
        { from: 0, depth: 0.17 },
      ]),
      furnish: plants ? farPalms(stage, plane, heights, inland, air) : undefined,
      water: {
        rippleFar: 2,
        rippleNear: 40,
        clarityFar: 0.72,
        clarityNear: isDay ? 0.2 : 0.4,
        frequency: 0.5,
        tint: turquoise,
      },
      between: (order) =>
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
    plants ? paintNearPalm(stage, side) : undefined,
  ]
}

function raise(stage: Stage, plane: Plane, coast: Coast, side: number): { heights: Float32Array; inland: Float32Array } {
  const { xs, zs } = plane
  const shift = stage.random('beach')() * 60
  const count = xs.length
  const hilly = stage.pick('beach hills', [0, 0.5, 1.2, 1.8])
  const soft = stage.noise.sampleAt({ shape: 'soft', octaves: 4, gain: 0.5 }, xs, zs, { scale: 0.5, shiftX: shift })
  const ridges = stage.noise.sampleAt({ shape: 'ridged', octaves: 6, gain: 0.48 }, xs, zs, { scale: 0.16, shiftX: shift })
  const heights = new Float32Array(count)
  const inland = new Float32Array(count)
  for (let index = 0; index < count; index++) {
    const z = zs[index] ?? 0
    const into = side * (xs[index] ?? 0) - coast(z) + (soft[index] ?? 0) * 0.16
    inland[index] = into
    const bank = smoothstep(0.6, 2.4, into)
    heights[index] =
      into < 0
        ? Math.max(-0.5, into * 0.12)
        : into * 0.06 +
          bank * (0.06 + (soft[index] ?? 0) * 0.08) +
          smoothstep(3, 8, into) * hilly * (0.2 + (ridges[index] ?? 0)) * smoothstep(4, 9, z)
  }
  return { heights: soften(plane, heights, 1), inland }
}

/** Pale sand that is dark where waves have wetted it, with grass and woods behind. */
function shoreSand(stage: Stage, { xs, zs }: Plane, inland: Float32Array): Material {
  const { noise } = stage
  const sand = hex(stage.pick('beach sand', ['#f2dfb8', '#ecd2a4', '#f6e9d2', '#e4c49a']))
  const wet = mixRgb(scaleRgb(sand, 0.62), hex('#6c7c80'), 0.25)
  const [grass, wood] = [hex('#7c9048'), hex('#2f5c38')]
  const grain = noise.sampleAt({ shape: 'soft', octaves: 5, gain: 0.6 }, xs, zs, { scale: 3 })
  return ({ index, height, z }, own) => {
    const rough = grain[index] ?? 0
    const into = inland[index] ?? 0
    setTone(own, sand)
    blendTone(own, scaleRgb(sand, 0.82), clamp(0.3 + rough * 1.2) * smoothstep(0.1, 0.5, into))
    blendTone(own, wet, 1 - smoothstep(0.02, 0.2 + rough * 0.12, into))
    blendTone(own, hex('#bfe0cc'), smoothstep(0, -0.12, height) * 0.6)
    const far = smoothstep(2.5, 6, z)
    blendTone(own, grass, smoothstep(1.5, 2.6, into + rough) * far)
    blendTone(own, wood, smoothstep(2.4, 3.6, into + rough * 1.5) * far)
  }
}

const palmTones = { trunk: hex('#7a634c'), leaf: hex('#4a8a3a') }

function palmLook({ palette }: Stage): { trunk: Rgb; leaf: Rgb; lit: Rgb } {
  const shade = 0.12 + palette.subjectShade * 1.2
  return {
    trunk: mixRgb(palmTones.trunk, palette.near, shade),
    leaf: mixRgb(palmTones.leaf, palette.near, shade),
    lit: mixRgb(palette.lit, palmTones.leaf, 0.35),
  }
}

/** Plants palms in a loose row along the upper beach. */
function farPalms(stage: Stage, { rays, steps, zs }: Plane, heights: Float32Array, inland: Float32Array, air: Rgb): Furnish {
  const random = stage.random('far palms')
  const look = palmLook(stage)
  const spots = Array.from({ length: 4200 }, () => ({ ray: Math.floor(random() * rays), step: Math.floor(random() * steps) }))
    .filter(({ ray, step }) => {
      const index = step * rays + ray
      const into = inland[index] ?? 0
      return into > 1.1 && into < 3.4 && (zs[index] ?? 0) > 3.4 && (heights[index] ?? 0) < 0.6
    })
    .toSorted((a, b) => b.step - a.step)
    .filter((_, index) => index % 3 === 0)
    .slice(-46)
  return {
    tall: 0.62,
    draw: (context, at) => {
      const shape = stage.random('palm shapes')
      for (const { ray, step } of spots) {
        const spot = at(ray, step)
        const height = (spot?.scale ?? 0) * (0.3 + 0.32 * shape())
        if (!spot || height < 5) continue
        const haze = 0.7 * (1 - Math.exp(-(zs[step * rays] ?? 0) / 18))
        const tone = (colour: Rgb): Rgb => mixRgb(colour, air, haze)
        const foot = { x: spot.x, y: spot.y, height, lean: (shape() - 0.5) * 0.8, random: shape }
        drawPalm(context, { ...foot, trunk: tone(look.trunk), leaf: tone(look.leaf), lit: tone(look.lit) })
      }
    },
  }
}

/**
 * Paints the crown of a palm beside the viewer, which hangs into the frame from its upper corner.
 */
function paintNearPalm(stage: Stage, side: number): Painter | undefined {
  if (!stage.pick('near palm', [true, true, false])) return undefined
  const { compositor, geometry } = stage
  const { unit, width } = geometry
  const random = stage.random('near palm')
  const look = palmLook(stage)
  const dark = stage.palette.near
  const layer = compositor.layer(unit * 0.8, unit * 0.66, (context, w, h) => {
    drawPalm(context, {
      x: w * (side > 0 ? 0.95 : 0.05),
      y: h * 1.6,
      height: unit * 0.86,
      lean: -side * 0.12,
      trunk: mixRgb(look.trunk, dark, 0.4),
      leaf: mixRgb(look.leaf, dark, 0.4),
      lit: look.lit,
      random,
    })
  })
  const x = side > 0 ? width - layer.width * 0.8 : -layer.width * 0.2
  return (moment) => {
    const sway = Math.sin(moment.seconds * 0.8) * stage.pixels(3)
    stage.drawAt(layer, { x: x + sway, y: -unit * 0.12, depth: 0.3 }, moment)
  }
}

const surfPoses = 16
const surfSeconds = 6.5
/** Distance from the waterline, in lengths of the ground, at which a wave starts to break. */
const breaksFrom = 1.7

/**
 * Paints waves that come in, break and run up the sand: a cycle of drawn poses, each faded into the
 * next.
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
  const [outs, fars] = [new Float32Array(columns * rows), new Float32Array(columns * rows)]
  for (let row = 0, index = 0; row < rows; row++) {
    const z = (plane.eye * plane.focal) / ((row + 0.5) * scale)
    for (let column = 0; column < columns; column++, index++) {
      const x = (((column + 0.5) * scale - layerWidth / 2) / plane.focal) * z
      const wander = 0.09 * Math.sin(x * 1.9 + z * 1.3) + 0.05 * Math.sin(x * 4.7 - z * 3.1 + 2)
      outs[index] = z > farthest ? 99 : coast(z) - side * x + wander
      fars[index] = z
    }
  }
  const lace = stage.noise.sample({ shape: 'ridged', octaves: 3, gain: 0.6 }, columns * rows, (index, point) => {
    const z = fars[index] ?? 1
    point.x = ((((index % columns) + 0.5) * scale - layerWidth / 2) / plane.focal) * z * 5
    point.y = z * 5
  })
  const draw = (phase: number): Layer => {
    const rgba = new Uint8Array(columns * rows * 4)
    const edge = -0.1 - 0.2 * Math.sin(phase * Math.PI * 2)
    const breakers = [0, 0.34, 0.68].map((offset) => {
      const way = (phase + offset) % 1
      return { at: 0.2 + (1 - way) * (breaksFrom - 0.3), strength: smoothstep(0, 0.4, way) * (1 - smoothstep(0.86, 1, way)) }
    })
    for (let index = 0; index < outs.length; index++) {
      const out = outs[index] ?? 99
      if (out > breaksFrom + 0.5 || out < edge - 0.1) continue
      const z = fars[index] ?? 1
      const thin = 0.012 + 0.004 * z
      const holes = smoothstep(0.42, 0.78, lace[index] ?? 0)
      const behind = out - edge
      let foam = 0
      if (behind > -thin) {
        foam = Math.exp(-((behind / (thin * 1.6)) ** 2)) * 0.9
        if (behind > 0) foam += Math.exp(-behind * 4.2) * (0.1 + 0.62 * holes)
      }
      for (const { at, strength } of breakers) {
        const past = out - at
        if (past > -thin * 2)
          foam +=
            strength *
            (past < 0 ? 1 + past / (thin * 2) : Math.exp(-past * 9) * (0.34 + 0.66 * holes) + Math.exp(-past * 3) * 0.3 * holes)
      }
      const cover = clamp(foam) * 0.92
      rgba[index * 4] = white[0] * cover
      rgba[index * 4 + 1] = white[1] * cover
      rgba[index * 4 + 2] = white[2] * cover
      rgba[index * 4 + 3] = 255 * cover
    }
    return compositor.layerFromPixels(columns, rows, rgba)
  }
  const poses = Array.from({ length: surfPoses }, (_, pose) => draw(pose / surfPoses))
  const x = (width - layerWidth) / 2
  return (moment) => {
    const at = ((moment.seconds / surfSeconds) % 1) * surfPoses
    const [current, next] = [poses[Math.floor(at) % surfPoses], poses[(Math.floor(at) + 1) % surfPoses]]
    const share = at - Math.floor(at)
    const placed = { x, y: horizon, depth: 0.13, scale }
    if (current) stage.drawAt(current, { ...placed, opacity: 1 - share }, moment)
    if (next) stage.drawAt(next, { ...placed, opacity: share }, moment)
  }
}
