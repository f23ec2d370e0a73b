import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, hex, mixRgb, scaleRgb } from '../../../picture/color.ts'
import { blend, fillCorners, fillCurve, fillEllipse } from '../brush.ts'
import type { Model } from '../model.ts'
import { drawFlame } from './dishes.ts'
import { drawGloss, fillTurned, roundShade } from './vessels.ts'

/** An open book that lies on the table. */
export const book: Model = {
  height: 0.22,
  reach: { side: 1.06, up: 0.62, down: 0.26 },
  draw(figure, _phase, { color }) {
    const cover = color ?? hex('#6a2c30')
    figure.part(
      (context) => {
        context.fillStyle = css(cover)
        fillCorners(context, [
          [-0.96, 0.16],
          [-0.8, -0.3],
          [0.8, -0.3],
          [0.96, 0.16],
        ])
      },
      { volume: 0.2, thickness: 0.06 },
    )
    figure.part(
      (context) => {
        for (const side of [-1, 1]) {
          context.fillStyle = blend(context, [side * 0.9, 0], [0, 0], [hex('#f6efdf'), hex('#e8dcc2'), hex('#b9a98c')])
          context.beginPath()
          context.moveTo(0, 0.12)
          context.bezierCurveTo(side * 0.2, -0.02, side * 0.6, 0.02, side * 0.92, 0.11)
          context.lineTo(side * 0.77, -0.32)
          context.bezierCurveTo(side * 0.5, -0.4, side * 0.2, -0.44, 0, -0.32)
          context.fill()
          context.strokeStyle = 'rgba(70,56,44,0.55)'
          context.lineWidth = 0.012
          for (let line = 0; line < 8; line++) {
            const heightShare = line / 8
            const y = -0.3 + heightShare * 0.36
            context.beginPath()
            context.moveTo(side * (0.1 + 0.02 * heightShare), y - 0.02)
            context.quadraticCurveTo(
              side * 0.4,
              y - 0.06 + 0.02 * heightShare,
              side * (0.66 + 0.12 * heightShare - (line % 3) * 0.04),
              y - 0.01,
            )
            context.stroke()
          }
        }
      },
      { volume: 0.4, thickness: 0.1 },
    )
  },
}

/** A thick candle on a brass dish. */
export const candle: Model = {
  height: 0.36,
  reach: { side: 0.5, up: 1.42, down: 0.1 },
  cycle: { poseCount: 8, pace: 0.9 },
  variantCount: 2,
  draw(figure, phase, { color, isDark, variant }) {
    const wax = color ?? hex('#efe3c8')
    figure.part(
      (context) => {
        context.fillStyle = roundShade(context, 0.3, hex('#a8803c'))
        fillEllipse(context, 0, -0.02, 0.3, 0.055)
      },
      { volume: 0.4, thickness: 0.05 },
    )
    figure.part(
      (context) => {
        context.fillStyle = roundShade(context, 0.13, wax)
        fillTurned(context, [
          [0.13, -0.82],
          [0.132, -0.5],
          [0.135, -0.2],
          [0.15, -0.03],
        ])
        context.fillStyle = css(mixRgb(wax, [255, 236, 190], 0.6))
        fillEllipse(context, 0, -0.82, 0.13, 0.026)
        context.fillStyle = '#2a2018'
        context.fillRect(-0.008, -0.88, 0.016, 0.07)
      },
      { volume: 0.5, thickness: 0.12 },
    )
    drawFlame(figure, { x: 0, y: -0.86, height: 0.26 }, phase + variant * 0.4, isDark)
  },
}

