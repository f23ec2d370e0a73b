import type { DecodeImageFile } from '../../media/decode-image-file.ts'
import { InvalidImage } from '../../media/invalid-image.ts'
import { DriverRefusal } from '../driver.ts'

/**
 * Tolerated relative difference between the aspect ratios of a mask and its image, which rounding
 * may cause.
 */
const aspectRatioTolerance = 0.02
const maskBytesMax = 4 * 1024 * 1024

export interface MaskRequest {
  mask: Buffer
  /** The image to change. */
  image: Buffer
  /** Parameter paths of the mask and the image, for error messages. */
  positions: { mask: string; image: string }
  signal: AbortSignal
}

/**
 * Converts a client's mask to a PNG of the size of its image. The image may change where the
 * client's mask is light and opaque. The PNG has an alpha of 0 there, and of 255 elsewhere. Throws
 * a `DriverRefusal` that names the parameter if a file cannot be decoded, or if the mask has
 * another aspect ratio or is too large.
 */
export async function alphaMask(decode: DecodeImageFile, { mask, image, positions, signal }: MaskRequest): Promise<Buffer> {
  // Decodes the image to one pixel, because only its size is needed.
  const { width, height } = (await decodeOrRefuse(decode, image, { width: 1, height: 1, position: positions.image, signal }))
    .originalSize
  const { rgba, originalSize } = await decodeOrRefuse(decode, mask, { width, height, position: positions.mask, signal })
  if (Math.abs((originalSize.width * height) / (originalSize.height * width) - 1) > aspectRatioTolerance) {
    const message = `${positions.mask} measures ${originalSize.width} x ${originalSize.height} pixels`
    throw new DriverRefusal('invalid_input', `${message}; it must have the shape of ${positions.image}, ${width} x ${height}.`)
  }
  for (let offset = 0; offset < rgba.length; offset += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = rgba.subarray(offset, offset + 4)
    const mayChange = ((0.2126 * red + 0.7152 * green + 0.0722 * blue) * alpha) / 255 >= 128
    rgba.set([0, 0, 0, mayChange ? 0 : 255], offset)
  }
  // Loaded on first use, which saves a tenth of the CPU time of a start.
  const { default: sharp } = await import('sharp')
  const png = await sharp(rgba, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer()
  if (png.byteLength <= maskBytesMax) return png
  throw new DriverRefusal(
    'invalid_input',
    `${positions.mask}: the mask is larger than 4 MiB as a PNG; use fewer or smoother edges.`,
  )
}

async function decodeOrRefuse(
  decode: DecodeImageFile,
  file: Buffer,
  { width, height, position, signal }: { width: number; height: number; position: string; signal: AbortSignal },
) {
  try {
    return await decode(file, { fit: 'cover', width, height, position, signal })
  } catch (cause) {
    throw cause instanceof InvalidImage ? new DriverRefusal('invalid_input', `${cause.message}.`, { cause }) : cause
  }
}
