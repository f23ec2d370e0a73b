import { css, hex, mixRgb, scaleRgb } from '../../../picture/color.ts'
import { blend, fillCorners, fillGlow } from '../brush.ts'
import type { Model } from '../model.ts'

const coachCount = 5
const coachLength = 2.5

/** A passenger train with its engine in front. It is 1 high and about 12 long. */
export const train: Model = {
  height: 0.085,
  reach: { side: 6.9, up: 1.12, down: 0.12 },
  draw(figure, _phase, { color, isDark }) {
    const paint = color ?? hex('#2b6f93')
    const cream = hex('#f3ecdb')
    figure.part(
      (context) => {
        context.fillStyle = '#1b1a20'
        for (let coach = 0; coach < coachCount; coach++) {
          context.fillRect(coachStart(coach) - 0.1, -0.3, coachLength, 0.14)
          for (const x of [0.34, 0.62, coachLength - 0.62, coachLength - 0.34]) {
            context.beginPath()
            context.arc(coachStart(coach) + x, -0.11, 0.11, 0, Math.PI * 2)
            context.fill()
          }
        }
      },
      { thickness: 0.15, rim: 0.2 },
    )
    figure.part(
      (context) => {
        const side = context.createLinearGradient(0, -0.98, 0, -0.16)
        side.addColorStop(0, css(mixRgb(cream, [255, 255, 255], 0.5)))
        side.addColorStop(0.57, css(cream))
        side.addColorStop(0.58, css(paint))
        side.addColorStop(1, css(scaleRgb(paint, 0.6)))
        context.fillStyle = side
        for (let coach = 0; coach < coachCount - 1; coach++) {
          context.beginPath()
          context.roundRect(coachStart(coach) + 0.03, -0.97, coachLength - 0.06, 0.79, 0.09)
          context.fill()
        }
        const x = coachStart(coachCount - 1)
        context.beginPath()
        context.moveTo(x + 0.03, -0.2)
        context.lineTo(x + 0.03, -0.97)
        context.lineTo(x + coachLength * 0.5, -0.97)
        context.bezierCurveTo(x + coachLength * 0.86, -0.95, x + coachLength * 1.04, -0.5, x + coachLength * 1.06, -0.26)
        context.quadraticCurveTo(x + coachLength * 1.06, -0.18, x + coachLength, -0.18)
        context.lineTo(x + 0.03, -0.18)
        context.fill()
        context.fillStyle = css(scaleRgb(paint, 0.6))
        for (let coach = 0; coach < coachCount; coach++) context.fillRect(coachStart(coach) + 0.1, -1.0, coachLength * 0.4, 0.05)
      },
      { thickness: 0.5 },
    )
    figure.shine(isDark, (context) => {
      for (let coach = 0; coach < coachCount; coach++) {
        const panes = coach === coachCount - 1 ? 4 : 8
        for (let pane = 0; pane < panes; pane++) {
          const isOff = (pane * 7 + coach * 3) % 5 === 0
          context.fillStyle = isDark
            ? css(isOff ? hex('#5a5048') : hex('#ffd790'))
            : blend(context, [0, -0.83], [0, -0.57], [hex('#a9c4d6'), hex('#54707f')])
          context.beginPath()
          context.roundRect(coachStart(coach) + 0.16 + pane * 0.28, -0.83, 0.2, 0.26, 0.03)
          context.fill()
        }
      }
      const x = coachStart(coachCount - 1)
      context.fillStyle = css(hex('#24333f'))
      fillCorners(context, [
        [x + coachLength * 0.64, -0.88],
        [x + coachLength * 0.78, -0.82],
        [x + coachLength * 0.92, -0.56],
        [x + coachLength * 0.68, -0.56],
      ])
      context.fillStyle = '#fff4cf'
      context.fillRect(x + coachLength * 1.0, -0.4, 0.06, 0.07)
      if (isDark) fillGlow(context, x + coachLength * 1.03, -0.36, 0.42, [255, 240, 196], 0.85)
    })
  },
}

/** Returns the x of a coach's rear end. */
function coachStart(coach: number): number {
  return (coach - coachCount / 2) * coachLength
}
