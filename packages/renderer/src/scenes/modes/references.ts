import { smoothstep } from '../../picture/curves.ts'
import type { PlanImage } from '../../render-plan.ts'
import type { Sight } from '../prompt/scene-brief.ts'
import type { SubjectKind } from '../prompt/subject-words.ts'
import type { Painter, Stage } from '../stage.ts'
import { arrange, paginate } from './arrange-prints.ts'
import { drawPrint, type DrawnPrint } from './draw-print.ts'

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
/** Longest time in which a page slides in while the previous one slides out. */
const slideSecondsMax = 1.2
const slideShareMax = 0.4
/** Share of a slide by which the last print of a page starts later than the first. */
const lateShare = 0.35
/** Share of the video for which a leading frame is shown alone. */
const aloneShare = 0.07

interface Print extends DrawnPrint {
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
  const memory = memoryForMoving(stage, pages.flat())
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
      for (const { layer, showFrameAt, x, y, lateness, phase } of page) {
        const come = isThereFirst ? 1 : slid(progress, begins, lateness)
        const gone = isThereLast ? 0 : slid(progress, begins + pageShare, 0)
        if (come <= 0 || gone >= 1) continue
        showFrameAt?.(now, memory)
        const drift = isStill ? 0 : ((progress - begins) / pageShare - 0.5) * unit * -0.03
        const sway = isStill ? 0 : Math.sin(now * 0.9 + phase) * unit * 0.005
        const [left, top] = [x + drift + width * 1.1 * (1 - come - gone), y + sway]
        compositor.drawLayer(layer, { x: left - layer.width / 2, y: top - layer.height / 2, scale: 1 })
      }
    }
  }
}

/** Memory for the largest print of a video, in which one after the other is drawn. */
function memoryForMoving({ compositor }: Stage, prints: readonly Print[]): number {
  const sizes = prints.flatMap(({ layer, showFrameAt }) => (showFrameAt === undefined ? [] : [layer.width * layer.height]))
  return sizes.length === 0 ? 0 : compositor.arena.take(4 * Math.max(...sizes))
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
      const print = drawPrint(stage, picture, { width: box.width * place.width, height: box.height * place.height }, tilt)
      // A single print leaves the middle to the scene and hangs on the side away from the sun.
      const aside = size > 1 ? 0 : Math.max(0, box.width - print.layer.width) * (sun.x < width / 2 ? 0.22 : -0.22)
      return [
        {
          ...print,
          x: width * sideMargin + box.width * place.x + aside,
          y: height * area.top + box.height * place.y,
          lateness: places.length > 1 ? index / (places.length - 1) : 0,
          phase: random() * 6.28,
        },
      ]
    })
  })
}
