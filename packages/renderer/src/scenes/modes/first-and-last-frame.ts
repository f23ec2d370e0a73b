import type { PlanImage } from '../../render-plan.ts'
import type { Painter, Stage } from '../stage.ts'
import { matchImages } from './matching/match-images.ts'
import { paintTransition } from './transition.ts'
import { paintMorph } from './morph.ts'

/**
 * Paints a video from the first image to the last. If both images show the same object (moved,
 * nearer or in another light), the first image morphs into the last. Otherwise mist hides the
 * transition between them.
 */
export function paintFirstAndLastFrame(stage: Stage, first: PlanImage, last: PlanImage): Painter {
  const match = matchImages(first, last)
  return match === undefined ? paintTransition(stage, first, last) : paintMorph(stage, first, last, match)
}
