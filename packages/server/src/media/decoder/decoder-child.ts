import { serveParent } from '../../lib/limited-child/serve-parent.ts'
import type { DecodeRequest } from './decode-image.ts'

/** Longer files are refused while they are fetched. */
const fileBytesMax = 32 * 1024 * 1024

/** The program of a decoder: decodes one image after the other. */
await serveParent(fileBytesMax, async () => {
  const { decodeImage } = await import('./decode-image.ts')
  return async (request, file) => {
    const decoded = await decodeImage(file, request as DecodeRequest)
    if ('code' in decoded) return { header: { kind: 'unusable', ...decoded } }
    const { rgba, ...sides } = decoded
    return { header: { kind: 'pixels', ...sides }, body: rgba }
  }
})
