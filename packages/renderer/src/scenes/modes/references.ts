import { createCanvas, ImageData, type Canvas } from '@napi-rs/canvas'
import { smoothstep } from '../../picture/curves.ts'
import type { Layer } from '../../picture/compositor.ts'
import type { PlanImage } from '../../render-plan.ts'
import type { Sight } from '../prompt/scene-brief.ts'
import type { SubjectKind } from '../prompt/subject-words.ts'
import type { Painter, Stage } from '../stage.ts'
import { arrange, paginate } from './arrange-prints.ts'

/**
 * Position of the prints in shares of the frame. `comes` means that they appear after the first
 * frame, `goes` that they leave before the last one.
 */
export interface Showing {
  area: { top: number; height: number }
  comes: boolean
  goes: boolean
}

/**
 * Position in the sky, because most subjects of a prompt are below it. In a still, where nothing
 * moves, the prints may take more space.
 */
const above = { video: { top: 0.025, height: 0.42 }, still: { top: 0.025, height: 0.5 } }
/** Position in the foreground: below high subjects, and in given images below faces and skies. */
const below = { video: { top: 0.6, height: 0.38 }, still: { top: 0.52, height: 0.46 } }

const high = new Set<SubjectKind | Sight>([
  'rocket',
  'balloon',
  'bird',
  'castle',
  'lighthouse',
  'whale',
  'fish',
  'aurora',
  'rainbow',
  'lightning',
])

/** Places the prints where the prompt's subjects stay visible. */
export function besideSubjects({ brief, isStill }: Stage): Showing {
  const { subjects, sights } = brief
  const isLow = subjects.some(({ kind }) => !high.has(kind))
  const isHigh = subjects.some(({ kind }) => high.has(kind)) || [...sights].some((sight) => high.has(sight))
  const area = isHigh && !isLow ? below : above
  return { area: isStill ? area.still : area.video, comes: false, goes: false }
}

/** Places the prints over a video that given frames lead. */
export function betweenFrames(goes: boolean): Showing {
  return { area: below.video, comes: true, goes }
}

const sideMargin = 0.03
/** Mat and shadow around an image, in units, but at most a share of the print's box. */
const mat = { units: 0.01, share: 0.03 }
const shadow = { units: 0.022, share: 0.06 }
/** Longest time in which a page slides in while the previous one slides out. */
const slideSecondsMax = 1.2
const slideShareMax = 0.4
/** Share of a slide by which the last print of a page starts later than the first. */
const lateShare = 0.35
/** Share of the video for which a leading frame is shown alone. */
const aloneShare = 0.07

interface Print {
  layer: Layer
  /** Position of the print's middle in the frame. */
  x: number
  y: number
  /** Position in the order of its page, 0 to 1. Prints farther right arrive a little later. */
  lateness: number
  phase: number
}

/** Paints images as prints that hang in front of the scene, page after page. */
export function paintReferences(stage: Stage, images: readonly PlanImage[], showing: Showing): Painter {
  const { compositor, geometry, isStill, seconds } = stage
  const { width, unit } = geometry
  const pages = drawPages(stage, images, showing)
  const slide = Math.min(slideSecondsMax / seconds, slideShareMax / pages.length)
  const from = showing.comes ? aloneShare : 0
  const to = showing.goes ? 1 - aloneShare - slide : 1
  const pageShare = (to - from) / pages.length

  const slid = (progress: number, begins: number, lateness: number): number =>
    smoothstep(0, 1, (progress - begins - lateness * lateShare * slide) / (slide * (1 - lateShare)))

  return ({ progress, seconds: now }) => {
    for (const [index, page] of pages.entries()) {
      const begins = from + index * pageShare
      const isThereFirst = isStill || (index === 0 && !showing.comes)
      const isThereLast = isStill || (index === pages.length - 1 && !showing.goes)
      for (const { layer, x, y, lateness, phase } of page) {
        const come = isThereFirst ? 1 : slid(progress, begins, lateness)
        const gone = isThereLast ? 0 : slid(progress, begins + pageShare, 0)
        if (come <= 0 || gone >= 1) continue
        const drift = isStill ? 0 : ((progress - begins) / pageShare - 0.5) * unit * -0.03
        const sway = isStill ? 0 : Math.sin(now * 0.9 + phase) * unit * 0.005
        const [left, top] = [x + drift + width * 1.1 * (1 - come - gone), y + sway]
        compositor.drawLayer(layer, { x: left - layer.width / 2, y: top - layer.height / 2, scale: 1 })
      }
    }
  }
}

