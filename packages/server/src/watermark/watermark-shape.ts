import { createCanvas, ImageData, type SKRSContext2D } from '@napi-rs/canvas'
import type { PixelSize } from '@framegate/contract'
import type { LogoPixels } from '../brands/logo-pixels.ts'
import { productWatermark, type WatermarkDesign } from './watermark-design.ts'
import { letters } from './watermark-letters.ts'

/**
 * Spacing between letters. The unit of lengths is the height of a capital letter, unless another
 * one is named.
 */
const spacing = 0.34
const lineWidth = 0.15
/** Gap between the sign and the name. The sign is a gate in a frame, a dot or a logo. */
const signGap = 0.62
const gateWidth = 1
const dotWidth = 0.8
/** A logo extends slightly above and below the letters. */
const logo = { height: 1.3, widthMax: 3 }
const padding = { across: 0.95, above: 0.62 }
/**
 * Width of the empty edge around the plate. The renderer repeats a layer's outermost samples beyond
 * its edge, so they must be transparent.
 */
const emptyEdge = 0.2

/** Minimum height of a capital letter in pixels. Smaller letters would not be readable. */
const capHeightMin = 12
/** Height of a capital letter, as a share of the reference height (`placeWatermark`). */
const capHeightShare = 0.02
/** Maximum width of the plate, as a share of the width of the frame. */
const widthShareMax = 0.5
/** Distance of the watermark from the edges, as a share of the reference height. */
const marginShare = 0.024

function plateSizeOf({ text, sign }: WatermarkDesign): PixelSize {
  const nameWidth = Array.from(text).reduce((sum, letter) => sum + (letters[letter]?.width ?? 0) + spacing, -spacing)
  const gapAndName = text === '' ? 0 : signGap + nameWidth
  return { width: signWidth(sign) + gapAndName + padding.across * 2, height: 1 + padding.above * 2 }
}

function signWidth(sign: WatermarkDesign['sign']): number {
  if (sign === 'gate') return gateWidth
  return sign === 'dot' ? dotWidth : logoSize(sign).width
}

/**
 * Returns the size of a logo. The unit is the height of a capital letter. A wide logo is scaled
 * down to `widthMax`.
 */
function logoSize({ width, height }: PixelSize): PixelSize {
  const scale = Math.min(logo.height / height, logo.widthMax / width)
  return { width: width * scale, height: height * scale }
}

/**
 * Position and size of a watermark on an image or frame, in pixels. The watermark is at the bottom
 * right. Its position and size are even, because the chroma planes of videos require it.
 */
export interface WatermarkPlacement extends PixelSize {
  x: number
  y: number
  /** Height of a capital letter. It may have a fraction. */
  capHeight: number
}

export function placeWatermark({ width, height }: PixelSize, design: WatermarkDesign = productWatermark): WatermarkPlacement {
  const plate = plateSizeOf(design)
  // The reference height is that of a 16:9 frame with the same number of pixels, but at most the
  // height of this frame.
  const referenceHeight = Math.min(height, Math.sqrt((width * height * 9) / 16))
  const capHeight = Math.min(Math.max(capHeightMin, referenceHeight * capHeightShare), (width * widthShareMax) / plate.width)
  const size = {
    width: evenAbove((plate.width + emptyEdge * 2) * capHeight),
    height: evenAbove((plate.height + emptyEdge * 2) * capHeight),
  }
  const margin = Math.round(referenceHeight * marginShare)
  const x = Math.max(0, Math.floor((width - size.width - margin) / 2) * 2)
  const y = Math.max(0, Math.floor((height - size.height - margin) / 2) * 2)
  return { ...size, x, y, capHeight }
}

function evenAbove(length: number): number {
  return 2 * Math.ceil(length / 2)
}

/**
 * Paints light letters on a dark, semi-transparent plate, so that they are readable on bright and
 * dark backgrounds.
 */
export function paintWatermark(
  context: SKRSContext2D,
  { capHeight }: WatermarkPlacement,
  design: WatermarkDesign = productWatermark,
): void {
  const plate = plateSizeOf(design)
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
  if (design.sign === 'gate') drawGate(context)
  else if (design.sign === 'dot') drawDot(context, design.color)
  else drawLogo(context, design.sign)
  context.translate(signWidth(design.sign) + signGap, 0)
  drawName(context, design.text)
}

function drawDot(context: SKRSContext2D, color: string | null): void {
  context.beginPath()
  context.arc(dotWidth / 2, 0.5, dotWidth / 2, 0, 2 * Math.PI)
  context.fillStyle = color ?? 'rgba(255,255,255,0.92)'
  context.fill()
}

function drawLogo(context: SKRSContext2D, pixels: LogoPixels): void {
  const { width, height } = logoSize(pixels)
  const canvas = createCanvas(pixels.width, pixels.height)
  const image = new ImageData(new Uint8ClampedArray(pixels.rgba), pixels.width, pixels.height)
  canvas.getContext('2d').putImageData(image, 0, 0)
  context.imageSmoothingEnabled = true
  context.imageSmoothingQuality = 'high'
  context.drawImage(canvas, 0, (1 - height) / 2, width, height)
}

function drawGate(context: SKRSContext2D): void {
  context.beginPath()
  context.roundRect(0, 0, gateWidth, 1, 0.16)
  context.moveTo(0.3, 1)
  context.lineTo(0.3, 0.6)
  context.arc(0.5, 0.6, 0.2, Math.PI, 0)
  context.lineTo(0.7, 1)
  context.stroke()
}

function drawName(context: SKRSContext2D, text: string): void {
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
