/**
 * The pixels of a logo: upright, sRGB, straight alpha. Nothing else of the original file is kept.
 */
export interface LogoPixels {
  width: number
  height: number
  rgba: Uint8Array
}
