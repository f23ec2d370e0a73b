import type { PlanOverlay } from '../src/render-plan.ts'

/**
 * Returns a watermark for the lower right corner: a dark, semi-transparent plate with light bars.
 */
export function plateFor(size: { width: number; height: number }): PlanOverlay {
  const [width, height, margin] = [120, 24, 8]
  const rgba = new Uint8Array(width * height * 4)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const isBar = y >= 6 && y < 18 && x >= 12 && x < 108 && x % 8 < 2
      rgba.set(isBar ? [255, 255, 255, 235] : [10, 12, 20, 92], (y * width + x) * 4)
    }
  }
  return { x: size.width - width - margin, y: size.height - height - margin, width, height, rgba }
}
