import type { LayerPixels } from '../../picture/compositor.ts'
import { paintPlace } from '../paint-place.ts'
import type { Style } from '../prompt/scene-brief.ts'
import type { Painter, Stage } from '../stage.ts'
import { paintTableInFront } from '../table/tabletop.ts'
import { createFlattening } from './cutout/flatten.ts'
import { paintFilm } from './film.ts'
import { paintInk } from './ink.ts'
import { paintMinimal } from './minimal/paint-minimal.ts'
import { paintMono } from './mono.ts'
import { drawNeonOutlines, paintNeon } from './neon.ts'
import { paintOil } from './oil.ts'
import { paintPaperCut } from './paper-cut/paint-paper-cut.ts'
import { paintPixels } from './pixel.ts'
import { paintWatercolor } from './watercolor.ts'

/** Paints a style over the whole image. `painters` paint the image that is treated. */
type PaintStyle = (stage: Stage, painters: readonly Painter[]) => Painter

const layerTreatments: Partial<Record<Style, (stage: Stage) => (pixels: LayerPixels) => void>> = {
  neon: drawNeonOutlines,
  papercut: (stage) => createFlattening(stage, { levels: [30, 62, 98, 138, 182, 226], shadow: 0.45, edge: 0.4 }),
  minimal: (stage) => createFlattening(stage, { levels: [36, 110, 190, 240], shadow: 0, edge: 0 }),
}

const styles: Partial<Record<Style, PaintStyle>> = {
  watercolour: paintWatercolor,
  oil: paintOil,
  ink: paintInk,
  mono: paintMono,
  film: paintFilm,
  neon: paintNeon,
  pixel: paintPixels,
}

/**
 * Styles that draw places in their own way. They return undefined for places that they cannot draw.
 */
const placesInStyle: Partial<Record<Style, (stage: Stage) => (Painter | undefined)[] | undefined>> = {
  papercut: paintPaperCut,
  minimal: paintMinimal,
}

/**
 * Paints the prompt's place in its style. The style either draws the place itself or treats each
 * layer of the default drawing.
 */
export function paintPlaceInStyle(stage: Stage, prompt: string): (Painter | undefined)[] {
  const { compositor, brief } = stage
  const { style } = brief
  compositor.treatLayer = style ? layerTreatments[style]?.(stage) : undefined
  const placePainters = (style ? placesInStyle[style]?.(stage) : undefined) ?? paintPlace(stage, prompt)
  const table = paintTableInFront(stage)
  compositor.treatLayer = undefined
  return [...placePainters, ...table]
}

/** Paints the prompt's style as the last treatment of the whole image. */
export function paintStyle(stage: Stage, painters: readonly Painter[]): Painter | undefined {
  const { style } = stage.brief
  return style ? styles[style]?.(stage, painters) : undefined
}
