/** Side of the blocks whose motion is measured, in pixels of the small frame. */
const blockSide = 8
/** Largest displacement between two frames that the search finds, in pixels of the small frame. */
const searchReach = 4
/**
 * Cost of a displacement per pixel, for each row of a block. It keeps noise from looking like
 * motion.
 */
const costPerPixel = 6
/** Share of a block's displacement that remains one frame later. The block slowly moves back. */
const localRemainder = 0.95
/** Share of the camera's displacement that remains one frame later. */
const cameraRemainder = 0.985

/** A displacement in pixels of the small frame. */
export interface Shift {
  x: number
  y: number
}

/**
 * Adds up the motion between the frames of a small video: the motion of the camera, and the motion
 * of each block relative to it. All displacements slowly return to 0.
 */
export class MotionEstimator {
  readonly camera: Shift = { x: 0, y: 0 }
  readonly columns: number
  readonly rows: number
  readonly #width: number
  readonly #height: number
  readonly #blockShifts: Shift[]
  #previousLuma: Uint8Array | undefined

  constructor(width: number, height: number) {
    this.#width = width
    this.#height = height
    this.columns = Math.max(1, Math.floor(width / blockSide))
    this.rows = Math.max(1, Math.floor(height / blockSide))
    this.#blockShifts = Array.from({ length: this.columns * this.rows }, () => ({ x: 0, y: 0 }))
  }

  /** Adds the motion between the previous frame and the frame with this luma. */
  addFrame(luma: Uint8Array): void {
    const previousLuma = this.#previousLuma
    this.#previousLuma = luma.slice(0, this.#width * this.#height)
    if (previousLuma === undefined) return
    const blockMotions = this.#blockShifts.map((_, index) => this.#motionOf(index, previousLuma, luma))
    const cameraMotion = { x: medianOf(blockMotions.map(({ x }) => x)), y: medianOf(blockMotions.map(({ y }) => y)) }
    this.camera.x = (this.camera.x + cameraMotion.x) * cameraRemainder
    this.camera.y = (this.camera.y + cameraMotion.y) * cameraRemainder
    for (const [index, block] of this.#blockShifts.entries()) {
      const { x, y } = blockMotions[index] ?? cameraMotion
      block.x = (block.x + x - cameraMotion.x) * localRemainder
      block.y = (block.y + y - cameraMotion.y) * localRemainder
    }
  }

  /**
   * Sets `shift` to the displacement, relative to the camera, at a point. `u` and `v` are shares of
   * the frame's sides.
   */
  readShift(u: number, v: number, shift: Shift): void {
    const x = Math.min(this.columns - 1, Math.max(0, u * this.columns - 0.5))
    const y = Math.min(this.rows - 1, Math.max(0, v * this.rows - 0.5))
    const [left, top] = [Math.floor(x), Math.floor(y)]
    shift.x = 0
    shift.y = 0
    for (const [column, row] of [
      [0, 0],
      [1, 0],
      [0, 1],
      [1, 1],
    ] as const) {
      const weight = (column === 1 ? x - left : 1 - x + left) * (row === 1 ? y - top : 1 - y + top)
      const block =
        this.#blockShifts[Math.min(this.rows - 1, top + row) * this.columns + Math.min(this.columns - 1, left + column)]
      shift.x += weight * (block?.x ?? 0)
      shift.y += weight * (block?.y ?? 0)
    }
  }

  /**
   * Returns the displacement of a block since the previous frame: the candidate with the lowest
   * cost.
   */
  #motionOf(index: number, previousLuma: Uint8Array, luma: Uint8Array): Shift {
    const [left, top] = [(index % this.columns) * blockSide, Math.floor(index / this.columns) * blockSide]
    const best = { x: 0, y: 0, cost: this.#differenceOf(previousLuma, luma, left, top, 0, 0) }
    for (let y = -searchReach; y <= searchReach; y++) {
      for (let x = -searchReach; x <= searchReach; x++) {
        if (left - x < 0 || top - y < 0 || left - x + blockSide > this.#width || top - y + blockSide > this.#height) continue
        const cost =
          this.#differenceOf(previousLuma, luma, left, top, x, y) + costPerPixel * (Math.abs(x) + Math.abs(y)) * blockSide
        if (cost < best.cost) Object.assign(best, { x, y, cost })
      }
    }
    return best
  }

  #differenceOf(previousLuma: Uint8Array, luma: Uint8Array, left: number, top: number, x: number, y: number): number {
    let sum = 0
    for (let row = top; row < top + blockSide; row++) {
      const rowStart = row * this.#width
      const previousStart = (row - y) * this.#width - x
      for (let column = left; column < left + blockSide; column++) {
        sum += Math.abs((luma[rowStart + column] ?? 0) - (previousLuma[previousStart + column] ?? 0))
      }
    }
    return sum
  }
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
