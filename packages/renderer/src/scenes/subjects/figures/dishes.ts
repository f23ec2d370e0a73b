import type { CanvasGradient, SKRSContext2D } from '@napi-rs/canvas'
import { css, hex, mixRgb, scaleRgb, type Rgb } from '../../../picture/color.ts'
import { blend, fillCorners, fillCurve, fillEllipse } from '../brush.ts'
import type { Figure } from '../figure.ts'
import type { Model } from '../model.ts'
import { drawGloss, fillTurned, roundShade } from './vessels.ts'

function drawPlate(figure: Figure, halfWidth: number, color: Rgb = hex('#efe9df')): void {
  figure.part(
    (context) => {
      context.fillStyle = roundShade(context, halfWidth, color)
      fillEllipse(context, 0, -0.03, halfWidth, halfWidth * 0.2)
      context.fillStyle = css(scaleRgb(color, 0.86))
      fillEllipse(context, 0, -0.045, halfWidth * 0.74, halfWidth * 0.13)
      context.fillStyle = css(mixRgb(color, [255, 255, 255], 0.3))
      fillEllipse(context, 0, -0.05, halfWidth * 0.71, halfWidth * 0.118)
    },
    { volume: 0.2, thickness: 0.06 },
  )
}

function drawBall(context: SKRSContext2D, x: number, y: number, r: number, color: Rgb): void {
  const fill = context.createRadialGradient(x - r * 0.35, y - r * 0.4, r * 0.05, x, y, r)
  fill.addColorStop(0, css(mixRgb(color, [255, 250, 236], 0.62)))
  fill.addColorStop(0.3, css(mixRgb(color, [255, 244, 220], 0.14)))
  fill.addColorStop(1, css(scaleRgb(color, 0.62)))
  context.fillStyle = fill
  fillEllipse(context, x, y, r, r * 0.96)
}

/** A bowl of apples, oranges, a pear and grapes. */
export const fruit: Model = {
  height: 0.3,
  reach: { side: 0.86, up: 1.12, down: 0.1 },
  draw(figure, _phase, { color }) {
    const bowl = hex('#5b7f92')
    for (const [x, y, r, tone] of [
      [-0.38, -0.56, 0.2, '#d98a2b'],
      [0.36, -0.56, 0.21, '#8fae3c'],
      [0, -0.62, 0.22, '#c9342c'],
      [-0.18, -0.78, 0.19, '#d9a02f'],
      [0.2, -0.76, 0.19, '#b82c30'],
    ] as const) {
      figure.part(
        (context) => {
          drawBall(context, x, y, r, color && tone === '#c9342c' ? color : hex(tone))
          context.strokeStyle = '#4a3220'
          context.lineWidth = 0.024
          context.lineCap = 'round'
          context.beginPath()
          context.moveTo(x, y - r * 0.86)
          context.quadraticCurveTo(x + 0.01, y - r * 1.1, x + 0.05, y - r * 1.24)
          context.stroke()
        },
        { thickness: 0.22, volume: 0.8 },
      )
    }
    figure.part(
      (context) => {
        for (let grape = 0; grape < 15; grape++) {
          const row = Math.floor(grape / 4)
          drawBall(
            context,
            0.4 + (grape % 4) * 0.085 - row * 0.012,
            -0.62 + row * 0.09 + (grape % 2) * 0.03,
            0.062,
            hex('#5c3a72'),
          )
        }
      },
      { thickness: 0.07, volume: 0.6 },
    )
    figure.part(
      (context) => {
        context.fillStyle = roundShade(context, 0.66, bowl)
        fillTurned(context, [
          [0.66, -0.5],
          [0.6, -0.3],
          [0.4, -0.09],
          [0.24, -0.03],
          [0.24, 0],
        ])
        context.fillStyle = css(mixRgb(bowl, [255, 255, 255], 0.35))
        context.fillRect(-0.66, -0.5, 1.32, 0.035)
        drawGloss(context, -0.4, -0.46, -0.12, 0.09, 0.3)
      },
      { volume: 0.5, thickness: 0.3 },
    )
  },
}

