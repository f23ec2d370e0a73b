import { toFixedSample } from '../../picture/fixed-point.ts'
import { clamp } from '../../picture/curves.ts'
import type { Painter, Stage } from '../stage.ts'

/** Number of squares in one unit of length. */
const squaresPerUnit = 150
const colorCount = 28
/** Number of steps of Y, U and V in the table of nearest colors. */
const levelCount = 32
/** Range of the dither between two colors, in code values. */
const ditherRange = 10

/** Position of each square of a 4x4 patch in the order in which they change to the next color. */
const ditherOrder = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5]

type Sample = [y: number, u: number, v: number]

/**
 * Paints large squares in few colors, which are chosen from the scene, with ordered dither between
 * them.
 */
export function paintPixels(stage: Stage, painters: readonly Painter[]): Painter {
  const { compositor, geometry } = stage
  const { kernels, planes, arena, words, shorts, bytes } = compositor
  const { paddedWidth, height, unit } = geometry
  const side = Math.max(2, Math.round(unit / squaresPerUnit / 2) * 2)
  // The dither of the last step is off, because it would be visible within the squares.
  compositor.setFinish({ vignette: 0, dither: 0 })
  const palette = choosePalette(collectSamples(stage, painters, side))
  const table = arena.allocate(colorCount * 8)
  for (const [index, color] of palette.entries()) {
    for (const [part, value] of color.entries()) shorts[(table >> 1) + index * 4 + part] = toFixedSample(clamp(value, 16, 240))
  }
  const nearest = arena.allocate(levelCount ** 3)
  for (let entry = 0; entry < levelCount ** 3; entry++) {
    bytes[nearest + entry] = nearestOf(palette, (entry >> 10) * 8 + 4, ((entry >> 5) & 31) * 8 + 4, (entry & 31) * 8 + 4)
  }
  const dither = arena.allocate(32)
  for (const [index, position] of ditherOrder.entries())
    shorts[(dither >> 1) + index] = ((position + 0.5) / 16 - 0.5) * ditherRange * 128
  const settings = arena.allocate(10 * 4)
  words.set([planes.y, planes.u, planes.v, paddedWidth * 2, paddedWidth, height, side, table, nearest, dither], settings >> 2)
  return () => kernels.drawPixels(settings)
}

/**
 * Samples every second square of every second row of squares, at the moments that show most of the
 * video.
 */
function collectSamples(stage: Stage, painters: readonly Painter[], side: number): Sample[] {
  const { compositor, geometry } = stage
  const { shorts, planes } = compositor
  const { paddedWidth, width, height } = geometry
  const samples: Sample[] = []
  for (const moment of stage.typicalMoments()) {
    for (const paint of painters) paint(moment)
    for (let y = side >> 1; y < height; y += side * 2) {
      for (let x = side >> 1; x < width; x += side * 2) {
        const chromaIndex = (y >> 1) * (paddedWidth >> 1) + (x >> 1)
        samples.push([
          (shorts[(planes.y >> 1) + y * paddedWidth + x] ?? 0) / 128,
          (shorts[(planes.u >> 1) + chromaIndex] ?? 0) / 128,
          (shorts[(planes.v >> 1) + chromaIndex] ?? 0) / 128,
        ])
      }
    }
  }
  return samples
}

/**
 * Chooses a palette: the box of colors with the largest extent is split in the middle until there
 * are enough boxes. The color of a box is the mean of its samples, made more vivid.
 */
function choosePalette(samples: Sample[]): Sample[] {
  const weights = [1, 1.6, 1.6] as const
  let boxes = [samples]
  while (boxes.length < colorCount) {
    let [widestIndex, axis, widestExtent] = [0, 0, -1]
    for (const [index, box] of boxes.entries()) {
      for (const part of [0, 1, 2] as const) {
        let [lowest, highest] = [255, 0]
        for (const sample of box) {
          lowest = Math.min(lowest, sample[part])
          highest = Math.max(highest, sample[part])
        }
        // The number of samples has little weight, so that rare colors, such as accents, are kept.
        const extent = (highest - lowest) * weights[part] * box.length ** 0.25
        if (extent > widestExtent) [widestIndex, axis, widestExtent] = [index, part, extent]
      }
    }
    const box = boxes[widestIndex] ?? []
    if (box.length < 2) break
    const part = axis as 0 | 1 | 2 // `axis` is one of the three parts
    const sorted = box.toSorted((a, b) => a[part] - b[part])
    const middle = ((sorted[0]?.[part] ?? 0) + (sorted.at(-1)?.[part] ?? 0)) / 2
    const cut = clamp(
      sorted.findIndex((sample) => sample[part] > middle),
      1,
      sorted.length - 1,
    )
    boxes = [...boxes.slice(0, widestIndex), sorted.slice(0, cut), sorted.slice(cut), ...boxes.slice(widestIndex + 1)]
  }
  return boxes.map((box) => {
    const mean = [0, 1, 2].map((part) => box.reduce((sum, sample) => sum + (sample[part] ?? 0), 0) / Math.max(1, box.length))
    const [y = 16, u = 128, v = 128] = mean
    return [16 + (y - 16) * 1.04 - 2, 128 + (u - 128) * 1.25, 128 + (v - 128) * 1.25]
  })
}

function nearestOf(palette: readonly Sample[], y: number, u: number, v: number): number {
  let nearest = 0
  let smallestDistance = Number.POSITIVE_INFINITY
  for (let index = 0; index < palette.length; index++) {
    const color = palette[index]
    if (!color) continue
    const distance = (y - color[0]) ** 2 + ((u - color[1]) ** 2 + (v - color[2]) ** 2) * 2
    if (distance >= smallestDistance) continue
    nearest = index
    smallestDistance = distance
  }
  return nearest
}
