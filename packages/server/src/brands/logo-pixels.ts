/**
 * The pixels of an upright logo in sRGB with straight alpha. No other part of the file is stored.
 */
export interface LogoPixels {
  width: number
  height: number
  rgba: Uint8Array
}
