import { css, hex, scaleRgb } from '../../../picture/color.ts'
import { fillRibbon } from '../brush.ts'
import type { Walker } from '../walk.ts'
import { drawPerson, personLookFor, walkingPerson } from './person.ts'

const walker = walkingPerson('coat')

/** A person under an open umbrella. */
export const umbrellaWalker: Walker = {
  ...walker,
  reach: { side: 0.6, up: 1.42, down: 0.05 },
  draw(figure, phase, look) {
    const cloth = look.color ?? [hex('#c8352e'), hex('#e0a93a'), hex('#3f6f9e')][look.variant % 3] ?? [200, 50, 46]
    const bob = Math.cos(phase * Math.PI * 4) * 0.008
    drawPerson(figure, phase, personLookFor('coat', { ...look, color: hex('#39445c') }, true))
    figure.part(
      (context) => {
        context.translate(0.1, bob)
        context.fillStyle = '#3a332e'
        fillRibbon(context, [
          { x: 0.03, y: -0.68, r: 0.009 },
          { x: 0.0, y: -1.26, r: 0.008 },
        ])
      },
      { thickness: 0.02, rim: 0.6 },
    )
    figure.part(
      (context) => {
        context.translate(0.1, bob)
        context.rotate(0.04)
        context.fillStyle = css(cloth)
        context.beginPath()
        context.moveTo(-0.4, -1.03)
        context.bezierCurveTo(-0.34, -1.22, -0.16, -1.31, 0, -1.31)
        context.bezierCurveTo(0.16, -1.31, 0.34, -1.22, 0.4, -1.03)
        for (let panel = 4; panel > 0; panel--) {
          const [from, to] = [-0.4 + panel * 0.2, -0.6 + panel * 0.2]
          context.quadraticCurveTo((from + to) / 2, -1.09, to, -1.03)
        }
        context.fill()
        context.strokeStyle = css(scaleRgb(cloth, 0.6), 0.7)
        context.lineWidth = 0.006
        for (const x of [-0.2, 0, 0.2]) {
          context.beginPath()
          context.moveTo(0, -1.31)
          context.quadraticCurveTo(x * 0.8, -1.24, x, -1.04)
          context.stroke()
        }
        context.fillStyle = '#3a332e'
        context.fillRect(-0.006, -1.35, 0.012, 0.05)
      },
      { thickness: 0.34 },
    )
  },
}