/** Tomatoes, carrots, greens and a pepper on a board. */
export const vegetables: Model = {
  height: 0.26,
  reach: { side: 1.06, up: 0.92, down: 0.16 },
  draw(figure) {
    figure.part(
      (context) => {
        context.fillStyle = blend(context, [0, -0.14], [0, 0.1], [hex('#c99a62'), hex('#8a5f36')])
        context.beginPath()
        context.roundRect(-0.96, -0.12, 1.92, 0.2, 0.06)
        context.fill()
      },
      { volume: 0.3, thickness: 0.08 },
    )
    figure.part(
      (context) => {
        for (let leaf = 0; leaf < 16; leaf++) {
          const turn = leaf * 1.9
          context.fillStyle = css(mixRgb(hex('#3f7a35'), hex('#9cc85a'), (leaf % 5) / 5))
          fillEllipse(context, -0.56 + Math.cos(turn) * 0.18, -0.34 + Math.sin(turn * 1.3) * 0.2, 0.17, 0.09, turn)
        }
      },
      { volume: 0.9, thickness: 0.1 },
    )
    figure.part(
      (context) => {
        for (const [x, y, r] of [
          [0.02, -0.26, 0.2],
          [0.3, -0.22, 0.17],
          [0.17, -0.48, 0.17],
        ] as const) {
          drawBall(context, x, y, r, hex('#cf3a26'))
          context.fillStyle = '#3f6a2c'
          for (let point = 0; point < 5; point++)
            fillEllipse(
              context,
              x + Math.cos(point * 1.26) * 0.05,
              y - r * 0.84 + Math.sin(point * 1.26) * 0.018,
              0.045,
              0.014,
              point,
            )
        }
      },
      { volume: 0.7, thickness: 0.2 },
    )
    figure.part(
      (context) => {
        for (const [y, tone] of [
          [-0.2, '#e2822a'],
          [-0.1, '#ee9438'],
          [-0.01, '#d8741f'],
        ] as const) {
          context.fillStyle = tone
          fillCurve(context, [
            [0.52, y - 0.07],
            [0.62, y - 0.075],
            [0.9, y - 0.035],
            [0.98, y - 0.02],
            [0.9, y + 0.01],
            [0.62, y + 0.045],
            [0.52, y + 0.04],
          ])
          context.fillStyle = '#5c9440'
          for (const lean of [-0.06, 0, 0.06]) fillEllipse(context, 0.46, y - 0.02 + lean, 0.1, 0.016, -lean * 5)
        }
      },
      { volume: 0.8, thickness: 0.08 },
    )
  },
}

/** An iced cake with lit candles. */
export const cake: Model = {
  height: 0.38,
  reach: { side: 0.74, up: 1.12, down: 0.12 },
  cycle: { poseCount: 8, pace: 0.9 },
  draw(figure, phase, { color, isDark }) {
    const icing = color ?? hex('#f1c3cf')
    const sponge = mixRgb(icing, hex('#fff6ea'), 0.6)
    drawPlate(figure, 0.68)
    figure.part(
      (context) => {
        context.fillStyle = roundShade(context, 0.48, sponge)
        context.fillRect(-0.48, -0.5, 0.96, 0.44)
        fillEllipse(context, 0, -0.06, 0.48, 0.09)
        context.fillStyle = css(scaleRgb(icing, 0.8))
        context.fillRect(-0.48, -0.3, 0.96, 0.03)
        context.fillStyle = roundShade(context, 0.48, icing)
        context.beginPath()
        context.moveTo(-0.48, -0.52)
        context.lineTo(0.48, -0.52)
        context.lineTo(0.48, -0.4)
        for (let drip = 8; drip > 0; drip--) {
          const x = -0.48 + (drip / 8) * 0.96
          const dripLength = 0.05 + 0.1 * Math.abs(Math.sin(drip * 2.3))
          context.quadraticCurveTo(x - 0.02, -0.4 + dripLength, x - 0.06, -0.4 + dripLength)
          context.quadraticCurveTo(x - 0.1, -0.4 + dripLength, x - 0.12, -0.42)
        }
        context.closePath()
        context.fill()
      },
      { volume: 0.4, thickness: 0.3 },
    )
    figure.part(
      (context) => {
        context.fillStyle = css(mixRgb(icing, [255, 255, 255], 0.3))
        fillEllipse(context, 0, -0.52, 0.48, 0.11)
        for (let rose = 0; rose < 14; rose++) {
          const turn = (rose / 14) * Math.PI * 2
          drawBall(context, Math.cos(turn) * 0.42, -0.53 + Math.sin(turn) * 0.09, 0.05, rose % 2 ? icing : hex('#fff4ec'))
        }
      },
      { volume: 0.4, thickness: 0.05 },
    )
    const candles = [-0.28, -0.14, 0, 0.14, 0.28].map((x, index) => ({ x, y: -0.55 - 0.035 * Math.cos(x * 5), index }))
    figure.part(
      (context) => {
        for (const { x, y, index } of candles) {
          context.fillStyle = ['#6fb3d2', '#f2c14e', '#e8788a'][index % 3] ?? '#f2c14e'
          context.fillRect(x - 0.018, y - 0.22, 0.036, 0.24)
        }
      },
      { thickness: 0.03 },
    )
    for (const { x, y, index } of candles) drawFlame(figure, { x, y: y - 0.22, height: 0.13 }, phase + index * 0.37, isDark)
  },
}

