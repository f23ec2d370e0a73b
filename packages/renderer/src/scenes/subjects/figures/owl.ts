import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, hex, mixRgb, scaleRgb, type Rgb } from '../../../picture/color.ts'
import { fillCurve, fillEllipse, fillGlow, fillRibbon } from '../brush.ts'
import type { Model } from '../model.ts'

/** A large owl on a mossy stump. It turns its head and blinks. */
export const owl: Model = {
  height: 0.46,
  reach: { side: 0.44, up: 1.06, down: 0.08 },
  cycle: { poseCount: 16, pace: 0.2 },
  draw(figure, phase, { color, isDark }) {
    const plumage = color ?? hex('#8f6b45')
    const pale = hex('#f0e2c6')
    const turn = Math.max(-1, Math.min(1, Math.sin(phase * Math.PI * 2) * 1.8))
    const isBlinking = Math.abs(phase - 0.3) < 0.035
    figure.part((context) => drawStump(context), { thickness: 0.2 })
    figure.part(
      (context) => {
        context.fillStyle = css(scaleRgb(plumage, 0.66))
        fillCurve(context, [
          [-0.09, -0.42],
          [0.09, -0.42],
          [0.07, -0.22],
          [0, -0.18],
          [-0.07, -0.22],
        ])
        context.fillStyle = css(plumage)
        fillCurve(context, [
          [-0.16, -0.4],
          [-0.215, -0.56],
          [-0.19, -0.72],
          [-0.1, -0.82],
          [0.1, -0.82],
          [0.19, -0.72],
          [0.215, -0.56],
          [0.16, -0.4],
          [0, -0.36],
        ])
        context.save()
        context.globalCompositeOperation = 'source-atop'
        context.fillStyle = css(pale)
        fillEllipse(context, 0, -0.58, 0.125, 0.2)
        context.fillStyle = css(scaleRgb(plumage, 0.6))
        for (let row = 0; row < 8; row++)
          for (let spot = 0; spot < 6; spot++)
            fillEllipse(context, -0.11 + spot * 0.044 + (row % 2) * 0.022, -0.73 + row * 0.045, 0.009, 0.018)
        context.restore()
      },
      { thickness: 0.36 },
    )
    figure.part(
      (context) => {
        for (const side of [-1, 1]) {
          context.fillStyle = css(scaleRgb(plumage, 0.82))
          fillCurve(context, [
            [side * 0.15, -0.78],
            [side * 0.24, -0.66],
            [side * 0.25, -0.5],
            [side * 0.17, -0.3],
            [side * 0.13, -0.4],
            [side * 0.12, -0.6],
          ])
          context.strokeStyle = css(scaleRgb(plumage, 0.5), 0.6)
          context.lineWidth = 0.006
          for (let feather = 0; feather < 5; feather++) {
            context.beginPath()
            context.arc(side * (0.19 - feather * 0.004), -0.64 + feather * 0.06, 0.045, 0.3, Math.PI - 0.3)
            context.stroke()
          }
        }
        context.fillStyle = css(hex('#d9b36a'))
        for (const x of [-0.075, -0.05, -0.025, 0.025, 0.05, 0.075])
          fillRibbon(context, [
            { x, y: -0.375, r: 0.014 },
            { x, y: -0.335, r: 0.007 },
          ])
      },
      { thickness: 0.12, rim: 0.8 },
    )
    figure.part((context) => drawFace(context, plumage, pale, turn), { thickness: 0.26 })
    figure.glow((context) => {
      context.translate(turn * 0.045, -0.86)
      for (const side of [-1, 1]) {
        const x = side * 0.066
        const eyeOpening = isBlinking ? 0.08 : 1
        context.fillStyle = css(isDark ? hex('#ffc93c') : hex('#f0b02c'))
        fillEllipse(context, x, 0.0, 0.04, 0.04 * eyeOpening)
        context.fillStyle = '#120d0c'
        fillEllipse(context, x + turn * 0.008, 0.0, 0.022, 0.023 * eyeOpening)
        if (isBlinking) continue
        context.fillStyle = '#ffffff'
        fillEllipse(context, x + 0.01, -0.012, 0.008)
        if (isDark) fillGlow(context, x, 0, 0.075, [255, 200, 60], 0.35)
      }
    })
  },
}

function drawFace(context: SKRSContext2D, plumage: Rgb, pale: Rgb, turn: number): void {
  context.translate(turn * 0.03, -0.86)
  context.fillStyle = css(mixRgb(plumage, [40, 24, 16], 0.12))
  for (const side of [-1, 1])
    fillCurve(context, [
      [side * 0.06, -0.1],
      [side * 0.15, -0.19],
      [side * 0.17, -0.05],
      [side * 0.12, 0.0],
    ])
  context.fillStyle = css(plumage)
  fillEllipse(context, 0, 0, 0.165, 0.13)
  context.translate(turn * 0.015, 0)
  context.fillStyle = css(pale)
  for (const side of [-1, 1]) fillEllipse(context, side * 0.066, 0.004, 0.078, 0.088, side * 0.2)
  context.strokeStyle = css(scaleRgb(plumage, 0.55))
  context.lineWidth = 0.01
  for (const side of [-1, 1]) {
    context.beginPath()
    context.ellipse(side * 0.066, 0.004, 0.08, 0.09, side * 0.2, 0, Math.PI * 2)
    context.stroke()
  }
  context.fillStyle = css(scaleRgb(plumage, 0.5))
  fillCurve(context, [
    [-0.13, -0.085],
    [-0.03, -0.03],
    [0, -0.06],
    [0.03, -0.03],
    [0.13, -0.085],
    [0, -0.075],
  ])
  context.fillStyle = css(hex('#e0a838'))
  fillCurve(context, [
    [-0.02, 0.0],
    [0, -0.02],
    [0.02, 0.0],
    [0.006, 0.06],
    [-0.006, 0.06],
  ])
}

function drawStump(context: SKRSContext2D): void {
  const bark = hex('#5b4632')
  context.fillStyle = css(bark)
  fillCurve(context, [
    [-0.26, 0.03],
    [-0.17, -0.05],
    [-0.15, -0.34],
    [0.15, -0.34],
    [0.17, -0.06],
    [0.29, 0.03],
    [0.1, 0.02],
    [0, 0.03],
    [-0.1, 0.015],
  ])
  fillRibbon(context, [
    { x: 0.1, y: -0.2, r: 0.035 },
    { x: 0.22, y: -0.28, r: 0.02 },
    { x: 0.3, y: -0.33, r: 0.008 },
  ])
  context.strokeStyle = css(scaleRgb(bark, 0.6), 0.7)
  context.lineWidth = 0.008
  for (let crack = 0; crack < 9; crack++) {
    const x = -0.13 + crack * 0.032
    context.beginPath()
    context.moveTo(x, -0.32)
    context.quadraticCurveTo(x + 0.01 * Math.sin(crack * 2), -0.16, x * 1.35, 0.01)
    context.stroke()
  }
  context.fillStyle = css(hex('#7d9048'))
  for (let tuft = 0; tuft < 9; tuft++)
    fillEllipse(context, -0.15 + tuft * 0.037, -0.335 + 0.008 * Math.sin(tuft * 2.3), 0.034, 0.022)
}
