import type { CanvasGradient, SKRSContext2D } from '@napi-rs/canvas'
import { css, hex, mixRgb, scaleRgb, type Rgb } from '../../../picture/color.ts'
import { fillEllipse, fillGlow } from '../brush.ts'
import type { Figure } from '../figure.ts'
import type { Model } from '../model.ts'

/** Half widths at heights, from the top downward. y is negative. */
type Profile = readonly (readonly [halfWidth: number, y: number])[]

/** Fills the outline of a round vessel, such as a potter makes. */
export function fillTurned(context: SKRSContext2D, profile: Profile): void {
  const right = profile.map(([halfWidth, y]) => [halfWidth, y] as const)
  const left = profile.map(([halfWidth, y]) => [-halfWidth, y] as const).toReversed()
  context.beginPath()
  for (const side of [right, left]) {
    const [first, last] = [side[0], side.at(-1)]
    if (!first || !last) return
    context.lineTo(first[0], first[1])
    for (let index = 1; index < side.length - 1; index++) {
      const [current, next] = [side[index], side[index + 1]]
      if (current && next)
        context.quadraticCurveTo(current[0], current[1], (current[0] + next[0]) / 2, (current[1] + next[1]) / 2)
    }
    context.lineTo(last[0], last[1])
  }
  context.closePath()
  context.fill()
}

/** Returns the shading of a round body from its left edge to its right edge. */
export function roundShade(context: SKRSContext2D, halfWidth: number, color: Rgb): CanvasGradient {
  const fill = context.createLinearGradient(-halfWidth, 0, halfWidth, 0)
  fill.addColorStop(0, css(scaleRgb(color, 0.82)))
  fill.addColorStop(0.28, css(mixRgb(color, [255, 255, 255], 0.16)))
  fill.addColorStop(0.6, css(scaleRgb(color, 0.94)))
  fill.addColorStop(1, css(scaleRgb(color, 0.58)))
  return fill
}

/** Draws a bright vertical reflection around `x` on something glazed or of glass. */
export function drawGloss(
  context: SKRSContext2D,
  x: number,
  top: number,
  bottom: number,
  halfWidth: number,
  strength = 0.5,
): void {
  const fill = context.createLinearGradient(x - halfWidth, 0, x + halfWidth, 0)
  fill.addColorStop(0, 'rgba(255,255,255,0)')
  fill.addColorStop(0.5, `rgba(255,255,255,${strength})`)
  fill.addColorStop(1, 'rgba(255,255,255,0)')
  context.fillStyle = fill
  context.fillRect(x - halfWidth, top, halfWidth * 2, bottom - top)
}

/** Draws wisps of steam that rise from `x`, `y` and twist. */
function drawSteam(figure: Figure, phase: number, { x, y, height }: { x: number; y: number; height: number }): void {
  figure.glow((context) => {
    for (let wisp = 0; wisp < 3; wisp++) {
      const lean = (wisp - 1) * 0.14 * height
      for (let puff = 0; puff < 7; puff++) {
        const risen = (puff + ((phase + wisp / 3) % 1)) / 7
        const turn = risen * 5 + wisp * 2.1 + phase * Math.PI * 2
        const strength = Math.sin(Math.PI * risen) ** 1.2 * 0.2
        const puffX = x + lean * (0.6 + risen) + Math.sin(turn) * 0.07 * height * risen
        fillGlow(context, puffX, y - risen * height * 0.86, height * (0.07 + 0.07 * risen), [255, 252, 246], strength)
      }
    }
  })
}

const glazeColors = ['#f2ede4', '#3f5f78', '#c9694a', '#8aa088', '#2f3238'].map(hex)

