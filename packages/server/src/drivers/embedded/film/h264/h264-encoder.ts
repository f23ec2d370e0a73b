import { readFileSync } from 'node:fs'
import type { PixelSize } from '@framegate/contract'
import type { Packet, VideoConfig } from '../encoded-track.ts'
import { describeVideo, unitLengthBytes } from './parameter-sets.ts'
import { QuantizerSteering } from './steer-quantizer.ts'

/** What kernels/encoder.wasm exports (kernels/encoder.as.ts); addresses are bytes. */
export interface EncoderKernels {
  memory: { readonly buffer: ArrayBuffer }
  sourceY: { readonly value: number }
  sourceU: { readonly value: number }
  sourceV: { readonly value: number }
  output: { readonly value: number }
  openFilm(width: number, height: number): void
  encodeFrame(isKey: boolean, isReference: boolean, quantizer: number): number
}

/** Seconds between frames from which a player can start: 2. */
const keyFrameInterval = 48
const macroblock = 16
/** Key frames are looked at longest, frames that no other refers to only once. */
const keyFinerBy = 2
const passingCoarserBy = 2

/**
 * Frames to H.264 packets, in the calling thread, one film after another. The same frames give the same bytes on every machine.
 * Every second frame refers to the one before and is referred to by none, which spares making it a reference.
 */
export class H264Encoder {
  readonly #kernels: EncoderKernels
  #size: PixelSize = { width: 0, height: 0 }
  #steering = new QuantizerSteering(this.#size)
  #framesDone = 0

  constructor() {
    const module = new WebAssembly.Module(readFileSync(new URL('kernels/encoder.wasm', import.meta.url)))
    // The module is ours and the build test ties it to its source, whose exports are these.
    this.#kernels = new WebAssembly.Instance(module, {}).exports as unknown as EncoderKernels
  }

  /** Begins a film. Width and height are even. */
  open(size: PixelSize): VideoConfig {
    const config = describeVideo(size)
    this.#size = { width: size.width, height: size.height }
    this.#steering = new QuantizerSteering(size)
    this.#framesDone = 0
    this.#kernels.openFilm(size.width, size.height)
    return config
  }

  /** Takes the next frame, limited-range BT.709 I420; its bytes are no longer needed afterwards. */
  take(i420: Uint8Array): void {
    const { width, height } = this.#size
    const { sourceY, sourceU, sourceV } = this.#kernels
    const luma = width * height
    const chroma = luma / 4
    this.#copy(i420.subarray(0, luma), width, sourceY.value, macroblock)
    this.#copy(i420.subarray(luma, luma + chroma), width / 2, sourceU.value, macroblock / 2)
    this.#copy(i420.subarray(luma + chroma, luma + 2 * chroma), width / 2, sourceV.value, macroblock / 2)
  }

  /** Encodes the frame that was taken. */
  encode(): Packet {
    const place = this.#framesDone++ % keyFrameInterval
    const isKey = place === 0
    const isReference = place % 2 === 0
    const { quantizer } = this.#steering
    const own = quantizer + (isReference ? 0 : passingCoarserBy) - (isKey ? keyFinerBy : 0)
    const unitBytes = this.#kernels.encodeFrame(isKey, isReference, own)
    if (!isKey) this.#steering.note(unitBytes, quantizer)
    const bytes = new Uint8Array(unitLengthBytes + unitBytes)
    new DataView(bytes.buffer).setUint32(0, unitBytes)
    bytes.set(new Uint8Array(this.#kernels.memory.buffer, this.#kernels.output.value, unitBytes), unitLengthBytes)
    return { bytes, isKey }
  }

  /** The kernels want rows of whole macroblocks; they fill the rest of each themselves. */
  #copy(plane: Uint8Array, width: number, target: number, block: number): void {
    const stride = Math.ceil(width / block) * block
    const memory = new Uint8Array(this.#kernels.memory.buffer)
    if (stride === width) {
      memory.set(plane, target)
      return
    }
    for (let from = 0, to = target; from < plane.length; from += width, to += stride) {
      memory.set(plane.subarray(from, from + width), to)
    }
  }
}