/** Cut flowers in a vase. */
export const vase: Model = {
  height: 0.46,
  reach: { side: 0.56, up: 1.1, down: 0.05 },
  draw(figure, _phase, { color, createRandom }) {
    const random = createRandom()
    const bloom = color ?? hex(['#e0708a', '#f0c04a', '#f2eee6', '#9a6ac0'][Math.floor(random() * 4)] ?? '#e0708a')
    const stems = Array.from({ length: 13 }, (_, index) => {
      const turn = -0.86 + (index / 12) * 1.72
      const height = 0.4 + 0.2 * random()
      return {
        x: Math.sin(turn) * height * 0.74,
        y: -0.44 - Math.cos(turn) * height * 0.92,
        size: 0.075 + 0.045 * random(),
        lean: random() * 6.28,
      }
    })
    figure.part(
      (context) => {
        context.strokeStyle = '#4a7038'
        context.lineWidth = 0.016
        for (const { x, y } of stems) {
          context.beginPath()
          context.moveTo(x * 0.1, -0.4)
          context.quadraticCurveTo(x * 0.3, y * 0.62, x, y)
          context.stroke()
          context.fillStyle = x < 0 ? '#5c8a44' : '#436a34'
          fillEllipse(context, x * 0.6, (y - 0.44) / 2 + 0.02, 0.085, 0.026, x < 0 ? 0.7 : -0.7)
        }
      },
      { thickness: 0.04 },
    )
    for (const { x, y, size, lean } of stems.toSorted((a, b) => a.y - b.y))
      figure.part(
        (context) => {
          for (const [ring, petals] of [
            [1, 8],
            [0.62, 6],
          ] as const)
            for (let petal = 0; petal < petals; petal++) {
              const turn = lean + (petal / petals) * Math.PI * 2 + ring
              context.fillStyle = css(mixRgb(scaleRgb(bloom, 0.84), [255, 250, 240], (1 - ring) * 0.5 + (petal % 2) * 0.1))
              fillEllipse(
                context,
                x + Math.cos(turn) * size * 0.5 * ring,
                y + Math.sin(turn) * size * 0.42 * ring,
                size * 0.5 * ring,
                size * 0.3 * ring,
                turn,
              )
            }
          context.fillStyle = '#e8b23a'
          fillEllipse(context, x, y, size * 0.2, size * 0.17)
        },
        { volume: 0.6, thickness: 0.06 },
      )
    figure.part(
      (context) => {
        context.fillStyle = roundShade(context, 0.19, hex('#4f7288'))
        fillTurned(context, [
          [0.1, -0.46],
          [0.085, -0.38],
          [0.19, -0.26],
          [0.19, -0.12],
          [0.11, -0.02],
          [0.1, 0],
        ])
        drawGloss(context, -0.1, -0.36, -0.06, 0.035, 0.45)
      },
      { volume: 0.7, thickness: 0.2 },
    )
  },
}

/** A faceted flacon with a dark stopper. */
export const perfume: Model = {
  height: 0.4,
  reach: { side: 0.46, up: 1.06, down: 0.05 },
  draw(figure, _phase, { color }) {
    const scent = color ?? hex('#e0a56a')
    figure.part(
      (context) => {
        context.fillStyle = roundShade(context, 0.12, hex('#2a262c'))
        context.fillRect(-0.12, -1, 0.24, 0.22)
        context.fillStyle = roundShade(context, 0.09, hex('#c8a050'))
        context.fillRect(-0.085, -0.79, 0.17, 0.1)
      },
      { volume: 0.5, thickness: 0.1 },
    )
    figure.part(
      (context) => {
        context.fillStyle = blend(
          context,
          [-0.36, -0.7],
          [0.36, 0],
          [mixRgb(scent, [255, 255, 255], 0.72), mixRgb(scent, [255, 255, 255], 0.3), scaleRgb(scent, 0.82)],
        )
        context.beginPath()
        context.roundRect(-0.36, -0.7, 0.72, 0.7, 0.07)
        context.fill()
        context.fillStyle = blend(
          context,
          [-0.28, -0.54],
          [0.28, -0.06],
          [mixRgb(scent, [255, 255, 255], 0.25), scent, scaleRgb(scent, 0.7)],
        )
        context.beginPath()
        context.roundRect(-0.28, -0.54, 0.56, 0.47, 0.05)
        context.fill()
      },
      { volume: 0.5, thickness: 0.2 },
    )
    figure.part(
      (context) => {
        context.fillStyle = 'rgba(252,246,236,0.9)'
        context.fillRect(-0.15, -0.42, 0.3, 0.2)
        context.fillStyle = '#4a3c34'
        context.fillRect(-0.09, -0.36, 0.18, 0.018)
        context.fillRect(-0.055, -0.3, 0.11, 0.014)
      },
      { volume: 0.1, rim: 0, thickness: 0.05 },
    )
    figure.glow((context) => {
      drawGloss(context, -0.27, -0.66, -0.04, 0.03, 0.8)
      drawGloss(context, 0.3, -0.66, -0.04, 0.016, 0.55)
    })
  },
}