/** A steaming full cup on its saucer. */
export const cup: Model = {
  height: 0.2,
  reach: { side: 0.84, up: 2.05, down: 0.16 },
  cycle: { poseCount: 10, pace: 0.3 },
  variantCount: 3,
  draw(figure, phase, { color, variant }) {
    const glaze = color ?? glazeColors[variant % glazeColors.length] ?? [242, 237, 228]
    figure.part(
      (context) => {
        context.fillStyle = roundShade(context, 0.72, mixRgb(glaze, [255, 255, 255], 0.25))
        fillEllipse(context, 0, -0.02, 0.72, 0.13)
        context.fillStyle = css(scaleRgb(glaze, 0.78))
        fillEllipse(context, 0, -0.045, 0.4, 0.06)
      },
      { volume: 0.3, thickness: 0.1 },
    )
    figure.part(
      (context) => {
        context.strokeStyle = css(scaleRgb(glaze, 0.86))
        context.lineWidth = 0.085
        context.beginPath()
        context.ellipse(0.42, -0.48, 0.2, 0.2, 0.2, -Math.PI * 0.62, Math.PI * 0.62)
        context.stroke()
      },
      { thickness: 0.06 },
    )
    figure.part(
      (context) => {
        context.fillStyle = roundShade(context, 0.44, glaze)
        fillTurned(context, [
          [0.44, -0.78],
          [0.43, -0.6],
          [0.4, -0.34],
          [0.28, -0.1],
          [0.2, -0.05],
        ])
        drawGloss(context, -0.26, -0.7, -0.22, 0.07, 0.34)
      },
      { volume: 0.5, thickness: 0.3 },
    )
    figure.part(
      (context) => {
        context.fillStyle = css(mixRgb(glaze, [255, 255, 255], 0.4))
        fillEllipse(context, 0, -0.78, 0.44, 0.1)
        context.fillStyle = css(hex('#3b2114'))
        fillEllipse(context, 0, -0.772, 0.395, 0.082)
        context.fillStyle = css(hex('#a9733f'))
        fillEllipse(context, -0.02, -0.766, 0.33, 0.062)
        context.fillStyle = css(hex('#e2c090'))
        fillEllipse(context, -0.04, -0.764, 0.16, 0.028)
      },
      { volume: 0.1, rim: 0.3, thickness: 0.05 },
    )
    drawSteam(figure, phase, { x: 0, y: -0.84, height: 1.1 })
  },
}

