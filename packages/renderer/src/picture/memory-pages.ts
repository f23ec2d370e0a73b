import { leadingImageCounts, type RenderPlan } from '../render-plan.ts'
import { frameGeometry } from './frame-geometry.ts'

const pageBytes = 65_536
/** Limit of the kernels' address space: 256 MiB. */
export const pagesMax = 4096
/** Tables, small textures and the minimum of scratch memory, independent of the size. */
const fixedBytes = 12 * 1024 * 1024
/**
 * Sum of: working planes and output slots 6, the scenery of the largest place 13, subjects 17
 * (`drawPoses` enforces this limit), a style 4, and 2 for shadows and a margin.
 */
const bytesPerPixel = 42
/** For reference images, which are drawn as framed prints. The drawing code enforces this limit. */
const referenceBytesPerPixel = 10
/** For the pixels of the largest reference video, into which each of its frames is drawn. */
const movingBytesPerPixel = 2

/**
 * Returns the number of 64 KiB pages that `createFrameSource` may need for this plan: 100 MB at
 * 1080p, 120 MB with reference images, or 125 MB with a reference video. The result is at most
 * `pagesMax`. The estimate for the largest video with a reference video exceeds this limit, but
 * measured scenes need at most 2,900 pages.
 */
export function memoryPagesFor(plan: RenderPlan): number {
  const { paddedWidth, height } = frameGeometry(plan)
  const references = plan.images.slice(leadingImageCounts[plan.mode])
  const hasMoving = references.some(({ frames = 1 }) => frames > 1)
  const perPixel = bytesPerPixel + (references.length > 0 ? referenceBytesPerPixel : 0) + (hasMoving ? movingBytesPerPixel : 0)
  return Math.min(pagesMax, Math.ceil((fixedBytes + paddedWidth * height * perPixel) / pageBytes))
}