/** A wristwatch that stands on its strap. Its second hand moves. */
export const watch: Model = {
  height: 0.46,
  reach: { side: 0.46, up: 1.06, down: 0.05 },
  cycle: { poseCount: 12, pace: 0.17 },
  draw(figure, phase, { color }) {
    const strap = color ?? hex('#3a2a22')
    const steel = hex('#c6cad0')
    figure.part(
      (context) => {
        context.fillStyle = roundShade(context, 0.19, strap)
        fillCorners(context, [
          [-0.13, -1],
          [0.13, -1],
          [0.19, -0.72],
          [0.19, -0.26],
          [0.13, 0],
          [-0.13, 0],
          [-0.19, -0.26],
          [-0.19, -0.72],
        ])
        context.strokeStyle = css(mixRgb(strap, [255, 240, 220], 0.4))
        context.lineWidth = 0.008
        context.setLineDash([0.03, 0.02])
        for (const side of [-1, 1]) {
          context.beginPath()
          context.moveTo(side * 0.1, -0.98)
          context.lineTo(side * 0.15, -0.74)
          context.moveTo(side * 0.15, -0.24)
          context.lineTo(side * 0.1, -0.02)
          context.stroke()
        }
        context.setLineDash([])
      },
      { volume: 0.5, thickness: 0.12 },
    )
    figure.part(
      (context) => {
        context.fillStyle = blend(context, [-0.3, -0.8], [0.3, -0.2], [hex('#f4f6fa'), steel, hex('#7c828c')])
        fillEllipse(context, 0, -0.5, 0.34)
        context.fillRect(0.33, -0.54, 0.06, 0.08)
      },
      { volume: 0.7, thickness: 0.1 },
    )
    figure.part(
      (context) => {
        context.fillStyle = blend(context, [0, -0.78], [0, -0.22], [hex('#22303f'), hex('#0d141d')])
        fillEllipse(context, 0, -0.5, 0.28)
        for (let hour = 0; hour < 12; hour++) {
          const turn = (hour / 12) * Math.PI * 2
          context.strokeStyle = '#f2efe6'
          context.lineWidth = hour % 3 ? 0.012 : 0.022
          context.beginPath()
          context.moveTo(Math.sin(turn) * 0.25, -0.5 - Math.cos(turn) * 0.25)
          context.lineTo(Math.sin(turn) * 0.21, -0.5 - Math.cos(turn) * 0.21)
          context.stroke()
        }
        for (const [turn, length, width, tone] of [
          [-1, 0.13, 0.022, '#f4f1e8'],
          [1.05, 0.2, 0.016, '#f4f1e8'],
          [phase * Math.PI * 2, 0.23, 0.008, '#e0563a'],
        ] as const) {
          context.strokeStyle = tone
          context.lineWidth = width
          context.lineCap = 'round'
          context.beginPath()
          context.moveTo(-Math.sin(turn) * 0.04, -0.5 + Math.cos(turn) * 0.04)
          context.lineTo(Math.sin(turn) * length, -0.5 - Math.cos(turn) * length)
          context.stroke()
        }
      },
      { volume: 0.1, rim: 0.3, thickness: 0.05 },
    )
    figure.glow((context) => {
      context.fillStyle = 'rgba(255,255,255,0.1)'
      context.beginPath()
      context.arc(0, -0.5, 0.27, Math.PI * 0.8, Math.PI * 1.7)
      context.fill()
    })
  },
}