function drawPages(stage: Stage, images: readonly PlanImage[], { area }: Showing): Print[][] {
  const { geometry, isStill, seconds, sun } = stage
  const { width, height } = geometry
  const random = stage.random('prints')
  const box = { width: width * (1 - 2 * sideMargin), height: height * area.height }
  const ratio = box.width / box.height
  const sizes = isStill ? [images.length] : paginate(images.length, seconds, ratio)
  let next = 0
  return sizes.map((size) => {
    const places = arrange(size, ratio)
    return places.flatMap((place, index): Print[] => {
      const picture = images[next++]
      if (!picture) return []
      const tilt = (random() - 0.5) * 0.05
      const layer = drawPrint(stage, picture, box.width * place.width, box.height * place.height, tilt)
      // A single print leaves the middle to the scene and hangs on the side away from the sun.
      const aside = size > 1 ? 0 : Math.max(0, box.width - layer.width) * (sun.x < width / 2 ? 0.22 : -0.22)
      return [
        {
          layer,
          x: width * sideMargin + box.width * place.x + aside,
          y: height * area.top + box.height * place.y,
          lateness: places.length > 1 ? index / (places.length - 1) : 0,
          phase: random() * 6.28,
        },
      ]
    })
  })
}

/**
 * Draws the whole image, scaled into the box, with a pale mat and a soft shadow, turned by `angle`.
 */
function drawPrint(stage: Stage, picture: PlanImage, boxWidth: number, boxHeight: number, angle: number): Layer {
  const { unit } = stage.geometry
  const box = Math.min(boxWidth, boxHeight)
  const edge = Math.min(unit * mat.units, box * mat.share)
  const margin = Math.min(unit * shadow.units, box * shadow.share)
  const scale = Math.min((boxWidth - 2 * (edge + margin)) / picture.width, (boxHeight - 2 * (edge + margin)) / picture.height)
  const [innerWidth, innerHeight] = [picture.width * scale, picture.height * scale]
  const [outerWidth, outerHeight] = [innerWidth + edge * 2, innerHeight + edge * 2]
  const [cos, sin] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))]
  return stage.compositor.layer(
    outerWidth * cos + outerHeight * sin + margin * 2,
    outerWidth * sin + outerHeight * cos + margin * 2,
    (context, width, height) => {
      context.translate(width / 2, height / 2)
      context.rotate(angle)
      context.save()
      context.shadowColor = 'rgba(6,8,20,0.62)'
      context.shadowBlur = margin * 0.9
      context.shadowOffsetY = margin * 0.25
      context.fillStyle = '#f7f4ee'
      context.fillRect(-outerWidth / 2, -outerHeight / 2, outerWidth, outerHeight)
      context.restore()
      context.imageSmoothingQuality = 'high'
      context.drawImage(toCanvas(picture), -innerWidth / 2, -innerHeight / 2, innerWidth, innerHeight)
    },
  )
}

function toCanvas({ width, height, rgba }: PlanImage): Canvas {
  const canvas = createCanvas(width, height)
  // A copy, because the canvas rejects shared memory, in which an image may arrive.
  const pixels = new Uint8ClampedArray(rgba)
  canvas.getContext('2d').putImageData(new ImageData(pixels, width, height), 0, 0)
  return canvas
}
