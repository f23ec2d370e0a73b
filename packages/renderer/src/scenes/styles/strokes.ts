import { clamp } from '../../picture/curves.ts'
import type { Random } from '../../picture/random.ts'
import type { Stage } from '../stage.ts'
import type { ImageStructure } from './image-structure.ts'

interface Brush {
  /** Half the length of a stroke, in pixels at 1080 rows. */
  halfLength: number
  /** Half the width of a stroke, in pixels at 1080 rows. */
  halfWidth: number
  /** Distance between strokes, in pixels at 1080 rows. */
  spacing: number
  /** Minimum detail of the image at which the brush is used. */
  detailMin: number
}

/** Brushes from broad to fine. Fine brushes are used only where the image has detail. */
const brushes: readonly Brush[] = [
  { halfLength: 44, halfWidth: 12, spacing: 24, detailMin: 0 },
  { halfLength: 24, halfWidth: 7, spacing: 13, detailMin: 0.07 },
  { halfLength: 12, halfWidth: 3.6, spacing: 7, detailMin: 0.24 },
]

/** Stroke numbers have 16 bits. The highest number is reserved for pixels without a stroke. */
const strokesMax = 65_000
/** Number of random values from which each stroke uses a range for its bristles. */
const bristleValueCount = 1024
const bristleCount = 64

export interface Stroke {
  x: number
  y: number
  angle: number
  /** Curvature: the sideways offset per square of the distance from the middle, in pixels. */
  bend: number
  /** In pixels. */
  halfLength: number
  halfWidth: number
  /**
   * Strokes with a lower number are drawn first. It is random for the strokes of one brush, so that
   * no direction is always on top.
   */
  drawOrder: number
}

/** Places strokes along the shapes, row by row, with broad brushes first. */
export function placeStrokes(stage: Stage, structure: ImageStructure, random: Random): Stroke[] {
  const { paddedWidth, height } = stage.geometry
  return brushes
    .flatMap((brush, brushIndex) => {
      const spacing = Math.max(2, stage.toPixels(brush.spacing))
      const [halfLength, halfWidth] = [stage.toPixels(brush.halfLength), stage.toPixels(brush.halfWidth)]
      const strokes: Stroke[] = []
      for (let row = 0; row * spacing < height + spacing; row++) {
        for (let column = 0; column * spacing < paddedWidth + spacing; column++) {
          const x = clamp((column + 0.5 + (random() - 0.5) * 0.9) * spacing, 0, paddedWidth - 1)
          const y = clamp((row + 0.5 + (random() - 0.5) * 0.9) * spacing, 0, height - 1)
          if (structure.detailAt(x, y) < brush.detailMin) continue
          const angle = structure.angleAt(x, y) + (random() - 0.5) * 0.3
          const bendAngle =
            structure.angleAt(x + Math.cos(angle) * halfLength, y + Math.sin(angle) * halfLength) - structure.angleAt(x, y)
          const bend = clamp(Math.atan(Math.tan(bendAngle)), -0.5, 0.5) / (2 * halfLength)
          strokes.push({ x, y, angle, bend, halfLength, halfWidth, drawOrder: brushIndex + random() })
        }
      }
      return strokes
    })
    .slice(0, strokesMax)
}

/** Addresses of the drawn strokes. A run is a series of samples with the same topmost stroke. */
export interface DrawnStrokes {
  /** Runs in the luma plane. */
  luma: number
  /** Runs in the chroma planes. */
  chroma: number
  /** Light on the paint: a factor for each sample. */
  light: number
}

/**
 * Draws all strokes on top of each other in the scratch memory, and stores their runs and the light
 * on the paint.
 */
export function drawStrokes({ compositor, geometry }: Stage, strokes: readonly Stroke[], random: Random): DrawnStrokes {
  const { kernels, arena, words, bytes, scratch } = compositor
  const { paddedWidth, height } = geometry
  const pixels = paddedWidth * height
  const [owners, heights] = [scratch, scratch + pixels * 2]
  bytes.fill(255, owners, heights)
  bytes.fill(0, heights, heights + pixels * 2)
  const floats = new Float32Array(arena.memory.buffer)
  const bristleValues = arena.allocate(bristleValueCount * 4)
  for (let index = 0; index < bristleValueCount; index++) floats[(bristleValues >> 2) + index] = random()
  const settings = arena.allocate(14 * 4)
  const inDrawOrder = Array.from(strokes.entries()).toSorted(([, a], [, b]) => a.drawOrder - b.drawOrder)
  for (const [index, { x, y, angle, bend, halfLength, halfWidth }] of inDrawOrder) {
    const bristles = bristleValues + Math.floor(random() * (bristleValueCount - 2 * bristleCount)) * 4
    words.set([owners, heights, paddedWidth, height, index, bristles], settings >> 2)
    const drawnHalfLength = halfLength * (0.75 + random() * 0.5)
    const drawnHalfWidth = Math.max(1.2, halfWidth * (0.8 + random() * 0.4))
    const thickness = 0.3 + random() * 0.7
    floats.set([x, y, Math.cos(angle), Math.sin(angle), bend, drawnHalfLength, drawnHalfWidth, thickness], (settings >> 2) + 6)
    kernels.drawStroke(settings)
  }
  kernels.closeStrokes(owners, pixels)
  const runs = ([1, 2] as const).map((step) => {
    const list = arena.allocate(kernels.listRuns(0, owners, paddedWidth, height, step) * 4)
    kernels.listRuns(list, owners, paddedWidth, height, step)
    return list
  })
  const [luma = 0, chroma = 0] = runs
  const light = arena.allocate(pixels)
  kernels.lightRelief(light, heights, paddedWidth, height)
  return { luma, chroma, light }
}

/**
 * Stores four points of each stroke, and returns their address. The color of a stroke is the mean of
 * the colors at these points. The positions are in samples of the half-size planes.
 */
export function storeSamplePoints({ compositor, geometry }: Stage, strokes: readonly Stroke[]): number {
  const { paddedWidth, height } = geometry
  const address = compositor.arena.allocate(strokes.length * 16)
  let index = address >> 1
  for (const { x, y, angle, halfLength, halfWidth } of strokes) {
    for (const [lengthShare, widthShare] of [
      [-0.42, 0],
      [0.42, 0],
      [0, -0.35],
      [0, 0.35],
    ] as const) {
      const px = x + Math.cos(angle) * lengthShare * halfLength - Math.sin(angle) * widthShare * halfWidth
      const py = y + Math.sin(angle) * lengthShare * halfLength + Math.cos(angle) * widthShare * halfWidth
      compositor.shorts[index++] = clamp(Math.round(px / 2), 0, (paddedWidth >> 1) - 1)
      compositor.shorts[index++] = clamp(Math.round(py / 2), 0, (height >> 1) - 1)
    }
  }
  return address
}
