import type { Point } from './brush.ts'
import type { Build } from './builds.ts'

/** Movements of one moment of a stride, other than those of the legs. */
export interface Pose {
  /** Progress of the stride, from 0 to 1. */
  phase: number
  /** Offset of the body downward, in shoulder heights. */
  bob: number
  /** Additional offset of the head, forward and downward. */
  nod: Point
  /**
   * Drop of the body per unit of length ahead of the middle, because the body dips and rises in a
   * gallop.
   */
  pitch: number
}

/** Joint of the head in this pose. */
export function pollOf({ poll }: Build, { nod, bob, pitch }: Pose): Point {
  return { x: poll.x + nod.x, y: poll.y + nod.y + bob + pitch * poll.x }
}

/** Returns the body's outline with the neck, without legs and head. */
export function outlineOf(build: Build, { bob, nod, pitch }: Pose): Point[] {
  const still = ([x, y]: readonly [number, number]): Point => ({ x, y: y + bob + pitch * x })
  const nodding =
    (from: number, to: number) =>
    ([x, y]: readonly [number, number], index: number, all: readonly unknown[]): Point => {
      const nodShare = from + ((to - from) * index) / Math.max(1, all.length - 1)
      return { x: x + nod.x * nodShare, y: y + bob + pitch * x + nod.y * nodShare }
    }
  const poll = pollOf(build, { bob, nod, pitch, phase: 0 })
  return [
    ...build.back.map(still),
    ...build.crest.map(nodding(0.3, 1)),
    { x: poll.x + 0.06, y: poll.y },
    ...build.throat.map(nodding(1, 0)),
    ...build.belly.map(still),
  ]
}