/** A deep bowl of noodles in broth, with an egg, greens and chopsticks. */
export const noodles: Model = {
  height: 0.26,
  reach: { side: 0.9, up: 1.9, down: 0.1 },
  cycle: { poseCount: 10, pace: 0.3 },
  draw(figure, phase, { color }) {
    const glaze = color ?? hex('#b8392c')
    figure.part(
      (context) => {
        context.fillStyle = roundShade(context, 0.72, glaze)
        fillTurned(context, [
          [0.72, -0.6],
          [0.7, -0.44],
          [0.56, -0.18],
          [0.32, -0.06],
          [0.3, 0],
        ])
        context.fillStyle = css(hex('#f4ead6'))
        context.fillRect(-0.72, -0.545, 1.44, 0.025)
        drawGloss(context, -0.44, -0.56, -0.2, 0.1, 0.32)
      },
      { volume: 0.5, thickness: 0.3 },
    )
    figure.part(
      (context) => {
        context.fillStyle = css(hex('#f0e4d0'))
        fillEllipse(context, 0, -0.6, 0.72, 0.19)
        context.fillStyle = css(hex('#b06a28'))
        fillEllipse(context, 0, -0.592, 0.66, 0.165)
        context.save()
        context.beginPath()
        context.ellipse(0, -0.592, 0.66, 0.165, 0, 0, Math.PI * 2)
        context.clip()
        context.lineWidth = 0.022
        for (let strand = 0; strand < 26; strand++) {
          context.strokeStyle = strand % 3 ? '#f0cf86' : '#d9a95a'
          const turn = strand * 2.4
          context.beginPath()
          context.ellipse(
            -0.08 + Math.cos(turn) * 0.2,
            -0.56 + Math.sin(turn * 1.7) * 0.06,
            0.14 + 0.1 * Math.abs(Math.sin(strand)),
            0.035,
            turn * 0.3,
            0,
            Math.PI * 1.6,
          )
          context.stroke()
        }
        context.restore()
      },
      { volume: 0.15, rim: 0.3, thickness: 0.06 },
    )
    figure.part(
      (context) => {
        for (const [x, y] of [
          [0.24, -0.66],
          [0.44, -0.62],
        ] as const) {
          context.fillStyle = '#f8f2e6'
          fillEllipse(context, x, y, 0.12, 0.078, -0.1)
          context.fillStyle = '#eb9a2c'
          fillEllipse(context, x + 0.004, y + 0.004, 0.062, 0.044)
        }
        context.fillStyle = '#c98b6e'
        fillEllipse(context, -0.36, -0.63, 0.17, 0.07, 0.16)
        context.fillStyle = '#f0c8b0'
        fillEllipse(context, -0.36, -0.635, 0.1, 0.026, 0.16)
        for (let leaf = 0; leaf < 12; leaf++) {
          context.fillStyle = leaf % 2 ? '#4f8a3a' : '#78b04a'
          fillEllipse(context, -0.06 + Math.sin(leaf * 2.2) * 0.16, -0.65 + Math.cos(leaf * 3.1) * 0.05, 0.034, 0.016, leaf)
        }
      },
      { volume: 0.7, thickness: 0.06 },
    )
    figure.part(
      (context) => {
        context.strokeStyle = '#4a2a1a'
        context.lineCap = 'round'
        context.lineWidth = 0.03
        for (const lift of [0, 0.07]) {
          context.beginPath()
          context.moveTo(0.06, -0.62 - lift)
          context.lineTo(0.86, -0.86 - lift * 1.4)
          context.stroke()
        }
      },
      { thickness: 0.02 },
    )
    drawSteam(figure, phase, { x: -0.06, y: -0.7, height: 1.1 })
  },
}

/** A heavy glass with an amber drink and ice. */
export const tumbler: Model = {
  height: 0.24,
  reach: { side: 0.5, up: 1.12, down: 0.1 },
  draw(figure, _phase, { color }) {
    const drink = color ?? hex('#c8741e')
    figure.glow((context) => {
      context.fillStyle = 'rgba(226,236,240,0.16)'
      fillTurned(context, [
        [0.4, -0.96],
        [0.38, -0.5],
        [0.35, -0.04],
        [0.33, 0],
      ])
    })
    figure.part(
      (context) => {
        const fill = context.createLinearGradient(-0.36, 0, 0.36, 0)
        fill.addColorStop(0, css(scaleRgb(drink, 0.7), 0.94))
        fill.addColorStop(0.35, css(mixRgb(drink, hex('#ffd890'), 0.5), 0.9))
        fill.addColorStop(1, css(scaleRgb(drink, 0.5), 0.95))
        context.fillStyle = fill
        fillTurned(context, [
          [0.365, -0.56],
          [0.355, -0.3],
          [0.335, -0.1],
          [0.33, -0.09],
        ])
        context.fillStyle = css(mixRgb(drink, hex('#ffe2a8'), 0.4), 0.95)
        fillEllipse(context, 0, -0.56, 0.365, 0.075)
      },
      { volume: 0.2, rim: 0.4, thickness: 0.1 },
    )
    figure.part(
      (context) => {
        for (const [x, y, turn] of [
          [-0.12, -0.56, 0.3],
          [0.14, -0.5, -0.35],
          [0.02, -0.36, 0.1],
        ] as const) {
          context.save()
          context.translate(x, y)
          context.rotate(turn)
          context.fillStyle = 'rgba(240,248,252,0.42)'
          context.beginPath()
          context.roundRect(-0.13, -0.13, 0.26, 0.26, 0.04)
          context.fill()
          context.fillStyle = 'rgba(255,255,255,0.5)'
          context.fillRect(-0.1, -0.11, 0.14, 0.05)
          context.restore()
        }
      },
      { volume: 0.3, thickness: 0.06 },
    )
    figure.glow((context) => {
      drawGloss(context, -0.28, -0.92, -0.06, 0.045, 0.55)
      drawGloss(context, 0.26, -0.9, -0.08, 0.03, 0.28)
      context.strokeStyle = 'rgba(255,255,255,0.72)'
      context.lineWidth = 0.016
      context.beginPath()
      context.ellipse(0, -0.96, 0.4, 0.08, 0, 0, Math.PI * 2)
      context.stroke()
      context.fillStyle = 'rgba(255,255,255,0.3)'
      fillEllipse(context, 0, -0.04, 0.33, 0.055)
    })
  },
}

