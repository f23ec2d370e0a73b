import { clamp } from '../../picture/curves.ts'
import type { Subject } from '../prompt/scene-brief.ts'
import type { Painter, Stage } from '../stage.ts'
import type { Model } from './model.ts'
import { drawPoses, showPose } from './poses.ts'
import { membersMax, spread } from './spread.ts'

/**
 * Paints subjects that stay in one place in the air and sway slowly, such as balloons and saucers.
 */
export function paintHovering(stage: Stage, subject: Subject, model: Model, order: number): Painter {
  const { geometry, horizon } = stage
  const random = stage.random(`hovering ${subject.kind}`)
  const height = Math.min(model.height * geometry.unit, (horizon * 0.86) / model.reach.up)
  const xs = spread(subject.count, { order, halfWidth: (model.reach.side * height) / geometry.width, random })
  const members = xs.map((x, index) => ({
    x,
    y: clamp(
      (index === 0 ? 0.6 : 0.3 + 0.42 * random()) * horizon,
      height * model.reach.up + geometry.unit * 0.05,
      horizon * 0.97,
    ),
    size: index === 0 ? 1 : 0.34 + random() * 0.4,
    phase: random(),
  }))
  const pace = model.cycle?.pace ?? 0
  const stillSeconds = stage.moment(0).seconds
  const poses = drawPoses(stage, subject, model, {
    height,
    x: (xs[0] ?? 0.5) * geometry.width,
    ground: horizon * 0.6,
    distance: 0.25,
    stillPhases: members.map(({ phase }) => (stillSeconds * pace + phase) % 1),
  })
  return (moment) => {
    for (const [index, { x, y, size, phase }] of members.entries()) {
      const rise = (moment.progress - 0.5) * geometry.unit * 0.06 * size
      const sway = Math.sin(moment.seconds * 0.5 + phase * 6.28) * geometry.unit * 0.006
      const placement = {
        x: x * geometry.width + sway,
        y: y - rise,
        depth: 0.04 + 0.08 * size,
        phase: moment.seconds * pace + phase,
      }
      showPose(stage, poses, { ...placement, member: index, size }, moment)
    }
  }
}

/** Number of lights if the prompt asks for three or more. */
const manyLights = 28

/**
 * Paints small lights, such as sky lanterns, that drift upward with the wind. Farther lights move
 * more slowly.
 */
export function paintRising(stage: Stage, subject: Subject, model: Model): Painter {
  const { geometry, horizon } = stage
  const { width, unit } = geometry
  const random = stage.random(`rising ${subject.kind}`)
  const count = subject.count === 1 ? 1 : subject.count >= 3 ? manyLights : Math.min(membersMax, subject.count)
  const members = Array.from({ length: count }, (_, index) => {
    const nearness = count === 1 ? 1 : (1 - index / count) ** 2.4
    return { nearness, x: 0.04 + 0.92 * random(), y: random(), phase: random() }
  }).toReversed()
  const pace = model.cycle?.pace ?? 0
  const stillSeconds = stage.moment(0).seconds
  const poses = drawPoses(stage, subject, model, {
    height: model.height * unit * 1.2,
    x: width / 2,
    ground: horizon * 0.5,
    distance: 0.2,
    stillPhases: members.map(({ phase }) => (stillSeconds * pace + phase) % 1),
  })
  return (moment) => {
    for (const [index, { nearness, x, y, phase }] of members.entries()) {
      const size = count === 1 ? 1.3 : 0.14 + 0.86 * nearness
      const height = unit * model.height * 1.2 * size
      const span = horizon * (0.98 - 0.2 * (1 - nearness)) + height
      const risen =
        count === 1
          ? span * 0.5 + (moment.progress - 0.5) * unit * 0.1
          : (y * span + moment.seconds * unit * (0.006 + 0.03 * nearness)) % span
      const drift = Math.sin(moment.seconds * 0.4 + phase * 6.28) * unit * 0.012 + moment.seconds * unit * 0.006 * nearness
      const placement = { x: count === 1 ? width * 0.5 + drift : x * width + drift, y: horizon * 0.97 - risen + height * 0.5 }
      const opacity = Math.min(1, (risen / span) * 8, (1 - risen / span) * 8)
      showPose(
        stage,
        poses,
        { ...placement, depth: 0.03 + 0.12 * nearness, phase: moment.seconds * pace + phase, member: index, size, opacity },
        moment,
      )
    }
  }
}
