import type { Rgb } from '../../../picture/color.ts'
import type { Painter } from '../../stage.ts'
import { traceWindow } from './crests.ts'
import type { SheetStack } from './sheet-stack.ts'

/** Paints a wall with a window. The rest of the scene is visible through the window. */
export function addWall(stack: SheetStack, color: Rgb): Painter {
  const { geometry, horizon } = stack.stage
  const foot = stack.ground(0.5)
  const height = (foot + geometry.height * 0.04) / geometry.unit
  return stack.add({
    crest: () => height,
    color,
    depth: 0.06,
    foot,
    reach: height,
    standing: { trace: traceWindow, height: Math.max(0.2, horizon / geometry.unit), spacing: 1 },
  })
}
