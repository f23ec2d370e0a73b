import { serveParent } from '../../lib/limited-child/serve-parent.ts'
import type { DecodeRequest } from './decode-image.ts'

/** Larger files are already rejected while they are fetched. */
const fileBytesMax = 32 * 1024 * 1024

/** Entry point of a decoder process: decodes one image at a time. */
await serveParent(fileBytesMax, async () => {
  const { decodeImage } = await import('./decode-image.ts')
  return async (request, file) => {
    const decodedImage = await decodeImage(file, request as DecodeRequest)
    if ('code' in decodedImage) return { header: { kind: 'unusable', ...decodedImage } }
    const { rgba, ...sides } = decodedImage
    return { header: { kind: 'pixels', ...sides }, body: rgba }
  }
})
