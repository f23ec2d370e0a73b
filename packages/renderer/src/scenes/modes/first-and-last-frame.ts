import type { PlanImage } from '../../render-plan.ts'
import type { Painter, Stage } from '../stage.ts'
import { matchImages } from './matching/match-images.ts'
import { paintMeeting } from './meeting.ts'
import { paintTurning } from './turning.ts'

/**
 * Paints a video from the first image to the last. If both images show the same thing (moved,
 * nearer or in another light), one image turns into the other. Otherwise the last image replaces
 * the first.
 */
export function paintFirstAndLastFrame(stage: Stage, first: PlanImage, last: PlanImage): Painter {
  const match = matchImages(first, last)
  return match === undefined ? paintMeeting(stage, first, last) : paintTurning(stage, first, last, match)
}
