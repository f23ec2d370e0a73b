import { createCanvas, ImageData, type Canvas } from '@napi-rs/canvas'
import { clamp, mix, smoothstep } from '../../picture/curves.ts'
import type { Layer } from '../../picture/compositor.ts'
import type { PlanPicture } from '../../render-plan.ts'
import type { Painter, Stage } from '../stage.ts'

/** What all framed pictures of a film may take, in bytes for each pixel of the frame; `memoryPagesFor` counts on it. */
const framedBytesPerPixel = 10
const layerBytesPerPixel = 2.75

/** Mat and shadow around a picture, in units. */
const mat = 0.012
const shadow = 0.035

/** Framed pictures in the scene: one after the other through a film, all together in a still. */
export function paintReferences(stage: Stage, pictures: readonly PlanPicture[], isStill: boolean): Painter {
  return isStill ? paintCollage(stage, pictures) : paintPassage(stage, pictures)
}

/** Each comes from the right, hangs for its share of the film, and leaves to the left as the next one comes. */
function paintPassage(stage: Stage, pictures: readonly PlanPicture[]): Painter {
  const { compositor, geometry } = stage
  const { width, height, unit } = geometry
  const random = stage.random('passage')
  const box = 0.66
  // Room for mat and shadow is in the margin of a fifth.
  const affordable = framedBytesPerPixel / (layerBytesPerPixel * 1.2 * pictures.length)
  const detail = Math.min(1, Math.sqrt(affordable) / box)
  const frames = pictures.map((picture) => ({
    layer: drawFramed(stage, picture, width * box * detail, height * box * detail, 0, detail),
    phase: random() * 6.28,
    y: 0.47 + (random() - 0.5) * 0.05,
  }))
  const share = 1 / frames.length
  const change = share * 0.24
  return ({ progress, seconds }) => {
    for (const [index, { layer, phase, y }] of frames.entries()) {
      // The first is there from the start, the last stays to the end.
      const arrived = index === 0 ? 1 : smoothstep(index * share - change, index * share + change, progress)
      const left =
        index === frames.length - 1 ? 0 : smoothstep((index + 1) * share - change, (index + 1) * share + change, progress)
      if (arrived <= 0 || left >= 1) continue
      const within = clamp((progress - index * share) / share) - 0.5
      const scale = (mix(0.82, 1, arrived) * mix(1, 0.86, left) * (1 + 0.035 * within)) / detail
      const centreX = width * (0.5 + 0.62 * (1 - arrived) - 0.62 * left) - within * unit * 0.05
      const centreY = height * y + Math.sin(seconds * 0.8 + phase) * unit * 0.006
      compositor.drawLayer(layer, {
        x: centreX - (layer.width * scale) / 2,
        y: centreY - (layer.height * scale) / 2,
        scale,
        opacity: clamp(arrived * 1.6) * clamp((1 - left) * 1.6),
      })
    }
  }
}

/** Rows of pictures, each a little turned, the rows as full as the frame's shape asks. */
function paintCollage(stage: Stage, pictures: readonly PlanPicture[]): Painter {
  const { compositor, geometry } = stage
  const { width, height } = geometry
  const random = stage.random('collage')
  const count = pictures.length
  const rows = Math.max(1, Math.min(count, Math.round(Math.sqrt((count * height) / width) * 1.05)))
  const placed: { layer: Layer; x: number; y: number }[] = []
  let index = 0
  for (let row = 0; row < rows; row++) {
    const inRow = Math.floor(count / rows) + (row < count % rows ? 1 : 0)
    const cellWidth = (width * 0.92) / inRow
    const cellHeight = (height * 0.86) / rows
    for (let column = 0; column < inRow; column++, index++) {
      const picture = pictures[index]
      if (!picture) continue
      const layer = drawFramed(stage, picture, cellWidth * 0.84, cellHeight * 0.84, count === 1 ? 0 : (random() - 0.5) * 0.085)
      const x = width * 0.04 + cellWidth * (column + 0.5) + (random() - 0.5) * cellWidth * 0.05
      const y = height * 0.06 + cellHeight * (row + 0.5) + (random() - 0.5) * cellHeight * 0.05
      placed.push({ layer, x, y })
    }
  }
  return () => {
    for (const { layer, x, y } of placed) {
      compositor.drawLayer(layer, { x: Math.round(x - layer.width / 2), y: Math.round(y - layer.height / 2), scale: 1 })
    }
  }
}

/** The whole picture, scaled into the box, with a pale mat and a soft shadow, turned by `angle`; `detail` scales mat and shadow along. */
function drawFramed(stage: Stage, picture: PlanPicture, boxWidth: number, boxHeight: number, angle: number, detail = 1): Layer {
  const unit = stage.geometry.unit * detail
  const scale = Math.min(boxWidth / picture.width, boxHeight / picture.height)
  const [innerWidth, innerHeight] = [picture.width * scale, picture.height * scale]
  const edge = unit * mat
  const outerWidth = innerWidth + edge * 2
  const outerHeight = innerHeight + edge * 2
  const margin = unit * shadow * 2
  const cos = Math.abs(Math.cos(angle))
  const sin = Math.abs(Math.sin(angle))
  return stage.compositor.layer(
    outerWidth * cos + outerHeight * sin + margin,
    outerWidth * sin + outerHeight * cos + margin,
    (context, width, height) => {
      context.translate(width / 2, height / 2)
      context.rotate(angle)
      context.save()
      context.shadowColor = 'rgba(6,8,20,0.62)'
      context.shadowBlur = unit * shadow
      context.shadowOffsetY = unit * shadow * 0.3
      context.fillStyle = '#f7f4ee'
      context.fillRect(-outerWidth / 2, -outerHeight / 2, outerWidth, outerHeight)
      context.restore()
      context.imageSmoothingQuality = 'high'
      context.drawImage(toCanvas(picture), -innerWidth / 2, -innerHeight / 2, innerWidth, innerHeight)
    },
  )
}

function toCanvas({ width, height, rgba }: PlanPicture): Canvas {
  const canvas = createCanvas(width, height)
  // A copy: canvas refuses shared memory, in which a picture may come.
  const pixels = new Uint8ClampedArray(rgba)
  canvas.getContext('2d').putImageData(new ImageData(pixels, width, height), 0, 0)
  return canvas
}
