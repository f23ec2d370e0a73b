import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, mixRgb, scaleRgb, type Rgb } from '../../../picture/color.ts'
import { fillCurve, fillRibbon } from '../brush.ts'

export interface ProfileLook {
  skin: Rgb
  hair: Rgb
  /** Whether the hair reaches the shoulders. */
  isLong?: boolean
  /** Distance by which long hair streams back. */
  stream?: number
  cap?: Rgb | undefined
}

/** Draws a head that looks to the right. It is about 0.16 high, and its middle is at 0, 0. */
export function drawProfile(context: SKRSContext2D, { skin, hair, isLong = false, stream = 0, cap }: ProfileLook): void {
  if (isLong) {
    context.fillStyle = css(scaleRgb(hair, 0.86))
    fillRibbon(context, [
      { x: -0.025, y: -0.03, r: 0.05 },
      { x: -0.06 - stream * 0.4, y: 0.05, r: 0.046 },
      { x: -0.09 - stream, y: 0.14 - stream * 0.3, r: 0.012 },
    ])
  }
  context.fillStyle = css(skin)
  fillRibbon(context, [
    { x: -0.012, y: 0.02, r: 0.034 },
    { x: -0.018, y: 0.085, r: 0.036 },
  ])
  fillCurve(context, [
    [-0.056, -0.02],
    [-0.03, -0.072],
    [0.03, -0.074],
    [0.056, -0.03],
    [0.06, -0.012],
    [0.078, 0.012],
    [0.058, 0.022],
    [0.056, 0.05],
    [0.028, 0.068],
    [-0.02, 0.05],
  ])
  context.fillStyle = css(mixRgb(skin, [180, 70, 60], 0.22))
  context.beginPath()
  context.ellipse(0.03, 0.026, 0.014, 0.01, 0, 0, Math.PI * 2)
  context.fill()
  context.fillStyle = '#241a18'
  context.beginPath()
  context.ellipse(0.044, -0.008, 0.006, 0.009, 0, 0, Math.PI * 2)
  context.fill()
  context.fillStyle = css(hair)
  fillCurve(context, [
    [0.058, -0.036],
    [0.048, -0.074],
    [-0.01, -0.092],
    [-0.066, -0.062],
    [-0.076, -0.01],
    [-0.058, 0.045],
    [-0.03, 0.03],
    [-0.016, -0.008],
    [0.004, -0.04],
    [0.03, -0.046],
  ])
  if (!cap) return
  context.fillStyle = css(cap)
  fillCurve(context, [
    [0.064, -0.042],
    [0.05, -0.092],
    [-0.01, -0.106],
    [-0.07, -0.078],
    [-0.078, -0.03],
    [0.0, -0.05],
  ])
}