/** A stemmed glass of wine. */
export const wine: Model = {
  height: 0.36,
  reach: { side: 0.36, up: 1.06, down: 0.06 },
  draw(figure, _phase, { color }) {
    const drink = color ?? hex('#7a1424')
    figure.part(
      (context) => {
        context.fillStyle = 'rgba(226,232,238,0.5)'
        fillEllipse(context, 0, -0.01, 0.2, 0.035)
        context.fillRect(-0.012, -0.46, 0.024, 0.45)
      },
      { volume: 0.2, thickness: 0.03 },
    )
    figure.glow((context) => {
      context.fillStyle = 'rgba(226,236,240,0.16)'
      fillTurned(context, [
        [0.19, -1],
        [0.245, -0.86],
        [0.25, -0.66],
        [0.15, -0.5],
        [0.01, -0.45],
      ])
    })
    figure.part(
      (context) => {
        context.fillStyle = roundShade(context, 0.25, drink)
        fillTurned(context, [
          [0.25, -0.74],
          [0.235, -0.62],
          [0.14, -0.5],
          [0.01, -0.46],
        ])
        context.fillStyle = css(mixRgb(drink, hex('#e08070'), 0.35))
        fillEllipse(context, 0, -0.74, 0.25, 0.045)
      },
      { volume: 0.2, rim: 0.4, thickness: 0.08 },
    )
    figure.glow((context) => {
      drawGloss(context, -0.16, -0.96, -0.54, 0.03, 0.6)
      context.strokeStyle = 'rgba(255,255,255,0.7)'
      context.lineWidth = 0.011
      context.beginPath()
      context.ellipse(0, -1, 0.19, 0.034, 0, 0, Math.PI * 2)
      context.stroke()
    })
  },
}

/** A tall bottle with a label. */
export const bottle: Model = {
  height: 0.5,
  reach: { side: 0.28, up: 1.06, down: 0.05 },
  draw(figure, _phase, { color }) {
    const glass = color ?? hex('#23402e')
    figure.part(
      (context) => {
        context.fillStyle = roundShade(context, 0.16, glass)
        fillTurned(context, [
          [0.052, -1],
          [0.052, -0.9],
          [0.054, -0.76],
          [0.16, -0.64],
          [0.16, -0.5],
          [0.16, -0.2],
          [0.16, -0.02],
          [0.15, 0],
        ])
        context.fillStyle = '#7a2430'
        context.fillRect(-0.058, -1.01, 0.116, 0.13)
      },
      { volume: 0.6, thickness: 0.16 },
    )
    figure.part(
      (context) => {
        context.fillStyle = roundShade(context, 0.16, hex('#efe4cc'))
        context.fillRect(-0.16, -0.44, 0.32, 0.27)
        context.fillStyle = '#7a6448'
        for (const [y, width] of [
          [-0.38, 0.16],
          [-0.32, 0.2],
          [-0.25, 0.12],
        ] as const)
          context.fillRect(-width / 2, y, width, 0.018)
      },
      { volume: 0.3, rim: 0, thickness: 0.1 },
    )
    figure.glow((context) => drawGloss(context, -0.095, -0.66, -0.04, 0.03, 0.5))
  },
}
