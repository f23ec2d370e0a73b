import type { Painter, Stage } from '../../stage.ts'
import { placeSubjects, type Footing } from '../../subjects/place-all.ts'
import type { Desk } from './desk.ts'

/** What of a place lies behind, among and before its subjects. */
export interface Layout {
  back: readonly Painter[]
  /** Between what stands far off and what walks or floats. */
  middle?: readonly Painter[]
  front?: readonly Painter[]
  footing: Footing
}

/** The sheets of a layout with the prompt's subjects between them, far to near. */
export function withSubjects(stage: Stage, { back, middle = [], front = [], footing }: Layout): (Painter | undefined)[] {
  const subjects = placeSubjects(stage, footing)
  return [subjects.sky, ...back, subjects.floating, ...middle, subjects.ground, ...front]
}

/** Where walkers and still things stand, as shares of the ground. */
export function onLand(desk: Desk, walking: number, standing: number, size = 1): Footing {
  return { ground: desk.ground(walking), depth: 0.2, size, standing: { ground: desk.ground(standing), depth: 0.12, size: 1 } }
}

/** Walkers at the lower edge, still things on the far shore, boats between at this share of the water. */
export function atWater(desk: Desk, afloat: number): Footing {
  const { geometry, horizon } = desk.stage
  return {
    ground: geometry.height - geometry.unit * 0.06,
    depth: 0.28,
    standing: { ground: horizon + 2, depth: 0.1, size: 1 },
    afloat: { ground: desk.ground(afloat), depth: 0.15, size: 1.25 },
  }
}
