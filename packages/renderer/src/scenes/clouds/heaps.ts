import { blendTone, setTone, type Rgb, type Tone } from '../../picture/color.ts'
import { clamp, smoothstep } from '../../picture/curves.ts'
import type { Random } from '../../picture/random.ts'
import type { Stage } from '../stage.ts'
import type { CloudSheet } from './cloud-sheet.ts'

/** A cloud. Lengths are in texels of its sheet. */
export interface Heap {
  x: number
  base: number
  width: number
  height: number
  /** Share of haze in the colors: 0 is near, and 1 is pure haze. */
  hazeShare: number
  /** Whether the base is round or ragged. By default, it is flat. */
  isRound?: boolean
}

export interface HeapColors {
  litColor: Rgb
  shade: Rgb
  haze: Rgb
  /** Color of the light that thin parts of a cloud let through. */
  rim: Rgb
  /** Unit vector from the cloud to the light: x to the right, y down, z toward the viewer. */
  light: { x: number; y: number; z: number }
}

interface Puff {
  x: number
  y: number
  z: number
  radius: number
}

/**
 * Draws each cloud as a heap of puffs. Puffs are rough spheres in a depth buffer. The slopes of the
 * resulting surface determine its shading. `heaps` must have far clouds first, because each one is
 * drawn over the previous ones.
 */
export function drawHeaps(stage: Stage, sheet: CloudSheet, heaps: readonly Heap[], colors: HeapColors, random: Random): void {
  const { columns, rows } = sheet
  const texelsPerUnit = stage.geometry.unit / sheet.scale
  const shift = random() * 90
  const roughNoise = stage.noise.grid({ shape: 'soft', octaves: 5, gain: 0.5 }, columns, rows, (u, v, point) => {
    point.x = ((u * columns) / texelsPerUnit) * 11 + shift
    point.y = ((v * rows) / texelsPerUnit) * 13
  })
  for (const heap of heaps) drawHeap(sheet, heap, colors, roughNoise, random)
}

function drawHeap(
  { columns, rows, rgba }: CloudSheet,
  heap: Heap,
  colors: HeapColors,
  roughNoise: Float32Array,
  random: Random,
): void {
  const margin = heap.height * 0.55
  const left = Math.max(0, Math.floor(heap.x - heap.width / 2 - margin))
  const right = Math.min(columns, Math.ceil(heap.x + heap.width / 2 + margin))
  const top = Math.max(0, Math.floor(heap.base - heap.height - margin))
  const bottom = Math.min(rows, Math.ceil(heap.base + heap.height * (heap.isRound ? 0.4 : 0.14)))
  const [width, height] = [right - left, bottom - top]
  if (width < 4 || height < 4) return
  const surface = new Float32Array(width * height)
  const thickness = new Float32Array(width * height)
  for (const puff of pilePuffs(heap, random)) {
    const reach = puff.radius * 1.3
    const columnEnd = Math.min(right, Math.ceil(puff.x + reach))
    const rowEnd = Math.min(bottom, Math.ceil(puff.y + reach))
    for (let row = Math.max(top, Math.floor(puff.y - reach)); row < rowEnd; row++) {
      for (let column = Math.max(left, Math.floor(puff.x - reach)); column < columnEnd; column++) {
        const bumpedRadius = puff.radius * (1 + 0.75 * (roughNoise[row * columns + column] ?? 0))
        const squaredDepth = bumpedRadius * bumpedRadius - (column - puff.x) ** 2 - (row - puff.y) ** 2
        if (squaredDepth <= 0) continue
        const index = (row - top) * width + column - left
        const halfDepth = Math.sqrt(squaredDepth)
        if (puff.z + halfDepth > (surface[index] ?? 0)) surface[index] = puff.z + halfDepth
        if (halfDepth > (thickness[index] ?? 0)) thickness[index] = halfDepth
      }
    }
  }
  // Light is scattered inside a cloud, so its shading uses the slopes of a smoother body.
  const crustSurface = blur(surface, width, height, heap.height * 0.014)
  const bodySurface = blur(blur(crustSurface, width, height, heap.height * 0.05), width, height, heap.height * 0.05)
  const { light } = colors
  const tone: Tone = [0, 0, 0]
  const softThickness = Math.max(2, heap.height * 0.1)
  for (let row = 1; row < height - 1; row++) {
    const heightShare = (heap.base - (row + top)) / heap.height
    for (let column = 1; column < width - 1; column++) {
      const pixel = row * width + column
      const depthHere = thickness[pixel] ?? 0
      if (depthHere <= 0) continue
      const index = (row + top) * columns + column + left
      const grain = roughNoise[index] ?? 0
      const baseFade = heap.isRound
        ? smoothstep(-0.3, 0.05, heightShare + grain * 0.2)
        : smoothstep(-0.09, 0.03, heightShare + grain * 0.12)
      const cover = smoothstep(0, softThickness, depthHere * (1 + grain)) * baseFade
      if (cover < 0.01) continue
      const bodyLight = lightOn(bodySurface, pixel, width, light)
      const crustLight = lightOn(crustSurface, pixel, width, light)
      const openSky = 0.42 + 0.58 * smoothstep(-0.05, 0.7, heightShare)
      const sideOffset = ((column + left - heap.x) / heap.width) * 2
      const cloudLight = clamp(
        0.5 + 0.34 * sideOffset * Math.sign(light.x) * Math.abs(light.x) + 0.3 * (heightShare - 0.4) * Math.sign(-light.y),
      )
      const lightness = clamp((0.16 + 0.5 * bodyLight + 0.16 * crustLight + 0.36 * cloudLight) * openSky + grain * 0.1)
      const transmittedLight = Math.exp(-depthHere / (softThickness * 1.2)) * 0.55
      setTone(tone, colors.shade)
      blendTone(tone, colors.litColor, lightness)
      blendTone(tone, colors.rim, transmittedLight * clamp(0.25 + lightness))
      blendTone(tone, colors.haze, clamp(heap.hazeShare + (1 - smoothstep(-0.1, 0.45, heightShare)) * 0.2))
      const rest = 1 - cover
      for (let channel = 0; channel < 3; channel++)
        rgba[index * 4 + channel] = (tone[channel] ?? 0) * cover + (rgba[index * 4 + channel] ?? 0) * rest
      rgba[index * 4 + 3] = 255 * cover + (rgba[index * 4 + 3] ?? 0) * rest
    }
  }
}