/** Draws a small flame that stands at `x`, `y`, with its light. */
export function drawFlame(
  figure: Figure,
  { x, y, height }: { x: number; y: number; height: number },
  phase: number,
  isDark: boolean,
): void {
  const turn = phase * Math.PI * 2
  figure.glow((context) => {
    const halo = context.createRadialGradient(x, y - height * 0.4, 0, x, y - height * 0.4, height * 1.5)
    halo.addColorStop(0, `rgba(255,196,104,${isDark ? 0.5 : 0.34})`)
    halo.addColorStop(1, 'rgba(255,170,80,0)')
    context.fillStyle = halo
    context.fillRect(x - height * 1.5, y - height * 1.9, height * 3, height * 3)
    const lean = Math.sin(turn) * height * 0.12
    const top = height * (0.94 + 0.08 * Math.sin(turn * 2 + 1))
    for (const [share, tone] of [
      [1, '#ff9c34'],
      [0.7, '#ffd873'],
      [0.38, '#fff6d8'],
    ] as const) {
      context.fillStyle = tone
      context.beginPath()
      context.moveTo(x, y)
      context.bezierCurveTo(
        x - height * 0.3 * share,
        y - height * 0.2,
        x - height * 0.12 * share + lean,
        y - top * share * 0.6,
        x + lean,
        y - top * share,
      )
      context.bezierCurveTo(
        x + height * 0.12 * share + lean,
        y - top * share * 0.6,
        x + height * 0.3 * share,
        y - height * 0.2,
        x,
        y,
      )
      context.fill()
    }
  })
}

/** A stack of pancakes with butter, syrup and berries. */
export const pancakes: Model = {
  height: 0.28,
  reach: { side: 1, up: 1.06, down: 0.2 },
  draw(figure) {
    drawPlate(figure, 0.92)
    for (let layer = 0; layer < 6; layer++) {
      const y = -0.1 - layer * 0.105
      const sideOffset = Math.sin(layer * 2.4) * 0.03
      figure.part(
        (context) => {
          context.fillStyle = '#e6bd78'
          context.beginPath()
          context.roundRect(-0.56 + sideOffset, y - 0.06, 1.12, 0.11, 0.05)
          context.fill()
          context.fillStyle = roundShade(context, 0.58, hex('#b9722c'))
          fillEllipse(context, sideOffset, y - 0.06, 0.56, 0.085)
          context.fillStyle = '#cf8a3c'
          fillEllipse(context, sideOffset - 0.02, y - 0.064, 0.5, 0.07)
        },
        { volume: 0.4, thickness: 0.08 },
      )
    }
    figure.part(
      (context) => {
        context.fillStyle = 'rgba(120,54,12,0.86)'
        fillEllipse(context, 0, -0.69, 0.36, 0.055)
        for (const [x, dripLength, width] of [
          [-0.3, 0.36, 0.05],
          [-0.1, 0.2, 0.06],
          [0.14, 0.48, 0.055],
          [0.34, 0.26, 0.045],
        ] as const) {
          context.beginPath()
          context.roundRect(x - width, -0.68, width * 2, dripLength, width)
          context.fill()
        }
      },
      { volume: 0.8, rim: 1, thickness: 0.06 },
    )
    figure.part(
      (context) => {
        context.fillStyle = '#f7e08a'
        fillCorners(context, [
          [-0.14, -0.72],
          [0.06, -0.74],
          [0.1, -0.8],
          [-0.08, -0.83],
        ])
        fillCorners(context, [
          [-0.14, -0.72],
          [0.06, -0.74],
          [0.06, -0.67],
          [-0.13, -0.66],
        ])
      },
      { volume: 0.3, thickness: 0.05 },
    )
    figure.part(
      (context) => {
        for (const [x, y] of [
          [0.2, -0.75],
          [0.3, -0.71],
          [0.24, -0.83],
          [-0.28, -0.73],
          [0.66, -0.08],
          [0.76, -0.05],
          [-0.7, -0.07],
        ] as const)
          drawBall(context, x, y, 0.062, hex('#3a4a86'))
        drawBall(context, 0.12, -0.77, 0.07, hex('#c8283a'))
        drawBall(context, -0.76, -0.1, 0.07, hex('#c8283a'))
      },
      { volume: 0.6, thickness: 0.06 },
    )
  },
}

