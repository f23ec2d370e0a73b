import { clamp } from '../../picture/curves.ts'
import type { Layer } from '../../picture/compositor.ts'
import type { Random } from '../../picture/random.ts'
import type { Subject } from '../scene-brief.ts'
import type { Painter, Stage } from '../stage.ts'
import { castShadow, Figure, figureSpace, shadowScale, type FigureSpace, type Shadow } from './figure.ts'
import { lightAt } from './light.ts'
import { isWalking, walkerOf, type Walker } from './walkers.ts'

const posesMax = 14
const posesMin = 10
/** What all walkers of a scene may take, in bytes for each pixel of the frame; `memoryPagesFor` counts on it. */
const walkerBytesPerPixel = 12
/** A layer's planes: Y, A, and a quarter each of U, V and A; its shadow is much smaller. */
const layerBytesPerPixel = 2.9
const membersMax = 9

interface Pose {
  body: Layer
  shadow: Shadow
}

/** Walks slowly across the foreground, feet at `ground` (pixels); the stride is a cycle of poses drawn once. */
export function paintWalkers(
  stage: Stage,
  subject: Subject,
  { ground, depth, order, size = 1 }: { ground: number; depth: number; order: number; size?: number },
): Painter {
  const { geometry } = stage
  const walker = walkerOf(subject)
  const random = stage.random(`walker ${subject.kind}`)
  const facesLeft = (order % 2 === 1) !== random() < 0.35
  const members = gather(Math.min(membersMax, subject.count), random)
  const spacing = walker.reach.side * 1.35
  const across = (members.length - 1) * spacing + walker.reach.side * 2
  // A group that would not fit into the frame stands farther off.
  const fitting = Math.min(1, (geometry.width * 0.94) / (across * walker.height * geometry.unit * size))
  const height = walker.height * geometry.unit * size * Math.max(0.45, fitting)
  const side = order === 0 ? (facesLeft ? 0.07 : -0.07) : order % 2 ? 0.24 : -0.26
  const half = (across * height) / 2
  const room = Math.max(0, geometry.width / 2 - half)
  const middle = geometry.width / 2 + clamp((side + (random() - 0.5) * 0.06) * geometry.width, -room, room)
  const light = lightAt(stage, { x: middle, y: ground - height }, 0)
  const space = affordableSpace(stage, walker, height, facesLeft)
  const figure = new Figure({ ...space, light })
  const lean = clamp((middle - stage.sun.x) / Math.max(1, ground - stage.sun.y), -1.3, 1.3)
  const drawPose = (phase: number): Pose => {
    figure.clear()
    walker.draw(figure, phase)
    const shadow = castShadow(stage, figure, space.foot, lean)
    return { body: stage.compositor.layerFromPixels(space.width, space.height, figure.pixels), shadow }
  }
  // In a long film it walks more slowly, so that it stays in sight.
  const speed = Math.min(walker.pace * walker.stride * height, (geometry.width * 0.5) / Math.max(1, stage.seconds))
  const strides = Math.max(walker.pace * 0.55, speed / (walker.stride * height))
  const phaseOf = (member: Member, seconds: number): number => (seconds * strides + member.phase) % 1
  // A still needs only the moment that it shows.
  const still = stage.isStill ? stage.moment(0).seconds : undefined
  const poses =
    still === undefined
      ? Array.from({ length: space.poses }, (_, pose) => drawPose(pose / space.poses))
      : members.map((member) => drawPose(phaseOf(member, still)))
  const direction = facesLeft ? -speed : speed
  const detail = space.size / height
  return (moment) => {
    const wandered = direction * (moment.seconds - stage.seconds / 2)
    for (const [index, member] of members.entries()) {
      const pose = poses[still === undefined ? Math.floor(phaseOf(member, moment.seconds) * poses.length) : index]
      if (!pose) continue
      const scale = (member.size * (1 + member.nearer)) / detail
      const x = middle + wandered + member.across * spacing * height
      const feet = ground + member.nearer * geometry.unit
      const { shadow, body } = pose
      stage.drawAt(
        shadow.layer,
        { x: x + shadow.x * scale, y: feet + shadow.y * scale, depth, scale: shadowScale * scale },
        moment,
      )
      stage.drawAt(body, { x: x - space.foot.x * scale, y: feet - space.foot.y * scale, depth, scale }, moment)
    }
  }
}

interface Member {
  /** From the middle of the group, in distances between neighbours. */
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

/** As many poses as fit the walkers' share of memory; for large animals in less detail before in fewer poses. */
function affordableSpace(stage: Stage, walker: Walker, height: number, mirrored: boolean): FigureSpace & { poses: number } {
  const full = figureSpace(stage, { size: height, reach: walker.reach, mirrored })
  const kinds = stage.brief.subjects.filter(({ kind }) => isWalking(kind)).length
  const share = (walkerBytesPerPixel * stage.geometry.width * stage.geometry.height) / Math.max(1, kinds)
  const affordable = share / (full.width * full.height * layerBytesPerPixel)
  const detail = Math.min(1, Math.sqrt(affordable / posesMin))
  const space = detail < 1 ? figureSpace(stage, { size: height * detail, reach: walker.reach, mirrored }) : full
  return { ...space, poses: clamp(Math.floor(affordable), posesMin, posesMax) }
}
