import { brand } from '../session/brand.ts'
import { readableColor } from './readable-color.ts'

const [lightBackground, darkBackground] = ['#ffffff', '#17181b']

/**
 * Sets the accent color to that of the brand, lighter or darker where text would not be readable.
 */
export function applyBrand(): void {
  if (brand.color === null) return
  const { style } = document.documentElement
  style.setProperty('--accent-light', readableColor(brand.color, lightBackground))
  style.setProperty('--accent-dark', readableColor(brand.color, darkBackground))
}
