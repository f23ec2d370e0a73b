import { clamp } from '../../picture/curves.ts'
import type { Subject } from '../prompt/scene-brief.ts'
import type { Painter, Stage } from '../stage.ts'
import type { Model } from './model.ts'
import { drawPoses, showPose } from './poses.ts'
import { membersMax } from './spread.ts'

export interface Flight {
  /** Speed across the sky, in units per second. */
  speed: number
  /** Share of the distance from the zenith down to the horizon. */
  skyShare: number
  /** Amplitude of the vertical motion, in units. */
  heave: number
}

/**
 * Paints a subject that crosses the sky. At half of the video's duration, it is near the middle.
 */
export function paintFlying(stage: Stage, subject: Subject, model: Model, flight: Flight, order: number): Painter {
  const { geometry, horizon, sun } = stage
  const { unit, width } = geometry
  const random = stage.random(`flying ${subject.kind}`)
  const isFacingLeft = random() < 0.5
  const { up, down, side: reach } = model.reach
  // The height of the sky above the horizon limits the subject's height.
  const height = Math.min(model.height * unit, width / (reach * 2.25), (horizon * 0.9 - unit * 0.04) / (up * 1.05 + down * 0.75))
  const halfWidth = reach * height
  const count = Math.min(membersMax, subject.count)
  const side = sun.x > width / 2 ? -1 : 1
  const members = Array.from({ length: count }, (_, index) => ({
    x: index === 0 ? 0 : (index % 2 ? 1 : -1) * Math.ceil(index / 2) * halfWidth * 1.3,
    y: index === 0 ? 0 : (random() - 0.35) * unit * 0.16,
    size: index === 0 ? 1 : 0.45 + 0.3 * random(),
    phase: random(),
  }))
  const middle = {
    x: width * 0.5 + side * Math.min(width * 0.06, Math.max(0, width * 0.46 - halfWidth)),
    y: clamp(horizon * (flight.skyShare + order * 0.1), up * height * 1.05 + unit * 0.03, horizon - down * height * 0.75),
  }
  const speed = Math.min(flight.speed * unit, Math.max(0, width - halfWidth * 1.6) / Math.max(1, stage.seconds))
  const pace = model.cycle?.pace ?? 0
  const stillSeconds = stage.moment(0).seconds
  const poses = drawPoses(stage, subject, model, {
    height,
    x: middle.x,
    ground: middle.y,
    distance: 0.2,
    isFacingLeft,
    stillPhases: members.map(({ phase }) => (stillSeconds * pace + phase) % 1),
  })
  return (moment) => {
    const distance = (moment.seconds - stage.seconds / 2) * speed * (isFacingLeft ? -1 : 1)
    for (const [index, { x, y, size, phase }] of members.entries()) {
      const heave = Math.sin(moment.seconds * 0.9 + phase * 6.28) * flight.heave * unit
      const placement = { x: middle.x + distance + x, y: middle.y + y + heave - (moment.progress - 0.5) * unit * 0.03 }
      showPose(stage, poses, { ...placement, depth: 0.1, phase: moment.seconds * pace + phase, member: index, size }, moment)
    }
  }
}

/** Paints a subject that climbs slowly toward the zenith. */
export function paintClimbing(stage: Stage, subject: Subject, model: Model): Painter {
  const { geometry, horizon, sun } = stage
  const { unit, width } = geometry
  const random = stage.random(`climbing ${subject.kind}`)
  const x = width * (sun.x > width / 2 ? 0.34 - 0.08 * random() : 0.66 + 0.08 * random())
  const height = model.height * unit
  const y = Math.max(horizon * 0.78, height * 1.06)
  const pace = model.cycle?.pace ?? 0
  const stillSeconds = stage.moment(0).seconds
  const poses = drawPoses(stage, subject, model, {
    height,
    x,
    ground: y,
    distance: 0.1,
    stillPhases: [(stillSeconds * pace) % 1],
  })
  return (moment) => {
    const climb = (moment.progress - 0.5) * unit * 0.2
    const shake = Math.sin(moment.seconds * 17) * stage.toPixels(0.6)
    showPose(stage, poses, { x: x + shake, y: y - climb, depth: 0.16, phase: moment.seconds * pace, member: 0 }, moment)
  }
}
