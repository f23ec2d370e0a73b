import { hex, mixRgb, type Rgb } from '../../picture/colour.ts'
import type { SceneBrief } from '../scene-brief.ts'
import { blooms, type Crop } from './blooms.ts'

const crops = Object.keys(blooms) as Crop[] // Object.keys forgets the keys of a closed record

/** The flowers that the prompt names, in its colours; nothing where none are named. */
export function cropOf({ settings, colours }: SceneBrief): { crop: Crop; colours: readonly Rgb[] } | undefined {
  const crop = crops.find((name) => settings.has(name))
  if (!crop) return undefined
  const accent = colours[0]
  const own = blooms[crop].colours
  return { crop, colours: accent ? [accent, mixRgb(accent, hex('#ffffff'), 0.18), mixRgb(accent, hex('#000000'), 0.12)] : own }
}
