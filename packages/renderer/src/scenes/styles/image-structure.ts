import { clamp, mix, smoothstep } from '../../picture/curves.ts'
import { reduceInto, allocateHalves } from '../../picture/pyramid.ts'
import type { Painter, Stage } from '../stage.ts'

/** Directions and detail of a scene, measured at several moments. Positions are in pixels. */
export interface ImageStructure {
  /**
   * Returns the direction of the edges, in radians. Without edges, it varies in the sky and is
   * nearly level on the ground.
   */
  angleAt(x: number, y: number): number
  /** Returns the local contrast from 0 to 1, the highest of all moments. */
  detailAt(x: number, y: number): number
}

/**
 * Measures the painted scene at the moments that show most of its content. This overwrites the
 * working planes.
 */
export function measureStructure(stage: Stage, painters: readonly Painter[]): ImageStructure {
  const { compositor, geometry, horizon } = stage
  const frame = compositor.level('y')
  const halves = allocateHalves(compositor, frame, geometry.unit > 640 ? 2 : 1)
  const small = halves.at(-1) ?? frame
  const pixelsPerSample = 2 ** halves.length
  const { columns, rows } = small
  const count = columns * rows
  // The structure tensor: products of the differences in light across (x) and down (y).
  const [tensorXx, tensorXy, tensorYy, detail] = [0, 1, 2, 3].map(() => new Float32Array(count)) as [
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
  ]
  const light = new Float32Array(count)
  for (const moment of stage.typicalMoments()) {
    for (const paint of painters) paint(moment)
    reduceInto(compositor, frame, halves)
    for (let row = 0; row < rows; row++) {
      const from = (small.address + row * small.strideBytes) >> 1
      for (let column = 0; column < columns; column++)
        light[row * columns + column] = (compositor.shorts[from + column] ?? 0) / 32_640
    }
    const surroundings = blur(blur(light, columns, rows, 3), columns, rows, 3)
    for (let row = 1; row < rows - 1; row++) {
      for (let column = 1; column < columns - 1; column++) {
        const index = row * columns + column
        const acrossStep = (light[index + 1] ?? 0) - (light[index - 1] ?? 0)
        const downStep = (light[index + columns] ?? 0) - (light[index - columns] ?? 0)
        tensorXx[index] = (tensorXx[index] ?? 0) + acrossStep * acrossStep
        tensorXy[index] = (tensorXy[index] ?? 0) + acrossStep * downStep
        tensorYy[index] = (tensorYy[index] ?? 0) + downStep * downStep
        detail[index] = Math.max(detail[index] ?? 0, Math.abs((light[index] ?? 0) - (surroundings[index] ?? 0)))
      }
    }
  }
  const [smoothXx, smoothXy, smoothYy] = [tensorXx, tensorXy, tensorYy].map((field) =>
    blur(blur(field, columns, rows, 2), columns, rows, 2),
  ) as [Float32Array, Float32Array, Float32Array]
  const smoothDetail = blur(detail, columns, rows, 1)

  const noise = stage.noise.grid({ shape: 'soft', octaves: 2, gain: 0.5 }, columns, rows, (u, v, point) => {
    point.x = ((u * geometry.width) / geometry.unit) * 1.7 + 300
    point.y = ((v * geometry.height) / geometry.unit) * 2.3
  })
  const angles = new Float32Array(count)
  for (let index = 0; index < count; index++) {
    const [xx, xy, yy] = [smoothXx[index] ?? 0, smoothXy[index] ?? 0, smoothYy[index] ?? 0]
    const weight = smoothstep(0.00002, 0.0012, xx + yy)
    // Opposite directions are equal, so angles are doubled while they are mixed.
    const doubledEdgeAngle = Math.atan2(2 * xy, xx - yy) + Math.PI
    const skyShare = smoothstep(1.05, 0.85, (Math.floor(index / columns) * pixelsPerSample) / horizon)
    const doubledDefaultAngle = 2 * (noise[index] ?? 0) * mix(0.25, 2.6, skyShare)
    angles[index] =
      Math.atan2(
        Math.sin(doubledEdgeAngle) * weight + Math.sin(doubledDefaultAngle) * (1 - weight),
        Math.cos(doubledEdgeAngle) * weight + Math.cos(doubledDefaultAngle) * (1 - weight),
      ) / 2
  }
  const sampleIndex = (x: number, y: number): number =>
    clamp(Math.floor(y / pixelsPerSample), 0, rows - 1) * columns + clamp(Math.floor(x / pixelsPerSample), 0, columns - 1)
  return {
    angleAt: (x, y) => angles[sampleIndex(x, y)] ?? 0,
    detailAt: (x, y) => clamp((smoothDetail[sampleIndex(x, y)] ?? 0) * 8),
  }
}

/** Returns the mean of a square around each sample. Edge samples are repeated. */
function blur(values: Float32Array, columns: number, rows: number, radius: number): Float32Array {
  const rowMeans = new Float32Array(values.length)
  const columnMeans = new Float32Array(values.length)
  const share = 1 / (2 * radius + 1)
  for (let row = 0; row < rows; row++) {
    const rowStart = row * columns
    let sum = 0
    for (let index = -radius; index <= radius; index++) sum += values[rowStart + clamp(index, 0, columns - 1)] ?? 0
    for (let index = 0; index < columns; index++) {
      rowMeans[rowStart + index] = sum * share
      sum +=
        (values[rowStart + Math.min(columns - 1, index + radius + 1)] ?? 0) -
        (values[rowStart + Math.max(0, index - radius)] ?? 0)
    }
  }
  for (let column = 0; column < columns; column++) {
    let sum = 0
    for (let index = -radius; index <= radius; index++) sum += rowMeans[clamp(index, 0, rows - 1) * columns + column] ?? 0
    for (let index = 0; index < rows; index++) {
      columnMeans[index * columns + column] = sum * share
      sum +=
        (rowMeans[Math.min(rows - 1, index + radius + 1) * columns + column] ?? 0) -
        (rowMeans[Math.max(0, index - radius) * columns + column] ?? 0)
    }
  }
  return columnMeans
}
