import type { Renderer } from '../video/renderer.ts'
import type { RenderOrder } from '../pool/render-order.ts'
import { writePng } from './write-png.ts'

/** Renders one image and writes it as a PNG without loss. */
export async function renderStill(order: RenderOrder, renderer: Renderer, signal: AbortSignal): Promise<void> {
  for await (const { bytes, release } of renderer.frames(order, 'png-rows', signal)) {
    await writePng(order.path, order.plan, bytes)
    release()
  }
}
