import { css, hex, mixRgb, scaleRgb } from '../../../picture/color.ts'
import { blend, fillCorners, fillCurve, fillEllipse, fillGlow, fillRibbon } from '../brush.ts'
import type { Model } from '../model.ts'

/** An airliner in side view with its nose to the right. Its length is 1. */
export const airplane: Model = {
  height: 0.36,
  reach: { side: 0.62, up: 0.42, down: 0.3 },
  cycle: { poseCount: 2, pace: 0.8 },
  draw(figure, phase, { color, isDark }) {
    const white = hex('#f2f3f5')
    const tail = color ?? hex('#2f6fb5')
    figure.part(
      (context) => {
        context.fillStyle = css(scaleRgb(white, 0.78))
        fillCorners(context, [
          [0.06, -0.02],
          [-0.1, -0.15],
          [-0.16, -0.15],
          [-0.08, 0.0],
        ])
      },
      { thickness: 0.06, rim: 0.4 },
    )
    figure.part(
      (context) => {
        context.fillStyle = blend(context, [0, -0.09], [0, 0.08], [white, white, mixRgb(white, tail, 0.35), scaleRgb(tail, 0.8)])
        context.beginPath()
        context.moveTo(0.5, 0.015)
        context.bezierCurveTo(0.47, -0.045, 0.4, -0.062, 0.32, -0.064)
        context.lineTo(-0.3, -0.062)
        context.bezierCurveTo(-0.4, -0.06, -0.47, -0.05, -0.52, -0.045)
        context.bezierCurveTo(-0.44, 0.01, -0.34, 0.05, -0.24, 0.056)
        context.lineTo(0.36, 0.058)
        context.bezierCurveTo(0.46, 0.055, 0.5, 0.04, 0.5, 0.015)
        context.fill()
        context.fillStyle = css(tail)
        fillCorners(context, [
          [-0.3, -0.06],
          [-0.44, -0.26],
          [-0.53, -0.26],
          [-0.49, -0.048],
        ])
      },
      { thickness: 0.16 },
    )
    figure.part(
      (context) => {
        context.fillStyle = css(scaleRgb(white, 0.86))
        fillCorners(context, [
          [0.14, 0.03],
          [-0.16, 0.17],
          [-0.23, 0.175],
          [-0.06, 0.03],
        ])
        fillCorners(context, [
          [-0.38, -0.02],
          [-0.52, 0.045],
          [-0.56, 0.045],
          [-0.48, -0.02],
        ])
        context.fillStyle = css(scaleRgb(tail, 0.85))
        fillRibbon(context, [
          { x: 0.08, y: 0.1, r: 0.032 },
          { x: -0.04, y: 0.1, r: 0.024 },
        ])
      },
      { thickness: 0.05 },
    )
    figure.glow((context) => {
      context.fillStyle = css(isDark ? hex('#ffe2a4') : hex('#3d5264'))
      for (let pane = 0; pane < 22; pane++) context.fillRect(-0.3 + pane * 0.028, -0.028, 0.013, 0.018)
      context.fillStyle = css(hex('#31434f'))
      fillCorners(context, [
        [0.4, -0.045],
        [0.45, -0.03],
        [0.452, -0.012],
        [0.4, -0.018],
      ])
      fillGlow(context, -0.2, 0.17, 0.045, [255, 70, 60], phase < 0.5 ? 1 : 0.1)
      fillGlow(context, -0.49, -0.255, 0.04, [255, 255, 255], phase < 0.5 ? 0.1 : 0.9)
    })
  },
}

