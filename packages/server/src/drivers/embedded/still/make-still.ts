import type { Renderer } from '../film/renderer.ts'
import type { RenderOrder } from '../pool/render-order.ts'
import { writePng } from './write-png.ts'

/** Renders one picture and writes it as PNG, every colour as it was composed. */
export async function makeStill(order: RenderOrder, renderer: Renderer, signal: AbortSignal): Promise<void> {
  for await (const { bytes, release } of renderer.frames(order, 'png-rows', signal)) {
    await writePng(order.path, order.plan, bytes)
    release()
  }
}
