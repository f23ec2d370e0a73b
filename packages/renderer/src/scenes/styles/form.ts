import { clamp, mix, smoothstep } from '../../picture/curves.ts'
import { reduceInto, takeHalves } from '../../picture/pyramid.ts'
import type { Painter, Stage } from '../stage.ts'

/** Detail of an image and direction of its shapes, over a whole video. Positions are in pixels. */
export interface Form {
  /** Direction of the edges, or of the sky and the ground where there are no edges. */
  angleAt(x: number, y: number): number
  /** Local contrast, about 0 to 1. */
  detailAt(x: number, y: number): number
}

/**
 * Measures the painted scene at the moments that show most of it. It overwrites the working planes.
 */
export function readForm(stage: Stage, painters: readonly Painter[]): Form {
  const { compositor, geometry, horizon } = stage
  const frame = compositor.level('y')
  const halves = takeHalves(compositor, frame, geometry.unit > 640 ? 2 : 1)
  const small = halves.at(-1) ?? frame
  const size = 2 ** halves.length
  const { columns, rows } = small
  const count = columns * rows
  const [xx, xy, yy, detail] = [0, 1, 2, 3].map(() => new Float32Array(count)) as [
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
  ]
  const light = new Float32Array(count)
  for (const moment of stage.looks()) {
    for (const paint of painters) paint(moment)
    reduceInto(compositor, frame, halves)
    for (let row = 0; row < rows; row++) {
      const from = (small.address + row * small.strideBytes) >> 1
      for (let column = 0; column < columns; column++)
        light[row * columns + column] = (compositor.shorts[from + column] ?? 0) / 32_640
    }
    const around = blurred(blurred(light, columns, rows, 3), columns, rows, 3)
    for (let row = 1; row < rows - 1; row++) {
      for (let column = 1; column < columns - 1; column++) {
        const at = row * columns + column
        const acrossStep = (light[at + 1] ?? 0) - (light[at - 1] ?? 0)
        const downStep = (light[at + columns] ?? 0) - (light[at - columns] ?? 0)
        xx[at] = (xx[at] ?? 0) + acrossStep * acrossStep
        xy[at] = (xy[at] ?? 0) + acrossStep * downStep
        yy[at] = (yy[at] ?? 0) + downStep * downStep
        detail[at] = Math.max(detail[at] ?? 0, Math.abs((light[at] ?? 0) - (around[at] ?? 0)))
      }
    }
  }
  const [sxx, sxy, syy] = [xx, xy, yy].map((field) => blurred(blurred(field, columns, rows, 2), columns, rows, 2)) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ]
  const spread = blurred(detail, columns, rows, 1)
  // Clouds swirl; ground and water are level.
  const drift = stage.noise.grid({ shape: 'soft', octaves: 2, gain: 0.5 }, columns, rows, (u, v, point) => {
    point.x = ((u * geometry.width) / geometry.unit) * 1.7 + 300
    point.y = ((v * geometry.height) / geometry.unit) * 2.3
  })
  const angles = new Float32Array(count)
  for (let at = 0; at < count; at++) {
    const [a, b, c] = [sxx[at] ?? 0, sxy[at] ?? 0, syy[at] ?? 0]
    const weight = smoothstep(0.00002, 0.0012, a + c)
    const along = Math.atan2(2 * b, a - c) + Math.PI
    const above = smoothstep(1.05, 0.85, (Math.floor(at / columns) * size) / horizon)
    const rest = 2 * (drift[at] ?? 0) * mix(0.25, 2.6, above)
    angles[at] =
      Math.atan2(
        Math.sin(along) * weight + Math.sin(rest) * (1 - weight),
        Math.cos(along) * weight + Math.cos(rest) * (1 - weight),
      ) / 2
  }
  const cell = (x: number, y: number): number =>
    clamp(Math.floor(y / size), 0, rows - 1) * columns + clamp(Math.floor(x / size), 0, columns - 1)
  return {
    angleAt: (x, y) => angles[cell(x, y)] ?? 0,
    detailAt: (x, y) => clamp((spread[cell(x, y)] ?? 0) * 8),
  }
}

/** Returns the mean of a square around each sample, with running sums. */
function blurred(values: Float32Array, columns: number, rows: number, radius: number): Float32Array {
  const across = new Float32Array(values.length)
  const down = new Float32Array(values.length)
  const share = 1 / (2 * radius + 1)
  for (let row = 0; row < rows; row++) {
    const first = row * columns
    let sum = 0
    for (let at = -radius; at <= radius; at++) sum += values[first + clamp(at, 0, columns - 1)] ?? 0
    for (let at = 0; at < columns; at++) {
      across[first + at] = sum * share
      sum += (values[first + Math.min(columns - 1, at + radius + 1)] ?? 0) - (values[first + Math.max(0, at - radius)] ?? 0)
    }
  }
  for (let column = 0; column < columns; column++) {
    let sum = 0
    for (let at = -radius; at <= radius; at++) sum += across[clamp(at, 0, rows - 1) * columns + column] ?? 0
    for (let at = 0; at < rows; at++) {
      down[at * columns + column] = sum * share
      sum +=
        (across[Math.min(rows - 1, at + radius + 1) * columns + column] ?? 0) -
        (across[Math.max(0, at - radius) * columns + column] ?? 0)
    }
  }
  return down
}