/** A tall burger with cheese, tomato and lettuce. */
export const burger: Model = {
  height: 0.34,
  reach: { side: 0.78, up: 1.02, down: 0.14 },
  draw(figure) {
    figure.part(
      (context) => {
        context.fillStyle = '#7a5030'
        context.beginPath()
        context.roundRect(-0.7, -0.06, 1.4, 0.12, 0.05)
        context.fill()
      },
      { volume: 0.3, thickness: 0.06 },
    )
    figure.part(
      (context) => {
        context.fillStyle = roundShade(context, 0.5, hex('#cf8f45'))
        context.beginPath()
        context.roundRect(-0.5, -0.24, 1, 0.2, [0.06, 0.06, 0.12, 0.12])
        context.fill()
      },
      { volume: 0.5, thickness: 0.14 },
    )
    const drawRuffle = (y: number, ruffleDepth: number, tone: Rgb, frequency: number): void =>
      figure.part(
        (context) => {
          context.fillStyle = css(tone)
          context.beginPath()
          context.moveTo(-0.56, y)
          for (let fold = 0; fold < 14; fold++) {
            const x = -0.56 + ((fold + 1) / 14) * 1.12
            context.quadraticCurveTo(x - 0.04, y + ruffleDepth * (0.6 + 0.5 * Math.abs(Math.sin(fold * frequency))), x, y + 0.01)
          }
          context.lineTo(0.54, y - 0.06)
          context.lineTo(-0.54, y - 0.06)
          context.fill()
        },
        { volume: 0.6, thickness: 0.06 },
      )
    drawRuffle(-0.24, 0.1, hex('#6ea63c'), 1.7)
    figure.part(
      (context) => {
        context.fillStyle = roundShade(context, 0.52, hex('#5a3220'))
        context.beginPath()
        context.roundRect(-0.53, -0.42, 1.06, 0.17, 0.07)
        context.fill()
        context.fillStyle = 'rgba(30,14,8,0.5)'
        for (let crumb = 0; crumb < 26; crumb++)
          fillEllipse(context, -0.48 + crumb * 0.038, -0.34 + Math.sin(crumb * 4.1) * 0.05, 0.016, 0.01)
      },
      { volume: 0.7, thickness: 0.1 },
    )
    figure.part(
      (context) => {
        context.fillStyle = '#f3b53a'
        fillCorners(context, [
          [-0.54, -0.44],
          [0.54, -0.44],
          [0.42, -0.38],
          [0.3, -0.3],
          [0.16, -0.4],
          [-0.2, -0.4],
          [-0.34, -0.27],
          [-0.44, -0.38],
        ])
      },
      { volume: 0.4, thickness: 0.04 },
    )
    figure.part(
      (context) => {
        for (const x of [-0.28, 0.02, 0.3]) {
          context.fillStyle = '#cf3a2a'
          context.beginPath()
          context.roundRect(x - 0.17, -0.52, 0.34, 0.08, 0.035)
          context.fill()
        }
      },
      { volume: 0.5, thickness: 0.05 },
    )
    drawRuffle(-0.53, 0.07, hex('#86b84a'), 2.3)
    figure.part(
      (context) => {
        context.fillStyle = blend(context, [0, -0.98], [0, -0.54], [hex('#e2a555'), hex('#c97f34'), hex('#a9622a')])
        context.beginPath()
        context.moveTo(-0.54, -0.56)
        context.bezierCurveTo(-0.56, -0.86, -0.3, -0.98, 0, -0.98)
        context.bezierCurveTo(0.3, -0.98, 0.56, -0.86, 0.54, -0.56)
        context.quadraticCurveTo(0, -0.5, -0.54, -0.56)
        context.fill()
        context.fillStyle = '#f8e6bc'
        for (let seed = 0; seed < 30; seed++) {
          const turn = seed * 2.399
          const radius = Math.sqrt(seed / 30)
          fillEllipse(context, Math.cos(turn) * radius * 0.44, -0.82 + Math.sin(turn) * radius * 0.11, 0.022, 0.012, turn)
        }
      },
      { volume: 0.7, thickness: 0.3 },
    )
  },
}

