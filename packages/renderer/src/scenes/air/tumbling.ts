import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, hex, mixRgb, scaleRgb, type Rgb } from '../../picture/color.ts'
import type { Layer } from '../../picture/compositor.ts'
import type { Painter, Stage } from '../stage.ts'
import { lightAt, appearanceIn } from '../subjects/light.ts'
import { fillCurve } from '../subjects/brush.ts'
import { windOf } from './wind.ts'
import { wrap } from './wrap.ts'

/** Number of sprites for a full turn, in each color. */
const spritesPerTurn = 8
/**
 * Side of a sprite in frame pixels at 1080 rows. The nearest sprites are scaled up, which makes
 * them soft.
 */
const side = 40
const pieceCount = 46

interface TumblingKind {
  colors: readonly Rgb[]
  draw(context: SKRSContext2D, color: Rgb): void
  /** Speed of the fall in units (`FrameGeometry`) per second. Nearer pieces fall faster. */
  fallSpeed: number
  size: number
}

const kinds = {
  leaves: {
    colors: ['#d9822e', '#c4452a', '#e0b03c'].map(hex),
    draw: drawLeaf,
    fallSpeed: 0.075,
    size: 1,
  },
  petals: { colors: ['#f7bfd2', '#fbdce6', '#ee9ab8'].map(hex), draw: drawPetal, fallSpeed: 0.045, size: 0.72 },
} as const satisfies Record<string, TumblingKind>

/**
 * Paints leaves or petals that fall, turn over and drift with the wind. The nearest are large and
 * soft.
 */
export function paintTumbling(stage: Stage, kindName: keyof typeof kinds, accent?: Rgb): Painter {
  const { compositor, geometry } = stage
  const { width, height, unit } = geometry
  const kind: TumblingKind = kinds[kindName]
  const random = stage.random(`tumbling ${kindName}`)
  const wind = windOf(stage)
  const light = lightAt(stage, { x: width / 2, y: height / 2 }, 0)
  const colors = accent ? [accent, mixRgb(accent, [255, 255, 255], 0.35), scaleRgb(accent, 0.85)] : kind.colors
  const sprites = colors.map((color) =>
    Array.from({ length: spritesPerTurn }, (_, index): Layer => {
      return drawSprite(stage, kind, mixRgb(appearanceIn(light, color), color, 0.3), index / spritesPerTurn)
    }),
  )
  const pieces = Array.from({ length: pieceCount }, (_, index) => {
    const nearness = random() ** 2.4
    return {
      x: random(),
      y: random(),
      nearness,
      phase: random(),
      pace: 0.25 + 0.4 * random(),
      sway: 0.01 + 0.02 * random(),
      layers: sprites[index % sprites.length] ?? [],
      size: kind.size * (0.26 + 0.5 * nearness + (nearness > 0.72 ? 3.4 * (nearness - 0.72) : 0)),
    }
  }).toSorted((a, b) => a.nearness - b.nearness)
  const span = { x: width * 1.16, y: height * 1.16 }
  return ({ seconds }) => {
    const windShift = wind.distanceAfter(seconds) * unit
    for (const { x, y, nearness, phase, pace, sway, layers, size } of pieces) {
      const speedFactor = 0.5 + 1.6 * nearness
      const turn = seconds * pace + phase
      const layer = layers[Math.floor(wrap(turn) * spritesPerTurn)]
      if (!layer) continue
      const drawX =
        wrap(x + (windShift * speedFactor * 1.6) / span.x) * span.x - width * 0.08 + Math.sin(turn * 6.28) * sway * unit
      const drawY =
        wrap(y + (seconds * kind.fallSpeed * speedFactor * unit) / span.y) * span.y -
        height * 0.08 +
        Math.cos(turn * 6.28) * sway * unit * 0.4
      const scale = Math.max(0.51, size * 1.3)
      const opacity = nearness > 0.82 ? 0.62 : 0.95
      compositor.drawLayer(layer, {
        x: drawX - (layer.width * scale) / 2,
        y: drawY - (layer.height * scale) / 2,
        scale,
        opacity,
      })
    }
  }
}

/**
 * Draws a leaf or petal at a share of its full turn, which determines how far it is seen edge-on.
 */
function drawSprite(stage: Stage, kind: TumblingKind, color: Rgb, turn: number): Layer {
  const pixels = Math.max(32, stage.toPixels(side))
  return stage.compositor.layer(pixels, pixels, (context, width) => {
    const angle = turn * Math.PI * 2
    const openness = Math.cos(angle)
    context.translate(width / 2, width / 2)
    context.rotate(angle * 0.5 + 0.6)
    context.scale(width * 0.4, width * 0.4 * (0.25 + 0.75 * Math.abs(openness)))
    // The underside of a leaf is paler.
    kind.draw(context, openness < 0 ? mixRgb(color, [255, 250, 240], 0.18) : color)
  })
}

function drawLeaf(context: SKRSContext2D, color: Rgb): void {
  context.fillStyle = css(color)
  fillCurve(context, [
    [-0.9, 0],
    [-0.5, -0.42],
    [0.1, -0.52],
    [0.62, -0.3],
    [1, 0],
    [0.62, 0.3],
    [0.1, 0.52],
    [-0.5, 0.42],
  ])
  context.strokeStyle = css(scaleRgb(color, 0.66))
  context.lineWidth = 0.07
  context.beginPath()
  context.moveTo(-1.15, 0.06)
  context.lineTo(0.8, 0)
  context.stroke()
}

function drawPetal(context: SKRSContext2D, color: Rgb): void {
  context.fillStyle = css(color)
  fillCurve(context, [
    [-0.8, 0],
    [-0.4, -0.45],
    [0.3, -0.6],
    [0.85, -0.36],
    [0.68, 0],
    [0.85, 0.36],
    [0.3, 0.6],
    [-0.4, 0.45],
  ])
  context.fillStyle = css(mixRgb(color, [214, 90, 130], 0.3), 0.5)
  fillCurve(context, [
    [-0.8, 0],
    [-0.3, -0.2],
    [0.3, 0],
    [-0.3, 0.2],
  ])
}
