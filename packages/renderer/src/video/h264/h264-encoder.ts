import { readFileSync } from 'node:fs'
import type { PixelSize } from '@framegate/contract'
import type { Packet, VideoConfig } from '../encoded-track.ts'
import { describeVideo, unitLengthBytes } from './parameter-sets.ts'
import { QuantizerSteering } from './steer-quantizer.ts'

/** Exports of kernels/encoder.wasm (kernels/encoder.as.ts). Addresses are in bytes. */
export interface EncoderKernels {
  memory: { readonly buffer: ArrayBuffer }
  sourceY: { readonly value: number }
  sourceU: { readonly value: number }
  sourceV: { readonly value: number }
  output: { readonly value: number }
  openVideo(width: number, height: number): void
  encodeFrame(isKey: boolean, isReference: boolean, quantizer: number): number
}

/**
 * Number of frames from one key frame to the next: two seconds. A player can seek only to key
 * frames.
 */
const keyFrameInterval = 48
const macroblockSide = 16
/**
 * The errors of a key frame remain in the frames that refer to it, so its quantizer is finer. The
 * errors of a frame that no other frame refers to are visible once, so its quantizer is coarser.
 */
const keyQuantizerDecrease = 2
const nonReferenceQuantizerIncrease = 2

/**
 * Encodes frames as H.264 packets in the calling thread, one video after another. The same frames
 * give the same bytes on every machine. Every second frame is not a reference: no other frame
 * refers to it. For such a frame, the kernels omit the work that only a reference needs: deblocking
 * and interpolation.
 */
export class H264Encoder {
  readonly #kernels: EncoderKernels
  #size: PixelSize = { width: 0, height: 0 }
  #steering = new QuantizerSteering(this.#size)
  #frameCount = 0

  constructor() {
    const module = new WebAssembly.Module(readFileSync(new URL('kernels/encoder.wasm', import.meta.url)))
    // The cast is safe: the module is committed, and kernels.test.ts compares it with its source,
    // which has these exports.
    this.#kernels = new WebAssembly.Instance(module, {}).exports as unknown as EncoderKernels
  }

  /** Begins a video. Width and height must be even. Throws a `RangeError` if they are too large. */
  open(size: PixelSize): VideoConfig {
    const config = describeVideo(size)
    this.#size = { width: size.width, height: size.height }
    this.#steering = new QuantizerSteering(size)
    this.#frameCount = 0
    this.#kernels.openVideo(size.width, size.height)
    return config
  }

  /**
   * Copies the next frame, which is limited-range BT.709 I420. The caller may reuse the bytes
   * afterward.
   */
  copyFrame(i420: Uint8Array): void {
    const { width, height } = this.#size
    const { sourceY, sourceU, sourceV } = this.#kernels
    const lumaBytes = width * height
    const chromaBytes = lumaBytes / 4
    const planeU = i420.subarray(lumaBytes, lumaBytes + chromaBytes)
    const planeV = i420.subarray(lumaBytes + chromaBytes, lumaBytes + 2 * chromaBytes)
    this.#copy(i420.subarray(0, lumaBytes), width, sourceY.value, macroblockSide)
    this.#copy(planeU, width / 2, sourceU.value, macroblockSide / 2)
    this.#copy(planeV, width / 2, sourceV.value, macroblockSide / 2)
  }

  /** Encodes the frame that `copyFrame` copied. */
  encode(): Packet {
    const framesSinceKey = this.#frameCount++ % keyFrameInterval
    const isKey = framesSinceKey === 0
    const isReference = framesSinceKey % 2 === 0
    const { quantizer } = this.#steering
    const frameQuantizer = quantizer + (isReference ? 0 : nonReferenceQuantizerIncrease) - (isKey ? keyQuantizerDecrease : 0)
    const unitBytes = this.#kernels.encodeFrame(isKey, isReference, frameQuantizer)
    if (!isKey) this.#steering.recordFrame(unitBytes, quantizer)
    const bytes = new Uint8Array(unitLengthBytes + unitBytes)
    new DataView(bytes.buffer).setUint32(0, unitBytes)
    bytes.set(new Uint8Array(this.#kernels.memory.buffer, this.#kernels.output.value, unitBytes), unitLengthBytes)
    return { bytes, isKey }
  }

  /**
   * Copies a plane to an address in the kernels' memory, as rows of whole macroblocks. The kernels
   * fill the rest of each row.
   */
  #copy(plane: Uint8Array, width: number, address: number, blockSide: number): void {
    const stride = Math.ceil(width / blockSide) * blockSide
    const memory = new Uint8Array(this.#kernels.memory.buffer)
    if (stride === width) {
      memory.set(plane, address)
      return
    }
    for (let from = 0, to = address; from < plane.length; from += width, to += stride) {
      memory.set(plane.subarray(from, from + width), to)
    }
  }
}
