/**
 * Source of the frames of one plan. A renderer thread creates it with `createFrameSource(plan,
 * memory)`, which draws every layer once. The WASM kernels then compose each frame into the shared
 * memory.
 */
export interface FrameSource {
  /**
   * Composes frame `index` into output slot `slot` as limited-range BT.709 I420 of exactly the
   * plan's size.
   */
  renderI420(index: number, slot: 0 | 1): FrameRegion
  /** Composes frame `index` as packed 8-bit sRGB of exactly the plan's size. */
  renderRgb(index: number): FrameRegion
  /**
   * Composes frame `index` like `renderRgb`, as filtered PNG rows: each row is the number of its
   * filter and the filtered bytes.
   */
  renderPngRows(index: number): FrameRegion
}

/**
 * A region of the shared memory, in bytes. It stays valid until another frame is rendered into its
 * slot.
 */
export interface FrameRegion {
  byteOffset: number
  byteLength: number
}