/** A running shoe with its toe to the right. */
export const shoe: Model = {
  height: 0.3,
  reach: { side: 0.98, up: 0.98, down: 0.06 },
  draw(figure, _phase, { color }) {
    const cloth = color ?? hex('#e8e6e2')
    const accent = color ? hex('#f4f1ea') : hex('#e2502c')
    figure.part(
      (context) => {
        context.fillStyle = '#f4f2ee'
        fillCurve(context, [
          [-0.86, -0.2],
          [-0.9, -0.02],
          [-0.7, 0],
          [0.2, 0],
          [0.72, 0],
          [0.94, -0.08],
          [0.9, -0.22],
          [0.5, -0.2],
          [0, -0.24],
          [-0.5, -0.26],
        ])
        context.fillStyle = css(accent)
        context.fillRect(-0.78, -0.05, 1.5, 0.035)
      },
      { volume: 0.6, thickness: 0.12 },
    )
    figure.part(
      (context) => {
        context.fillStyle = css(cloth)
        fillCurve(context, [
          [-0.84, -0.2],
          [-0.86, -0.52],
          [-0.78, -0.82],
          [-0.6, -0.8],
          [-0.36, -0.76],
          [-0.2, -0.84],
          [-0.06, -0.72],
          [0.2, -0.5],
          [0.56, -0.42],
          [0.82, -0.32],
          [0.88, -0.2],
          [0.4, -0.17],
          [-0.3, -0.2],
        ])
      },
      { volume: 0.9, thickness: 0.26 },
    )
    figure.part(
      (context) => {
        context.fillStyle = css(accent)
        fillCurve(context, [
          [-0.62, -0.3],
          [-0.3, -0.36],
          [0.02, -0.56],
          [0.06, -0.5],
          [-0.12, -0.3],
          [-0.4, -0.2],
          [-0.66, -0.2],
        ])
        context.fillStyle = css(scaleRgb(accent, 0.86))
        fillCurve(context, [
          [-0.86, -0.5],
          [-0.8, -0.8],
          [-0.7, -0.78],
          [-0.7, -0.5],
          [-0.78, -0.4],
        ])
        context.strokeStyle = css(mixRgb(cloth, [60, 56, 60], 0.6))
        context.lineWidth = 0.03
        context.lineCap = 'round'
        for (let lace = 0; lace < 5; lace++) {
          const x = -0.08 + lace * 0.1
          context.beginPath()
          context.moveTo(x - 0.06, -0.62 + lace * 0.055)
          context.lineTo(x + 0.05, -0.7 + lace * 0.075)
          context.stroke()
        }
        context.fillStyle = css(mixRgb(cloth, [30, 28, 34], 0.72))
        fillEllipse(context, -0.5, -0.785, 0.22, 0.05, 0.08)
      },
      { volume: 0.4, thickness: 0.06 },
    )
  },
}

/** A phone that stands upright with its screen lit. */
export const phone: Model = {
  height: 0.46,
  reach: { side: 0.4, up: 1.05, down: 0.05 },
  draw(figure, _phase, { color }) {
    figure.part(
      (context) => {
        context.fillStyle = blend(context, [-0.26, 0], [0.28, 0], [hex('#8c9098'), hex('#3a3d44'), hex('#16181c')])
        context.beginPath()
        context.roundRect(-0.25, -1, 0.52, 1, 0.075)
        context.fill()
      },
      { volume: 0.4, thickness: 0.08 },
    )
    figure.glow((context) => {
      const glow = color ?? hex('#5a6cf0')
      context.fillStyle = blend(
        context,
        [-0.2, -0.96],
        [0.2, -0.04],
        [mixRgb(glow, hex('#ff9ac0'), 0.6), glow, scaleRgb(glow, 0.4)],
      )
      context.beginPath()
      context.roundRect(-0.225, -0.975, 0.46, 0.95, 0.06)
      context.fill()
      context.fillStyle = 'rgba(255,255,255,0.16)'
      fillEllipse(context, 0.04, -0.5, 0.17, 0.17)
      fillEllipse(context, -0.04, -0.38, 0.11, 0.11)
      context.fillStyle = '#101014'
      context.beginPath()
      context.roundRect(-0.06, -0.945, 0.13, 0.035, 0.017)
      context.fill()
    })
    figure.glow((context) => {
      context.fillStyle = 'rgba(255,255,255,0.12)'
      fillCorners(context, [
        [-0.2, -0.97],
        [0.02, -0.97],
        [-0.22, -0.3],
        [-0.22, -0.94],
      ])
    })
  },
}

/** Headphones on a stand. */
export const headphones: Model = {
  height: 0.44,
  reach: { side: 0.62, up: 1.06, down: 0.06 },
  draw(figure, _phase, { color }) {
    const shell = color ?? hex('#2c2f38')
    figure.part(
      (context) => {
        context.fillStyle = roundShade(context, 0.05, hex('#b8bcc4'))
        context.fillRect(-0.03, -0.9, 0.06, 0.88)
        fillEllipse(context, 0, -0.02, 0.26, 0.05)
      },
      { volume: 0.5, thickness: 0.06 },
    )
    figure.part(
      (context) => {
        context.strokeStyle = css(scaleRgb(shell, 0.9))
        context.lineWidth = 0.1
        context.beginPath()
        context.arc(0, -0.52, 0.42, Math.PI * 0.98, Math.PI * 2.02)
        context.stroke()
      },
      { volume: 0.8, thickness: 0.08 },
    )
    for (const side of [-1, 1])
      figure.part(
        (context) => {
          context.fillStyle = css(mixRgb(shell, [20, 20, 24], 0.5))
          fillEllipse(context, side * 0.33, -0.4, 0.1, 0.22, side * 0.08)
          context.fillStyle = css(shell)
          fillEllipse(context, side * 0.43, -0.4, 0.12, 0.23, side * 0.08)
          context.fillStyle = css(mixRgb(shell, [255, 255, 255], 0.35))
          fillEllipse(context, side * 0.46, -0.42, 0.04, 0.09, side * 0.08)
        },
        { volume: 0.9, thickness: 0.16 },
      )
  },
}

