import { clamp } from '../../picture/curves.ts'
import type { Random } from '../../picture/random.ts'
import type { Subject } from '../prompt/scene-brief.ts'
import type { Painter, Stage } from '../stage.ts'
import type { Model } from './model.ts'
import { drawPoses, showPose } from './poses.ts'

const membersMax = 9
/** Breaths per second of standing subjects. */
const idlePace = 0.3

export interface Walker extends Model {
  /** Length of a stride, as a multiple of the walker's height. */
  stride: number
  /** Strides per second. */
  pace: number
  runs?: { stride: number; pace: number }
  /** True if it breathes while it stands. */
  idles?: boolean
}

/**
 * A subject that walks slowly across the foreground, feet at `ground` (pixels). Its poses are drawn
 * once.
 */
export function paintWalkers(
  stage: Stage,
  subject: Subject,
  walker: Walker,
  { ground, depth, order, size = 1 }: { ground: number; depth: number; order: number; size?: number },
): Painter {
  const { geometry } = stage
  const random = stage.random(`walker ${subject.kind}`)
  const facesLeft = (order % 2 === 1) !== random() < 0.35
  const members = gather(Math.min(membersMax, subject.count), random)
  const spacing = walker.reach.side * 1.35
  const across = (members.length - 1) * spacing + walker.reach.side * 2
  // A group that would not fit into the frame stands farther off.
  const fitting = Math.min(1, (geometry.width * 0.94) / (across * walker.height * geometry.unit * size))
  const height = walker.height * geometry.unit * size * Math.max(0.45, fitting)
  const side = order === 0 ? (facesLeft ? 0.07 : -0.07) : order % 2 ? 0.24 : -0.26
  const room = Math.max(0, (geometry.width - across * height) / 2)
  const middle = geometry.width / 2 + clamp((side + (random() - 0.5) * 0.06) * geometry.width, -room, room)
  // In a long video it walks more slowly, so that it stays in sight.
  const rests = subject.motion === 'rests' || subject.motion === 'sits'
  const { stride, pace } =
    subject.motion === 'runs' ? (walker.runs ?? { stride: walker.stride, pace: walker.pace * 1.4 }) : walker
  const way = geometry.width * (subject.motion === 'runs' ? 0.72 : 0.5)
  const speed = rests ? 0 : Math.min(pace * stride * height, way / Math.max(1, stage.seconds))
  const strides = rests ? (walker.idles ? idlePace : 0) : Math.max(pace * 0.55, speed / (stride * height))
  const still = stage.moment(0).seconds
  const stillPhases = members.map(({ phase }) => (still * strides + phase) % 1)
  const poses = drawPoses(stage, subject, walker, {
    height,
    x: middle,
    ground,
    distance: 0,
    facesLeft,
    hasShadow: true,
    stillPhases,
  })
  const direction = facesLeft ? -speed : speed
  return (moment) => {
    const wandered = direction * (moment.seconds - stage.seconds / 2)
    for (const [index, { across, nearer, phase, size }] of members.entries()) {
      const x = middle + wandered + across * spacing * height
      const y = ground + nearer * geometry.unit
      const shown = { x, y, depth, phase: moment.seconds * strides + phase, member: index, size: size * (1 + nearer) }
      showPose(stage, poses, shown, moment)
    }
  }
}

interface Member {
  /** Offset from the middle of the group, in distances between neighbors. */
  across: number
  nearer: number
  phase: number
  size: number
}

/** A loose group, the farther ones first. */
function gather(count: number, random: Random): Member[] {
  return Array.from({ length: count }, (_, index) => ({
    across: index - (count - 1) / 2 + (index > 0 ? (random() - 0.5) * 0.3 : 0),
    nearer: index === 0 ? 0 : (random() - 0.6) * 0.09,
    phase: random(),
    size: index === 0 ? 1 : 0.84 + random() * 0.16,
  })).toSorted((a, b) => a.nearer - b.nearer)
}
