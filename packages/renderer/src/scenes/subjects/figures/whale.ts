import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, hex, mixRgb, scaleRgb, type Rgb } from '../../../picture/color.ts'
import { fillCurve, fillEllipse, fillRibbon } from '../brush.ts'
import type { Model } from '../model.ts'

/**
 * A humpback whale with its head to the right. It is about 1.1 long. Its flukes beat up and down,
 * and the rear of its body follows them.
 */
export const whale: Model = {
  height: 0.78,
  reach: { side: 0.62, up: 0.3, down: 0.4 },
  cycle: { poseCount: 10, pace: 0.32 },
  draw(figure, phase, { color }) {
    const skin = color ?? hex('#48688a')
    const pale = hex('#e6eef2')
    const beat = Math.sin(phase * Math.PI * 2)
    figure.part((context) => drawFlipper(context, scaleRgb(skin, 0.7), beat, 0.06), { thickness: 0.06, rim: 0.4 })
    figure.part((context) => drawBody(context, skin, pale, beat), { thickness: 0.26 })
    figure.part((context) => drawFlipper(context, scaleRgb(skin, 0.94), beat, 0), { thickness: 0.06 })
  },
}

function drawBody(context: SKRSContext2D, skin: Rgb, pale: Rgb, beat: number): void {
  const lift = beat * 0.05
  context.fillStyle = css(skin)
  fillCurve(context, [
    [0.52, 0.02],
    [0.47, -0.075],
    [0.34, -0.125],
    [0.16, -0.135],
    [-0.04, -0.115],
    [-0.2, -0.075],
    [-0.34, -0.035 + lift * 0.6],
    [-0.45, -0.022 + lift],
    [-0.45, 0.018 + lift],
    [-0.34, 0.035 + lift * 0.6],
    [-0.16, 0.09],
    [0.06, 0.14],
    [0.28, 0.15],
    [0.44, 0.12],
  ])
  // Flukes.
  const tail = { x: -0.45, y: lift }
  for (const [dy, height, color] of [
    [-1, 0.055 - beat * 0.03, skin],
    [1, 0.055 + beat * 0.03, scaleRgb(skin, 0.8)],
  ] as const) {
    context.fillStyle = css(color)
    fillCurve(context, [
      [tail.x + 0.04, tail.y],
      [tail.x - 0.02, tail.y + dy * height * 0.4 + lift * 0.3],
      [tail.x - 0.08, tail.y + dy * height * 1.2 + lift * 0.7],
      [tail.x - 0.13, tail.y + dy * height * 1.1 + lift * 0.9],
      [tail.x - 0.08, tail.y + dy * height * 0.3 + lift * 0.5],
      [tail.x - 0.06, tail.y + lift * 0.3],
    ])
  }
  fillCurve(context, [
    [-0.08, -0.1],
    [-0.15, -0.15],
    [-0.19, -0.145],
    [-0.18, -0.1],
    [-0.2, -0.07],
  ])
  context.save()
  context.globalCompositeOperation = 'source-atop'
  context.fillStyle = css(mixRgb(skin, pale, 0.75))
  fillCurve(context, [
    [0.56, 0.05],
    [0.4, 0.055],
    [0.26, 0.075],
    [0.06, 0.1],
    [-0.12, 0.1],
    [-0.06, 0.2],
    [0.3, 0.2],
    [0.56, 0.16],
  ])
  context.strokeStyle = css(scaleRgb(skin, 0.75), 0.6)
  context.lineWidth = 0.005
  for (let pleat = 0; pleat < 7; pleat++) {
    context.beginPath()
    context.moveTo(0.5, 0.07 + pleat * 0.012)
    context.quadraticCurveTo(0.26, 0.08 + pleat * 0.014, 0.0, 0.1 + pleat * 0.01)
    context.stroke()
  }
  context.restore()
  context.strokeStyle = css(scaleRgb(skin, 0.5), 0.8)
  context.lineWidth = 0.006
  context.beginPath()
  context.moveTo(0.5, 0.035)
  context.quadraticCurveTo(0.42, 0.02, 0.34, 0.045)
  context.stroke()
  context.fillStyle = css(scaleRgb(skin, 0.7))
  for (let knob = 0; knob < 8; knob++) fillEllipse(context, 0.36 + (knob % 4) * 0.034, -0.06 + Math.floor(knob / 4) * 0.04, 0.007)
  context.fillStyle = '#0c1018'
  fillEllipse(context, 0.33, 0.03, 0.011)
  context.fillStyle = '#ffffff'
  fillEllipse(context, 0.333, 0.027, 0.0035)
}

function drawFlipper(context: SKRSContext2D, color: Rgb, beat: number, shift: number): void {
  context.fillStyle = css(color)
  fillRibbon(context, [
    { x: 0.2 + shift, y: 0.08 - shift * 0.4, r: 0.036 },
    { x: 0.11 + shift, y: 0.17 + beat * 0.015, r: 0.036 },
    { x: 0.02 + shift, y: 0.24 + beat * 0.04, r: 0.022 },
    { x: -0.04 + shift, y: 0.27 + beat * 0.055, r: 0.006 },
  ])
}
