import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, hex, mixRgb, scaleRgb, type Rgb } from '../../picture/colour.ts'
import type { Layer } from '../../picture/compositor.ts'
import type { Painter, Stage } from '../stage.ts'
import { lightAt, seenIn } from '../subjects/light.ts'
import { fillCurve } from '../subjects/brush.ts'
import { windOf } from './wind.ts'
import { wrapped } from './wrapped.ts'

/** Number of sprites for one turn, in each color. */
const turns = 8
/**
 * Side of a sprite in frame pixels at 1080 rows. Near ones are scaled up and therefore out of
 * focus.
 */
const side = 40
const leaves = 46

interface Kind {
  colours: readonly Rgb[]
  draw(context: SKRSContext2D, colour: Rgb): void
  /** Fall in units per second, at middle distance. */
  fall: number
  size: number
}

const kinds = {
  leaves: {
    colours: ['#d9822e', '#c4452a', '#e0b03c'].map(hex),
    draw: drawLeaf,
    fall: 0.075,
    size: 1,
  },
  petals: { colours: ['#f7bfd2', '#fbdce6', '#ee9ab8'].map(hex), draw: drawPetal, fall: 0.045, size: 0.72 },
} as const satisfies Record<string, Kind>

/**
 * Paints leaves or petals that fall, turn over and drift with the wind. The nearest are large and
 * soft.
 */
export function paintTumbling(stage: Stage, of: keyof typeof kinds, accent?: Rgb): Painter {
  const { compositor, geometry } = stage
  const { width, height, unit } = geometry
  const kind: Kind = kinds[of]
  const random = stage.random(`tumbling ${of}`)
  const wind = windOf(stage)
  const light = lightAt(stage, { x: width / 2, y: height / 2 }, 0)
  const colours = accent ? [accent, mixRgb(accent, [255, 255, 255], 0.35), scaleRgb(accent, 0.85)] : kind.colours
  const sprites = colours.map((colour) =>
    Array.from({ length: turns }, (_, turn): Layer => {
      return drawTurn(stage, kind, mixRgb(seenIn(light, colour), colour, 0.3), turn / turns)
    }),
  )
  const members = Array.from({ length: leaves }, (_, index) => {
    const near = random() ** 2.4
    return {
      x: random(),
      y: random(),
      near,
      phase: random(),
      pace: 0.25 + 0.4 * random(),
      sway: 0.01 + 0.02 * random(),
      pictures: sprites[index % sprites.length] ?? [],
      // Close to the lens they are out of focus.
      size: kind.size * (0.26 + 0.5 * near + (near > 0.72 ? 3.4 * (near - 0.72) : 0)),
    }
  }).toSorted((a, b) => a.near - b.near)
  const span = { x: width * 1.16, y: height * 1.16 }
  return ({ seconds }) => {
    const carried = wind.carried(seconds) * unit
    for (const { x, y, near, phase, pace, sway, pictures, size } of members) {
      const reach = 0.5 + 1.6 * near
      const turn = seconds * pace + phase
      const picture = pictures[Math.floor(wrapped(turn) * turns)]
      if (!picture) continue
      const across = wrapped(x + (carried * reach * 1.6) / span.x) * span.x - width * 0.08 + Math.sin(turn * 6.28) * sway * unit
      const down =
        wrapped(y + (seconds * kind.fall * reach * unit) / span.y) * span.y -
        height * 0.08 +
        Math.cos(turn * 6.28) * sway * unit * 0.4
      const scale = Math.max(0.51, size * 1.3)
      const opacity = near > 0.82 ? 0.62 : 0.95
      compositor.drawLayer(picture, {
        x: across - (picture.width * scale) / 2,
        y: down - (picture.height * scale) / 2,
        scale,
        opacity,
      })
    }
  }
}

/** Draws a leaf or petal turned about its middle and seen more or less edge-on. */
function drawTurn(stage: Stage, kind: Kind, colour: Rgb, turn: number): Layer {
  const pixels = Math.max(32, stage.pixels(side))
  return stage.compositor.layer(pixels, pixels, (context, width) => {
    const angle = turn * Math.PI * 2
    const open = Math.cos(angle)
    context.translate(width / 2, width / 2)
    context.rotate(angle * 0.5 + 0.6)
    context.scale(width * 0.4, width * 0.4 * (0.25 + 0.75 * Math.abs(open)))
    // The underside is paler.
    kind.draw(context, open < 0 ? mixRgb(colour, [255, 250, 240], 0.18) : colour)
  })
}

function drawLeaf(context: SKRSContext2D, colour: Rgb): void {
  context.fillStyle = css(colour)
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
  context.strokeStyle = css(scaleRgb(colour, 0.66))
  context.lineWidth = 0.07
  context.beginPath()
  context.moveTo(-1.15, 0.06)
  context.lineTo(0.8, 0)
  context.stroke()
}

function drawPetal(context: SKRSContext2D, colour: Rgb): void {
  context.fillStyle = css(colour)
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
  context.fillStyle = css(mixRgb(colour, [214, 90, 130], 0.3), 0.5)
  fillCurve(context, [
    [-0.8, 0],
    [-0.3, -0.2],
    [0.3, 0],
    [-0.3, 0.2],
  ])
}
