import { createCanvas, type Canvas, type SKRSContext2D } from '@napi-rs/canvas'
import { css, mixRgb, type Rgb } from '../../../picture/color.ts'
import { overscan, type Moment, type Painter, type Stage } from '../../stage.ts'

/** Material of the sheets. */
export interface Material {
  /**
   * Strength of the shadow that a sheet casts on the sheets behind it (0 for none), and its reach
   * in pixels at 1080 rows.
   */
  shadow: { strength: number; reach: number }
  /** Texture of the paper for the whole scene. */
  grain: Canvas | undefined
  /** Share by which the cut edge is lighter. */
  edge: number
}

export interface Sheet {
  color: Rgb
  depth: number
  /** First row of the sheet in the frame, with the camera at rest. */
  top: number
  /** Row after the last row of the sheet. */
  bottom: number
  /** Motion to either side: its reach in pixels, its pace and its phase. */
  slide?: { reach: number; pace: number; phase: number }
  /** Traces the outline from the left end of the layer to the right. */
  trace: (context: SKRSContext2D, space: SheetSpace) => void
  decorate?: (context: SKRSContext2D, space: SheetSpace) => void
}

/**
 * Size of the sheet in its own pixels. `unitsFromMiddle` converts a pixel position to units from
 * the middle of the frame.
 */
export interface SheetSpace {
  width: number
  height: number
  unitsFromMiddle: (x: number) => number
}

/** Paints one flat sheet across the width of the frame. */
export function paintSheet(stage: Stage, material: Material, sheet: Sheet): Painter {
  const { compositor, geometry } = stage
  const { width: frameWidth, unit } = geometry
  const slack = Math.ceil(sheet.slide?.reach ?? 0)
  const layerWidth = Math.ceil((frameWidth * overscan + slack * 2) / 16) * 16
  const margin = material.shadow.strength > 0 ? stage.toPixels(material.shadow.reach * 2.2) : 2
  const layer = compositor.layer(
    layerWidth,
    sheet.bottom - sheet.top + margin,
    (context, width, height) => {
      context.translate(0, margin)
      const unitsFromMiddle = (x: number): number => (x - width / 2) / unit
      const space = { width, height: height - margin, unitsFromMiddle }
      cut(stage, context, material, sheet.color, () => sheet.trace(context, space))
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

/** Fills the traced outline and adds its shadow, its edge and its grain. */
export function cut(stage: Stage, context: SKRSContext2D, material: Material, color: Rgb, trace: () => void): void {
  const { strength, reach } = material.shadow
  context.save()
  if (strength > 0) {
    context.shadowColor = `rgba(10,8,24,${strength})`
    context.shadowBlur = stage.toPixels(reach)
    context.shadowOffsetX = stage.toPixels(reach * 0.22)
    context.shadowOffsetY = stage.toPixels(reach * -0.1)
  }
  context.fillStyle = css(color)
  context.beginPath()
  trace()
  context.fill()
  context.restore()
  const edge = stage.toPixels(2)
  if (material.edge > 0 && edge > 0.5) {
    // Draws the shape in the color of the edge, and then in its own color slightly lower and to the
    // right. Only the upper left edge keeps the lighter color.
    context.save()
    context.globalCompositeOperation = 'source-atop'
    context.fillStyle = css(mixRgb(color, [255, 255, 255], material.edge))
    context.beginPath()
    trace()
    context.fill()
    context.translate(edge * 0.6, edge)
    context.fillStyle = css(color)
    context.beginPath()
    trace()
    context.fill()
    context.restore()
  }
  if (!material.grain) return
  context.save()
  context.beginPath()
  trace()
  context.fillStyle = context.createPattern(material.grain, 'repeat') ?? css(color)
  context.fill()
  context.restore()
}

/** Creates a tile of faint fibers, dark and light. */
export function createGrain(stage: Stage): Canvas {
  const side = 256
  const canvas = createCanvas(side, side)
  const context = canvas.getContext('2d')
  const random = stage.random('fibres')
  for (let fiber = 0; fiber < 2600; fiber++) {
    const [x, y, angle, length] = [random() * side, random() * side, random() * 6.28, 1.5 + random() * 7]
    context.strokeStyle =
      random() < 0.5 ? `rgba(255,255,255,${0.02 + 0.05 * random()})` : `rgba(0,0,0,${0.02 + 0.045 * random()})`
    context.lineWidth = 0.6 + random()
    // Drawn beyond the edges of the tile as well, so that it repeats without a seam.
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
