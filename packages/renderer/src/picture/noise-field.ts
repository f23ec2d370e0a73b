import type { Arena } from './arena.ts'
import type { Kernels } from './kernels.ts'

const batchSamples = 16_384

export interface NoiseKind {
  shape: 'soft' | 'ridged'
  octaves: number
  /**
   * Amplitude of each octave relative to the previous one. 0.5 looks natural, and more is rougher.
   */
  gain: number
}

export interface NoisePoint {
  x: number
  y: number
}

/**
 * Seeded fractal noise, sampled in batches by the SIMD kernel. Soft noise is about -0.6 to 0.6,
 * ridged noise 0 to about 1.
 */
export class NoiseField {
  readonly #kernels: Kernels
  readonly #seed: number
  readonly #xs: Float32Array
  readonly #ys: Float32Array
  readonly #values: Float32Array

  constructor(kernels: Kernels, arena: Arena, seed: number) {
    this.#kernels = kernels
    this.#seed = seed | 0
    const allocateFloats = (): Float32Array =>
      new Float32Array(arena.memory.buffer, arena.allocate(batchSamples * 4), batchSamples)
    this.#xs = allocateFloats()
    this.#ys = allocateFloats()
    this.#values = allocateFloats()
  }

  /** Returns one value for each index. `locate` sets the point of that index. */
  sample(kind: NoiseKind, count: number, locate: (index: number, point: NoisePoint) => void): Float32Array {
    const point = { x: 0, y: 0 }
    return this.#sampleInBatches(kind, count, (start, end) => {
      for (let index = start; index < end; index++) {
        locate(index, point)
        this.#xs[index - start] = point.x
        this.#ys[index - start] = point.y
      }
    })
  }

  /**
   * Returns one value for each point of `xs` and `ys`, which are scaled and then shifted. This is
   * several times as fast as `sample` with its callback per point.
   */
  sampleAt(
    kind: NoiseKind,
    xs: Float32Array,
    ys: Float32Array,
    { scale, scaleY = scale, shiftX = 0, shiftY = 0 }: { scale: number; scaleY?: number; shiftX?: number; shiftY?: number },
  ): Float32Array {
    return this.#sampleInBatches(kind, xs.length, (start, end) => {
      for (let index = start; index < end; index++) {
        this.#xs[index - start] = (xs[index] ?? 0) * scale + shiftX
        this.#ys[index - start] = (ys[index] ?? 0) * scaleY + shiftY
      }
    })
  }

  /**
   * Returns a grid of values, row by row: one for each pair of an x and a y. There may be at most
   * 16,384 columns.
   */
  sampleGrid(kind: NoiseKind, xs: Float32Array, ys: Float32Array): Float32Array {
    const columns = xs.length
    const values = new Float32Array(columns * ys.length)
    const rowsPerBatch = Math.floor(batchSamples / columns)
    for (let rowFirst = 0; rowFirst < ys.length; rowFirst += rowsPerBatch) {
      const rowEnd = Math.min(ys.length, rowFirst + rowsPerBatch)
      const count = (rowEnd - rowFirst) * columns
      for (let row = rowFirst; row < rowEnd; row++) {
        const start = (row - rowFirst) * columns
        this.#xs.set(xs, start)
        this.#ys.fill(ys[row] ?? 0, start, start + columns)
      }
      values.set(this.#sampleBatch(kind, count), rowFirst * columns)
    }
    return values
  }

  /** Returns a grid of values, row by row. `locate` sets the point of each cell. */
  cells(
    kind: NoiseKind,
    columns: number,
    rows: number,
    locate: (column: number, row: number, point: NoisePoint, index: number) => void,
  ): Float32Array {
    const point = { x: 0, y: 0 }
    return this.#sampleInBatches(kind, columns * rows, (start, end) => {
      let column = start % columns
      let row = Math.floor(start / columns)
      for (let index = start; index < end; index++) {
        locate(column, row, point, index)
        this.#xs[index - start] = point.x
        this.#ys[index - start] = point.y
        if (++column < columns) continue
        column = 0
        row++
      }
    })
  }

  /** Like `cells`. `locate` receives u and v from 0 to 1. */
  grid(
    kind: NoiseKind,
    width: number,
    height: number,
    locate: (u: number, v: number, point: NoisePoint, index: number) => void,
  ): Float32Array {
    return this.cells(kind, width, height, (column, row, point, index) => {
      locate(column / (width - 1), row / (height - 1), point, index)
    })
  }

  /**
   * Returns `count` values. Each call of `setPoints` sets the points of one batch in `#xs` and
   * `#ys`: those from `start` up to but not including `end`.
   */
  #sampleInBatches(kind: NoiseKind, count: number, setPoints: (start: number, end: number) => void): Float32Array {
    const values = new Float32Array(count)
    for (let start = 0; start < count; start += batchSamples) {
      const end = Math.min(count, start + batchSamples)
      setPoints(start, end)
      values.set(this.#sampleBatch(kind, end - start), start)
    }
    return values
  }

  /**
   * Returns one value for each of the first `count` points of `#xs` and `#ys`. The values are valid
   * until the next call.
   */
  #sampleBatch({ shape, octaves, gain }: NoiseKind, count: number): Float32Array {
    this.#kernels.sampleNoise(
      shape === 'ridged' ? 1 : 0,
      this.#xs.byteOffset,
      this.#ys.byteOffset,
      this.#values.byteOffset,
      Math.ceil(count / 4) * 4,
      octaves,
      gain,
      this.#seed,
    )
    return this.#values.subarray(0, count)
  }
}
