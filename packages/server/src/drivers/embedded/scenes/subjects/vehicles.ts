import { css, hex, mixRgb, scaleRgb, type Rgb } from '../../picture/colour.ts'
import type { DrawThing } from './things.ts'

/** A small car seen from its side; 1 high, about 2.6 long, driving to the right. */
export const drawCar: DrawThing = (context, { main, dim, rim, near, isDark }) => {
  const paint = dim(main ?? hex('#c8402e'))
  const body = context.createLinearGradient(0, -0.95, 0, -0.1)
  body.addColorStop(0, css(mixRgb(paint, rim, 0.45)))
  body.addColorStop(0.45, css(paint))
  body.addColorStop(1, css(scaleRgb(paint, 0.42)))
  const glass = context.createLinearGradient(0, -0.95, 0, -0.5)
  glass.addColorStop(0, css(mixRgb(dim(hex('#9fc4dc')), rim, 0.3)))
  glass.addColorStop(1, css(dim(hex('#3c566c'))))
  context.fillStyle = css(mixRgb(near, [0, 0, 0], 0.5))
  context.fillRect(-1.1, -0.24, 2.2, 0.14)
  context.fillStyle = body
  context.beginPath()
  context.moveTo(-1.26, -0.2)
  context.bezierCurveTo(-1.34, -0.5, -1.24, -0.58, -1.02, -0.6)
  context.bezierCurveTo(-0.82, -0.86, -0.66, -0.98, -0.3, -0.98)
  context.lineTo(0.12, -0.98)
  context.bezierCurveTo(0.4, -0.97, 0.52, -0.76, 0.68, -0.6)
  context.bezierCurveTo(1.04, -0.56, 1.28, -0.5, 1.3, -0.3)
  context.bezierCurveTo(1.31, -0.2, 1.26, -0.17, 1.16, -0.17)
  context.lineTo(-1.16, -0.17)
  context.closePath()
  context.fill()
  for (const pane of [
    [-0.84, -0.6, -0.7, -0.84, -0.54, -0.91, -0.24, -0.91, -0.24, -0.6],
    [-0.17, -0.6, -0.17, -0.91, 0.1, -0.91, 0.32, -0.88, 0.52, -0.6],
  ]) {
    context.fillStyle = glass
    context.beginPath()
    for (let index = 0; index + 1 < pane.length; index += 2) context.lineTo(pane[index] ?? 0, pane[index + 1] ?? 0)
    context.fill()
  }
  context.strokeStyle = css(scaleRgb(paint, 0.5), 0.6)
  context.lineWidth = 0.014
  context.beginPath()
  context.moveTo(-0.2, -0.6)
  context.lineTo(-0.2, -0.2)
  context.moveTo(0.56, -0.56)
  context.quadraticCurveTo(0.5, -0.4, 0.52, -0.2)
  context.stroke()
  for (const x of [-0.76, 0.78]) drawWheel(context, x, 0.235, dim(hex('#c9ccd2')))
  drawLamp(context, 1.22, -0.42, 0.075, hex('#fff2c8'), isDark ? 0.9 : 0)
  drawLamp(context, -1.25, -0.46, 0.06, hex('#ff3a24'), isDark ? 0.5 : 0)
  if (!isDark) return
  const beam = context.createLinearGradient(1.24, 0, 2.5, 0)
  beam.addColorStop(0, 'rgba(255,240,196,0.42)')
  beam.addColorStop(1, 'rgba(255,240,196,0)')
  context.fillStyle = beam
  context.beginPath()
  context.moveTo(1.24, -0.45)
  context.lineTo(2.5, -0.62)
  context.lineTo(2.5, 0.02)
  context.lineTo(1.24, -0.34)
  context.fill()
}

const coaches = 5

/** A passenger train with its engine to the right; 1 high, about 14 long. */
export const drawTrain: DrawThing = (context, { main, dim, rim, near, isDark }) => {
  const paint = dim(main ?? hex('#2f6a8a'))
  const cream = dim(hex('#efe6d2'))
  const lit = isDark ? hex('#ffd790') : dim(hex('#6f8ca4'))
  const length = 2.5
  for (let coach = 0; coach < coaches; coach++) {
    const left = -length * coaches * 0.5 + coach * length
    const isEngine = coach === coaches - 1
    const side = context.createLinearGradient(0, -0.98, 0, -0.16)
    side.addColorStop(0, css(mixRgb(cream, rim, 0.3)))
    side.addColorStop(0.2, css(cream))
    side.addColorStop(0.58, css(cream))
    side.addColorStop(0.6, css(paint))
    side.addColorStop(1, css(scaleRgb(paint, 0.55)))
    context.fillStyle = css(mixRgb(near, [0, 0, 0], 0.4))
    context.fillRect(left + 0.1, -0.24, length - 0.2, 0.12)
    for (const x of [0.34, 0.62, length - 0.62, length - 0.34]) drawWheel(context, left + x, 0.11, dim(hex('#7c8088')))
    context.fillStyle = side
    context.beginPath()
    if (isEngine) {
      context.moveTo(left + 0.03, -0.2)
      context.lineTo(left + 0.03, -0.97)
      context.lineTo(left + length * 0.56, -0.97)
      context.bezierCurveTo(left + length * 0.86, -0.95, left + length * 1.02, -0.5, left + length * 1.04, -0.26)
      context.quadraticCurveTo(left + length * 1.04, -0.2, left + length, -0.2)
    } else context.roundRect(left + 0.03, -0.97, length - 0.06, 0.77, 0.07)
    context.fill()
    const panes = isEngine ? 4 : 8
    for (let pane = 0; pane < panes; pane++) {
      context.fillStyle = css(isDark ? mixRgb(lit, paint, (pane * 7 + coach * 3) % 5 === 0 ? 0.6 : 0.05) : lit)
      context.beginPath()
      context.roundRect(left + 0.16 + pane * 0.28, -0.82, 0.2, 0.25, 0.03)
      context.fill()
    }
    if (!isEngine) continue
    context.fillStyle = css(dim(hex('#2c4050')))
    context.beginPath()
    context.moveTo(left + length * 0.66, -0.86)
    context.bezierCurveTo(left + length * 0.84, -0.8, left + length * 0.9, -0.66, left + length * 0.93, -0.56)
    context.lineTo(left + length * 0.7, -0.56)
    context.fill()
    drawLamp(context, left + length * 1.0, -0.36, 0.05, hex('#fff2c8'), isDark ? 0.9 : 0.25)
  }
}

