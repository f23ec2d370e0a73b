import { mixRgb, type Rgb, type Tone } from '../../picture/color.ts'
import { clamp } from '../../picture/curves.ts'
import type { Palette } from '../palettes/palette.ts'
import type { Stage } from '../stage.ts'
import type { Plane } from './plane.ts'

/** A point of the ground, for which a material sets the color. */
export interface GroundPoint {
  index: number
  x: number
  z: number
  height: number
  /** 1 is level ground, and 0 is upright. */
  level: number
}

/** Sets the color of a point (`tone`) and the light that it emits (`shine`), both from 0 to 255. */
export type Material = (point: GroundPoint, tone: Tone, shine: Tone) => void

export interface Air {
  /** Distance at which the haze begins. */
  from: number
  /** Distance over which the haze reaches 63 % of `shareMax`. */
  reach: number
  /** Share of the haze's color at a great distance. */
  shareMax: number
  color: Rgb
  /** Fog in valleys: its upper edge, the softness of this edge, its strength and its color. */
  fog?: { top: number; softness: number; strength: number; color: Rgb }
}

export interface GroundLook {
  material: Material
  /** Palette to use instead of the scene's. */
  palette?: Palette
  air: Air
  /** Factor for the effect of slopes on the light. Larger factors give harder light. */
  relief?: number
  /** Tangent of the sun's angle above the ground, for light and shadows. */
  sunTangent?: number
  /** Share of the sunlight that a shadow blocks. */
  shadows?: number
}

/** Number of f64 fields of the kernels' `GroundLight`, and of the 32-bit fields after them. */
const floatCount = 18
const wordCount = 8

/** Returns the color of every grid point in the light of the scene, as RGB bytes. */
export function lightGround(stage: Stage, plane: Plane, heights: Float32Array, look: GroundLook): Uint8Array {
  const { sun, geometry, compositor } = stage
  const { kernels } = compositor
  const palette = look.palette ?? stage.palette
  const { rays, steps, distances, xs, zs } = plane
  const isLow = palette.sunHeight < 0.2
  const isSunRight = sun.x >= geometry.width / 2
  const tangent = look.sunTangent ?? (isLow ? 0.34 : 0.8)
  const light = normalize(isSunRight ? 0.86 : -0.86, tangent, isLow ? 0.1 : -0.28)
  const { air } = look
  const { fog } = air
  const settings = [
    light.x,
    light.y,
    light.z,
    tangent,
    look.relief ?? 1,
    look.shadows ?? 0.85,
    ...[...palette.sunlight, ...palette.skylight].map((channel) => channel / 255),
    ...(fog ? [fog.strength, fog.top - fog.softness, fog.top + fog.softness, ...fog.color] : [0, 0, 0, 0, 0, 0]),
  ]

  const space = compositor.workspace()
  const { buffer } = space.memory
  const allocateFloats = (count: number): Float64Array => new Float64Array(buffer, space.allocate(count * 8), count)
  const settingsAddress = space.allocate(floatCount * 8 + wordCount * 4)
  const groundAddress = space.allocate(heights.byteLength)
  const levels = allocateFloats(rays)
  const sunShares = allocateFloats(rays)
  const tones = allocateFloats(rays * 3)
  const shines = allocateFloats(rays * 3)
  const hazes = new Float32Array(buffer, space.allocate(rays * 12), rays * 3)
  const rowColors = new Uint8Array(buffer, space.allocate(rays * 3), rays * 3)
  const addresses = [levels, sunShares, tones, shines, hazes, rowColors].map(({ byteOffset }) => byteOffset)
  new Float64Array(buffer).set(settings, settingsAddress >> 3)
  compositor.words.set([rays, Number(isSunRight), ...addresses], (settingsAddress >> 2) + floatCount * 2)
  compositor.floats.set(heights, groundAddress >> 2)
  hazes.set(hazeOfRays(stage, plane, air.color))

  const colors = new Uint8Array(rays * steps * 3)
  const tone: Tone = [0, 0, 0]
  const shine: Tone = [0, 0, 0]
  const point: GroundPoint = { index: 0, x: 0, z: 0, height: 0, level: 1 }
  for (let step = 0; step < steps; step++) {
    const z = distances[step] ?? 1
    const spacing = (Math.abs((xs[step * rays + 1] ?? 0) - (xs[step * rays] ?? 0)) || 1) * 2
    const stepBehind = Math.min(steps - 1, step + 1)
    const stepBefore = Math.max(0, step - 1)
    const length = (distances[stepBehind] ?? z) - (distances[stepBefore] ?? z) || 1
    const [row, rowBefore, rowBehind] = [step, stepBefore, stepBehind].map((number) => groundAddress + number * rays * 4)
    kernels.shadeGroundRow(settingsAddress, row ?? 0, rowBefore ?? 0, rowBehind ?? 0, z, spacing, length)
    for (let ray = 0; ray < rays; ray++) {
      const index = step * rays + ray
      point.index = index
      point.x = xs[index] ?? 0
      point.z = zs[index] ?? 0
      point.height = heights[index] ?? 0
      point.level = levels[ray] ?? 1
      shine[0] = shine[1] = shine[2] = 0
      look.material(point, tone, shine)
      const offset = ray * 3
      tones[offset] = tone[0]
      tones[offset + 1] = tone[1]
      tones[offset + 2] = tone[2]
      shines[offset] = shine[0]
      shines[offset + 1] = shine[1]
      shines[offset + 2] = shine[2]
    }
    const hazeShare = air.shareMax * (1 - Math.exp(-Math.max(0, z - air.from) / air.reach))
    kernels.colorGroundRow(settingsAddress, row ?? 0, hazeShare, clamp(z / air.reach))
    colors.set(rowColors, step * rays * 3)
  }
  return colors
}

/** Returns the color of the haze for each ray. A low sun makes the haze around it brighter. */
function hazeOfRays({ palette, sun, geometry }: Stage, { rays, left, right }: Plane, color: Rgb): Float32Array {
  const hazes = new Float32Array(rays * 3)
  for (let ray = 0; ray < rays; ray++) {
    const sideOffset = (left + ((right - left) * ray) / (rays - 1) - sun.x) / geometry.unit
    const share = palette.sunHeight < 0.2 ? 0.4 * Math.exp(-sideOffset * sideOffset * 2.2) : 0
    hazes.set(mixRgb(color, palette.rim, share), ray * 3)
  }
  return hazes
}

function normalize(x: number, y: number, z: number): { x: number; y: number; z: number } {
  const length = Math.hypot(x, y, z)
  return { x: x / length, y: y / length, z: z / length }
}
