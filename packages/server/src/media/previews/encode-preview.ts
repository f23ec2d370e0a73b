import type { PixelSize } from '@framegate/contract'
import sharp, { type Sharp } from 'sharp'
import { closeOtherLoaders } from '../decoder/image-loaders.ts'
import { chooseFrame } from './choose-frame.ts'
import { sheetColumns, sheetTiles, thumbnailSideMax } from './preview-size.ts'

export type EncodeRequest =
  /** The thumbnail of an image file. */
  | { kind: 'image'; path: string }
  /**
   * The thumbnail of a video. The body has packed RGB frames of this size, of which one is chosen.
   */
  | ({ kind: 'frames' } & PixelSize)
  /**
   * The spritesheet of a video. The body has its tiles as packed RGB frames of this size. If there
   * are too few, the last one is repeated.
   */
  | ({ kind: 'tiles' } & PixelSize)

/** Maximum number of pixels of a result. */
const pixelsMax = 100_000_000
const quality = 80
/**
 * Encoder effort, from 0 to 6. A higher value takes twice the time and saves only a few percent of
 * the bytes.
 */
const effort = 2

// Files are encoded one at a time and never twice, so threads and caches of the library would only
// take resources from the renderers.
sharp.concurrency(1)
sharp.cache(false)
closeOtherLoaders()

/** Encodes a preview as WebP. Throws if the file cannot be decoded. */
export async function encodePreview(request: EncodeRequest, body: Uint8Array): Promise<Buffer> {
  return await imageOf(request, body).webp({ quality, effort }).toBuffer()
}

function imageOf(request: EncodeRequest, body: Uint8Array): Sharp {
  switch (request.kind) {
    case 'image':
      // The decoder reads row by row, at the smallest scale that the format offers.
      return sharp(request.path, { failOn: 'error', limitInputPixels: pixelsMax, sequentialRead: true })
        .autoOrient()
        .resize({ width: thumbnailSideMax, height: thumbnailSideMax, fit: 'inside', withoutEnlargement: true })
        .toColourspace('srgb')
    case 'frames': {
      const frameBytes = frameBytesOf(request)
      return rawImage(body.subarray(chooseFrame(body, frameBytes) * frameBytes).subarray(0, frameBytes), request)
    }
    default:
      return rawImage(buildSheet(body, request), { width: sheetColumns * request.width, height: sheetColumns * request.height })
  }
}

function rawImage(rgb: Uint8Array, { width, height }: PixelSize): Sharp {
  return sharp(rgb, { raw: { width, height, channels: 3 } })
}

function frameBytesOf({ width, height }: PixelSize): number {
  return 3 * width * height
}

function buildSheet(frames: Uint8Array, { width, height }: PixelSize): Uint8Array {
  const frameBytes = frameBytesOf({ width, height })
  const frameCount = Math.floor(frames.length / frameBytes)
  const [rowBytes, sheetRowBytes] = [3 * width, 3 * width * sheetColumns]
  const sheet = new Uint8Array(sheetTiles * frameBytes)
  for (let tile = 0; tile < sheetTiles; tile++) {
    const sourceOffset = Math.min(tile, frameCount - 1) * frameBytes
    const targetOffset = Math.floor(tile / sheetColumns) * height * sheetRowBytes + (tile % sheetColumns) * rowBytes
    for (let row = 0; row < height; row++) {
      const start = sourceOffset + row * rowBytes
      sheet.set(frames.subarray(start, start + rowBytes), targetOffset + row * sheetRowBytes)
    }
  }
  return sheet
}
