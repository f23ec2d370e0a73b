import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, hex, mixRgb, scaleRgb, type Rgb } from '../../../picture/color.ts'
import type { Model } from '../model.ts'

const colorSets = [
  ['#d8402f', '#f4c84a'],
  ['#2f74c0', '#f2efe6'],
  ['#e8a02c', '#7a3a8a'],
  ['#2f9a78', '#f6dc6a'],
].map((colors) => colors.map(hex))
const tilt = -0.38
const nose = -0.98
const shoulder = { x: 0.3, y: -0.66 }
const lowerEnd = -0.1
const bowCount = 5

/** A diamond kite that leans in the wind, with a tail of bows and a line that fades out. */
export const kite: Model = {
  height: 0.24,
  reach: { side: 1.25, up: 1.08, down: 0.86 },
  cycle: { poseCount: 12, pace: 0.55 },
  variantCount: 4,
  draw(figure, phase, { color, variant }) {
    const [mainColor, secondColor] = color
      ? [color, mixRgb(color, hex('#fff6e0'), 0.7)]
      : (colorSets[variant % colorSets.length] ?? [])
    if (mainColor === undefined || secondColor === undefined) return
    const turn = phase * Math.PI * 2
    figure.part((context) => drawLine(context), { volume: 0, rim: 0.4 })
    figure.part((context) => drawTail(context, turn, mainColor, secondColor), { thickness: 0.04, rim: 0.5 })
    figure.part(
      (context) => {
        lean(context, turn)
        for (const side of [-1, 1]) {
          fillTriangle(context, [side * shoulder.x, shoulder.y], nose, side < 0 ? mainColor : secondColor)
          fillTriangle(context, [side * shoulder.x, shoulder.y], lowerEnd, side < 0 ? secondColor : mainColor)
        }
        context.strokeStyle = css(scaleRgb(mainColor, 0.35), 0.85)
        context.lineWidth = 0.014
        context.beginPath()
        context.moveTo(0, nose)
        context.lineTo(0, lowerEnd)
        context.moveTo(-shoulder.x, shoulder.y)
        context.quadraticCurveTo(0, shoulder.y - 0.035, shoulder.x, shoulder.y)
        context.stroke()
      },
      { thickness: 0.1, volume: 0.5 },
    )
  },
}

function lean(context: SKRSContext2D, turn: number): void {
  context.translate(0, shoulder.y)
  context.rotate(tilt + 0.05 * Math.sin(turn))
  context.translate(0, -shoulder.y)
}

/**
 * Fills a panel from the middle spar to one shoulder. `tip` is the y of the nose or of the lower
 * end.
 */
function fillTriangle(context: SKRSContext2D, [x, y]: [number, number], tip: number, color: Rgb): void {
  context.fillStyle = css(color)
  context.beginPath()
  context.moveTo(0, tip)
  context.lineTo(x, y)
  context.lineTo(0, y)
  context.fill()
}

function drawTail(context: SKRSContext2D, turn: number, mainColor: Rgb, secondColor: Rgb): void {
  lean(context, turn)
  const pointAt = (share: number): { x: number; y: number } => ({
    x: 0.14 * share * Math.sin(share * 7 - turn) - 0.16 * share,
    y: lowerEnd + share * 0.82,
  })
  context.strokeStyle = css(scaleRgb(mainColor, 0.55), 0.9)
  context.lineWidth = 0.012
  context.beginPath()
  context.moveTo(0, lowerEnd)
  for (let step = 1; step <= 24; step++) {
    const { x, y } = pointAt(step / 24)
    context.lineTo(x, y)
  }
  context.stroke()
  for (let bow = 1; bow <= bowCount; bow++) {
    const { x, y } = pointAt(bow / bowCount)
    context.save()
    context.translate(x, y)
    context.rotate(0.5 * Math.cos((bow / bowCount) * 7 - turn))
    context.fillStyle = css(bow % 2 === 0 ? mainColor : secondColor)
    for (const side of [-1, 1]) {
      context.beginPath()
      context.moveTo(0, 0)
      context.lineTo(side * 0.075, -0.035)
      context.lineTo(side * 0.075, 0.035)
      context.fill()
    }
    context.restore()
  }
}

function drawLine(context: SKRSContext2D): void {
  const fade = context.createLinearGradient(0, shoulder.y, -1.1, 0.8)
  fade.addColorStop(0, 'rgba(250,246,236,0.8)')
  fade.addColorStop(1, 'rgba(250,246,236,0)')
  context.strokeStyle = fade
  context.lineWidth = 0.008
  context.beginPath()
  context.moveTo(0, shoulder.y + 0.06)
  context.quadraticCurveTo(-0.42, -0.2, -1.1, 0.8)
  context.stroke()
}
