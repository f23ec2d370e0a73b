import type { Arena } from './arena.ts'
import type { Kernels } from './kernels.ts'

const batchSamples = 16_384

export interface NoiseKind {
  shape: 'soft' | 'ridged'
  octaves: number
  /** How much of an octave's strength the next has; 0.5 is natural, more is rougher. */
  gain: number
}

export interface NoisePoint {
  x: number
  y: number
}

/** Seeded fractal noise, sampled in batches by the SIMD kernel. Soft: about -0.6 to 0.6. Ridged: 0 to about 1. */
export class NoiseField {
  readonly #kernels: Kernels
  readonly #seed: number
  readonly #floats: Float32Array
  readonly #batch: number

  constructor(kernels: Kernels, arena: Arena, seed: number) {
    this.#kernels = kernels
    this.#seed = seed | 0
    this.#batch = arena.take(batchSamples * 3 * 4)
    this.#floats = new Float32Array(arena.memory.buffer)
  }

  /** One value for each index; `locate` sets the point of that index. */
  sample(kind: NoiseKind, count: number, locate: (index: number, point: NoisePoint) => void): Float32Array {
    const values = new Float32Array(count)
    const xs = this.#batch >> 2
    const ys = xs + batchSamples
    const out = ys + batchSamples
    const point = { x: 0, y: 0 }
    for (let first = 0; first < count; first += batchSamples) {
      const length = Math.min(batchSamples, count - first)
      for (let index = 0; index < length; index++) {
        locate(first + index, point)
        this.#floats[xs + index] = point.x
        this.#floats[ys + index] = point.y
      }
      this.#kernels.sampleNoise(
        kind.shape === 'ridged' ? 1 : 0,
        xs << 2,
        ys << 2,
        out << 2,
        Math.ceil(length / 4) * 4,
        kind.octaves,
        kind.gain,
        this.#seed,
      )
      values.set(this.#floats.subarray(out, out + length), first)
    }
    return values
  }

  /** A grid of `width` x `height` values, row by row; `locate` gets u and v from 0 to 1. */
  grid(
    kind: NoiseKind,
    width: number,
    height: number,
    locate: (u: number, v: number, point: NoisePoint, index: number) => void,
  ): Float32Array {
    return this.sample(kind, width * height, (index, point) => {
      locate((index % width) / (width - 1), Math.floor(index / width) / (height - 1), point, index)
    })
  }
}
