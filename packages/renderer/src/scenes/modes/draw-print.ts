import { createCanvas, ImageData, type Canvas, type SKRSContext2D } from '@napi-rs/canvas'
import { framesPerSecond, type PixelSize } from '@framegate/contract'
import type { Layer } from '../../picture/compositor.ts'
import type { PlanImage } from '../../render-plan.ts'
import type { Stage } from '../stage.ts'

export interface DrawnPrint {
  layer: Layer
  /**
   * Draws the reference video's frame of this time into the layer. `address` is temporary memory
   * with four bytes for each of the layer's pixels. Undefined for an image, and in a still.
   */
  showFrameAt?: (seconds: number, address: number) => void
}

/**
 * Widths of the mat and shadow around an image, in units, limited to a share of the print's box.
 */
const mat = { units: 0.01, share: 0.03 }
const shadow = { units: 0.022, share: 0.06 }

/**
 * Draws an image as a print that fits into the box, with a pale mat and a soft shadow, rotated by
 * `angle` in radians.
 */
export function drawPrint(stage: Stage, picture: PlanImage, box: PixelSize, angle: number): DrawnPrint {
  const { unit } = stage.geometry
  const side = Math.min(box.width, box.height)
  const edge = Math.min(unit * mat.units, side * mat.share)
  const margin = Math.min(unit * shadow.units, side * shadow.share)
  const scale = Math.min((box.width - 2 * (edge + margin)) / picture.width, (box.height - 2 * (edge + margin)) / picture.height)
  const [innerWidth, innerHeight] = [picture.width * scale, picture.height * scale]
  const [outerWidth, outerHeight] = [innerWidth + edge * 2, innerHeight + edge * 2]
  const [cos, sin] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))]
  const drawPaper = (context: SKRSContext2D, width: number, height: number): void => {
    context.translate(width / 2, height / 2)
    context.rotate(angle)
    context.save()
    context.shadowColor = 'rgba(6,8,20,0.62)'
    context.shadowBlur = margin * 0.9
    context.shadowOffsetY = margin * 0.25
    context.fillStyle = '#f7f4ee'
    context.fillRect(-outerWidth / 2, -outerHeight / 2, outerWidth, outerHeight)
    context.restore()
  }
  const drawPicture = (context: SKRSContext2D, shownCanvas: Canvas): void => {
    context.imageSmoothingQuality = 'high'
    context.drawImage(shownCanvas, -innerWidth / 2, -innerHeight / 2, innerWidth, innerHeight)
  }
  const shownCanvas = createCanvas(picture.width, picture.height)
  showFrame(shownCanvas, picture, 0)
  const layer = stage.compositor.layer(
    outerWidth * cos + outerHeight * sin + margin * 2,
    outerWidth * sin + outerHeight * cos + margin * 2,
    (context, width, height) => {
      drawPaper(context, width, height)
      drawPicture(context, shownCanvas)
    },
  )
  const { frames = 1 } = picture
  if (frames === 1 || stage.isStill) return { layer }

  const { width, height } = layer
  const paper = createCanvas(width, height)
  drawPaper(paper.getContext('2d'), width, height)
  const print = createCanvas(width, height)
  const context = print.getContext('2d')
  let shownFrame = -1
  return {
    layer,
    showFrameAt(seconds, address) {
      const frame = Math.round(seconds * framesPerSecond) % frames
      if (frame === shownFrame) return
      shownFrame = frame
      showFrame(shownCanvas, picture, frame)
      context.reset()
      context.drawImage(paper, 0, 0)
      context.translate(width / 2, height / 2)
      context.rotate(angle)
      drawPicture(context, shownCanvas)
      stage.compositor.recolorLayer(layer, print, address)
    },
  }
}

function showFrame(canvas: Canvas, { width, height, rgba }: PlanImage, frame: number): void {
  const frameBytes = 4 * width * height
  // The pixels are copied, because the canvas rejects the shared memory in which an image may
  // arrive.
  const pixels = new Uint8ClampedArray(rgba.subarray(frame * frameBytes, (frame + 1) * frameBytes))
  canvas.getContext('2d').putImageData(new ImageData(pixels, width, height), 0, 0)
}
