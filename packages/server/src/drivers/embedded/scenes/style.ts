import type { LayerPixels } from '../picture/compositor.ts'
import type { Style } from './scene-brief.ts'
import type { Painter, Stage } from './stage.ts'
import { paintFilm } from './styles/film.ts'
import { paintInk } from './styles/ink.ts'
import { paintMono } from './styles/mono.ts'
import { outlineWithLight, paintNeon } from './styles/neon.ts'
import { paintOil } from './styles/oil.ts'
import { paintPixels } from './styles/pixel.ts'
import { paintWatercolour } from './styles/watercolour.ts'

/** `below` is the picture that is treated. */
type PaintStyle = (stage: Stage, below: readonly Painter[]) => Painter

const layerTreatments: Partial<Record<Style, (stage: Stage) => (pixels: LayerPixels) => void>> = { neon: outlineWithLight }

const styles: Record<Style, PaintStyle> = {
  watercolour: paintWatercolour,
  oil: paintOil,
  ink: paintInk,
  mono: paintMono,
  film: paintFilm,
  neon: paintNeon,
  pixel: paintPixels,
}

/** Calls `draw`, with whatever the prompt's style does to each layer as it is drawn. */
export function drawInStyle<Drawn>(stage: Stage, draw: () => Drawn): Drawn {
  const { compositor, brief } = stage
  compositor.treatLayer = brief.style ? layerTreatments[brief.style]?.(stage) : undefined
  const drawn = draw()
  compositor.treatLayer = undefined
  return drawn
}

/** The prompt's style as the last treatment of the whole picture. */
export function paintStyle(stage: Stage, below: readonly Painter[]): Painter | undefined {
  const { style } = stage.brief
  return style ? styles[style](stage, below) : undefined
}
