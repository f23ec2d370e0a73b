/**
 * The pixels of a logo: upright, in sRGB, with straight alpha. Nothing else of the file is stored.
 */
export interface LogoPixels {
  width: number
  height: number
  rgba: Uint8Array
}
