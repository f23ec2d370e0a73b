import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { compileKernels, encoderKernels } from '../../../tools/build-kernels.ts'
import { decodeVideo, psnr, type DecodedVideo } from '../../../test/decode-video.ts'
import type { EncoderKernels } from './h264-encoder.ts'
import { describeVideo, unitLengthBytes } from './parameter-sets.ts'
import { writeMp4 } from '../write-mp4.ts'

/** A global variable of the module. */
interface Global {
  readonly value: number
}

/** The exports of the encoder, with those that only this test uses. */
interface Kernels extends EncoderKernels {
  referenceY: Global
  referenceU: Global
  referenceV: Global
  stride: Global
  chromaStride: Global
}

const size = { width: 176, height: 144 }
const luma = size.width * size.height
const frames = 24
let module: WebAssembly.Module

beforeAll(async () => {
  module = new WebAssembly.Module(await readFile(new URL('kernels/encoder.wasm', import.meta.url)))
})

/** Returns a generator whose sequence depends only on its seed. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    return (state >>> 8) / 2 ** 24
  }
}

/** Returns one sample of a frame. */
type SampleFunction = (x: number, y: number, frame: number, random: () => number) => number

/**
 * Drawings that make the encoder choose each of its modes: no motion, motion by quarter samples,
 * motion too fast to follow, cuts, noise, extreme values.
 */
const pictures: Record<string, SampleFunction> = {
  still: (x, y) => 128 + 90 * Math.sin(x / 9) * Math.cos(y / 13),
  sliding: (x, y, frame) => 128 + 60 * Math.sin((x + frame * 0.75) / 5) + 50 * Math.cos((y - frame * 1.25) / 7),
  zooming: (x, y, frame) =>
    128 + 80 * Math.sin(((x - 88) * (1 + frame / 90)) / 6) + 40 * Math.sin(((y - 72) * (1 + frame / 90)) / 4),
  rushing: (x, y, frame) => ((x + 23 * frame) % 64 < 32 ? 60 : 190) + 30 * Math.sin((y + 17 * frame) / 3),
  leaving: (x, y, frame) => (x < 30 * frame && y < 20 * frame ? 40 + (x % 13) * 9 : 128 + ((x * y) % 31)),
  cuts: (x, y, frame) => (Math.floor(frame / 5) % 2 === 0 ? (x * 5 + y) % 200 : 250 - ((x + y * 3) % 190)),
  noise: (_x, _y, _frame, random) => 255 * random(),
  faintNoise: (x, _y, frame, random) => 40 + x / 2 + frame + 12 * random(),
  extremes: (x, y, frame) => (((x >> 3) + (y >> 2) + frame) % 2 === 0 ? 0 : 255),
}

function draw(picture: SampleFunction, frame: number): Uint8Array {
  const random = randomFrom(frame + 1)
  const planes = new Uint8ClampedArray(luma * 1.5)
  for (let y = 0, index = 0; y < size.height; y++) {
    for (let x = 0; x < size.width; x++, index++) planes[index] = picture(x, y, frame, random)
  }
  for (let plane = 0, index = luma; plane < 2; plane++) {
    for (let y = 0; y < size.height; y += 2) {
      for (let x = 0; x < size.width; x += 2, index++)
        planes[index] = picture(plane === 0 ? y : x + 31, plane === 0 ? x : y, frame, random)
    }
  }
  return new Uint8Array(planes.buffer)
}

interface Encoded {
  video: DecodedVideo
  sources: Uint8Array[]
  /** Each reference frame as the encoder has stored it. */
  references: Map<number, Uint8Array>
}

async function encode(picture: SampleFunction, quantizer: number): Promise<Encoded> {
  const kernels = new WebAssembly.Instance(module, {}).exports as unknown as Kernels
  kernels.openVideo(size.width, size.height)
  const sources: Uint8Array[] = []
  const references = new Map<number, Uint8Array>()
  const packets = []
  for (let frame = 0; frame < frames; frame++) {
    const source = draw(picture, frame)
    sources.push(source)
    const memory = new Uint8Array(kernels.memory.buffer)
    memory.set(source.subarray(0, luma), kernels.sourceY.value)
    memory.set(source.subarray(luma, luma * 1.25), kernels.sourceU.value)
    memory.set(source.subarray(luma * 1.25), kernels.sourceV.value)
    const isKey = frame % 16 === 0
    const isReference = frame % 2 === 0
    const unitBytes = kernels.encodeFrame(isKey, isReference, quantizer)
    const bytes = new Uint8Array(unitLengthBytes + unitBytes)
    new DataView(bytes.buffer).setUint32(0, unitBytes)
    bytes.set(memory.subarray(kernels.output.value, kernels.output.value + unitBytes), unitLengthBytes)
    packets.push({ bytes, isKey })
    if (isReference) references.set(frame, referenceOf(kernels))
  }
  const video = await decodeVideo(await writeMp4({ video: { config: describeVideo(size), packets } }))
  return { video, sources, references }
}

function referenceOf(kernels: Kernels): Uint8Array {
  const planes = new Uint8Array(luma * 1.5)
  const memory = new Uint8Array(kernels.memory.buffer)
  let to = 0
  const copy = (plane: Global, stride: Global, width: number, height: number): void => {
    for (let y = 0; y < height; y++, to += width) {
      const from = plane.value + y * stride.value
      planes.set(memory.subarray(from, from + width), to)
    }
  }
  copy(kernels.referenceY, kernels.stride, size.width, size.height)
  copy(kernels.referenceU, kernels.chromaStride, size.width / 2, size.height / 2)
  copy(kernels.referenceV, kernels.chromaStride, size.width / 2, size.height / 2)
  return planes
}

it('the committed H.264 kernels match their source', async () => {
  const committed = await readFile(new URL('kernels/encoder.wasm', import.meta.url))
  const built = await compileKernels(encoderKernels)
  expect(Buffer.compare(Buffer.from(built), committed)).toBe(0)
})

describe.each(Object.entries(pictures))('H.264 kernels, content %s', (_name, picture) => {
  it.each([16, 21, 26, 33, 42, 51])(
    'a decoder returns each reference frame exactly as the encoder stored it with quantizer %i',
    async (quantizer) => {
      const { video, references } = await encode(picture, quantizer)
      expect(video.frames).toHaveLength(frames)
      for (const [frame, reference] of references) {
        expect(Buffer.compare(video.frames[frame]!, reference), `frame ${frame}`).toBe(0)
      }
    },
  )

  it('a decoder returns frames close to their source with a fine quantizer', async () => {
    const { video, sources } = await encode(picture, 16)
    for (const [frame, source] of sources.entries()) {
      expect(psnr(video.frames[frame]!, source, source.length), `frame ${frame}`).toBeGreaterThan(40)
    }
  })
})
