import { mixRgb, type Rgb } from '../../picture/colour.ts'
import type { PlacedSubjects } from '../place-subjects.ts'
import type { Painter, Stage } from '../stage.ts'
import { isWalking, paintWalkers } from './walk.ts'

/** Where a place lets its subjects stand. */
export interface Footing {
  /** Pixels from the top. */
  ground: number
  depth: number
  /** Colour of contact shadows. */
  shadow?: Rgb
  size?: number
}

/** Turns the brief's subjects into painters for this footing. */
export function placeSubjects(stage: Stage, footing: Footing): PlacedSubjects {
  const ground: Painter[] = []
  for (const [order, subject] of stage.brief.subjects.entries()) {
    if (isWalking(subject.kind)) {
      const shadow = footing.shadow ?? mixRgb(stage.palette.near, stage.palette.shade, 0.5)
      ground.push(paintWalkers(stage, subject, { ...footing, shadow, order }))
    }
  }
  return { sky: undefined, floating: undefined, ground: together(ground) }
}

function together(painters: Painter[]): Painter | undefined {
  if (painters.length === 0) return undefined
  return (moment) => {
    for (const painter of painters) painter(moment)
  }
}
