import { hex, toYuv } from '../../picture/color.ts'
import type { Layer } from '../../picture/compositor.ts'
import { clamp, mix, smoothstep } from '../../picture/curves.ts'
import type { Painter, Stage } from '../stage.ts'
import { createReliefTile, makePaper } from './paper.ts'
import { smoothField } from './smooth-field.ts'
import { paintWash } from './wash.ts'

const ricePaper = hex('#f4ede0')

/**
 * Paints ink on rice paper: dark brush edges that thin into white mist, dry streaks where the brush
 * runs out, and a red seal.
 */
export function paintInk(stage: Stage): Painter {
  const { compositor, geometry, brief } = stage
  const { width, height, unit } = geometry
  const paper = makePaper(stage.random('paper'), Math.max(1, unit / 1000))
  compositor.setFinish({ vignette: 0.05, dither: 1.6, tile: createReliefTile(compositor, paper) })
  const cloudField = smoothField(stage, { shape: 'soft', octaves: 4, gain: 0.5 }, 1.6, 90)
  const bristles = smoothField(stage, { shape: 'soft', octaves: 4, gain: 0.7 }, 14, 140)
  const [, greyU, greyV] = toYuv(ricePaper)
  // Areas with more light than this stay bare paper. The limit is low at night, because a night is
  // painted on white paper too.
  const bareLight = { day: 0.56, dawn: 0.54, dusk: 0.42, night: 0.3 }[brief.time]
  const wash = paintWash(stage, {
    paper: ricePaper,
    displacement: { longWaves: 10, shortWaves: 5 },
    edge: { strength: 3.2, darkeningMax: 120, reach: unit > 640 ? 5 : 4 },
    isWet: false,
    tone: (light) => mix(0.06, 1, smoothstep(0.01, bareLight, light) ** 0.9),
    saturation: 0.16,
    grey: [greyU, greyV],
    coat(x, y) {
      const edge = Math.min(x / width, 1 - x / width, (y / height) * 0.9, (1 - y / height) * 0.9) * 9 + cloudField(x, y) * 0.5
      // The paint is thin at the top of the image, like mist. The bristles of a brush that moves
      // from side to side leave streaks.
      const skyShare = mix(0.3, 1, smoothstep(0, 0.3, y / height))
      const streak = bristles(x * 0.25, y * 1.6 + x * 0.05)
      return (
        skyShare *
        smoothstep(-0.1, 0.75, edge) *
        (mix(0.72, 1.1, clamp(0.5 + cloudField(x, y) * 1.2)) + 0.24 * streak) *
        (1 + 0.1 * paper.heightAt(x, y))
      )
    },
  })
  const seal = drawSeal(stage)
  const side = seal.width
  const [left, top] = [Math.round(unit * 0.06), Math.round(height - unit * 0.07 - side)]
  return (moment) => {
    wash(moment)
    compositor.drawLayer(seal, { x: left, y: top, scale: 1 })
  }
}

/** Draws four signs in a red square. They imitate the characters of a seal and have no meaning. */
function drawSeal({ compositor, geometry }: Stage): Layer {
  const side = Math.max(32, geometry.unit * 0.072)
  return compositor.layer(side, side, (context, size) => {
    context.translate(size / 2, size / 2)
    context.rotate(-0.03)
    context.scale(size / 2, size / 2)
    context.fillStyle = 'rgba(178,34,28,0.92)'
    context.beginPath()
    context.roundRect(-0.9, -0.9, 1.8, 1.8, 0.16)
    context.fill()
    context.strokeStyle = 'rgba(246,236,222,0.95)'
    context.lineCap = 'round'
    context.lineWidth = 0.1
    const signs = [
      [0, 0, 0.6, 0, 0.3, -0.12, 0.3, 0.62, 0, 0.3, 0.6, 0.3, 0.05, 0.62, 0.55, 0.62],
      [0, 0, 0, 0.6, 0, 0, 0.6, 0, 0.6, 0, 0.6, 0.6, 0, 0.6, 0.6, 0.6, 0, 0.3, 0.6, 0.3],
      [0.3, 0, 0, 0.6, 0.3, 0, 0.6, 0.6, 0.12, 0.36, 0.48, 0.36],
      [0, 0.05, 0.6, 0.05, 0.3, 0.05, 0.3, 0.62, 0.08, 0.3, 0.08, 0.62, 0.52, 0.3, 0.52, 0.62],
    ]
    for (const [index, lines] of signs.entries()) {
      context.save()
      context.translate(index % 2 ? -0.72 : 0.12, index < 2 ? -0.7 : 0.1)
      context.beginPath()
      for (let start = 0; start + 3 < lines.length; start += 4) {
        context.moveTo(lines[start] ?? 0, lines[start + 1] ?? 0)
        context.lineTo(lines[start + 2] ?? 0, lines[start + 3] ?? 0)
      }
      context.stroke()
      context.restore()
    }
  })
}
