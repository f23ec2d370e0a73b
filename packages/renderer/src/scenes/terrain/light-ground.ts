import { mixRgb, type Rgb, type Tone } from '../../picture/color.ts'
import { clamp, smoothstep } from '../../picture/curves.ts'
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
  /** Share of the full sunlight that reaches the point. */
  sunShare: number
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
  /** Share of the sunlight that shadows take. */
  shadows?: number
}

/** Returns the color of every grid point in the light of the scene, as RGB bytes. */
export function lightGround(stage: Stage, plane: Plane, heights: Float32Array, look: GroundLook): Uint8Array {
  const { sun, geometry } = stage
  const palette = look.palette ?? stage.palette
  const { rays, steps, distances, xs, zs } = plane
  const colors = new Uint8Array(rays * steps * 3)
  const isLow = palette.sunHeight < 0.2
  const tangent = look.sunTangent ?? (isLow ? 0.34 : 0.8)
  const side = sun.x < geometry.width / 2 ? -1 : 1
  const light = normalize(side * 0.86, tangent, isLow ? 0.1 : -0.28)
  const relief = look.relief ?? 1
  const shadows = look.shadows ?? 0.85
  const { air } = look
  const hazes = hazeOfRays(stage, plane, air.color)
  const tone: Tone = [0, 0, 0]
  const shine: Tone = [0, 0, 0]
  const point: GroundPoint = { index: 0, x: 0, z: 0, height: 0, level: 1, sunShare: 1 }
  const sunlight = palette.sunlight.map((channel) => channel / 255)
  const skylight = palette.skylight.map((channel) => channel / 255)
  const { fog } = air
  for (let step = 0; step < steps; step++) {
    const z = distances[step] ?? 1
    const spacing = (Math.abs((xs[step * rays + 1] ?? 0) - (xs[step * rays] ?? 0)) || 1) * 2
    const stepBehind = Math.min(steps - 1, step + 1)
    const stepBefore = Math.max(0, step - 1)
    const length = (distances[stepBehind] ?? z) - (distances[stepBefore] ?? z) || 1
    const haze = air.shareMax * (1 - Math.exp(-Math.max(0, z - air.from) / air.reach))
    let shadow = -1e9
    for (let position = 0; position < rays; position++) {
      // Rays are processed from the side of the sun, so that the ground that blocks the sun is
      // already known.
      const ray = side < 0 ? position : rays - 1 - position
      const index = step * rays + ray
      const height = heights[index] ?? 0
      const slopeX =
        (((heights[ray < rays - 1 ? index + 1 : index] ?? 0) - (heights[ray > 0 ? index - 1 : index] ?? 0)) / spacing) * relief
      const slopeZ = (((heights[stepBehind * rays + ray] ?? 0) - (heights[stepBefore * rays + ray] ?? 0)) / length) * relief
      const level = 1 / Math.sqrt(1 + slopeX * slopeX + slopeZ * slopeZ)
      shadow = Math.max(shadow - spacing * 0.5 * tangent, height)
      const shaded = shadows * smoothstep(0.004 * z, 0.03 * z, shadow - height)
      const facing = clamp((-slopeX * light.x + light.y - slopeZ * light.z) * level)
      point.index = index
      point.x = xs[index] ?? 0
      point.z = zs[index] ?? 0
      point.height = height
      point.level = level
      point.sunShare = facing * (1 - shaded)
      shine[0] = shine[1] = shine[2] = 0
      look.material(point, tone, shine)
      const fogShare = fog
        ? fog.strength * (1 - smoothstep(fog.top - fog.softness, fog.top + fog.softness, height)) * clamp(z / air.reach)
        : 0
      for (let channel = 0; channel < 3; channel++) {
        const litValue = (sunlight[channel] ?? 1) * point.sunShare * 1.05 + (skylight[channel] ?? 1) * (0.34 + 0.3 * level)
        let value = (tone[channel] ?? 0) * litValue + (shine[channel] ?? 0)
        value += ((hazes[ray * 3 + channel] ?? 0) - value) * haze
        if (fog && fogShare > 0) value += ((fog.color[channel] ?? 0) - value) * Math.min(1, fogShare)
        colors[index * 3 + channel] = rollOff(value)
      }
    }
  }
  return colors
}

/** Rolls off bright light instead of clipping it. */
function rollOff(value: number): number {
  const bend = 186
  return value < 0 ? 0 : value < bend ? value : bend + (252 - bend) * (1 - Math.exp((bend - value) / 78))
}

/** Returns the color of the haze for each ray. If the sun is low, it is brighter in front of the sun. */
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
