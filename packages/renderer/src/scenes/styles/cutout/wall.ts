import type { Rgb } from '../../../picture/colour.ts'
import type { Painter } from '../../stage.ts'
import { traceWindow } from './crests.ts'
import type { Desk } from './desk.ts'

/** Paints a wall with a window through which the rest is visible. */
export function wall(desk: Desk, colour: Rgb): Painter {
  const { geometry, horizon } = desk.stage
  const foot = desk.ground(0.5)
  const tall = (foot + geometry.height * 0.04) / geometry.unit
  return desk.lay({
    crest: () => tall,
    colour,
    depth: 0.06,
    foot,
    reach: tall,
    standing: { trace: traceWindow, tall: Math.max(0.2, horizon / geometry.unit), spacing: 1 },
  })
}
