import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, hex, mixRgb, scaleRgb, type Rgb } from '../../../picture/color.ts'
import { blend, fillCorners, fillEllipse, fillGlow, fillRibbon } from '../brush.ts'
import type { Model } from '../model.ts'
import { drawWheel } from './wheel.ts'

/** Positions of the coaches' rear ends. */
const coachXs = [-3.9, -2.45, -1.0]

/**
 * A steam locomotive with three coaches. Its smoke drifts back. The train is about 1.1 high and 7.3
 * long.
 */
export const steamTrain: Model = {
  height: 0.12,
  reach: { side: 4.4, up: 2.6, down: 0.06 },
  cycle: { poseCount: 12, pace: 1.2 },
  draw(figure, phase, { color, isDark }) {
    const paint = color ?? hex('#7c2a26')
    const iron = hex('#2a2c33')
    figure.part(
      (context) => {
        for (let puff = 0; puff < 14; puff++) {
          const age = (puff + phase) / 14
          context.fillStyle = css(hex('#f6f4f0'), 0.95 * (1 - age) ** 0.8)
          fillEllipse(context, 2.72 - age ** 1.4 * 4.2, -1.16 - Math.sqrt(age) * 0.8, 0.13 + age * 0.42, 0.12 + age * 0.3)
        }
      },
      { volume: 0.25, rim: 0.3, thickness: 0.3 },
    )
    figure.part(
      (context) => {
        for (const x of coachXs) drawCoach(context, x, paint)
      },
      { thickness: 0.25, volume: 0.5 },
    )
    figure.part(
      (context) => {
        // The tender, the cab, the boiler with its domes and chimney.
        context.fillStyle = css(scaleRgb(paint, 0.8))
        context.fillRect(0.5, -0.62, 0.72, 0.4)
        context.fillStyle = '#17161c'
        fillRibbon(context, [
          { x: 0.58, y: -0.62, r: 0.04 },
          { x: 0.86, y: -0.66, r: 0.08 },
          { x: 1.14, y: -0.62, r: 0.04 },
        ])
        context.fillStyle = css(paint)
        fillCorners(context, [
          [1.26, -0.2],
          [1.26, -0.94],
          [1.7, -0.94],
          [1.7, -0.2],
        ])
        context.fillStyle = css(iron)
        context.fillRect(1.2, -1.0, 0.58, 0.07)
        context.fillRect(2.64, -1.08, 0.16, 0.38)
        context.fillRect(2.6, -1.12, 0.24, 0.06)
        fillEllipse(context, 2.06, -0.78, 0.1, 0.12)
        fillEllipse(context, 2.36, -0.78, 0.08, 0.1)
        context.fillStyle = blend(context, [0, -0.8], [0, -0.3], [mixRgb(iron, [255, 255, 255], 0.3), iron, scaleRgb(iron, 0.6)])
        context.fillRect(1.68, -0.78, 1.26, 0.44)
        fillEllipse(context, 2.94, -0.56, 0.06, 0.22)
        context.fillStyle = '#c9a044'
        for (const x of [1.9, 2.22, 2.54]) context.fillRect(x, -0.78, 0.025, 0.44)
        context.fillStyle = css(paint)
        context.fillRect(1.6, -0.36, 1.44, 0.1)
        fillCorners(context, [
          [3.0, -0.3],
          [3.1, -0.3],
          [3.32, -0.04],
          [3.0, -0.04],
        ])
      },
      { thickness: 0.3, volume: 0.6 },
    )
    figure.part(
      (context) => {
        for (const x of coachXs) for (const wheelShift of [0.22, 1.1]) drawWheel(context, x + wheelShift, 0.13, phase * 3)
        for (const x of [0.66, 1.06, 2.66, 2.88]) drawWheel(context, x, 0.12, phase * 3)
        for (const x of [1.5, 1.92, 2.34]) drawWheel(context, x, 0.2, phase * 2)
        const turn = phase * Math.PI * 2
        context.strokeStyle = '#c6ccd4'
        context.lineWidth = 0.035
        context.beginPath()
        context.moveTo(1.5 + Math.cos(turn) * 0.1, -0.2 + Math.sin(turn) * 0.1)
        context.lineTo(2.34 + Math.cos(turn) * 0.1, -0.2 + Math.sin(turn) * 0.1)
        context.stroke()
      },
      { thickness: 0.1, rim: 0.4 },
    )
    figure.shine(isDark, (context) => {
      context.fillStyle = isDark ? '#ffe2a0' : '#4a5c68'
      for (const x of coachXs) for (let pane = 0; pane < 6; pane++) context.fillRect(x + 0.12 + pane * 0.19, -0.66, 0.12, 0.18)
      context.fillRect(1.36, -0.84, 0.2, 0.2)
      context.fillStyle = '#fff2c8'
      fillEllipse(context, 2.99, -0.72, 0.05)
      if (isDark) fillGlow(context, 3.02, -0.72, 0.5, [255, 236, 190], 0.9)
    })
  },
}

function drawCoach(context: SKRSContext2D, x: number, paint: Rgb): void {
  context.fillStyle = '#1d1c22'
  context.fillRect(x - 0.1, -0.24, 1.55, 0.07)
  context.fillStyle = blend(context, [0, -0.8], [0, -0.2], [mixRgb(paint, [255, 255, 255], 0.12), paint, scaleRgb(paint, 0.72)])
  context.fillRect(x, -0.8, 1.34, 0.58)
  context.fillStyle = css(hex('#e4d8b8'))
  context.fillRect(x, -0.44, 1.34, 0.035)
  context.fillStyle = '#3a3a42'
  context.fillRect(x - 0.03, -0.86, 1.4, 0.08)
}
