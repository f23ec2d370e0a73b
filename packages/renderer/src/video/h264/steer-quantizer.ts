import type { PixelSize } from '@framegate/contract'

/** Quantizer of ordinary scenes. It gives about 46 dB for rich scenes and 49 dB for calm ones. */
const quantizerBest = 23
const quantizerWorst = 44
/**
 * 12 Mb/s at 1080p: four times the rate of most scenes, and a third of the rate of moving grain.
 */
const bitsPerPixel = 0.25
/** Frames over which the rate is averaged. */
const frames = 12
/** Six steps of the quantizer halve the rate. */
const stepsPerDoubling = 6

/**
 * Chooses the quantizer of frames. It is the same for all frames, unless the video would become
 * huge.
 */
export class QuantizerSteering {
  readonly #bitsPerFrame: number
  #bitsAtBest: number

  constructor({ width, height }: PixelSize) {
    this.#bitsPerFrame = width * height * bitsPerPixel
    this.#bitsAtBest = this.#bitsPerFrame / 2
  }

  get quantizer(): number {
    const doublings = Math.max(0, Math.log2(this.#bitsAtBest / this.#bitsPerFrame))
    return Math.min(quantizerWorst, Math.round(quantizerBest + doublings * stepsPerDoubling))
  }

  /** Records that a frame took this many bytes with this quantizer. */
  recordFrame(bytes: number, quantizer: number): void {
    const bitsAtBest = bytes * 8 * 2 ** ((quantizer - quantizerBest) / stepsPerDoubling)
    this.#bitsAtBest += (bitsAtBest - this.#bitsAtBest) / frames
  }
}
