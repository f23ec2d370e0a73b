/**
 * The pixels of a logo: upright, in sRGB, with straight alpha. The service stores only the pixels
 * of an uploaded logo.
 */
export interface LogoPixels {
  width: number
  height: number
  rgba: Uint8Array
}
