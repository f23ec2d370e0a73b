import { clamp } from '../../picture/curves.ts'
import type { Random } from '../../picture/random.ts'
import type { Stage } from '../stage.ts'
import type { ImageStructure } from './image-structure.ts'

interface Brush {
  /**
   * Half the length and half the width of a stroke, and the distance between strokes, in pixels at
   * 1080 rows.
   */
  length: number
  width: number
  spacing: number
  /** Minimum detail of the image at which the brush is used. */
  detail: number
}

/** Brushes from broad to fine. Fine brushes are used only where the image has detail. */
const brushes: readonly Brush[] = [
  { length: 44, width: 12, spacing: 24, detail: 0 },
  { length: 24, width: 7, spacing: 13, detail: 0.07 },
  { length: 12, width: 3.6, spacing: 7, detail: 0.24 },
]

/** Stroke numbers have 16 bits. The highest number means that no stroke covers a pixel. */
const strokesMax = 65_000
const hairs = 1024
const bristles = 64

export interface Stroke {
  x: number
  y: number
  angle: number
  /** Bend per pixel. */
  bend: number
  /** Half the length and half the width in pixels. */
  length: number
  width: number
  /**
   * Order in which the stroke is drawn. It is random for the strokes of one brush, so that no
   * direction is always on top.
   */
  turn: number
}

/** Places strokes along the shapes, row by row, broad brushes first. */
export function placeStrokes(stage: Stage, structure: ImageStructure, random: Random): Stroke[] {
  const { paddedWidth, height } = stage.geometry
  return brushes
    .flatMap((brush, order) => {
      const spacing = Math.max(2, stage.pixels(brush.spacing))
      const [length, width] = [stage.pixels(brush.length), stage.pixels(brush.width)]
      const strokes: Stroke[] = []
      for (let row = 0; row * spacing < height + spacing; row++) {
        for (let column = 0; column * spacing < paddedWidth + spacing; column++) {
          const x = clamp((column + 0.5 + (random() - 0.5) * 0.9) * spacing, 0, paddedWidth - 1)
          const y = clamp((row + 0.5 + (random() - 0.5) * 0.9) * spacing, 0, height - 1)
          if (structure.detailAt(x, y) < brush.detail) continue
          const angle = structure.angleAt(x, y) + (random() - 0.5) * 0.3
          const bendAngle =
            structure.angleAt(x + Math.cos(angle) * length, y + Math.sin(angle) * length) - structure.angleAt(x, y)
          const bend = clamp(Math.atan(Math.tan(bendAngle)), -0.5, 0.5) / (2 * length)
          strokes.push({ x, y, angle, bend, length, width, turn: order + random() })
        }
      }
      return strokes
    })
    .slice(0, strokesMax)
}

/**
 * Addresses of the drawn strokes: the topmost stroke as runs for each kind of plane, and the light
 * on the paint.
 */
export interface DrawnStrokes {
  luma: number
  chroma: number
  relief: number
}

/**
 * Draws all strokes on top of each other in the scratch memory, and keeps the parts that the frames
 * need.
 */
export function drawStrokes({ compositor, geometry }: Stage, strokes: readonly Stroke[], random: Random): DrawnStrokes {
  const { kernels, arena, words, bytes, scratch } = compositor
  const { paddedWidth, height } = geometry
  const pixels = paddedWidth * height
  const [owners, heights] = [scratch, scratch + pixels * 2]
  bytes.fill(255, owners, heights)
  bytes.fill(0, heights, heights + pixels * 2)
  const floats = new Float32Array(arena.memory.buffer)
  const hair = arena.allocate(hairs * 4)
  for (let index = 0; index < hairs; index++) floats[(hair >> 2) + index] = random()
  const settings = arena.allocate(14 * 4)
  const turns = Array.from(strokes.entries()).toSorted(([, a], [, b]) => a.turn - b.turn)
  for (const [index, { x, y, angle, bend, length, width }] of turns) {
    const first = hair + Math.floor(random() * (hairs - 2 * bristles)) * 4
    words.set([owners, heights, paddedWidth, height, index, first], settings >> 2)
    const halfSize = { length: length * (0.75 + random() * 0.5), width: Math.max(1.2, width * (0.8 + random() * 0.4)) }
    const thickness = 0.3 + random() * 0.7
    floats.set([x, y, Math.cos(angle), Math.sin(angle), bend, halfSize.length, halfSize.width, thickness], (settings >> 2) + 6)
    kernels.drawStroke(settings)
  }
  kernels.closeStrokes(owners, pixels)
  const runs = ([1, 2] as const).map((step) => {
    const list = arena.allocate(kernels.listRuns(0, owners, paddedWidth, height, step) * 4)
    kernels.listRuns(list, owners, paddedWidth, height, step)
    return list
  })
  const [luma = 0, chroma = 0] = runs
  const relief = arena.allocate(pixels)
  kernels.lightRelief(relief, heights, paddedWidth, height)
  return { luma, chroma, relief }
}

/** Stores four points along each stroke, in half-size planes. A stroke has their mean color. */
export function storePlaces({ compositor, geometry }: Stage, strokes: readonly Stroke[]): number {
  const { paddedWidth, height } = geometry
  const address = compositor.arena.allocate(strokes.length * 16)
  let index = address >> 1
  for (const { x, y, angle, length, width } of strokes) {
    for (const [lengthShare, widthShare] of [
      [-0.42, 0],
      [0.42, 0],
      [0, -0.35],
      [0, 0.35],
    ] as const) {
      const px = x + Math.cos(angle) * lengthShare * length - Math.sin(angle) * widthShare * width
      const py = y + Math.sin(angle) * lengthShare * length + Math.cos(angle) * widthShare * width
      compositor.shorts[index++] = clamp(Math.round(px / 2), 0, (paddedWidth >> 1) - 1)
      compositor.shorts[index++] = clamp(Math.round(py / 2), 0, (height >> 1) - 1)
    }
  }
  return address
}
