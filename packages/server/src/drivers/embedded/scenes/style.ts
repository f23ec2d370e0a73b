import type { Style } from './scene-brief.ts'
import type { Painter, Stage } from './stage.ts'
import { paintGrade } from './styles/grade.ts'
import { paintInk } from './styles/ink.ts'
import { paintOil } from './styles/oil.ts'
import { paintPixels } from './styles/pixel.ts'
import { paintWatercolour } from './styles/watercolour.ts'

/** `below` is the picture that is treated. */
type PaintStyle = (stage: Stage, below: readonly Painter[]) => Painter

const styles: Record<Style, PaintStyle> = {
  watercolour: paintWatercolour,
  oil: paintOil,
  ink: paintInk,
  mono: (stage) => paintGrade(stage, { contrast: 0.75, gain: 1, lift: 0, saturation: 0, tint: [0, 0], vignette: 0.4, grain: 2 }),
  film: (stage) =>
    paintGrade(stage, { contrast: 0.5, gain: 0.93, lift: 0.035, saturation: 0.82, tint: [-5, 4], vignette: 0.46, grain: 3 }),
  neon: (stage) =>
    paintGrade(stage, { contrast: 0.22, gain: 1, lift: 0.012, saturation: 1.5, tint: [6, 8], vignette: 0.4, grain: 1 }),
  pixel: paintPixels,
}

/** The prompt's style as the last treatment of the whole picture. */
export function paintStyle(stage: Stage, below: readonly Painter[]): Painter | undefined {
  const { style } = stage.brief
  return style ? styles[style](stage, below) : undefined
}
