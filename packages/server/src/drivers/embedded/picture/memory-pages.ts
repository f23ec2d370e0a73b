import type { RenderPlan } from '../render-plan.ts'
import { frameGeometry } from './frame-geometry.ts'

const pageBytes = 65_536
/** Tables, small textures and the least scratch space, whatever the size. */
const fixedBytes = 18 * 1024 * 1024
/** Working planes, slots, layers, pictures: the largest scene needs fewer; the arena refuses to go beyond. */
const bytesPerPixel = 36

/** Pages of 64 KiB that `createFrameSource` may need for this plan: about 92 MB at 1080p, 172 MB at 2752x1536. */
export function memoryPagesFor(plan: RenderPlan): number {
  const { paddedWidth, height } = frameGeometry(plan)
  return Math.ceil((fixedBytes + paddedWidth * height * bytesPerPixel) / pageBytes)
}