/** French fries in a carton. */
export const fries: Model = {
  height: 0.26,
  reach: { side: 0.5, up: 1.16, down: 0.06 },
  draw(figure, _phase, { color, createRandom }) {
    const random = createRandom()
    figure.part(
      (context) => {
        for (let stick = 0; stick < 20; stick++) {
          const x = -0.3 + (stick / 19) * 0.6
          const top = -0.76 - 0.3 * random()
          context.fillStyle = css(mixRgb(hex('#f2c14e'), hex('#d9962e'), random()))
          context.save()
          context.translate(x, -0.3)
          context.rotate((random() - 0.5) * 0.3 + x * 0.25)
          context.fillRect(-0.032, top + 0.3, 0.064, -top - 0.2)
          context.restore()
        }
      },
      { volume: 0.7, thickness: 0.05 },
    )
    figure.part(
      (context) => {
        const card = color ?? hex('#c8322c')
        context.fillStyle = roundShade(context, 0.36, card)
        context.beginPath()
        context.moveTo(-0.38, -0.62)
        context.quadraticCurveTo(0, -0.44, 0.38, -0.62)
        context.lineTo(0.28, 0)
        context.lineTo(-0.28, 0)
        context.fill()
      },
      { volume: 0.4, thickness: 0.16 },
    )
  },
}

/** Factor for the depth of a pizza. Pizzas are seen more from above than other dishes. */
const pizzaDepthScale = 1.75

