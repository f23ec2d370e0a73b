import { paintLights } from '../abstract/lights.ts'
import { paintRibbons } from '../abstract/ribbons.ts'
import { paintSilk } from '../abstract/silk.ts'
import { colorRamp, hex, luminance, mixRgb, scaleRgb, type Rgb } from '../../picture/color.ts'
import type { Painter, Stage } from '../stage.ts'

/**
 * Color schemes from dark to light, chosen by hand. Colors that the prompt names take precedence.
 */
const schemes: readonly [readonly Rgb[], ...(readonly Rgb[])[]] = [
  ['#0c0a24', '#2b1a5e', '#7a2f86', '#e0587a', '#ff9e6a', '#ffe6b8'].map(hex),
  ['#03161f', '#06405a', '#0f7f8c', '#4cc0a8', '#b8e8b0', '#fff6d8'].map(hex),
  ['#140a1e', '#42163e', '#8c2848', '#d8603a', '#f2b04e', '#fff0c4'].map(hex),
  ['#081028', '#1c3470', '#4668b8', '#8aa0e0', '#d8c4e8', '#fff0ec'].map(hex),
  ['#0a1410', '#1c4034', '#4e7a4a', '#a8a858', '#e8cc88', '#fdf4dc'].map(hex),
  ['#0a0a0c', '#2c2c34', '#5c5c68', '#9a9aa4', '#d0d0d4', '#f6f4f0'].map(hex),
  ['#06141c', '#0c3a3c', '#1c6c54', '#e0803c', '#f4b868', '#fff2d8'].map(hex),
  ['#1a0c14', '#5a2036', '#a84a5a', '#e08c80', '#f4c8b0', '#fff4e8'].map(hex),
]

/** Paints silk, ribbons or lights. The prompt's words choose among them. */
export function paintAbstract(stage: Stage): Painter[] {
  const ramp = colorRamp(chooseColors(stage))
  const paint = stage.pick('abstract', [paintSilk, paintRibbons, paintLights, paintSilk])
  return paint(stage, ramp)
}

function chooseColors(stage: Stage): readonly Rgb[] {
  const namedColors = stage.brief.colors
  if (namedColors.length === 0) return stage.pick('abstract colours', schemes)
  const ordered = namedColors.slice(0, 4).toSorted((a, b) => luminance(a) - luminance(b))
  const darkest = ordered[0] ?? [0, 0, 0]
  const lightest = ordered.at(-1) ?? [255, 255, 255]
  return [
    scaleRgb(darkest, 0.12),
    scaleRgb(darkest, 0.5),
    ...ordered,
    mixRgb(lightest, [255, 250, 240], 0.45),
    mixRgb(lightest, [255, 252, 246], 0.8),
  ]
}
