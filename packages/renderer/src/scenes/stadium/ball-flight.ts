import { clamp, mix } from '../../picture/curves.ts'
import type { Subject } from '../prompt/scene-brief.ts'
import type { Painter, Stage } from '../stage.ts'
import { ballOf } from '../subjects/figures/ball.ts'
import { drawPoses, showPose } from '../subjects/poses.ts'
import { ballTargetOf } from './field.ts'
import type { Game } from './game.ts'

/** Path of a ball, repeated every `periodSeconds`. */
interface Flight {
  periodSeconds: number
  /** Returns the position in frame pixels and the scale (`size`), at a share of the period. */
  positionAt: (share: number) => { x: number; y: number; size: number }
}

/** Paints the moving ball: into the goal or hoop, over the net, or toward the viewer. */
export function paintBall(stage: Stage, game: Game): Painter {
  const { geometry, horizon, brief } = stage
  const { width, unit } = geometry
  const namedSubject = brief.subjects.find(({ kind }) => kind === 'ball')
  const subject: Subject = namedSubject ?? { kind: 'ball', count: 1, color: undefined }
  const model = ballOf(game)
  const flight = flights[game](stage)
  const random = stage.random('ball')
  const startShare = random() * 0.3
  const pace = model.cycle?.pace ?? 0
  const stillSeconds = stage.moment(0).seconds
  const height = model.height * unit
  const poses = drawPoses(stage, subject, model, {
    height,
    x: width / 2,
    ground: horizon + unit * 0.2,
    distance: 0.1,
    stillPhases: [(stillSeconds * pace) % 1],
  })
  return (moment) => {
    const share = (moment.seconds / flight.periodSeconds + startShare) % 1
    const { x, y, size } = flight.positionAt(share)
    showPose(
      stage,
      poses,
      { x, y: y + height * size * 0.5, depth: 0.14, phase: moment.seconds * pace, member: 0, size: clamp(size, 0.3, 1.6) },
      moment,
    )
  }
}

/** Returns the elevation of an arc at a share of its length. The arc is highest halfway. */
function arcElevation(share: number, height: number): number {
  return 4 * share * (1 - share) * height
}

const flights: Record<Game, (stage: Stage) => Flight> = {
  soccer: (stage) => {
    const { width, height, unit } = stage.geometry
    const target = ballTargetOf(stage, 'soccer')
    const from = { x: width / 2 - unit * 0.34, y: Math.min(height - unit * 0.14, stage.horizon + unit * 0.44) }
    return {
      periodSeconds: 2.3,
      positionAt: (share) => {
        const flightShare = Math.min(1, share / 0.72)
        const fallShare = Math.max(0, share - 0.72) / 0.28
        return {
          x: mix(from.x, target.x, flightShare) + Math.sin(flightShare * Math.PI) * unit * 0.05,
          y: mix(from.y, target.y, flightShare) - arcElevation(flightShare, unit * 0.12) + fallShare * fallShare * unit * 0.13,
          size: mix(1.35, 0.46, flightShare),
        }
      },
    }
  },
  basketball: (stage) => {
    const { width, unit } = stage.geometry
    const target = ballTargetOf(stage, 'basketball')
    const from = { x: width / 2 - unit * 0.34, y: stage.horizon + unit * 0.16 }
    return {
      periodSeconds: 2.4,
      positionAt: (share) => {
        const flightShare = Math.min(1, share / 0.66)
        const fallShare = Math.max(0, share - 0.66) / 0.34
        return {
          x: mix(from.x, target.x, flightShare),
          y: mix(from.y, target.y, flightShare) - arcElevation(flightShare, unit * 0.3) + fallShare * fallShare * unit * 0.34,
          size: mix(1.1, 0.78, flightShare),
        }
      },
    }
  },
  tennis: ({ geometry, horizon }) => {
    const { width, unit } = geometry
    return {
      periodSeconds: 2.6,
      positionAt: (share) => {
        const flightShare = share > 0.5 ? 2 - share * 2 : share * 2
        return {
          x: mix(width / 2 - unit * 0.3, width / 2 + unit * 0.16, flightShare),
          y: mix(horizon + unit * 0.4, horizon + unit * 0.06, flightShare) - arcElevation(flightShare, unit * 0.22),
          size: mix(1.2, 0.5, flightShare),
        }
      },
    }
  },
  baseball: ({ geometry, horizon }) => {
    const { width, unit } = geometry
    return {
      periodSeconds: 1.7,
      positionAt: (share) => ({
        x: mix(width / 2 - unit * 0.02, width / 2 + unit * 0.24, share),
        y: mix(horizon + unit * 0.07, horizon + unit * 0.3, share * share) - arcElevation(share, unit * 0.12),
        size: mix(0.34, 1.5, share * share),
      }),
    }
  },
}