/** A jar of cream with a lid of metal. */
export const jar: Model = {
  height: 0.26,
  reach: { side: 0.64, up: 1.04, down: 0.1 },
  draw(figure, _phase, { color }) {
    const glass = color ?? hex('#e4d4c8')
    figure.part(
      (context) => {
        context.fillStyle = roundShade(context, 0.52, glass)
        fillTurned(context, [
          [0.5, -0.62],
          [0.53, -0.4],
          [0.52, -0.1],
          [0.44, 0],
        ])
        fillEllipse(context, 0, -0.01, 0.44, 0.05)
        context.fillStyle = css(scaleRgb(glass, 0.5))
        context.fillRect(-0.22, -0.36, 0.44, 0.028)
        context.fillRect(-0.13, -0.27, 0.26, 0.02)
      },
      { volume: 0.5, thickness: 0.2 },
    )
    figure.part(
      (context) => {
        context.fillStyle = roundShade(context, 0.52, hex('#d8b070'))
        context.fillRect(-0.52, -0.92, 1.04, 0.32)
        fillEllipse(context, 0, -0.6, 0.52, 0.06)
        context.fillStyle = '#f0d8a8'
        fillEllipse(context, 0, -0.92, 0.52, 0.085)
      },
      { volume: 0.5, thickness: 0.2 },
    )
    figure.glow((context) => drawGloss(context, -0.3, -0.9, -0.06, 0.06, 0.5))
  },
}

/** A drinks can with drops of dew. */
export const can: Model = {
  height: 0.38,
  reach: { side: 0.4, up: 1.05, down: 0.06 },
  draw(figure, _phase, { color, createRandom }) {
    const paint = color ?? hex('#d23a30')
    const random = createRandom()
    figure.part(
      (context) => {
        context.fillStyle = roundShade(context, 0.28, hex('#c8ccd2'))
        fillTurned(context, [
          [0.23, -1],
          [0.28, -0.92],
          [0.28, -0.5],
          [0.28, -0.06],
          [0.22, 0],
        ])
        context.fillStyle = roundShade(context, 0.28, paint)
        context.fillRect(-0.28, -0.9, 0.56, 0.82)
        context.fillStyle = css(mixRgb(paint, [255, 255, 255], 0.82))
        fillCurve(context, [
          [-0.28, -0.36],
          [-0.1, -0.52],
          [0.12, -0.4],
          [0.28, -0.58],
          [0.28, -0.48],
          [0.12, -0.3],
          [-0.1, -0.42],
          [-0.28, -0.26],
        ])
        context.fillStyle = '#e4e7ec'
        fillEllipse(context, 0, -1, 0.23, 0.035)
      },
      { volume: 0.4, thickness: 0.2 },
    )
    figure.glow((context) => {
      drawGloss(context, -0.16, -0.9, -0.1, 0.04, 0.55)
      for (let drop = 0; drop < 40; drop++) {
        const [x, y] = [(random() - 0.5) * 0.5, -0.12 - random() * 0.76]
        context.fillStyle = 'rgba(255,255,255,0.5)'
        fillEllipse(context, x, y, 0.008 + 0.006 * random(), 0.011)
      }
    })
  },
}

