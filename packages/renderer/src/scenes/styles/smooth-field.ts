import { mix } from '../../picture/curves.ts'
import type { NoiseKind } from '../../picture/noise-field.ts'
import type { Stage } from '../stage.ts'

/**
 * Returns noise over the frame by pixel, interpolated from every eighth pixel. `frequency` is the
 * number of lattice cells per unit. Another `offset` gives other values.
 */
export function smoothField(stage: Stage, kind: NoiseKind, frequency: number, offset: number): (x: number, y: number) => number {
  const { width, height, unit } = stage.geometry
  const columns = Math.ceil(width / 8) + 6
  const rows = Math.ceil(height / 8) + 3
  const values = stage.noise.sample(kind, columns * rows, (index, point) => {
    point.x = (((index % columns) * 8) / unit) * frequency + offset
    point.y = ((Math.floor(index / columns) * 8) / unit) * frequency + offset * 1.7
  })
  return (x, y) => {
    const [u, v] = [x / 8, y / 8]
    const index = Math.floor(v) * columns + Math.floor(u)
    const [fractionX, fractionY] = [u - Math.floor(u), v - Math.floor(v)]
    const upper = mix(values[index] ?? 0, values[index + 1] ?? 0, fractionX)
    return mix(upper, mix(values[index + columns] ?? 0, values[index + columns + 1] ?? 0, fractionX), fractionY)
  }
}
