import type { DecodeLimits } from './decoder/decode-picture.ts'

/** Of pictures that somebody sends us. */
export interface PictureLimits extends DecodeLimits {
  /** Of a file. */
  bytesMax: number
  fetchMs: number
}

export const defaultPictureLimits: PictureLimits = {
  bytesMax: 20 * 1024 * 1024,
  pixelsMax: 50_000_000,
  avifPixelsMax: 20_000_000,
  sidesRatioMax: 100,
  scansMax: 100,
  fetchMs: 30_000,
}
