import type { PlanPicture } from '../../render-plan.ts'
import type { Painter, Stage } from '../stage.ts'
import { matchPictures } from './matching/match-pictures.ts'
import { paintMeeting } from './meeting.ts'
import { paintTurning } from './turning.ts'

/**
 * From the first picture to the last. Where both show the same thing, moved, nearer or in another light, the one turns into the
 * other; where they do not, one makes way for the other.
 */
export function paintFirstAndLastFrame(stage: Stage, first: PlanPicture, last: PlanPicture): Painter {
  const match = matchPictures(first, last)
  return match === undefined ? paintMeeting(stage, first, last) : paintTurning(stage, first, last, match)
}
