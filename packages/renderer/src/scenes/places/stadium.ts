import { hex, lightYuv, scaleRgb } from '../../picture/color.ts'
import type { PlacedSubjects } from '../subjects/placed-subjects.ts'
import { paintClouds } from '../clouds/paint-clouds.ts'
import { paintMotes } from '../air/motes.ts'
import { paintSky, paintStars } from '../sky/sky.ts'
import { paintBall } from '../stadium/ball-flight.ts'
import { paintCrowd } from '../stadium/crowd.ts'
import { paintField } from '../stadium/field.ts'
import { gameOf } from '../stadium/game.ts'
import { paintPlayers } from '../stadium/players.ts'
import type { Painter, Stage } from '../stage.ts'

/**
 * Paints a ball game, seen from the edge of the field: the crowd, floodlights, the field, players
 * and the moving ball.
 */
export function paintStadium(stage: Stage, subjects: PlacedSubjects): (Painter | undefined)[] {
  const { geometry, horizon } = stage
  const game = gameOf(stage)
  const isHall = game === 'basketball'
  return [
    paintSky(stage, geometry.height),
    isHall ? undefined : paintStars(stage),
    isHall ? undefined : paintClouds(stage, horizon),
    subjects.sky,
    paintCrowd(stage, isHall),
    paintFloodlights(stage, isHall),
    paintField(stage, game),
    subjects.floating,
    paintPlayers(stage, game),
    subjects.ground,
    paintBall(stage, game),
    paintMotes(stage, { count: 40, light: scaleRgb(hex('#fff2d8'), 0.2), top: 0, size: 0.7 }),
  ]
}

/** Paints the lamps above the crowd and the glow of their light. */
function paintFloodlights(stage: Stage, isHall: boolean): Painter {
  const { compositor, geometry, horizon, brief } = stage
  const { width, unit } = geometry
  const strength = isHall || brief.time === 'night' ? 0.8 : brief.time === 'dusk' ? 0.5 : 0.12
  const [y, u, v] = lightYuv(hex('#f4f6ff'))
  const lamps = [0.08, 0.34, 0.66, 0.92].map((x) => ({ x: x * width, y: horizon - unit * (isHall ? 0.4 : 0.35) }))
  return (moment) => {
    for (const [index, lamp] of lamps.entries()) {
      const point = stage.project(lamp.x, lamp.y, 0.03, moment)
      const glow = strength * (0.9 + 0.1 * Math.sin(moment.seconds * 1.7 + index * 2))
      compositor.addSpot(point.x, point.y, unit * 0.24, [y * glow * 0.42, u * glow, v * glow])
      for (const column of [-1, 0, 1])
        compositor.addSpot(point.x + column * unit * 0.022, point.y, unit * 0.016, [y * glow, 0, 0], 'disc')
    }
  }
}
