import { hex, mixRgb, type Rgb } from '../../picture/colour.ts'
import type { SceneBrief } from '../prompt/scene-brief.ts'
import { blooms, type Crop } from './blooms.ts'

const crops = Object.keys(blooms) as Crop[] // Object.keys forgets the keys of a closed record

/** Returns the flowers that the prompt names, in its colors, or undefined if it names none. */
export function cropOf({ settings, colours }: SceneBrief): { crop: Crop; colours: readonly Rgb[] } | undefined {
  const crop = crops.find((name) => settings.has(name))
  if (!crop) return undefined
  const accent = colours[0]
  const own = blooms[crop].colours
  return { crop, colours: accent ? [accent, mixRgb(accent, hex('#ffffff'), 0.18), mixRgb(accent, hex('#000000'), 0.12)] : own }
}
