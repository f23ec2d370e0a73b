import { rm, writeFile } from 'node:fs/promises'
import { framesPerSecond, type PixelSize } from '@framegate/contract'

/** Where to write one early frame of a video, as packed RGB of this size. */
export interface EarlyFrameOrder extends PixelSize {
  path: string
}

const candidateInterval = framesPerSecond / 4
const candidatesMax = 12
/** A later frame must have this many times the contrast to be preferred. */
const contrastFactorMin = 1.1
/** Luma samples that are measured, in each direction. */
const samplesPerSideMax = 64

/**
 * Chooses and writes the frame that represents a video: of four frames a second in its first three
 * seconds, the earliest one whose contrast no later one exceeds by more than a tenth.
 */
export class EarlyFrame {
  readonly #order: EarlyFrameOrder
  readonly #size: PixelSize
  #framesSeen = 0
  #contrast = -1
  #rgb: Uint8Array | undefined

  /** `size` is that of the frames. */
  constructor(order: EarlyFrameOrder, size: PixelSize) {
    this.#order = order
    this.#size = size
  }

  /** Looks at the next frame: limited-range BT.709 I420, which is not changed. */
  consider(i420: Uint8Array): void {
    const index = this.#framesSeen++
    if (index % candidateInterval !== 0 || index >= candidateInterval * candidatesMax) return
    const contrast = contrastOf(i420, this.#size)
    if (this.#contrast >= 0 && contrast <= this.#contrast * contrastFactorMin) return
    this.#contrast = contrast
    this.#rgb = toSmallRgb(i420, this.#size, this.#order)
  }

  /** Leaves no file if it cannot be written: the video is worth more than its thumbnail. */
  async write(): Promise<void> {
    const { path } = this.#order
    if (this.#rgb !== undefined) await writeFile(path, this.#rgb).catch(() => rm(path, { force: true }))
  }
}

/** Standard deviation of the luma. */
function contrastOf(i420: Uint8Array, { width, height }: PixelSize): number {
  const [stepX, stepY] = [Math.ceil(width / samplesPerSideMax), Math.ceil(height / samplesPerSideMax)]
  let [count, sum, squares] = [0, 0, 0]
  for (let y = 0; y < height; y += stepY) {
    for (let x = 0; x < width; x += stepX) {
      const luma = i420[y * width + x] ?? 0
      count++
      sum += luma
      squares += luma * luma
    }
  }
  const mean = sum / count
  return Math.sqrt(Math.max(0, squares / count - mean * mean))
}

/** Averages the samples of each pixel, and converts it to RGB. Both sides of the frame are even. */
function toSmallRgb(i420: Uint8Array, { width, height }: PixelSize, to: PixelSize): Uint8Array {
  const luma = reducePlane(i420, 0, { width, height }, to)
  const half = { width: width / 2, height: height / 2 }
  const blue = reducePlane(i420, width * height, half, to)
  const red = reducePlane(i420, width * height + half.width * half.height, half, to)
  const rgb = new Uint8ClampedArray(3 * to.width * to.height)
  for (let pixel = 0; pixel < luma.length; pixel++) {
    const y = 1.164384 * ((luma[pixel] ?? 0) - 16)
    const [u, v] = [(blue[pixel] ?? 0) - 128, (red[pixel] ?? 0) - 128]
    rgb[3 * pixel] = y + 1.792741 * v
    rgb[3 * pixel + 1] = y - 0.213249 * u - 0.532909 * v
    rgb[3 * pixel + 2] = y + 2.112402 * u
  }
  return new Uint8Array(rgb.buffer)
}

/** The mean of the samples that each pixel of the smaller size covers. */
function reducePlane(i420: Uint8Array, offset: number, from: PixelSize, to: PixelSize): Float32Array {
  const reduced = new Float32Array(to.width * to.height)
  for (let y = 0; y < to.height; y++) {
    const [top, bottom] = coveredRange(y, from.height, to.height)
    for (let x = 0; x < to.width; x++) {
      const [left, right] = coveredRange(x, from.width, to.width)
      let sum = 0
      for (let row = top; row < bottom; row++) {
        const start = offset + row * from.width
        for (let at = start + left; at < start + right; at++) sum += i420[at] ?? 0
      }
      reduced[y * to.width + x] = sum / ((bottom - top) * (right - left))
    }
  }
  return reduced
}

/** At least one sample, even where the plane is smaller than the result. */
function coveredRange(index: number, from: number, to: number): [start: number, end: number] {
  const start = Math.min(from - 1, Math.floor((index * from) / to))
  return [start, Math.max(start + 1, Math.floor(((index + 1) * from) / to))]
}
