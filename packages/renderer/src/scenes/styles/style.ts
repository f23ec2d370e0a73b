import type { LayerPixels } from '../../picture/compositor.ts'
import { paintPlace } from '../paint-place.ts'
import type { Style } from '../prompt/scene-brief.ts'
import type { Painter, Stage } from '../stage.ts'
import { paintTableBefore } from '../table/tabletop.ts'
import { flattenWith } from './cutout/flatten.ts'
import { paintFilm } from './film.ts'
import { paintInk } from './ink.ts'
import { paintMinimal } from './minimal/paint-minimal.ts'
import { paintMono } from './mono.ts'
import { outlineWithLight, paintNeon } from './neon.ts'
import { paintOil } from './oil.ts'
import { paintPaperCut } from './paper-cut/paint-paper-cut.ts'
import { paintPixels } from './pixel.ts'
import { paintWatercolour } from './watercolour.ts'

/** Paints a style over the whole image. `below` has the painters of the image that is treated. */
type PaintStyle = (stage: Stage, below: readonly Painter[]) => Painter

const layerTreatments: Partial<Record<Style, (stage: Stage) => (pixels: LayerPixels) => void>> = {
  neon: outlineWithLight,
  papercut: (stage) => flattenWith(stage, { levels: [30, 62, 98, 138, 182, 226], shadow: 0.45, edge: 0.4 }),
  minimal: (stage) => flattenWith(stage, { levels: [36, 110, 190, 240], shadow: 0, edge: 0 }),
}

const styles: Partial<Record<Style, PaintStyle>> = {
  watercolour: paintWatercolour,
  oil: paintOil,
  ink: paintInk,
  mono: paintMono,
  film: paintFilm,
  neon: paintNeon,
  pixel: paintPixels,
}

/**
 * Styles that draw places in their own way. They return undefined for places that they do not know.
 */
const placesInStyle: Partial<Record<Style, (stage: Stage) => (Painter | undefined)[] | undefined>> = {
  papercut: paintPaperCut,
  minimal: paintMinimal,
}

/**
 * Paints the prompt's place in its style: drawn in the style's own way, or with a treatment applied
 * to each layer.
 */
export function paintPlaceInStyle(stage: Stage, prompt: string): (Painter | undefined)[] {
  const { compositor, brief } = stage
  const { style } = brief
  compositor.treatLayer = style ? layerTreatments[style]?.(stage) : undefined
  const drawn = (style ? placesInStyle[style]?.(stage) : undefined) ?? paintPlace(stage, prompt)
  const table = paintTableBefore(stage)
  compositor.treatLayer = undefined
  return [...drawn, ...table]
}

/** Paints the prompt's style as the last treatment of the whole image. */
export function paintStyle(stage: Stage, below: readonly Painter[]): Painter | undefined {
  const { style } = stage.brief
  return style ? styles[style]?.(stage, below) : undefined
}
