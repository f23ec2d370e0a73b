import { hex, mixRgb, type Rgb } from '../../picture/color.ts'
import type { SceneBrief } from '../prompt/scene-brief.ts'
import { blooms, type Crop } from './blooms.ts'

const crops = Object.keys(blooms) as Crop[] // Object.keys loses the key type of a closed record

/**
 * Returns the crop that the prompt names, or undefined if it names none. The colors are shades of
 * the prompt's first color, or natural colors if it has none.
 */
export function cropOf({ settings, colors }: SceneBrief): { crop: Crop; colors: readonly Rgb[] } | undefined {
  const crop = crops.find((name) => settings.has(name))
  if (!crop) return undefined
  const accent = colors[0]
  const naturalColors = blooms[crop].colors
  return {
    crop,
    colors: accent ? [accent, mixRgb(accent, hex('#ffffff'), 0.18), mixRgb(accent, hex('#000000'), 0.12)] : naturalColors,
  }
}
