import { createCanvas, type Canvas, type SKRSContext2D } from '@napi-rs/canvas'
import { css, mixRgb, type Rgb } from '../../../picture/colour.ts'
import { overscan, type Moment, type Painter, type Stage } from '../../stage.ts'

/** What sheets are made of. */
export interface Material {
  /** How dark a shadow a sheet casts on those behind it, 0 for none, and how far it reaches in pixels at 1080 rows. */
  shadow: { strength: number; reach: number }
  /** The tooth of the paper, for the whole scene. */
  grain: Canvas | undefined
  /** How much lighter the cut edge is. */
  edge: number
}

export interface Sheet {
  colour: Rgb
  depth: number
  /** Between these rows of the frame, at rest. */
  top: number
  bottom: number
  /** Pixels that it slides to either side, and how fast. */
  slide?: { reach: number; pace: number; phase: number }
  /** Traces its outline from the left end of the layer to the right; `across` is in units from the middle of the frame. */
  trace: (context: SKRSContext2D, sheet: SheetSpace) => void
  /** Draws on the sheet what is glued to it. */
  decorate?: (context: SKRSContext2D, sheet: SheetSpace) => void
}

/** The sheet's own pixels; `across` gives units from the middle of the frame. */
export interface SheetSpace {
  width: number
  height: number
  across: (x: number) => number
}

/** One flat sheet across the whole frame. */
export function paintSheet(stage: Stage, material: Material, sheet: Sheet): Painter {
  const { compositor, geometry } = stage
  const { width: frameWidth, unit } = geometry
  const slack = Math.ceil(sheet.slide?.reach ?? 0)
  const layerWidth = Math.ceil((frameWidth * overscan + slack * 2) / 16) * 16
  const margin = material.shadow.strength > 0 ? stage.pixels(material.shadow.reach * 2.2) : 2
  const layer = compositor.layer(
    layerWidth,
    sheet.bottom - sheet.top + margin,
    (context, width, height) => {
      context.translate(0, margin)
      const across = (x: number): number => (x - width / 2) / unit
      const space = { width, height: height - margin, across }
      cut(stage, context, material, sheet.colour, () => sheet.trace(context, space))
      sheet.decorate?.(context, space)
    },
    { isFinal: true },
  )
  return (moment) => {
    const x = (frameWidth - layerWidth) / 2 + slideAt(sheet, moment)
    stage.drawAt(layer, { x, y: sheet.top - margin, depth: sheet.depth }, moment)
  }
}

function slideAt({ slide }: Sheet, { seconds }: Moment): number {
  return slide ? slide.reach * Math.sin(seconds * slide.pace + slide.phase) : 0
}

/** Fills the traced outline with its shadow, its tooth and its edge. */
export function cut(stage: Stage, context: SKRSContext2D, material: Material, colour: Rgb, trace: () => void): void {
  const { strength, reach } = material.shadow
  context.save()
  if (strength > 0) {
    context.shadowColor = `rgba(10,8,24,${strength})`
    context.shadowBlur = stage.pixels(reach)
    context.shadowOffsetX = stage.pixels(reach * 0.22)
    context.shadowOffsetY = stage.pixels(reach * -0.1)
  }
  context.fillStyle = css(colour)
  context.beginPath()
  trace()
  context.fill()
  context.restore()
  const edge = stage.pixels(2)
  if (material.edge > 0 && edge > 0.5) {
    // The shape in the edge's colour, and itself again a little lower upon it: only its upper left edge stays light.
    context.save()
    context.globalCompositeOperation = 'source-atop'
    context.fillStyle = css(mixRgb(colour, [255, 255, 255], material.edge))
    context.beginPath()
    trace()
    context.fill()
    context.translate(edge * 0.6, edge)
    context.fillStyle = css(colour)
    context.beginPath()
    trace()
    context.fill()
    context.restore()
  }
  if (!material.grain) return
  context.save()
  context.beginPath()
  trace()
  context.fillStyle = context.createPattern(material.grain, 'repeat') ?? css(colour)
  context.fill()
  context.restore()
}

/** A tile of faint fibres, dark and light. */
export function createGrain(stage: Stage): Canvas {
  const side = 256
  const canvas = createCanvas(side, side)
  const context = canvas.getContext('2d')
  const random = stage.random('fibres')
  for (let fibre = 0; fibre < 2600; fibre++) {
    const [x, y, angle, length] = [random() * side, random() * side, random() * 6.28, 1.5 + random() * 7]
    context.strokeStyle =
      random() < 0.5 ? `rgba(255,255,255,${0.02 + 0.05 * random()})` : `rgba(0,0,0,${0.02 + 0.045 * random()})`
    context.lineWidth = 0.6 + random()
    // Drawn around the tile's edges too, so that it repeats without a seam.
    for (const [shiftX, shiftY] of [
      [0, 0],
      [side, 0],
      [-side, 0],
      [0, side],
      [0, -side],
    ] as const) {
      context.beginPath()
      context.moveTo(x + shiftX, y + shiftY)
      context.lineTo(x + shiftX + Math.cos(angle) * length, y + shiftY + Math.sin(angle) * length)
      context.stroke()
    }
  }
  return canvas
}
