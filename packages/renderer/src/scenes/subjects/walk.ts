import { clamp } from '../../picture/curves.ts'
import type { Random } from '../../picture/random.ts'
import type { Subject } from '../prompt/scene-brief.ts'
import type { Painter, Stage } from '../stage.ts'
import type { Model } from './model.ts'
import { drawPoses, showPose } from './poses.ts'
import { membersMax } from './spread.ts'

/** Breaths per second of standing subjects. */
const idlePace = 0.3

export interface Walker extends Model {
  /** Length of a stride, in units of the drawing. */
  stride: number
  /** Strides per second. */
  pace: number
  /** Stride and pace of a runner. Default: the same stride at a higher pace. */
  run?: { stride: number; pace: number }
  /** Whether the subject breathes while it stands. */
  isBreathing?: boolean
}

/**
 * Paints a subject that walks, runs or rests in the foreground, with its feet at the row `ground`.
 */
export function paintWalkers(
  stage: Stage,
  subject: Subject,
  walker: Walker,
  { ground, depth, order, size = 1 }: { ground: number; depth: number; order: number; size?: number },
): Painter {
  const { geometry } = stage
  const random = stage.random(`walker ${subject.kind}`)
  const isFacingLeft = (order % 2 === 1) !== random() < 0.35
  const members = gatherGroup(Math.min(membersMax, subject.count), random)
  const spacing = walker.reach.side * 1.35
  const groupWidth = (members.length - 1) * spacing + walker.reach.side * 2
  // A group that is wider than the frame is drawn smaller, as if it stood farther away.
  const fitScale = Math.min(1, (geometry.width * 0.94) / (groupWidth * walker.height * geometry.unit * size))
  const height = walker.height * geometry.unit * size * Math.max(0.45, fitScale)
  const side = order === 0 ? (isFacingLeft ? 0.07 : -0.07) : order % 2 ? 0.24 : -0.26
  const sideSpace = Math.max(0, (geometry.width - groupWidth * height) / 2)
  const middle = geometry.width / 2 + clamp((side + (random() - 0.5) * 0.06) * geometry.width, -sideSpace, sideSpace)
  const isResting = subject.motion === 'rests' || subject.motion === 'sits'
  const { stride, pace } = subject.motion === 'runs' ? (walker.run ?? { stride: walker.stride, pace: walker.pace * 1.4 }) : walker
  // In a long video, the subject is slower, so that it stays in the frame.
  const distanceMax = geometry.width * (subject.motion === 'runs' ? 0.72 : 0.5)
  const speed = isResting ? 0 : Math.min(pace * stride * height, distanceMax / Math.max(1, stage.seconds))
  const stridesPerSecond = isResting ? (walker.isBreathing ? idlePace : 0) : Math.max(pace * 0.55, speed / (stride * height))
  const stillSeconds = stage.moment(0).seconds
  const stillPhases = members.map(({ phase }) => (stillSeconds * stridesPerSecond + phase) % 1)
  const poses = drawPoses(stage, subject, walker, {
    height,
    x: middle,
    ground,
    distance: 0,
    isFacingLeft,
    hasShadow: true,
    stillPhases,
  })
  const direction = isFacingLeft ? -speed : speed
  return (moment) => {
    const walkedDistance = direction * (moment.seconds - stage.seconds / 2)
    for (const [index, { offset, towardViewer, phase, size }] of members.entries()) {
      const x = middle + walkedDistance + offset * spacing * height
      const y = ground + towardViewer * geometry.unit
      const placement = {
        x,
        y,
        depth,
        phase: moment.seconds * stridesPerSecond + phase,
        member: index,
        size: size * (1 + towardViewer),
      }
      showPose(stage, poses, placement, moment)
    }
  }
}

interface Member {
  /** Offset from the middle of the group. The unit is the distance between neighbors. */
  offset: number
  /** Offset toward the viewer, in units of the frame. */
  towardViewer: number
  phase: number
  size: number
}

/** Returns the positions of a loose group, the farther members first. */
function gatherGroup(count: number, random: Random): Member[] {
  return Array.from({ length: count }, (_, index) => ({
    offset: index - (count - 1) / 2 + (index > 0 ? (random() - 0.5) * 0.3 : 0),
    towardViewer: index === 0 ? 0 : (random() - 0.6) * 0.09,
    phase: random(),
    size: index === 0 ? 1 : 0.84 + random() * 0.16,
  })).toSorted((a, b) => a.towardViewer - b.towardViewer)
}
