import type { FrameSource } from '../frame-source.ts'
import type { RenderPlan } from '../render-plan.ts'
import { createScene } from '../scenes/create-scene.ts'
import { Compositor } from './compositor.ts'

export { memoryPagesFor } from './memory-pages.ts'

/**
 * Sets up the plan's scene in the shared `memory`, which must have at least `memoryPagesFor(plan)`
 * pages and may contain the frames of an earlier plan. `givenFrame` holds the first frame of the
 * plan's given video. Before each later render, the caller replaces its bytes with those of the
 * next frame.
 */
export function createFrameSource(plan: RenderPlan, memory: WebAssembly.Memory, givenFrame?: Uint8Array): FrameSource {
  const compositor = new Compositor(plan, memory)
  const scene = createScene(plan, compositor, givenFrame)
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
