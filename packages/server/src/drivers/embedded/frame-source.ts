/**
 * Where the frames of one plan come from. Made by `createFrameSource(plan, memory)` in a renderer thread: set-up draws
 * every layer once, then each frame is composed by the WASM kernels into the shared memory.
 */
export interface FrameSource {
  /** Composes frame `index` into output slot `slot` as limited-range BT.709 I420 of exactly the plan's size. */
  renderI420(index: number, slot: 0 | 1): FrameRegion
  /** Composes frame `index` as packed 8-bit sRGB of exactly the plan's size. */
  renderRgb(index: number): FrameRegion
  /** Composes frame `index` as `renderRgb`, as a PNG has it: each row a filter's number and what that filter leaves of the row. */
  renderPngRows(index: number): FrameRegion
}

/** A region of the shared memory, in bytes. It stays untouched until its slot is rendered into again. */
export interface FrameRegion {
  byteOffset: number
  byteLength: number
}
