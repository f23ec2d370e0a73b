/**
 * Source of the frames of one plan. A renderer thread creates it with `createFrameSource`, which
 * draws the layers of the scene. The WASM kernels then compose each frame into the shared memory.
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
   * Composes frame `index` like `renderRgb`, as filtered PNG rows. Each row begins with the number
   * of its filter, and the filtered bytes follow.
   */
  renderPngRows(index: number): FrameRegion
}

/**
 * A region of the shared memory that holds a frame. An I420 frame stays valid until a frame is
 * rendered into the same slot or in another format. Other frames stay valid until the next one.
 */
export interface FrameRegion {
  byteOffset: number
  byteLength: number
}
