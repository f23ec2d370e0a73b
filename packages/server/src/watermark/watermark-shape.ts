import type { SKRSContext2D } from '@napi-rs/canvas'
import type { PixelSize } from '@framegate/contract'

const text = 'FRAMEGATE'

/** Letters as strokes in a box of height 1, y down: a machine may have no fonts at all. Each has its width and its lines. */
const letters: Record<string, { width: number; lines: readonly (readonly number[])[] }> = {
  F: {
    width: 0.58,
    lines: [
      [0, 1, 0, 0, 0.58, 0],
      [0, 0.48, 0.46, 0.48],
    ],
  },
  R: {
    width: 0.62,
    lines: [
      [0, 1, 0, 0, 0.42, 0, 0.6, 0.12, 0.6, 0.4, 0.42, 0.53, 0, 0.53],
      [0.34, 0.53, 0.62, 1],
    ],
  },
  A: {
    width: 0.76,
    lines: [
      [0, 1, 0.38, 0, 0.76, 1],
      [0.14, 0.66, 0.62, 0.66],
    ],
  },
  M: { width: 0.84, lines: [[0, 1, 0, 0, 0.42, 0.66, 0.84, 0, 0.84, 1]] },
  E: {
    width: 0.58,
    lines: [
      [0.58, 0, 0, 0, 0, 1, 0.58, 1],
      [0, 0.48, 0.48, 0.48],
    ],
  },
  G: { width: 0.72, lines: [[0.7, 0.16, 0.52, 0, 0.2, 0, 0, 0.2, 0, 0.8, 0.2, 1, 0.52, 1, 0.72, 0.82, 0.72, 0.54, 0.42, 0.54]] },
  T: {
    width: 0.66,
    lines: [
      [0, 0, 0.66, 0],
      [0.33, 0, 0.33, 1],
    ],
  },
}

/** In heights of a capital letter. */
const spacing = 0.34
const lineWidth = 0.15
/** The sign before the name: a gate in a frame. */
const sign = { width: 1, gap: 0.62 }
const padding = { across: 0.95, above: 0.62 }
/** A layer's outermost samples are repeated beyond it: they have to be empty. */
const emptyEdge = 0.2

/** Below it letters would no longer be readable. */
const capHeightMin = 12
const capHeightShare = 0.02
/** Of a narrow frame the mark takes this share at most. */
const widthShareMax = 0.5
const marginShare = 0.024

const nameWidth = Array.from(text).reduce((sum, letter) => sum + (letters[letter]?.width ?? 0) + spacing, -spacing)
const plate = { width: sign.width + sign.gap + nameWidth + padding.across * 2, height: 1 + padding.above * 2 }

/** Where a watermark is on a picture or frame, in whole pixels: at the bottom right, from an even pixel on, as colours of films need it. */
export interface WatermarkPlace extends PixelSize {
  x: number
  y: number
  capHeight: number
}

export function placeWatermark({ width, height }: PixelSize): WatermarkPlace {
  // Of the usual film its height; of one that is wider or higher the height that a film of as many pixels would have.
  const unit = Math.min(height, Math.sqrt((width * height * 9) / 16))
  const capHeight = Math.min(Math.max(capHeightMin, unit * capHeightShare), (width * widthShareMax) / plate.width)
  const mark = {
    width: evenAbove((plate.width + emptyEdge * 2) * capHeight),
    height: evenAbove((plate.height + emptyEdge * 2) * capHeight),
  }
  const margin = Math.round(unit * marginShare)
  const x = Math.max(0, Math.floor((width - mark.width - margin) / 2) * 2)
  const y = Math.max(0, Math.floor((height - mark.height - margin) / 2) * 2)
  return { ...mark, x, y, capHeight }
}

function evenAbove(length: number): number {
  return 2 * Math.ceil(length / 2)
}

/** Light letters on a dark, half-transparent plate, so that it reads on snow as at night. */
export function paintWatermark(context: SKRSContext2D, { capHeight }: WatermarkPlace): void {
  context.scale(capHeight, capHeight)
  context.translate(emptyEdge, emptyEdge)
  context.beginPath()
  context.roundRect(0, 0, plate.width, plate.height, plate.height / 2)
  context.fillStyle = 'rgba(10,12,20,0.36)'
  context.fill()

  context.translate(padding.across, padding.above)
  context.lineJoin = 'round'
  context.lineCap = 'round'
  context.lineWidth = lineWidth
  context.strokeStyle = 'rgba(255,255,255,0.92)'
  drawSign(context)
  context.translate(sign.width + sign.gap, 0)
  drawName(context)
}

function drawSign(context: SKRSContext2D): void {
  context.beginPath()
  context.roundRect(0, 0, sign.width, 1, 0.16)
  context.moveTo(0.3, 1)
  context.lineTo(0.3, 0.6)
  context.arc(0.5, 0.6, 0.2, Math.PI, 0)
  context.lineTo(0.7, 1)
  context.stroke()
}

function drawName(context: SKRSContext2D): void {
  context.beginPath()
  let left = 0
  for (const letter of text) {
    const shape = letters[letter]
    for (const line of shape?.lines ?? []) {
      for (let index = 0; index + 1 < line.length; index += 2) {
        const [x, y] = [left + (line[index] ?? 0), line[index + 1] ?? 0]
        if (index === 0) context.moveTo(x, y)
        else context.lineTo(x, y)
      }
    }
    left += (shape?.width ?? 0) + spacing
  }
  context.stroke()
}
