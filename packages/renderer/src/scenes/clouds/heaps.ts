import { blendTone, setTone, type Rgb, type Tone } from '../../picture/colour.ts'
import { clamp, smoothstep } from '../../picture/curves.ts'
import type { Random } from '../../picture/random.ts'
import type { Stage } from '../stage.ts'
import type { CloudSheet } from './cloud-sheet.ts'

/** One cloud with a flat base, in texels of its sheet. */
export interface Heap {
  x: number
  base: number
  width: number
  height: number
  /** Share of haze in the colors: 0 is near, 1 has vanished. */
  haze: number
  /** Whether the base is round or ragged instead of flat. */
  isRound?: boolean
}

export interface HeapColours {
  lit: Rgb
  shade: Rgb
  haze: Rgb
  /** Color of the light that shines through thin edges toward the sun. */
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
 * Draws clouds as heaps of puffs: rough spheres in a depth buffer, whose slopes give the light.
 * `heaps` must have the far clouds first, because each is drawn over the previous ones.
 */
export function drawHeaps(stage: Stage, sheet: CloudSheet, heaps: readonly Heap[], colours: HeapColours, random: Random): void {
  const { columns, rows } = sheet
  const texelsPerUnit = stage.geometry.unit / sheet.scale
  const shift = random() * 90
  const rough = stage.noise.grid({ shape: 'soft', octaves: 5, gain: 0.5 }, columns, rows, (u, v, point) => {
    point.x = ((u * columns) / texelsPerUnit) * 11 + shift
    point.y = ((v * rows) / texelsPerUnit) * 13
  })
  for (const heap of heaps) drawHeap(sheet, heap, colours, rough, random)
}

function drawHeap(
  { columns, rows, rgba }: CloudSheet,
  heap: Heap,
  colours: HeapColours,
  rough: Float32Array,
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
  for (const puff of pile(heap, random)) {
    const reach = puff.radius * 1.3
    const columnEnd = Math.min(right, Math.ceil(puff.x + reach))
    const rowEnd = Math.min(bottom, Math.ceil(puff.y + reach))
    for (let row = Math.max(top, Math.floor(puff.y - reach)); row < rowEnd; row++) {
      for (let column = Math.max(left, Math.floor(puff.x - reach)); column < columnEnd; column++) {
        const bumped = puff.radius * (1 + 0.75 * (rough[row * columns + column] ?? 0))
        const thick = bumped * bumped - (column - puff.x) ** 2 - (row - puff.y) ** 2
        if (thick <= 0) continue
        const at = (row - top) * width + column - left
        const half = Math.sqrt(thick)
        if (puff.z + half > (surface[at] ?? 0)) surface[at] = puff.z + half
        if (half > (thickness[at] ?? 0)) thickness[at] = half
      }
    }
  }
  // Light is scattered inside a cloud, so its shading uses the slopes of a smoother body.
  const crusted = blurred(surface, width, height, heap.height * 0.014)
  const smooth = blurred(blurred(crusted, width, height, heap.height * 0.05), width, height, heap.height * 0.05)
  const { light } = colours
  const tone: Tone = [0, 0, 0]
  const soft = Math.max(2, heap.height * 0.1)
  for (let row = 1; row < height - 1; row++) {
    const above = (heap.base - (row + top)) / heap.height
    for (let column = 1; column < width - 1; column++) {
      const at = row * width + column
      const thick = thickness[at] ?? 0
      if (thick <= 0) continue
      const index = (row + top) * columns + column + left
      const grain = rough[index] ?? 0
      const foot = heap.isRound ? smoothstep(-0.3, 0.05, above + grain * 0.2) : smoothstep(-0.09, 0.03, above + grain * 0.12)
      const cover = smoothstep(0, soft, thick * (1 + grain)) * foot
      if (cover < 0.01) continue
      const body = lightOn(smooth, at, width, light)
      const crust = lightOn(crusted, at, width, light)
      const open = 0.42 + 0.58 * smoothstep(-0.05, 0.7, above)
      const aside = ((column + left - heap.x) / heap.width) * 2
      const whole = clamp(0.5 + 0.34 * aside * Math.sign(light.x) * Math.abs(light.x) + 0.3 * (above - 0.4) * Math.sign(-light.y))
      const lightness = clamp((0.16 + 0.5 * body + 0.16 * crust + 0.36 * whole) * open + grain * 0.1)
      const through = Math.exp(-thick / (soft * 1.2)) * 0.55
      setTone(tone, colours.shade)
      blendTone(tone, colours.lit, lightness)
      blendTone(tone, colours.rim, through * clamp(0.25 + lightness))
      blendTone(tone, colours.haze, clamp(heap.haze + (1 - smoothstep(-0.1, 0.45, above)) * 0.2))
      const rest = 1 - cover
      for (let channel = 0; channel < 3; channel++)
        rgba[index * 4 + channel] = (tone[channel] ?? 0) * cover + (rgba[index * 4 + channel] ?? 0) * rest
      rgba[index * 4 + 3] = 255 * cover + (rgba[index * 4 + 3] ?? 0) * rest
    }
  }
}

function lightOn(surface: Float32Array, at: number, width: number, light: HeapColours['light']): number {
  const across = slope(surface[at - 1], surface[at + 1])
  const down = slope(surface[at - width], surface[at + width])
  return (-across * light.x - down * light.y + light.z) / Math.sqrt(1 + across * across + down * down)
}

/** Returns a bounded slope, so that the edge of a puff in front of another is a soft crease. */
function slope(before = 0, after = 0): number {
  return clamp((after - before) * 0.5, -1.4, 1.4)
}

/** Box filter in both directions, with running sums. */
function blurred(source: Float32Array, width: number, height: number, radius: number): Float32Array {
  const reach = Math.max(1, Math.round(radius))
  const across = new Float32Array(source.length)
  const both = new Float32Array(source.length)
  const run = (from: Float32Array, to: Float32Array, first: number, step: number, count: number): void => {
    let sum = 0
    for (let place = -reach; place < count; place++) {
      if (place + reach < count) sum += from[first + (place + reach) * step] ?? 0
      if (place - reach - 1 >= 0) sum -= from[first + (place - reach - 1) * step] ?? 0
      if (place >= 0) to[first + place * step] = sum / (2 * reach + 1)
    }
  }
  for (let row = 0; row < height; row++) run(source, across, row * width, 1, width)
  for (let column = 0; column < width; column++) run(across, both, column, width, height)
  return both
}

/** Places big puffs inside a silhouette of domes and small ones along its upper edge. */
function pile({ x, base, width, height, isRound }: Heap, random: Random): Puff[] {
  const domes = Array.from({ length: 3 + Math.floor(random() * 3) }, (_, index) => ({
    centre: index === 0 ? (random() - 0.5) * 0.5 : (random() - 0.5) * 1.5,
    reach: 0.35 + 0.4 * random(),
    rise: index === 0 ? 1 : 0.35 + 0.55 * random(),
  }))
  const outline = (across: number): number => {
    let highest = 0.12 * Math.sqrt(Math.max(0, 1 - across * across))
    for (const { centre, reach, rise } of domes) {
      const aside = (across - centre) / reach
      if (Math.abs(aside) < 1) highest = Math.max(highest, rise * Math.sqrt(1 - aside * aside))
    }
    return highest * (1 - across ** 6)
  }
  const puffs: Puff[] = []
  const add = (across: number, up: number, radius: number): void => {
    const dip = isRound ? (1 - up) * 0.12 * height : 0
    puffs.push({ x: x + (across * width) / 2, y: base - up * height + dip, z: (random() - 0.5) * height * 0.3, radius })
  }
  const inner = Math.round(34 + (width / height) * 14)
  for (let index = 0; index < inner; index++) {
    const across = random() * 1.8 - 0.9
    const tallest = outline(across)
    const radius = height * (0.09 + 0.16 * random()) * (0.5 + 0.5 * tallest)
    add(across, Math.max(0, tallest - radius / height) * random(), radius)
  }
  // Puffs along the flat base, so that no sky shows through from below.
  const foot = Math.round(8 + (width / height) * 6)
  for (let index = 0; index < foot; index++) {
    const across = ((index + random()) / foot) * 1.84 - 0.92
    add(across, 0.04 + 0.06 * random(), height * (0.07 + 0.08 * random()) * (0.35 + outline(across)))
  }
  const outer = Math.round(40 + (width / height) * 18)
  for (let index = 0; index < outer; index++) {
    const across = random() * 1.9 - 0.95
    const tallest = outline(across)
    const radius = height * (0.035 + 0.075 * random()) * (0.5 + 0.6 * tallest)
    add(across, Math.max(0, tallest - radius / height) * (0.75 + 0.25 * random()), radius)
  }
  return puffs
}
