import type { Painter, Stage } from '../stage.ts'
import { walkingPerson } from '../subjects/figures/person.ts'
import { drawPoses, showPose } from '../subjects/poses.ts'
import type { Game } from './game.ts'

/**
 * Position of a player, in units from the middle of the frame and below the horizon, and the scale
 * relative to life-size.
 */
interface Post {
  x: number
  y: number
  size: number
  /** Distance that the player runs to each side, in units. */
  range: number
  /** Height of the jumps, in units. */
  jump: number
}

const posts: Record<Game, readonly Post[]> = {
  soccer: [
    { x: -0.46, y: 0.5, size: 1.5, range: 0.05, jump: 0 },
    { x: 0.18, y: 0.05, size: 0.66, range: 0.1, jump: 0.05 },
  ],
  basketball: [
    { x: -0.3, y: 0.48, size: 1.7, range: 0.1, jump: 0.12 },
    { x: 0.5, y: 0.3, size: 1.2, range: 0.1, jump: 0.06 },
  ],
  tennis: [
    { x: -0.34, y: 0.56, size: 1.6, range: 0.14, jump: 0.03 },
    { x: 0.2, y: 0.12, size: 0.72, range: 0.12, jump: 0.02 },
  ],
  baseball: [
    { x: -0.02, y: 0.24, size: 0.86, range: 0.02, jump: 0.01 },
    { x: 0.4, y: 0.52, size: 1.5, range: 0.03, jump: 0 },
  ],
}

const model = walkingPerson('kit')
const pace = 1.3
/**
 * Scale at which players are drawn: the scale of the nearest player. The other players are scaled
 * down from it.
 */
const largestSize = 1.7

/**
 * Paints at most two players at their positions, the farther player first. A higher count in the
 * prompt has no effect.
 */
export function paintPlayers(stage: Stage, game: Game): Painter | undefined {
  const { geometry, horizon, brief } = stage
  const { width, height, unit } = geometry
  const namedSubject = brief.subjects.find(({ kind }) => kind === 'player')
  if (!namedSubject) return undefined
  const subject = { ...namedSubject, motion: 'runs' as const }
  const chosenPosts = posts[game].slice(0, Math.max(1, namedSubject.count))
  const playerHeight = model.height * unit * largestSize
  const stillPhase = stage.moment(0).seconds * pace
  const poses = drawPoses(stage, subject, model, {
    height: playerHeight,
    x: width / 2,
    ground: horizon + unit * 0.3,
    distance: 0.1,
    hasShadow: true,
    stillPhases: chosenPosts.map((_, member) => (stillPhase + member * 0.4) % 1),
  })
  const ordered = [...chosenPosts.entries()].toSorted(([, a], [, b]) => a.y - b.y)
  return (moment) => {
    for (const [member, { x, y, size, range, jump }] of ordered) {
      const runPhase = moment.seconds * 1.5 + member * 2
      const leap = Math.max(0, Math.sin(moment.seconds * 2.6 + member * 1.7)) ** 2 * jump
      const ground = Math.min(horizon + y * unit, height - unit * 0.03)
      showPose(
        stage,
        poses,
        {
          x: width / 2 + (x + Math.sin(runPhase) * range) * unit,
          y: ground - leap * unit,
          depth: 0.16,
          phase: moment.seconds * pace + member * 0.4,
          member,
          size: size / largestSize,
        },
        moment,
      )
    }
  }
}
