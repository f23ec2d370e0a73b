import type { FrameSource } from '../frame-source.ts'
import type { RenderPlan } from '../render-plan.ts'
import { createScene } from '../scenes/create-scene.ts'
import { Compositor } from './compositor.ts'

export { memoryPagesFor } from './memory-pages.ts'

/**
 * Sets up the plan's scene in the shared `memory`, which must have at least `memoryPagesFor(plan)`
 * pages and may hold an older video.
 */
export function createFrameSource(plan: RenderPlan, memory: WebAssembly.Memory): FrameSource {
  const compositor = new Compositor(plan, memory)
  const scene = createScene(plan, compositor)
  return {
    renderI420(index, slot) {
      scene.paint(index)
      return compositor.storeI420(slot)
    },
    renderRgb(index) {
      scene.paint(index)
      return compositor.storeRgb()
    },
    renderPngRows(index) {
      scene.paint(index)
      return compositor.storePngRows()
    },
  }
}
