import { createDecodeImageFile, type DecodeImageFile } from '../src/media/decode-image-file.ts'
import { decodeImage } from '../src/media/decoder/decode-image.ts'

/** Decodes images in this process instead of a child process. */
export const decodeInProcess: DecodeImageFile = createDecodeImageFile({
  async decode(file, request) {
    const decoded = await decodeImage(file, request)
    return 'code' in decoded ? { outcome: 'unusable', unusable: decoded } : { outcome: 'decoded', image: decoded }
  },
})