/** A rocket on its flame, nose up; 1 high. */
export const drawRocket: DrawThing = (context, { main, rim }) => {
  const white: Rgb = [236, 238, 244]
  const red = main ?? hex('#d8452e')
  const glow = context.createRadialGradient(0, -0.2, 0.01, 0, -0.2, 0.3)
  glow.addColorStop(0, 'rgba(255,190,110,0.7)')
  glow.addColorStop(1, 'rgba(255,140,60,0)')
  context.fillStyle = glow
  context.fillRect(-0.4, -0.5, 0.8, 0.6)
  const flame = context.createLinearGradient(0, -0.3, 0, 0)
  flame.addColorStop(0, 'rgba(255,250,226,1)')
  flame.addColorStop(0.3, 'rgba(255,206,110,0.95)')
  flame.addColorStop(1, 'rgba(255,90,30,0)')
  context.fillStyle = flame
  context.beginPath()
  context.moveTo(-0.062, -0.3)
  context.bezierCurveTo(-0.1, -0.16, -0.03, -0.08, 0, 0.02)
  context.bezierCurveTo(0.03, -0.08, 0.1, -0.16, 0.062, -0.3)
  context.fill()
  const metal = (colour: Rgb): void => {
    const fill = context.createLinearGradient(-0.13, 0, 0.13, 0)
    fill.addColorStop(0, css(scaleRgb(colour, 0.42)))
    fill.addColorStop(0.4, css(scaleRgb(colour, 0.85)))
    fill.addColorStop(0.72, css(mixRgb(colour, rim, 0.5)))
    fill.addColorStop(1, css(scaleRgb(colour, 0.6)))
    context.fillStyle = fill
  }
  metal(scaleRgb(white, 0.45))
  context.fillRect(-0.06, -0.33, 0.12, 0.05)
  for (const side of [-1, 1]) {
    metal(red)
    context.beginPath()
    context.moveTo(side * 0.09, -0.52)
    context.quadraticCurveTo(side * 0.24, -0.42, side * 0.23, -0.24)
    context.quadraticCurveTo(side * 0.16, -0.34, side * 0.08, -0.33)
    context.fill()
  }
  const hull = (): void => {
    context.beginPath()
    context.moveTo(-0.085, -0.32)
    context.bezierCurveTo(-0.16, -0.56, -0.12, -0.84, 0, -0.99)
    context.bezierCurveTo(0.12, -0.84, 0.16, -0.56, 0.085, -0.32)
    context.closePath()
  }
  metal(white)
  hull()
  context.fill()
  context.save()
  hull()
  context.clip()
  metal(red)
  context.fillRect(-0.2, -1, 0.4, 0.19)
  context.fillRect(-0.2, -0.4, 0.4, 0.035)
  context.restore()
  context.fillStyle = css(hex('#3a4456'))
  context.beginPath()
  context.arc(0, -0.66, 0.052, 0, Math.PI * 2)
  context.fill()
  const pane = context.createLinearGradient(-0.03, -0.7, 0.03, -0.62)
  pane.addColorStop(0, '#d8f2ff')
  pane.addColorStop(1, '#3a7ab0')
  context.fillStyle = pane
  context.beginPath()
  context.arc(0, -0.66, 0.036, 0, Math.PI * 2)
  context.fill()
}

function drawWheel(context: Parameters<DrawThing>[0], x: number, radius: number, hub: Rgb): void {
  context.fillStyle = '#14131a'
  context.beginPath()
  context.arc(x, -radius, radius, 0, Math.PI * 2)
  context.fill()
  context.fillStyle = css(hub)
  context.beginPath()
  context.arc(x, -radius, radius * 0.56, 0, Math.PI * 2)
  context.fill()
  context.fillStyle = '#2a2a32'
  context.beginPath()
  context.arc(x, -radius, radius * 0.16, 0, Math.PI * 2)
  context.fill()
}

function drawLamp(context: Parameters<DrawThing>[0], x: number, y: number, radius: number, colour: Rgb, glow: number): void {
  context.fillStyle = css(colour)
  context.beginPath()
  context.ellipse(x, y, radius * 0.7, radius, 0, 0, Math.PI * 2)
  context.fill()
  if (glow <= 0) return
  const halo = context.createRadialGradient(x, y, 0, x, y, radius * 5)
  halo.addColorStop(0, css(colour, glow))
  halo.addColorStop(1, css(colour, 0))
  context.fillStyle = halo
  context.fillRect(x - radius * 5, y - radius * 5, radius * 10, radius * 10)
}
