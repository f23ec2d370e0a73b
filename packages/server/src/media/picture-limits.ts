import type { DecodeLimits } from './decoder/decode-picture.ts'

/** Limits for untrusted images. */
export interface PictureLimits extends DecodeLimits {
  /** Size of a file. */
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
