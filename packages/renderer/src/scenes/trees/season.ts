import { hex, luminance, mixRgb, scaleRgb, type Rgb } from '../../picture/color.ts'
import type { Season } from '../prompt/scene-brief.ts'

const foliage: Record<Season, { color: Rgb; share: number }> = {
  spring: { color: hex('#a8cf5c'), share: 0.4 },
  summer: { color: hex('#8fae3a'), share: 0.4 },
  autumn: { color: hex('#d9822e'), share: 0.74 },
}

/** Color of a broad tree's crown, or undefined if it is green. */
export const crowns: Record<Season, Rgb | undefined> = {
  spring: hex('#f0a6c2'),
  summer: undefined,
  autumn: hex('#d9742a'),
}

/** Gives a green the hue of the season at about the same luminance. */
export function toSeasonColor(green: Rgb, season: Season | undefined, strength = 1): Rgb {
  if (!season) return green
  const { color, share } = foliage[season]
  const light = luminance(green) / luminance(color)
  const matched = light > 1 ? mixRgb(color, [255, 244, 214], Math.min(0.8, (light - 1) * 0.9)) : scaleRgb(color, light)
  return mixRgb(green, matched, share * strength)
}
