import { createFrameSource, memoryPagesFor } from '../../src/picture/create-frame-source.ts'
import type { RenderPlan } from '../../src/render-plan.ts'

/** RGB frames of a video without encoding it. In `moments`, 0 is the start and 1 the end. */
export function renderMoments(plan: RenderPlan, moments: readonly number[]): Buffer[] {
  const pages = memoryPagesFor(plan)
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true })
  const source = createFrameSource(plan, memory)
  return moments.map((moment) => {
    const { byteOffset, byteLength } = source.renderRgb(Math.round(moment * (plan.frames - 1)))
    return Buffer.from(new Uint8Array(memory.buffer, byteOffset, byteLength))
  })
}

/** The video that `framegate generate` makes of a prompt by default. */
export function planOf(prompt: string, size: { width: number; height: number }, frames: number, seed: number): RenderPlan {
  return { ...size, frames, prompt, negativePrompt: '', seed, mode: 'text', images: [], overlay: null }
}