/** A round pizza. One slice is lifted and draws threads of cheese. */
export const pizza: Model = {
  height: 0.36,
  reach: { side: 1.06, up: 1.06, down: 0.46 },
  cycle: { poseCount: 8, pace: 0.35 },
  draw(figure, phase, { createRandom }) {
    const lift = 0.36 + 0.06 * Math.sin(phase * Math.PI * 2)
    const random = createRandom()
    figure.part(
      (context) => {
        context.scale(1, pizzaDepthScale)
        context.fillStyle = roundShade(context, 1, hex('#8a5a34'))
        fillEllipse(context, 0, 0, 1, 0.21)
      },
      { volume: 0.2, thickness: 0.06 },
    )
    const toppings = Array.from({ length: 26 }, () => ({
      turn: random() * 6.28,
      radius: Math.sqrt(random()) * 0.72,
      isGreen: random() < 0.34,
    }))
    figure.part(
      (context) => {
        context.scale(1, pizzaDepthScale)
        context.fillStyle = roundShade(context, 0.9, hex('#c98a44'))
        fillEllipse(context, 0, -0.05, 0.9, 0.185)
        context.fillStyle = '#c2452a'
        fillEllipse(context, 0, -0.075, 0.8, 0.155)
        context.fillStyle = '#efc15e'
        fillEllipse(context, 0, -0.08, 0.76, 0.14)
        for (const { turn, radius, isGreen } of toppings) {
          context.fillStyle = isGreen ? '#47762e' : '#a8301f'
          fillEllipse(
            context,
            Math.cos(turn) * radius,
            -0.085 + Math.sin(turn) * radius * 0.17,
            isGreen ? 0.04 : 0.085,
            isGreen ? 0.014 : 0.024,
            turn,
          )
        }
        context.fillStyle = css(hex('#6a4024'))
        fillCorners(context, [
          [-0.02, -0.08],
          [0.4, 0.11],
          [0.08, 0.135],
        ])
      },
      { volume: 0.3, thickness: 0.08 },
    )
    figure.part(
      (context) => {
        context.strokeStyle = '#f6d98a'
        for (let thread = 0; thread < 6; thread++) {
          const x = 0.06 + thread * 0.06
          context.lineWidth = 0.018 + 0.008 * (thread % 2)
          context.beginPath()
          context.moveTo(x * 0.7, -0.06 + thread * 0.018)
          context.quadraticCurveTo(x * 0.9 + 0.06, -0.1, x + 0.14, -lift - 0.04 + thread * 0.02)
          context.stroke()
        }
      },
      { thickness: 0.02, rim: 0.4 },
    )
    figure.part(
      (context) => {
        context.save()
        context.translate(0.34, -lift)
        context.rotate(-0.22)
        context.fillStyle = '#e9b955'
        fillCorners(context, [
          [-0.32, 0.06],
          [0.3, -0.2],
          [0.4, 0.1],
        ])
        context.fillStyle = '#c2452a'
        fillCorners(context, [
          [-0.32, 0.06],
          [0.4, 0.1],
          [0.38, 0.15],
          [-0.28, 0.1],
        ])
        context.fillStyle = '#a8301f'
        fillEllipse(context, 0.18, -0.03, 0.085, 0.05, 0.2)
        fillEllipse(context, 0, 0.03, 0.06, 0.03, 0.2)
        context.fillStyle = '#47762e'
        fillEllipse(context, 0.26, 0.05, 0.05, 0.02, 0.8)
        context.fillStyle = '#bb7a36'
        fillCurve(context, [
          [0.26, -0.24],
          [0.36, -0.22],
          [0.47, 0.1],
          [0.44, 0.18],
          [0.36, 0.14],
          [0.3, -0.16],
        ])
        context.restore()
      },
      { volume: 0.6, thickness: 0.06 },
    )
  },
}

/** Pieces of sushi on a wooden stand. */
export const sushi: Model = {
  height: 0.22,
  reach: { side: 1.16, up: 0.8, down: 0.12 },
  draw(figure) {
    figure.part(
      (context) => {
        context.fillStyle = blend(context, [0, -0.22], [0, 0.04], [hex('#c79a66'), hex('#7f5730')])
        context.fillRect(-1.06, -0.2, 2.12, 0.1)
        context.fillRect(-0.86, -0.1, 0.12, 0.12)
        context.fillRect(0.74, -0.1, 0.12, 0.12)
      },
      { volume: 0.3, thickness: 0.06 },
    )
    for (const [index, x] of [-0.78, -0.4, -0.02].entries()) {
      figure.part(
        (context) => {
          context.fillStyle = '#f4f0e6'
          context.beginPath()
          context.roundRect(x - 0.15, -0.4, 0.32, 0.21, 0.09)
          context.fill()
        },
        { volume: 0.8, thickness: 0.1 },
      )
      figure.part(
        (context) => {
          const fish = hex(['#ee7a4a', '#d8404a', '#f0a878'][index] ?? '#ee7a4a')
          context.fillStyle = css(fish)
          fillCurve(context, [
            [x - 0.2, -0.36],
            [x - 0.14, -0.5],
            [x + 0.12, -0.52],
            [x + 0.22, -0.38],
            [x + 0.2, -0.3],
            [x + 0.1, -0.4],
            [x - 0.12, -0.4],
          ])
          context.strokeStyle = css(mixRgb(fish, [255, 255, 255], 0.55))
          context.lineWidth = 0.016
          for (const stripe of [-0.08, 0, 0.08]) {
            context.beginPath()
            context.moveTo(x + stripe - 0.03, -0.41)
            context.lineTo(x + stripe + 0.03, -0.49)
            context.stroke()
          }
        },
        { volume: 0.7, thickness: 0.08 },
      )
    }
    for (const x of [0.36, 0.64, 0.9]) {
      figure.part(
        (context) => {
          context.fillStyle = roundShadeAt(context, x, 0.13, hex('#1d2a26'))
          context.fillRect(x - 0.13, -0.44, 0.26, 0.24)
          fillEllipse(context, x, -0.2, 0.13, 0.045)
          context.fillStyle = '#f4f0e6'
          fillEllipse(context, x, -0.44, 0.13, 0.05)
          context.fillStyle = '#ee7a4a'
          fillEllipse(context, x - 0.02, -0.445, 0.05, 0.02)
          context.fillStyle = '#7cae4a'
          fillEllipse(context, x + 0.045, -0.438, 0.026, 0.013)
        },
        { volume: 0.4, thickness: 0.1 },
      )
    }
  },
}

