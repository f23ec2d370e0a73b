import { paintFlock } from '../flock.ts'
import type { PlacedSubjects } from '../place-subjects.ts'
import type { Subject } from '../scene-brief.ts'
import { paintSights } from '../sights.ts'
import type { Painter, Stage } from '../stage.ts'
import { together } from '../together.ts'
import { paintBridge } from './bridge.ts'
import { paintDriving, type VehicleKind } from './drive.ts'
import { isThing, paintBalloons, paintBoats, paintRocket, paintStanding, type ThingKind } from './stand.ts'
import { isSwimming, paintSwimmers, type SwimmerKind } from './swim.ts'
import { paintWalkers } from './walk.ts'
import { isWalking } from './walkers.ts'

/** Where a place lets its subjects stand. */
export interface Footing {
  /** Pixels from the top. */
  ground: number
  depth: number
  /** Where still things stand: farther back than walkers. */
  standing: { ground: number; depth: number; size: number }
  /** Where boats float; without water they lie where still things stand. */
  afloat?: { ground: number; depth: number; size: number }
  size?: number
}

/** Turns the brief's subjects into painters for this footing. */
export function placeSubjects(stage: Stage, footing: Footing): PlacedSubjects {
  const sky: (Painter | undefined)[] = []
  const floating: Painter[] = []
  const ground: Painter[] = []
  for (const [order, subject] of stage.brief.subjects.entries()) {
    if (isWalking(subject.kind)) {
      ground.push(paintWalkers(stage, subject, { ...footing, order }))
    } else if (subject.kind === 'bird') {
      sky.push(paintFlock(stage, { count: Math.max(5, subject.count * 5), size: 26 }))
    } else if (isSwimmer(subject)) {
      if (stage.brief.place === 'underwater') ground.push(paintSwimmers(stage, subject, order))
    } else if (subject.kind === 'bridge') {
      // Over land there is nothing to bridge.
      if (footing.afloat) floating.unshift(paintBridge(stage, subject, footing.standing))
    } else if (isThingSubject(subject)) {
      if (isDriving(subject)) ground.unshift(paintDriving(stage, subject, { ...drivingOf(stage, footing, subject.kind), order }))
      else if (subject.kind === 'rocket') sky.push(paintRocket(stage, subject))
      else if (subject.kind === 'balloon') sky.push(paintBalloons(stage, subject, order))
      else if (subject.kind === 'boat')
        ground.unshift(paintBoats(stage, subject, { ...(footing.afloat ?? footing.standing), order }))
      else floating.push(paintStanding(stage, subject, { ...footing.standing, order }))
    }
  }
  return { sky: together([...paintSights(stage), ...sky]), floating: together(floating), ground: together(ground) }
}

function isSwimmer(subject: Subject): subject is Subject & { kind: SwimmerKind } {
  return isSwimming(subject.kind)
}

function isDriving(subject: Subject & { kind: ThingKind }): subject is Subject & { kind: VehicleKind } {
  return subject.kind === 'car' || subject.kind === 'train'
}

/** Cars come nearer than trains, which cross the middle of the picture. */
function drivingOf({ geometry }: Stage, { ground, depth, standing, size = 1 }: Footing, kind: VehicleKind): Footing['standing'] {
  const lowest = geometry.height - geometry.unit * 0.085
  return kind === 'car' ? { ground: Math.min(ground, lowest), depth, size } : { ...standing, size: 1 }
}

function isThingSubject(subject: Subject): subject is Subject & { kind: ThingKind } {
  return isThing(subject.kind)
}
