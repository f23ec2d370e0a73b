import type { Painter, Stage } from '../stage.ts'

/**
 * Paints the current frame of a given video over the whole image. `frame` is a buffer of
 * limited-range BT.709 I420 that the caller overwrites with each frame.
 */
export function paintGivenFrame({ compositor }: Stage, frame: Uint8Array): Painter {
  const { width, height, paddedWidth } = compositor.geometry
  const samples = width * height

  function copy(from: number, to: number, columns: number, rows: number, stride: number): void {
    const { shorts } = compositor
    for (let row = 0; row < rows; row++) {
      const start = (to >> 1) + row * stride
      for (let column = 0; column < columns; column++) {
        shorts[start + column] = (frame[from + row * columns + column] ?? 0) * 128
      }
      shorts.fill(shorts[start + columns - 1] ?? 0, start + columns, start + stride)
    }
  }

  return () => {
    const { y, u, v } = compositor.planes
    copy(0, y, width, height, paddedWidth)
    copy(samples, u, width / 2, height / 2, paddedWidth / 2)
    copy(samples * 1.25, v, width / 2, height / 2, paddedWidth / 2)
  }
}
