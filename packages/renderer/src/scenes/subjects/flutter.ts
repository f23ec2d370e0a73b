import type { Subject } from '../prompt/scene-brief.ts'
import type { Painter, Stage } from '../stage.ts'
import type { Model } from './model.ts'
import { drawPoses, showPose } from './poses.ts'
import { membersMax } from './spread.ts'

/**
 * Paints butterflies that fly through the foreground in loops, and move up and down with each
 * beat.
 */
export function paintFluttering(stage: Stage, subject: Subject, model: Model): Painter {
  const { geometry } = stage
  const { unit, width, height } = geometry
  const random = stage.random(`fluttering ${subject.kind}`)
  const count = subject.count <= 1 ? 1 : Math.max(subject.count, Math.min(membersMax, subject.count * 2))
  const members = Array.from({ length: Math.min(membersMax, count) }, (_, index) => ({
    x: index === 0 ? 0.5 : 0.1 + (0.8 * (index - 0.5 + (random() - 0.5) * 0.5)) / count,
    y: index === 0 ? 0.6 : 0.38 + 0.44 * random(),
    size: index === 0 ? (count === 1 ? 1.7 : 1.25) : 0.4 + 0.6 * random() ** 1.4,
    phase: random(),
    roam: 0.6 + 0.8 * random(),
  })).toSorted((a, b) => a.size - b.size)
  const pace = model.cycle?.pace ?? 1
  const stillSeconds = stage.moment(0).seconds
  const poses = drawPoses(stage, subject, model, {
    height: model.height * unit * 1.3,
    x: width / 2,
    ground: height * 0.6,
    distance: 0,
    stillPhases: members.map(({ phase }) => (stillSeconds * pace + phase) % 1),
  })
  return (moment) => {
    for (const [index, { x, y, size, phase, roam }] of members.entries()) {
      const turn = moment.seconds * 0.5 * roam + phase * 6.28
      const beat = moment.seconds * pace + phase
      const placement = {
        x: x * width + (Math.sin(turn) + 0.4 * Math.sin(turn * 2.3)) * unit * 0.09 * size,
        y: y * height + Math.cos(turn * 1.3) * unit * 0.06 * size - Math.cos(beat * 6.28) * unit * 0.012 * size,
      }
      showPose(stage, poses, { ...placement, depth: 0.06 + 0.2 * size, phase: beat, member: index, size: size / 1.3 }, moment)
    }
  }
}
