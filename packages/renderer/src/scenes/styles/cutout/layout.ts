import type { Painter, Stage } from '../../stage.ts'
import { placeSubjects, type Footing } from '../../subjects/place-subjects.ts'
import type { SheetStack } from './sheet-stack.ts'

/** Painters of a place that are behind, among and in front of its subjects. */
export interface Layout {
  back: readonly Painter[]
  /** Painters between the immobile subjects and those that walk or float. */
  middle?: readonly Painter[]
  front?: readonly Painter[]
  footing: Footing
}

/** Lists the sheets of a layout, with the prompt's subjects between them, from far to near. */
export function withSubjects(stage: Stage, { back, middle = [], front = [], footing }: Layout): (Painter | undefined)[] {
  const subjects = placeSubjects(stage, footing)
  return [subjects.sky, ...back, subjects.floating, ...middle, subjects.ground, ...front]
}

/** Places walkers and immobile subjects at these shares of the ground. */
export function placeOnLand(stack: SheetStack, walking: number, standing: number, size = 1): Footing {
  return { ground: stack.ground(walking), depth: 0.2, size, standing: { ground: stack.ground(standing), depth: 0.12, size: 1 } }
}

/**
 * Places walkers at the lower edge, immobile subjects on the far shore, and boats at this share of
 * the water.
 */
export function placeAtWater(stack: SheetStack, afloat: number): Footing {
  const { geometry, horizon } = stack.stage
  return {
    ground: geometry.height - geometry.unit * 0.06,
    depth: 0.28,
    standing: { ground: horizon + 2, depth: 0.1, size: 1 },
    afloat: { ground: stack.ground(afloat), depth: 0.15, size: 1.25 },
  }
}
