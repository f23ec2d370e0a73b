import sharp from 'sharp'
import type { Renderer } from '../film/renderer.ts'
import type { RenderOrder } from '../pool/render-order.ts'

// Renders follow one another and share the machine with encoders: threads and caches of the library would only take away.
sharp.concurrency(1)
sharp.cache(false)

/** Strong compression costs ten times the time and saves a tenth of the bytes of such pictures. */
const pngOptions = { compressionLevel: 3, adaptiveFiltering: false }

/** Renders one picture and writes it as PNG, every colour as it was composed. */
export async function makeStill(order: RenderOrder, renderer: Renderer, signal: AbortSignal): Promise<void> {
  const { width, height } = order.plan
  for await (const { bytes, release } of renderer.frames(order, 'rgb', signal)) {
    const rgb = Buffer.from(bytes)
    release()
    await sharp(rgb, { raw: { width, height, channels: 3 } })
      .png(pngOptions)
      .toFile(order.path)
  }
}
