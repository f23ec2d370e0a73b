import sharp from 'sharp'
import { watermarkPixels } from './watermark-pixels.ts'

const pixelsMax = 100_000_000
/** Hardly to be told from what came. */
const jpegQuality = 95
const webpQuality = 95

/** The same picture with the watermark, in its own format; a PNG stays as exact as it was. */
export async function markPicture(from: string, to: string): Promise<void> {
  const { autoOrient, format } = await sharp(from).metadata()
  const { x: left, y: top, width, height, rgba } = watermarkPixels(autoOrient)
  const picture = sharp(from, { failOn: 'error', limitInputPixels: pixelsMax })
    .autoOrient()
    .composite([{ input: Buffer.from(rgba.buffer), raw: { width, height, channels: 4 }, left, top }])
    .keepIccProfile()
  if (format === 'jpeg') await picture.jpeg({ quality: jpegQuality, chromaSubsampling: '4:4:4' }).toFile(to)
  else if (format === 'webp') await picture.webp({ quality: webpQuality }).toFile(to)
  else if (format === 'png') await picture.png().toFile(to)
  else throw new Error(`a picture of type ${format} cannot be marked`)
}
