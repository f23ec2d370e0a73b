import type { PixelSize } from '@framegate/contract'

/** About 46 dB for rich scenes, 49 for calm ones. */
const quantizerBest = 23
const quantizerWorst = 44
/** 12 Mb/s at 1080p: four times what most scenes need, a third of what moving grain would take. */
const bitsPerPixel = 0.25
/** Frames over which the rate is averaged. */
const frames = 12
/** A rate twice as high as wanted takes six steps, which halve it. */
const stepsPerDoubling = 6

/** How coarsely frames are quantized: always alike, except where a film would otherwise become huge. */
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

  /** A frame had so many bytes with that quantizer. */
  note(bytes: number, quantizer: number): void {
    const bitsAtBest = bytes * 8 * 2 ** ((quantizer - quantizerBest) / stepsPerDoubling)
    this.#bitsAtBest += (bitsAtBest - this.#bitsAtBest) / frames
  }
}