function lightOn(surface: Float32Array, index: number, width: number, light: HeapColors['light']): number {
  const slopeX = slopeBetween(surface[index - 1], surface[index + 1])
  const slopeY = slopeBetween(surface[index - width], surface[index + width])
  return (-slopeX * light.x - slopeY * light.y + light.z) / Math.sqrt(1 + slopeX * slopeX + slopeY * slopeY)
}

/**
 * Returns the slope between two samples, within bounds. Where one puff covers another, the depth
 * jumps, and the edge would be too hard.
 */
function slopeBetween(previous = 0, next = 0): number {
  return clamp((next - previous) * 0.5, -1.4, 1.4)
}

/** Returns the mean of a square around each sample. Samples outside count as 0. */
function blur(source: Float32Array, width: number, height: number, radius: number): Float32Array {
  const reach = Math.max(1, Math.round(radius))
  const rowMeans = new Float32Array(source.length)
  const blurred = new Float32Array(source.length)
  const run = (from: Float32Array, to: Float32Array, start: number, step: number, count: number): void => {
    let sum = 0
    for (let position = -reach; position < count; position++) {
      if (position + reach < count) sum += from[start + (position + reach) * step] ?? 0
      if (position - reach - 1 >= 0) sum -= from[start + (position - reach - 1) * step] ?? 0
      if (position >= 0) to[start + position * step] = sum / (2 * reach + 1)
    }
  }
  for (let row = 0; row < height; row++) run(source, rowMeans, row * width, 1, width)
  for (let column = 0; column < width; column++) run(rowMeans, blurred, column, width, height)
  return blurred
}

/**
 * Returns large puffs inside a silhouette of domes, and small ones along its base and upper edge.
 */
function pilePuffs({ x, base, width, height, isRound }: Heap, random: Random): Puff[] {
  const domes = Array.from({ length: 3 + Math.floor(random() * 3) }, (_, index) => ({
    center: index === 0 ? (random() - 0.5) * 0.5 : (random() - 0.5) * 1.5,
    reach: 0.35 + 0.4 * random(),
    rise: index === 0 ? 1 : 0.35 + 0.55 * random(),
  }))
  const outline = (offset: number): number => {
    let highest = 0.12 * Math.sqrt(Math.max(0, 1 - offset * offset))
    for (const { center, reach, rise } of domes) {
      const sideOffset = (offset - center) / reach
      if (Math.abs(sideOffset) < 1) highest = Math.max(highest, rise * Math.sqrt(1 - sideOffset * sideOffset))
    }
    return highest * (1 - offset ** 6)
  }
  const puffs: Puff[] = []
  const add = (offset: number, elevation: number, radius: number): void => {
    const dip = isRound ? (1 - elevation) * 0.12 * height : 0
    puffs.push({ x: x + (offset * width) / 2, y: base - elevation * height + dip, z: (random() - 0.5) * height * 0.3, radius })
  }
  const innerCount = Math.round(34 + (width / height) * 14)
  for (let index = 0; index < innerCount; index++) {
    const offset = random() * 1.8 - 0.9
    const tallest = outline(offset)
    const radius = height * (0.09 + 0.16 * random()) * (0.5 + 0.5 * tallest)
    add(offset, Math.max(0, tallest - radius / height) * random(), radius)
  }
  // Puffs along the flat base hide the sky behind the cloud.
  const baseCount = Math.round(8 + (width / height) * 6)
  for (let index = 0; index < baseCount; index++) {
    const offset = ((index + random()) / baseCount) * 1.84 - 0.92
    add(offset, 0.04 + 0.06 * random(), height * (0.07 + 0.08 * random()) * (0.35 + outline(offset)))
  }
  const outerCount = Math.round(40 + (width / height) * 18)
  for (let index = 0; index < outerCount; index++) {
    const offset = random() * 1.9 - 0.95
    const tallest = outline(offset)
    const radius = height * (0.035 + 0.075 * random()) * (0.5 + 0.6 * tallest)
    add(offset, Math.max(0, tallest - radius / height) * (0.75 + 0.25 * random()), radius)
  }
  return puffs
}
