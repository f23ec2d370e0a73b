import { css, hex, mixRgb, scaleRgb } from '../../../picture/color.ts'
import { blend, fillCorners, fillGlow } from '../brush.ts'
import type { Model } from '../model.ts'

const hub = { x: 0.02, y: -0.66 }

/** A tower mill with four turning sails. A cycle is a quarter of a rotation. */
export const windmill: Model = {
  height: 0.44,
  reach: { side: 0.6, up: 1.22, down: 0.04 },
  cycle: { poseCount: 12, pace: 0.32 },
  draw(figure, phase, { color, isDark }) {
    const wall = color ?? hex('#efe6d6')
    const wood = hex('#6b4a34')
    figure.part(
      (context) => {
        context.fillStyle = blend(context, [0, -0.72], [0, 0], [wall, scaleRgb(wall, 0.82)])
        fillCorners(context, [
          [-0.11, -0.66],
          [0.11, -0.66],
          [0.2, 0.01],
          [-0.2, 0.01],
        ])
        context.strokeStyle = css(scaleRgb(wall, 0.72), 0.5)
        context.lineWidth = 0.006
        for (let row = 1; row < 9; row++) {
          context.beginPath()
          context.moveTo(-0.2, -row * 0.075)
          context.lineTo(0.2, -row * 0.075)
          context.stroke()
        }
      },
      { thickness: 0.3 },
    )
    figure.part(
      (context) => {
        context.fillStyle = css(wood)
        context.beginPath()
        context.moveTo(-0.14, -0.65)
        context.quadraticCurveTo(-0.12, -0.82, 0, -0.86)
        context.quadraticCurveTo(0.12, -0.82, 0.14, -0.65)
        context.fill()
        context.fillRect(-0.22, -0.28, 0.44, 0.02)
        for (let post = 0; post < 12; post++) context.fillRect(-0.22 + post * 0.039, -0.33, 0.006, 0.06)
        context.fillRect(-0.22, -0.335, 0.44, 0.01)
        context.fillStyle = css(scaleRgb(wood, 0.7))
        context.beginPath()
        context.roundRect(-0.045, -0.17, 0.09, 0.18, [0.045, 0.045, 0, 0])
        context.fill()
      },
      { thickness: 0.16 },
    )
    figure.shine(isDark, (context) => {
      for (const y of [-0.54, -0.42]) {
        context.fillStyle = isDark ? '#ffd588' : '#4d5f6e'
        context.fillRect(-0.025, y, 0.05, 0.06)
        if (isDark) fillGlow(context, 0, y + 0.03, 0.12, [255, 196, 110], 0.4)
      }
    })
    figure.part(
      (context) => {
        context.translate(hub.x, hub.y)
        context.rotate((phase * Math.PI) / 2 + 0.35)
        for (let sail = 0; sail < 4; sail++) {
          context.fillStyle = css(wood)
          context.fillRect(-0.009, -0.46, 0.018, 0.46)
          context.fillStyle = css(mixRgb(hex('#f4ead4'), wall, 0.2), 0.94)
          context.fillRect(0.009, -0.45, 0.1, 0.36)
          context.strokeStyle = css(wood)
          context.lineWidth = 0.006
          for (let bar = 0; bar < 7; bar++) {
            context.beginPath()
            context.moveTo(0.006, -0.45 + bar * 0.06)
            context.lineTo(0.11, -0.45 + bar * 0.06)
            context.stroke()
          }
          context.strokeRect(0.009, -0.45, 0.1, 0.36)
          context.rotate(Math.PI / 2)
        }
        context.fillStyle = css(scaleRgb(wood, 0.7))
        context.beginPath()
        context.arc(0, 0, 0.03, 0, Math.PI * 2)
        context.fill()
      },
      { thickness: 0.06, rim: 0.8 },
    )
  },
}
