import type { WatermarkDesign } from '../../../watermark/watermark-design.ts'
import { paintWatermark, placeWatermark } from '../../../watermark/watermark-shape.ts'
import type { Compositor } from '../picture/compositor.ts'

/** Creates a small mark at the bottom right and returns its painter. */
export function createWatermark(compositor: Compositor, design: WatermarkDesign): () => void {
  const place = placeWatermark(compositor.geometry, design)
  const layer = compositor.layer(place.width, place.height, (context) => paintWatermark(context, place, design))
  return () => compositor.drawLayer(layer, { x: place.x, y: place.y, scale: 1 })
}
