import { css, hex, mixRgb, scaleRgb, type Rgb } from '../../../picture/color.ts'
import type { Game } from '../../stadium/game.ts'
import { fillCorners, fillEllipse } from '../brush.ts'
import type { Model } from '../model.ts'

const ballColors: Record<Game, Rgb> = {
  soccer: hex('#f2f0ea'),
  basketball: hex('#d0702c'),
  tennis: hex('#d2e04a'),
  baseball: hex('#f4f0e6'),
}

/** A ball that spins, with the seams of its game. */
export function ballOf(game: Game): Model {
  return {
    height: game === 'basketball' || game === 'soccer' ? 0.085 : 0.05,
    reach: { side: 0.6, up: 1.06, down: 0.06 },
    cycle: { poseCount: 8, pace: 1.2 },
    draw(figure, phase, { color }) {
      const skin = color ?? ballColors[game]
      figure.part(
        (context) => {
          context.translate(0, -0.5)
          const fill = context.createRadialGradient(-0.16, -0.2, 0.04, 0, 0, 0.5)
          fill.addColorStop(0, css(mixRgb(skin, [255, 255, 255], 0.5)))
          fill.addColorStop(0.5, css(skin))
          fill.addColorStop(1, css(scaleRgb(skin, 0.62)))
          context.fillStyle = fill
          fillEllipse(context, 0, 0, 0.49)
          context.clip()
          context.rotate((phase * Math.PI * 2) / (game === 'soccer' ? 5 : 2))
          context.strokeStyle = css(scaleRgb(skin, game === 'baseball' ? 0.3 : 0.34))
          context.fillStyle = '#22242a'
          context.lineWidth = 0.03
          context.beginPath()
          if (game === 'soccer') {
            for (let patch = 0; patch < 6; patch++) {
              const turn = (patch / 5) * Math.PI * 2
              const patchDistance = patch === 5 ? 0 : 0.44
              const [x, y] = [Math.sin(turn) * patchDistance, -Math.cos(turn) * patchDistance]
              fillCorners(
                context,
                Array.from({ length: 5 }, (_, corner) => {
                  const angle = turn + (corner / 5) * Math.PI * 2 + (patch === 5 ? 0 : Math.PI)
                  return [x + Math.sin(angle) * 0.16, y - Math.cos(angle) * 0.16] as const
                }),
              )
              context.beginPath()
              context.moveTo(0, 0)
              context.lineTo(x, y)
              context.stroke()
            }
            return
          }
          if (game === 'basketball') {
            context.moveTo(-0.5, 0)
            context.lineTo(0.5, 0)
            context.moveTo(0, -0.5)
            context.lineTo(0, 0.5)
          }
          for (const side of [-1, 1]) {
            context.moveTo(side * 0.4, -0.42)
            context.quadraticCurveTo(side * 0.06, 0, side * 0.4, 0.42)
          }
          if (game === 'baseball') context.strokeStyle = '#b8322c'
          if (game === 'tennis') context.strokeStyle = '#f8f8f0'
          context.stroke()
        },
        { volume: 0.7, thickness: 0.4 },
      )
    },
  }
}
