import { hex, luminance, mixRgb, scaleRgb, type Rgb } from '../../picture/colour.ts'
import type { Season } from '../prompt/scene-brief.ts'

const foliage: Record<Season, { colour: Rgb; share: number }> = {
  spring: { colour: hex('#a8cf5c'), share: 0.4 },
  summer: { colour: hex('#8fae3a'), share: 0.4 },
  autumn: { colour: hex('#d9822e'), share: 0.74 },
}

/** Color of a broad tree's crown, or undefined if it is green. */
export const crowns: Record<Season, Rgb | undefined> = {
  spring: hex('#f0a6c2'),
  summer: undefined,
  autumn: hex('#d9742a'),
}

/** Gives a green the hue of the season at about the same luminance. */
export function seasoned(green: Rgb, season: Season | undefined, strength = 1): Rgb {
  if (!season) return green
  const { colour, share } = foliage[season]
  const light = luminance(green) / luminance(colour)
  const matched = light > 1 ? mixRgb(colour, [255, 244, 214], Math.min(0.8, (light - 1) * 0.9)) : scaleRgb(colour, light)
  return mixRgb(green, matched, share * strength)
}
