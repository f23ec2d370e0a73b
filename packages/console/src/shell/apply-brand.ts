import { brand } from '../session/brand.ts'
import { readableColor } from './readable-color.ts'

const [lightBackground, darkBackground] = ['#ffffff', '#17181b']

/**
 * Applies the color of the brand. For text, the color is made lighter or darker until it is
 * readable.
 */
export function applyBrand(): void {
  if (brand.color === null) return
  const { style } = document.documentElement
  style.setProperty('--accent-light', readableColor(brand.color, lightBackground))
  style.setProperty('--accent-dark', readableColor(brand.color, darkBackground))
}
