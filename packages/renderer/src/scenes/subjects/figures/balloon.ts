import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, hex, mixRgb, scaleRgb, type Rgb } from '../../../picture/color.ts'
import { fillGlow } from '../brush.ts'
import type { Model } from '../model.ts'

const colorSets = [
  ['#d8452f', '#f5e6c6', '#e89a3c'],
  ['#2f6fb0', '#f2efe6', '#59b0c8'],
  ['#e0b03a', '#b5432e', '#f4e8cc'],
  ['#6a4a9a', '#f0a8b8', '#f6eadc'],
].map((colors) => colors.map(hex))
const goreCount = 11

/**
 * A hot-air balloon with a basket and colored gores. In the dark, the burner lights it from within.
 */
export const balloon: Model = {
  height: 0.3,
  reach: { side: 0.46, up: 1.06, down: 0.03 },
  variantCount: 4,
  draw(figure, _phase, { color, isDark, variant }) {
    const colors: readonly Rgb[] = color
      ? [color, hex('#f6ecd8'), mixRgb(color, [255, 255, 255], 0.35)]
      : (colorSets[variant % colorSets.length] ?? [])
    figure.part(
      (context) => {
        context.strokeStyle = css(hex('#4a3a30'))
        context.lineWidth = 0.006
        for (const x of [-0.055, -0.02, 0.02, 0.055]) {
          context.beginPath()
          context.moveTo(x, -0.27)
          context.lineTo(x * 0.8, -0.09)
          context.stroke()
        }
        context.fillStyle = css(hex('#8a5f38'))
        context.beginPath()
        context.roundRect(-0.055, -0.1, 0.11, 0.1, 0.018)
        context.fill()
        context.fillStyle = css(hex('#5f3f26'))
        context.fillRect(-0.06, -0.105, 0.12, 0.022)
      },
      { thickness: 0.08, rim: 0.6 },
    )
    figure.part(
      (context) => {
        traceEnvelope(context)
        context.clip()
        for (let gore = 0; gore < goreCount; gore++) {
          const [from, to] = [goreEdge(gore / goreCount), goreEdge((gore + 1) / goreCount)]
          const goreColor = colors[gore % 2 === 0 ? 0 : gore % 4 === 1 ? 1 : 2] ?? [200, 80, 60]
          context.fillStyle = css(goreColor)
          context.beginPath()
          context.moveTo(from * 0.17, -0.25)
          context.bezierCurveTo(from * 0.6, -0.44, from * 1.02, -0.5, from, -0.68)
          context.bezierCurveTo(from * 0.98, -0.88, from * 0.5, -1, 0, -1.01)
          context.bezierCurveTo(to * 0.5, -1, to * 0.98, -0.88, to, -0.68)
          context.bezierCurveTo(to * 1.02, -0.5, to * 0.6, -0.44, to * 0.17, -0.25)
          context.fill()
          context.strokeStyle = css(scaleRgb(goreColor, 0.6), 0.5)
          context.lineWidth = 0.004
          context.stroke()
        }
        // Seams between the panels.
        context.strokeStyle = 'rgba(30,20,30,0.18)'
        for (let seam = 0; seam < 6; seam++) {
          context.beginPath()
          context.ellipse(0, -0.92 + seam * 0.11, 0.4, 0.045, 0, 0, Math.PI)
          context.stroke()
        }
      },
      { thickness: 0.62 },
    )
    if (!isDark) return
    figure.glow((context) => {
      traceEnvelope(context)
      context.clip()
      fillGlow(context, 0, -0.4, 0.5, [255, 206, 120], 0.75)
    })
  },
}

function traceEnvelope(context: SKRSContext2D): void {
  context.beginPath()
  context.moveTo(-0.06, -0.26)
  context.bezierCurveTo(-0.16, -0.42, -0.37, -0.5, -0.37, -0.68)
  context.bezierCurveTo(-0.37, -0.88, -0.18, -1, 0, -1)
  context.bezierCurveTo(0.18, -1, 0.37, -0.88, 0.37, -0.68)
  context.bezierCurveTo(0.37, -0.5, 0.16, -0.42, 0.06, -0.26)
  context.closePath()
}

/**
 * Returns the x of a gore's edge. `share` is the share of the gores to its left. Gores look
 * narrower toward the sides.
 */
function goreEdge(share: number): number {
  return -0.38 * Math.cos(share * Math.PI)
}