/** A ring with a cut stone. */
export const jewel: Model = {
  height: 0.32,
  reach: { side: 0.6, up: 1.14, down: 0.06 },
  cycle: { poseCount: 8, pace: 0.5 },
  draw(figure, phase, { color }) {
    const gold = hex('#d8aa4c')
    figure.part(
      (context) => {
        context.strokeStyle = blend(context, [-0.4, -0.7], [0.4, 0], [hex('#fff0c0'), gold, hex('#8a6420'), gold])
        context.lineWidth = 0.085
        context.beginPath()
        context.ellipse(0, -0.34, 0.34, 0.3, 0, 0, Math.PI * 2)
        context.stroke()
      },
      { volume: 0.8, thickness: 0.07 },
    )
    const stone = color ?? hex('#cfe6f4')
    figure.part(
      (context) => {
        const facets: readonly (readonly [number, number, number, number, number])[] = [
          [-0.3, -0.84, -0.18, -1, 0.95],
          [-0.18, -1, 0, -1, 1],
          [0, -1, 0.18, -1, 0.86],
          [0.18, -1, 0.3, -0.84, 0.6],
        ]
        for (const [index, [x0, y0, x1, y1, light]] of facets.entries()) {
          context.fillStyle = css(scaleRgb(stone, light))
          fillCorners(context, [
            [x0, y0],
            [x1, y1],
            [(x0 + x1) * 0.42, -0.84],
          ])
          context.fillStyle = css(mixRgb(scaleRgb(stone, 1.1 - index * 0.16), [255, 255, 255], index === 1 ? 0.5 : 0.1))
          fillCorners(context, [
            [-0.3 + index * 0.15, -0.84],
            [-0.15 + index * 0.15, -0.84],
            [0, -0.6],
          ])
        }
        context.fillStyle = css(gold)
        for (const x of [-0.16, 0.16])
          fillCorners(context, [
            [x - 0.02, -0.8],
            [x + 0.02, -0.8],
            [x * 0.3, -0.6],
          ])
      },
      { volume: 0.2, thickness: 0.1 },
    )
    figure.glow((context) => {
      const flash = 0.4 + 0.6 * Math.max(0, Math.sin(phase * Math.PI * 2))
      context.fillStyle = css([255, 255, 255], 0.9 * flash)
      const [x, y, length] = [-0.1, -0.95, 0.17]
      fillStar(context, x, y, length * flash)
    })
  },
}

function fillStar(context: SKRSContext2D, x: number, y: number, length: number): void {
  context.beginPath()
  for (let point = 0; point < 8; point++) {
    const pointRadius = point % 2 ? length * 0.12 : length
    context.lineTo(x + Math.sin((point / 8) * Math.PI * 2) * pointRadius, y - Math.cos((point / 8) * Math.PI * 2) * pointRadius)
  }
  context.closePath()
  context.fill()
}

/** A plain carton with a ribbon, for a product that the prompt does not describe. */
export const product: Model = {
  height: 0.34,
  reach: { side: 0.66, up: 1.1, down: 0.06 },
  draw(figure, _phase, { color }) {
    const card = color ?? hex('#dfd3c2')
    figure.part(
      (context) => {
        context.fillStyle = blend(context, [-0.44, 0], [0.1, 0], [mixRgb(card, [255, 255, 255], 0.3), card])
        fillCorners(context, [
          [-0.46, -0.8],
          [0.14, -0.72],
          [0.14, 0],
          [-0.46, -0.07],
        ])
        context.fillStyle = css(scaleRgb(card, 0.66))
        fillCorners(context, [
          [0.14, -0.72],
          [0.5, -0.82],
          [0.5, -0.1],
          [0.14, 0],
        ])
        context.fillStyle = css(mixRgb(card, [255, 255, 255], 0.5))
        fillCorners(context, [
          [-0.46, -0.8],
          [-0.1, -0.9],
          [0.5, -0.82],
          [0.14, -0.72],
        ])
      },
      { volume: 0.15, thickness: 0.12 },
    )
    figure.part(
      (context) => {
        context.fillStyle = '#a83a40'
        fillCorners(context, [
          [-0.21, -0.767],
          [-0.09, -0.75],
          [-0.09, -0.027],
          [-0.21, -0.04],
        ])
        fillCorners(context, [
          [-0.21, -0.767],
          [-0.09, -0.75],
          [0.26, -0.85],
          [0.14, -0.867],
        ])
        for (const side of [-1, 1])
          fillCurve(context, [
            [0.02, -0.82],
            [0.02 + side * 0.1, -0.98],
            [0.02 + side * 0.24, -0.96],
            [0.02 + side * 0.22, -0.84],
          ])
      },
      { volume: 0.5, thickness: 0.05 },
    )
  },
}
