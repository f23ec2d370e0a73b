import type { LogoPixels } from '../brands/logo-pixels.ts'
import { drawableText } from './watermark-letters.ts'

/** The content of a watermark: a sign, followed by a name. */
export interface WatermarkDesign {
  /** Text as returned by `drawableText`. May be empty. */
  text: string
  /** Color of the sign `dot`, as `#rrggbb`. Null: white. */
  color: string | null
  sign: 'gate' | 'dot' | LogoPixels
}

export const productWatermark: WatermarkDesign = { text: 'FRAMEGATE', color: null, sign: 'gate' }

interface BrandAppearance {
  readonly name: string
  readonly color: string | null
  readonly isWhiteLabel: boolean
}

/**
 * Returns the watermark of a brand: its name, and its logo or a dot in its color. A brand that is
 * not a white label and has no logo gets the watermark of the product.
 */
export function watermarkOf(brand: BrandAppearance, logo: LogoPixels | null): WatermarkDesign {
  if (!brand.isWhiteLabel && logo === null) return productWatermark
  return { text: drawableText(brand.name), color: brand.color, sign: logo ?? 'dot' }
}

/** Serializes a design as a line of text for a child process. */
export function watermarkLine({ sign, ...design }: WatermarkDesign): string {
  const serializedSign = typeof sign === 'string' ? sign : { ...sign, rgba: Buffer.from(sign.rgba).toString('base64') }
  return JSON.stringify({ ...design, sign: serializedSign })
}

/** Reads a design that `watermarkLine` has serialized. */
export function readWatermarkLine(line: string): WatermarkDesign {
  const { sign, ...design } = JSON.parse(line) as Omit<WatermarkDesign, 'sign'> & {
    sign: 'gate' | 'dot' | { width: number; height: number; rgba: string }
  }
  if (typeof sign === 'string') return { ...design, sign }
  return { ...design, sign: { ...sign, rgba: new Uint8Array(Buffer.from(sign.rgba, 'base64')) } }
}
