import { ImageData } from '@napi-rs/canvas'
import type { Compositor } from '../picture/compositor.ts'
import type { PlanOverlay } from '../render-plan.ts'

/** Returns a painter that draws the overlay unscaled. */
export function createOverlay(compositor: Compositor, { x, y, width, height, rgba }: PlanOverlay): () => void {
  const pixels = new ImageData(new Uint8ClampedArray(rgba), width, height)
  const layer = compositor.layer(width, height, (context) => context.putImageData(pixels, 0, 0))
  return () => compositor.drawLayer(layer, { x, y, scale: 1 })
}