function roundShadeAt(context: SKRSContext2D, x: number, halfWidth: number, color: Rgb): CanvasGradient {
  return blend(
    context,
    [x - halfWidth, 0],
    [x + halfWidth, 0],
    [scaleRgb(color, 0.9), mixRgb(color, [255, 255, 255], 0.2), scaleRgb(color, 0.5)],
  )
}

/** A round loaf with a cut crust, and two slices in front of it. */
export const bread: Model = {
  height: 0.26,
  reach: { side: 1, up: 1, down: 0.14 },
  draw(figure) {
    figure.part(
      (context) => {
        context.fillStyle = blend(context, [0, -0.86], [0, 0], [hex('#d99a4e'), hex('#b06c2c'), hex('#7a4420')])
        context.beginPath()
        context.moveTo(-0.8, -0.02)
        context.bezierCurveTo(-0.96, -0.6, -0.5, -0.86, -0.06, -0.84)
        context.bezierCurveTo(0.42, -0.84, 0.74, -0.56, 0.66, -0.02)
        context.closePath()
        context.fill()
      },
      { volume: 0.9, thickness: 0.4 },
    )
    figure.part(
      (context) => {
        context.fillStyle = '#f0d3a0'
        for (const x of [-0.46, -0.16, 0.14]) fillEllipse(context, x, -0.6 + Math.abs(x + 0.1) * 0.18, 0.14, 0.036, -0.85)
      },
      { volume: 0.3, thickness: 0.04 },
    )
    for (const x of [0.42, 0.68])
      figure.part(
        (context) => {
          context.fillStyle = '#a8652c'
          fillCurve(context, [
            [x - 0.2, 0.08],
            [x - 0.24, -0.3],
            [x - 0.06, -0.46],
            [x + 0.14, -0.42],
            [x + 0.2, -0.2],
            [x + 0.18, 0.09],
          ])
          context.fillStyle = '#f0dcb4'
          fillCurve(context, [
            [x - 0.16, 0.04],
            [x - 0.19, -0.28],
            [x - 0.05, -0.41],
            [x + 0.11, -0.37],
            [x + 0.15, -0.2],
            [x + 0.13, 0.05],
          ])
        },
        { volume: 0.4, thickness: 0.1 },
      )
  },
}

/** Three scoops in a glass dish with a wafer. */
export const icecream: Model = {
  height: 0.34,
  reach: { side: 0.5, up: 1.1, down: 0.06 },
  draw(figure, _phase, { color }) {
    figure.part(
      (context) => {
        context.save()
        context.translate(0.2, -0.84)
        context.rotate(0.35)
        context.fillStyle = '#d3a25a'
        context.fillRect(-0.05, -0.24, 0.1, 0.44)
        context.restore()
      },
      { thickness: 0.04 },
    )
    for (const [x, y, tone] of [
      [-0.17, -0.6, '#f3dfc0'],
      [0.17, -0.6, '#7a4a30'],
      [0, -0.78, '#ef9db0'],
    ] as const)
      figure.part((context) => drawBall(context, x, y, 0.21, color && tone === '#ef9db0' ? color : hex(tone)), {
        thickness: 0.2,
      })
    figure.part((context) => drawBall(context, -0.02, -1, 0.055, hex('#b8202c')), { thickness: 0.05 })
    figure.part(
      (context) => {
        context.fillStyle = 'rgba(206,222,230,0.82)'
        fillTurned(context, [
          [0.42, -0.58],
          [0.38, -0.4],
          [0.12, -0.24],
          [0.045, -0.2],
          [0.04, -0.08],
        ])
        fillEllipse(context, 0, -0.04, 0.22, 0.04)
        drawGloss(context, -0.24, -0.56, -0.34, 0.04, 0.8)
      },
      { volume: 0.4, thickness: 0.14 },
    )
  },
}
