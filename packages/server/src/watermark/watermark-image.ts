import { writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import type { WatermarkDesign } from './watermark-design.ts'
import { watermarkPixels } from './watermark-pixels.ts'

const pixelsMax = 100_000_000
/** Qualities at which an image is nearly indistinguishable from the original. */
const jpegQuality = 95
const webpQuality = 95

/** Writes the image with the watermark in the same format. A PNG stays lossless. */
export async function watermarkImage(sourcePath: string, targetPath: string, design: WatermarkDesign): Promise<void> {
  const { autoOrient, format } = await sharp(sourcePath).metadata()
  const { x: left, y: top, width, height, rgba } = watermarkPixels(autoOrient, design)
  const image = sharp(sourcePath, { failOn: 'error', limitInputPixels: pixelsMax })
    .autoOrient()
    .composite([{ input: Buffer.from(rgba.buffer), raw: { width, height, channels: 4 }, left, top }])
    .keepIccProfile()
  if (format === 'jpeg') image.jpeg({ quality: jpegQuality, chromaSubsampling: '4:4:4' })
  else if (format === 'webp') image.webp({ quality: webpQuality })
  else if (format === 'png') image.png()
  else throw new Error(`an image of type ${format} cannot be watermarked`)
  // Node writes the file, because an error of the image library about a full disk has no code.
  await writeFile(targetPath, await image.toBuffer())
}
