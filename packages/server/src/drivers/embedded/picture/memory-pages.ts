import { leadingPictures, type RenderPlan } from '../render-plan.ts'
import { frameGeometry } from './frame-geometry.ts'

const pageBytes = 65_536
/** Tables, small textures and the least scratch space, whatever the size. */
const fixedBytes = 12 * 1024 * 1024
/** Working planes and slots 6, the largest place 13, subjects 17 (bounded there) and their shadows, a style 4, margin. */
const bytesPerPixel = 42
/** Framed pictures, bounded where they are drawn. */
const referenceBytesPerPixel = 10

/** Pages of 64 KiB that `createFrameSource` may need for this plan: 92 MB at 1080p, with references 112 MB. */
export function memoryPagesFor(plan: RenderPlan): number {
  const { paddedWidth, height } = frameGeometry(plan)
  const hasReferences = plan.pictures.length > leadingPictures[plan.mode]
  const perPixel = bytesPerPixel + (hasReferences ? referenceBytesPerPixel : 0)
  return Math.ceil((fixedBytes + paddedWidth * height * perPixel) / pageBytes)
}
