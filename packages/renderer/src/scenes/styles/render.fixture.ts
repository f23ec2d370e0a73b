import { createFrameSource, memoryPagesFor } from '../../picture/create-frame-source.ts'
import type { FrameSource } from '../../frame-source.ts'
import type { RenderPlan } from '../../render-plan.ts'

export interface Frame {
  width: number
  height: number
  /** Planes of I420, in code values. */
  luma: Uint8Array
  u: Uint8Array
  v: Uint8Array
}

export interface Video {
  frame(index: number): Frame
  /** Packed 8-bit RGB. */
  rgb(index: number): Uint8Array
}

/** Sets up the scene of a prompt. Its frames are rendered when they are read. */
export function videoOf(prompt: string, overrides: Partial<RenderPlan> = {}): Video {
  const plan: RenderPlan = {
    width: 320,
    height: 180,
    frames: 48,
    prompt,
    negativePrompt: '',
    seed: 7,
    mode: 'text',
    images: [],
    overlay: null,
    ...overrides,
  }
  const { width, height } = plan
  const pages = memoryPagesFor(plan)
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true })
  const source: FrameSource = createFrameSource(plan, memory)
  const pixels = width * height
  return {
    frame(index) {
      const { byteOffset, byteLength } = source.renderI420(index, 0)
      const bytes = new Uint8Array(memory.buffer, byteOffset, byteLength).slice()
      return {
        width,
        height,
        luma: bytes.subarray(0, pixels),
        u: bytes.subarray(pixels, pixels * 1.25),
        v: bytes.subarray(pixels * 1.25),
      }
    },
    rgb(index) {
      const { byteOffset, byteLength } = source.renderRgb(index)
      return new Uint8Array(memory.buffer, byteOffset, byteLength).slice()
    },
  }
}

export function meanOf(values: ArrayLike<number>): number {
  let sum = 0
  for (let index = 0; index < values.length; index++) sum += values[index] ?? 0
  return sum / Math.max(1, values.length)
}

/** Returns the samples of a plane within these shares of its width and height. */
export function regionOf(
  plane: Uint8Array,
  width: number,
  [left, top, right, bottom]: readonly [number, number, number, number],
): number[] {
  const height = plane.length / width
  const samples: number[] = []
  for (let y = Math.floor(top * height); y < Math.ceil(bottom * height); y++) {
    for (let x = Math.floor(left * width); x < Math.ceil(right * width); x++) samples.push(plane[y * width + x] ?? 0)
  }
  return samples
}

/** Returns the mean absolute difference of two planes, in code values. */
export function differenceOf(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return meanOf(Array.from(a, (value, index) => Math.abs(value - (b[index] ?? 0))))
}
