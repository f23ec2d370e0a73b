import { clamp } from '../../picture/curves.ts'
import type { Subject } from '../prompt/scene-brief.ts'
import { paintEmbers } from '../air/embers.ts'
import type { Painter, Stage } from '../stage.ts'
import type { Model } from './model.ts'
import { paintBlaze } from './paint-blaze.ts'
import { drawPoses, showPose } from './poses.ts'
import { spread } from './spread.ts'

export interface Site {
  /** Row of the feet, in pixels from the top. */
  ground: number
  depth: number
  order: number
  size: number
  /** Distance from the viewer: 0 is at the viewer, 1 at the horizon. */
  distance: number
  /** False for a subject on water. */
  hasShadow: boolean
}

/**
 * Paints subjects that stay in place on the ground. Their moving parts have a cycle of their own.
 */
export function paintStanding(stage: Stage, subject: Subject, model: Model, site: Site, sheds?: 'sparks'): Painter {
  const { geometry, sun } = stage
  const random = stage.random(`standing ${subject.kind}`)
  // The subject is at most as high as the space above its ground.
  const height = Math.min(model.height * geometry.unit * site.size, (site.ground * 0.95) / model.reach.up)
  const halfWidth = (model.reach.side * height) / geometry.width
  const members = spread(subject.count, { order: site.order, halfWidth, random }).map((x, index) => ({
    x,
    nearer: index === 0 ? 0 : (random() - 0.72) * 0.05,
    size: index === 0 ? 1 : 0.72 + 0.24 * random(),
    phase: random(),
    index,
  }))
  const first = members[0]?.x ?? 0.5
  const isFacingLeft = sun.x < first * geometry.width
  const pace = model.cycle?.pace ?? 0
  const stillSeconds = stage.moment(0).seconds
  const poses = drawPoses(stage, subject, model, {
    height,
    x: first * geometry.width,
    ground: site.ground,
    distance: site.distance,
    isFacingLeft,
    hasShadow: site.hasShadow,
    stillPhases: members.map(({ phase }) => (stillSeconds * pace + phase) % 1),
  })
  const ordered = members.toSorted((a, b) => a.nearer - b.nearer)
  const shedSparks = sheds
    ? paintEmbers(stage, { x: first * geometry.width, y: site.ground - height * 0.5, width: height * 0.7, height: height * 4 })
    : undefined
  const blaze =
    subject.condition === 'burning'
      ? paintBlaze(stage, subject, {
          x: first * geometry.width,
          ground: site.ground,
          halfWidth: model.reach.side * height * 0.8,
          subjectHeight: model.reach.up * height,
          depth: site.depth,
        })
      : undefined
  return (moment) => {
    for (const { x, nearer, size, phase, index } of ordered) {
      const y = site.ground + clamp(nearer, -0.05, 0.02) * geometry.unit
      showPose(
        stage,
        poses,
        { x: x * geometry.width, y, depth: site.depth, phase: moment.seconds * pace + phase, member: index, size },
        moment,
      )
    }
    shedSparks?.(moment)
    blaze?.(moment)
  }
}
