import { scaleRgb } from '../../picture/color.ts'
import { paintRidge } from '../terrain/ridges.ts'
import { needsGround } from '../subjects/kinds.ts'
import type { Painter, Stage } from '../stage.ts'

/**
 * Paints dark ground along the lower edge of a water scene if a subject needs ground. Otherwise the
 * water stays open.
 */
export function paintShore(stage: Stage): Painter | undefined {
  const { palette, geometry, brief } = stage
  if (!needsGround(brief.subjects)) return undefined
  const { unit, height } = geometry
  return paintRidge(stage, {
    order: 6,
    shape: 'hill',
    foot: height - unit * 0.075,
    relief: 0.06,
    frequency: 0.9,
    depth: 0.28,
    top: scaleRgb(palette.nearColor, 0.95),
    bottom: scaleRgb(palette.nearColor, 0.6),
    litColor: palette.farColor,
    shade: scaleRgb(palette.nearColor, 0.5),
    slopes: 0.3,
    rim: 0.5,
    fillTo: height + unit * 0.02,
  })
}
