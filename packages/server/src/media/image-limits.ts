import type { DecodeLimits } from './decoder/decode-image.ts'

/** Limits for untrusted images. */
export interface ImageLimits extends DecodeLimits {
  /** Maximum size of a file. */
  bytesMax: number
  fetchTimeoutMs: number
}

export const defaultImageLimits: ImageLimits = {
  bytesMax: 20 * 1024 * 1024,
  pixelsMax: 50_000_000,
  avifPixelsMax: 20_000_000,
  sidesRatioMax: 100,
  scansMax: 100,
  fetchTimeoutMs: 30_000,
}
