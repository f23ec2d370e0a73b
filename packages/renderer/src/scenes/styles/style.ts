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
import { createNeonOutlines, paintNeon } from './neon.ts'
import { paintOil } from './oil.ts'
import { paintPaperCut } from './paper-cut/paint-paper-cut.ts'
import { paintPixels } from './pixel.ts'
import { paintWatercolor } from './watercolor.ts'

/** Returns the painter of a style, which changes the whole image. `painters` paint that image. */
type PaintStyle = (stage: Stage, painters: readonly Painter[]) => Painter

/** Styles that change each layer when it is created. */
const layerTreatments: Partial<Record<Style, (stage: Stage) => (pixels: LayerPixels) => void>> = {
  neon: createNeonOutlines,
  papercut: (stage) => createFlattening(stage, { levels: [30, 62, 98, 138, 182, 226], shadow: 0.45, edge: 0.4 }),
  minimal: (stage) => createFlattening(stage, { levels: [36, 110, 190, 240], shadow: 0, edge: 0 }),
}

/** Styles that change the whole image of each frame. */
const imageTreatments: Partial<Record<Style, PaintStyle>> = {
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
 * Paints the prompt's place in its style. Some styles draw the place themselves. Others change the
 * layers of the default drawing, or leave them unchanged.
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

/** Returns the painter that applies the prompt's style to the whole image, if the style has one. */
export function paintStyle(stage: Stage, painters: readonly Painter[]): Painter | undefined {
  const { style } = stage.brief
  return style ? imageTreatments[style]?.(stage, painters) : undefined
}