/** A helicopter with turning rotors. */
export const helicopter: Model = {
  height: 0.3,
  reach: { side: 0.78, up: 0.46, down: 0.26 },
  cycle: { poseCount: 6, pace: 6 },
  draw(figure, phase, { color, isDark }) {
    const paint = color ?? hex('#c9402e')
    const turn = Math.cos(phase * Math.PI * 2)
    figure.part(
      (context) => {
        context.fillStyle = blend(
          context,
          [0, -0.2],
          [0, 0.15],
          [mixRgb(paint, [255, 255, 255], 0.2), paint, scaleRgb(paint, 0.6)],
        )
        fillRibbon(context, [
          { x: -0.05, y: -0.06, r: 0.075 },
          { x: -0.3, y: -0.085, r: 0.034 },
          { x: -0.58, y: -0.11, r: 0.018 },
        ])
        fillCurve(context, [
          [-0.18, -0.1],
          [-0.06, -0.2],
          [0.14, -0.2],
          [0.28, -0.1],
          [0.34, 0.02],
          [0.26, 0.1],
          [0, 0.13],
          [-0.15, 0.08],
        ])
        fillCorners(context, [
          [-0.52, -0.11],
          [-0.6, -0.27],
          [-0.66, -0.27],
          [-0.62, -0.1],
        ])
      },
      { thickness: 0.2 },
    )
    figure.part(
      (context) => {
        context.fillStyle = blend(context, [0.1, -0.18], [0.3, 0.05], [hex('#cfe6f2'), hex('#5f8096'), hex('#33495a')])
        fillCurve(context, [
          [0.08, -0.16],
          [0.18, -0.15],
          [0.28, -0.06],
          [0.31, 0.02],
          [0.2, 0.03],
          [0.09, 0.02],
        ])
        context.fillRect(-0.06, -0.12, 0.11, 0.1)
        context.fillStyle = '#2a2c33'
        context.fillRect(-0.015, -0.27, 0.05, 0.08)
        fillRibbon(context, [
          { x: -0.2, y: 0.2, r: 0.012 },
          { x: 0.24, y: 0.2, r: 0.012 },
          { x: 0.31, y: 0.17, r: 0.01 },
        ])
        for (const x of [-0.08, 0.14])
          fillRibbon(context, [
            { x, y: 0.1, r: 0.01 },
            { x: x - 0.02, y: 0.2, r: 0.01 },
          ])
      },
      { volume: 0.4, thickness: 0.06, rim: 0.5 },
    )
    figure.glow((context) => {
      // The blades are fast: a faint disc is drawn behind the blades at their current positions.
      context.fillStyle = 'rgba(40,44,54,0.16)'
      fillEllipse(context, 0.01, -0.275, 0.62, 0.03)
      context.fillStyle = 'rgba(30,32,40,0.75)'
      for (const side of [-1, 1])
        fillEllipse(context, 0.01 + side * 0.31 * turn, -0.275 + side * 0.012, Math.abs(0.31 * turn) + 0.01, 0.008)
      context.fillStyle = 'rgba(40,44,54,0.25)'
      fillEllipse(context, -0.63, -0.2, 0.09)
      context.strokeStyle = 'rgba(30,32,40,0.8)'
      context.lineWidth = 0.012
      context.beginPath()
      context.moveTo(-0.63 - 0.085 * turn, -0.2 - 0.085 * Math.sin(phase * Math.PI * 2))
      context.lineTo(-0.63 + 0.085 * turn, -0.2 + 0.085 * Math.sin(phase * Math.PI * 2))
      context.stroke()
      if (isDark) fillGlow(context, 0.3, 0.1, 0.12, [255, 240, 200], 0.9)
      fillGlow(context, -0.62, -0.28, 0.05, [255, 60, 50], phase < 0.5 ? 0.9 : 0.15)
    })
  },
}

/** A flying saucer with a glowing dome, running lights and a beam. */
export const ufo: Model = {
  height: 0.34,
  reach: { side: 0.66, up: 0.42, down: 1.0 },
  cycle: { poseCount: 8, pace: 0.6 },
  draw(figure, phase, { color, isDark }) {
    const metal = color ?? hex('#aab4c2')
    figure.glow((context) => {
      const beam = context.createLinearGradient(0, 0.1, 0, 0.98)
      const strength = (isDark ? 0.5 : 0.34) * (0.85 + 0.15 * Math.sin(phase * Math.PI * 2))
      beam.addColorStop(0, css([190, 255, 226], strength))
      beam.addColorStop(1, css([150, 240, 220], 0))
      context.fillStyle = beam
      fillCorners(context, [
        [-0.14, 0.1],
        [0.14, 0.1],
        [0.42, 0.98],
        [-0.42, 0.98],
      ])
      fillGlow(context, 0, 0.06, 0.5, [150, 255, 220], isDark ? 0.5 : 0.2)
    })
    figure.part(
      (context) => {
        context.fillStyle = css(hex('#8fe0d4'), 0.9)
        fillCurve(context, [
          [-0.24, -0.05],
          [-0.2, -0.22],
          [0, -0.34],
          [0.2, -0.22],
          [0.24, -0.05],
        ])
      },
      { thickness: 0.3, rim: 1 },
    )
    figure.part(
      (context) => {
        context.fillStyle = blend(
          context,
          [0, -0.12],
          [0, 0.14],
          [mixRgb(metal, [255, 255, 255], 0.35), metal, scaleRgb(metal, 0.5)],
        )
        fillEllipse(context, 0, 0.01, 0.6, 0.125)
        context.fillStyle = css(scaleRgb(metal, 0.6))
        fillEllipse(context, 0, 0.075, 0.3, 0.06)
        context.fillStyle = css(mixRgb(metal, [255, 255, 255], 0.3))
        fillEllipse(context, 0, -0.055, 0.3, 0.042)
      },
      { thickness: 0.2 },
    )
    figure.glow((context) => {
      for (let lamp = 0; lamp < 9; lamp++) {
        const angle = Math.PI * (0.08 + (0.84 * lamp) / 8)
        const isOn = (lamp + Math.floor(phase * 8)) % 3 === 0
        const [x, y] = [-Math.cos(angle) * 0.53, 0.012 + Math.sin(angle) * 0.072]
        context.fillStyle = isOn ? '#fff3b0' : '#e0a040'
        fillEllipse(context, x, y, 0.02, 0.016)
        if (isOn) fillGlow(context, x, y, 0.08, [255, 226, 130], 0.8)
      }
      fillGlow(context, 0, 0.1, 0.2, [210, 255, 236], 0.9)
      context.fillStyle = 'rgba(255,255,255,0.5)'
      fillEllipse(context, -0.08, -0.2, 0.05, 0.07, 0.5)
    })
  },
}
