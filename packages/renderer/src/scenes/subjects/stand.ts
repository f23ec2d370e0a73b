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
  /** Index of the subject in the prompt. */
  order: number
  size: number
  /** Distance from the viewer: 0 is at the viewer, 1 at the horizon. */
  distance: number
  /** False for a subject on the far shore of water. */
  hasShadow: boolean
}

/** Paints subjects that stay in place on the ground. Only parts of them move. */
export function paintStanding(stage: Stage, subject: Subject, model: Model, site: Site, hasSparks = false): Painter {
  const { geometry, sun } = stage
  const random = stage.random(`standing ${subject.kind}`)
  // The subject is at most as high as the space above its ground.
  const height = Math.min(model.height * geometry.unit * site.size, (site.ground * 0.95) / model.reach.up)
  const halfWidth = (model.reach.side * height) / geometry.width
  const members = spread(subject.count, { order: site.order, halfWidth, random }).map((x, index) => ({
    x,
    /** Offset toward the viewer, in units of the frame. */
    towardViewer: index === 0 ? 0 : (random() - 0.72) * 0.05,
    size: index === 0 ? 1 : 0.72 + 0.24 * random(),
    phase: random(),
    index,
  }))
  const firstX = (members[0]?.x ?? 0.5) * geometry.width
  const isFacingLeft = sun.x < firstX
  const pace = model.cycle?.pace ?? 0
  const stillSeconds = stage.moment(0).seconds
  const poses = drawPoses(stage, subject, model, {
    height,
    x: firstX,
    ground: site.ground,
    distance: site.distance,
    isFacingLeft,
    hasShadow: site.hasShadow,
    stillPhases: members.map(({ phase }) => (stillSeconds * pace + phase) % 1),
  })
  const fromFarToNear = members.toSorted((a, b) => a.towardViewer - b.towardViewer)
  const sparks = hasSparks
    ? paintEmbers(stage, { x: firstX, y: site.ground - height * 0.5, width: height * 0.7, height: height * 4 })
    : undefined
  const blaze =
    subject.condition === 'burning'
      ? paintBlaze(stage, subject, {
          x: firstX,
          ground: site.ground,
          halfWidth: model.reach.side * height * 0.8,
          subjectHeight: model.reach.up * height,
          depth: site.depth,
        })
      : undefined
  return (moment) => {
    for (const { x, towardViewer, size, phase, index } of fromFarToNear) {
      const y = site.ground + towardViewer * geometry.unit
      showPose(
        stage,
        poses,
        { x: x * geometry.width, y, depth: site.depth, phase: moment.seconds * pace + phase, member: index, size },
        moment,
      )
    }
    sparks?.(moment)
    blaze?.(moment)
  }
}
