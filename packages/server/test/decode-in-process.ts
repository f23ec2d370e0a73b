import { createDecodeImageFile, type DecodeImageFile } from '../src/media/decode-image-file.ts'
import { decodeImage } from '../src/media/decoder/decode-image.ts'

/** Decodes images in this process instead of a child process. */
export const decodeInProcess: DecodeImageFile = createDecodeImageFile({
  async decode(file, request) {
    const end = await decodeImage(file, request)
    return 'code' in end ? { outcome: 'unusable', unusable: end } : { outcome: 'decoded', image: end }
  },
})
