import { rm, writeFile } from 'node:fs/promises'
import { framesPerSecond, type PixelSize } from '@framegate/contract'

/** A request to write one early frame of a video to `path`, as packed RGB of this size. */
export interface EarlyFrameOrder extends PixelSize {
  path: string
}

const candidateIntervalFrames = framesPerSecond / 4
const candidatesMax = 12
/** A later frame is preferred if its contrast exceeds that of the chosen one by this factor. */
const contrastFactorMin = 1.1
/** Largest number of luma samples that are measured, in each direction. */
const samplesPerSideMax = 64

/**
 * Chooses and writes the frame that represents a video. It considers four frames per second of the
 * first three seconds. It replaces the chosen frame by a later one only if the contrast of the later
 * frame is more than a tenth higher.
 */
export class EarlyFrame {
  readonly #order: EarlyFrameOrder
  readonly #size: PixelSize
  #framesSeen = 0
  #contrast = -1
  #rgb: Uint8Array | undefined

  /** `size` is the size of the video's frames. */
  constructor(order: EarlyFrameOrder, size: PixelSize) {
    this.#order = order
    this.#size = size
  }

  /** Compares the next frame with the chosen one. `i420` is limited-range BT.709. */
  consider(i420: Uint8Array): void {
    const index = this.#framesSeen++
    if (index % candidateIntervalFrames !== 0 || index >= candidateIntervalFrames * candidatesMax) return
    const contrast = contrastOf(i420, this.#size)
    if (this.#contrast >= 0 && contrast <= this.#contrast * contrastFactorMin) return
    this.#contrast = contrast
    this.#rgb = toSmallRgb(i420, this.#size, this.#order)
  }

  /**
   * Writes the chosen frame, if there is one. A failed write only removes the file, because a video
   * must not fail because of its thumbnail.
   */
  async write(): Promise<void> {
    const { path } = this.#order
    if (this.#rgb !== undefined) await writeFile(path, this.#rgb).catch(() => rm(path, { force: true }))
  }
}

/** Returns the standard deviation of the luma. */
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

/**
 * Resizes a frame to `target` and converts it to RGB. The frame's width and height must be even.
 */
function toSmallRgb(i420: Uint8Array, { width, height }: PixelSize, target: PixelSize): Uint8Array {
  const planeY = reducePlane(i420, 0, { width, height }, target)
  const half = { width: width / 2, height: height / 2 }
  const planeU = reducePlane(i420, width * height, half, target)
  const planeV = reducePlane(i420, width * height + half.width * half.height, half, target)
  const rgb = new Uint8ClampedArray(3 * target.width * target.height)
  for (let pixel = 0; pixel < planeY.length; pixel++) {
    const y = 1.164384 * ((planeY[pixel] ?? 0) - 16)
    const [u, v] = [(planeU[pixel] ?? 0) - 128, (planeV[pixel] ?? 0) - 128]
    rgb[3 * pixel] = y + 1.792741 * v
    rgb[3 * pixel + 1] = y - 0.213249 * u - 0.532909 * v
    rgb[3 * pixel + 2] = y + 2.112402 * u
  }
  return new Uint8Array(rgb.buffer)
}

/** Averages the samples of a plane that each pixel of the size `to` covers. */
function reducePlane(i420: Uint8Array, offset: number, from: PixelSize, to: PixelSize): Float32Array {
  const reduced = new Float32Array(to.width * to.height)
  for (let y = 0; y < to.height; y++) {
    const [top, bottom] = coveredRange(y, from.height, to.height)
    for (let x = 0; x < to.width; x++) {
      const [left, right] = coveredRange(x, from.width, to.width)
      let sum = 0
      for (let row = top; row < bottom; row++) {
        const start = offset + row * from.width
        for (let index = start + left; index < start + right; index++) sum += i420[index] ?? 0
      }
      reduced[y * to.width + x] = sum / ((bottom - top) * (right - left))
    }
  }
  return reduced
}

/**
 * Returns the range of samples that a pixel covers. It has at least one sample, even if the plane
 * is smaller than the result.
 */
function coveredRange(pixel: number, sampleCount: number, pixelCount: number): [start: number, end: number] {
  const start = Math.min(sampleCount - 1, Math.floor((pixel * sampleCount) / pixelCount))
  return [start, Math.max(start + 1, Math.floor(((pixel + 1) * sampleCount) / pixelCount))]
}
