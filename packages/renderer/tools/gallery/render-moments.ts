import { createFrameSource, memoryPagesFor } from '../../src/picture/create-frame-source.ts'
import type { RenderPlan } from '../../src/render-plan.ts'

/**
 * Returns RGB frames of a video without encoding it. A moment of 0 is the start and 1 is the end.
 */
export function renderMoments(plan: RenderPlan, moments: readonly number[]): Buffer[] {
  const pages = memoryPagesFor(plan)
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true })
  const source = createFrameSource(plan, memory)
  return moments.map((moment) => {
    const { byteOffset, byteLength } = source.renderRgb(Math.round(moment * (plan.frames - 1)))
    return Buffer.from(new Uint8Array(memory.buffer, byteOffset, byteLength))
  })
}

/** Returns the plan of the video that `framegate generate` creates for a prompt by default. */
export function planOf(prompt: string, size: { width: number; height: number }, frames: number, seed: number): RenderPlan {
  return { ...size, frames, prompt, negativePrompt: '', seed, mode: 'text', images: [], overlay: null }
}
