import { smoothstep } from '../../picture/curves.ts'
import type { PlanImage } from '../../render-plan.ts'
import type { Sight } from '../prompt/scene-brief.ts'
import type { SubjectKind } from '../prompt/subject-words.ts'
import type { Painter, Stage } from '../stage.ts'
import { arrangePrints, paginate } from './arrange-prints.ts'
import { drawPrint, type DrawnPrint } from './draw-print.ts'

/** Position of the prints, and the times at which they appear and leave. */
export interface PrintPlacement {
  /** Area of the prints, in shares of the frame's height. */
  area: { top: number; height: number }
  /** Whether the prints appear after the first frame. Otherwise the first frame shows them. */
  isEntering: boolean
  /** Whether the prints leave before the last frame. */
  isLeaving: boolean
}

/**
 * Area in the sky, because most subjects of a prompt are lower. It is larger in a still, which
 * shows all prints at once.
 */
const skyArea = { video: { top: 0.025, height: 0.42 }, still: { top: 0.025, height: 0.5 } }
/**
 * Area in the foreground. Prints hang there below high subjects, and in videos between given
 * frames, where they leave faces and skies visible.
 */
const foregroundArea = { video: { top: 0.6, height: 0.38 }, still: { top: 0.52, height: 0.46 } }

const highSubjects = new Set<SubjectKind | Sight>([
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
export function placeAroundSubjects({ brief, isStill }: Stage): PrintPlacement {
  const { subjects, sights } = brief
  const hasLowSubject = subjects.some(({ kind }) => !highSubjects.has(kind))
  const hasHighSubject =
    subjects.some(({ kind }) => highSubjects.has(kind)) || [...sights].some((sight) => highSubjects.has(sight))
  const area = hasHighSubject && !hasLowSubject ? foregroundArea : skyArea
  return { area: isStill ? area.still : area.video, isEntering: false, isLeaving: false }
}

/** Places the prints over a video between its given first and last frames. */
export function placeBetweenFrames(isLeaving: boolean): PrintPlacement {
  return { area: foregroundArea.video, isEntering: true, isLeaving }
}

const sideMargin = 0.03
/** Maximum time in which a page slides in while the previous page slides out. */
const slideSecondsMax = 1.2
/** Maximum duration of the slide as a share of the time of a page. */
const slidePageShareMax = 0.4
/** Delay of a page's last print after its first print, as a share of the slide. */
const lateShare = 0.35
/** Share of the video for which a given frame is shown without prints. */
const aloneShare = 0.07

interface Print extends DrawnPrint {
  /** Position of the print's middle in the frame, in pixels. */
  x: number
  y: number
  /**
   * Position in the order of its page, 0 to 1. Prints arrive row by row, and from left to right.
   */
  lateness: number
  /** Phase of the sway, in radians. */
  swayPhase: number
}

/** Paints images as prints that hang in front of the scene, page after page. */
export function paintReferences(stage: Stage, images: readonly PlanImage[], placement: PrintPlacement): Painter {
  const { compositor, geometry, isStill, seconds } = stage
  const { width, unit } = geometry
  const pages = drawPages(stage, images, placement)
  const videoAddress = allocateVideoMemory(stage, pages.flat())
  const slideShare = Math.min(slideSecondsMax / seconds, slidePageShareMax / pages.length)
  const firstStart = placement.isEntering ? aloneShare : 0
  const lastEnd = placement.isLeaving ? 1 - aloneShare - slideShare : 1
  const pageShare = (lastEnd - firstStart) / pages.length

  const slideProgress = (progress: number, start: number, lateness: number): number =>
    smoothstep(0, 1, (progress - start - lateness * lateShare * slideShare) / (slideShare * (1 - lateShare)))

  return ({ progress, seconds: nowSeconds }) => {
    for (const [index, page] of pages.entries()) {
      const start = firstStart + index * pageShare
      const isShownAtStart = isStill || (index === 0 && !placement.isEntering)
      const isShownAtEnd = isStill || (index === pages.length - 1 && !placement.isLeaving)
      for (const { layer, showFrameAt, x, y, lateness, swayPhase } of page) {
        const enteredShare = isShownAtStart ? 1 : slideProgress(progress, start, lateness)
        const goneShare = isShownAtEnd ? 0 : slideProgress(progress, start + pageShare, 0)
        if (enteredShare <= 0 || goneShare >= 1) continue
        showFrameAt?.(nowSeconds, videoAddress)
        const drift = isStill ? 0 : ((progress - start) / pageShare - 0.5) * unit * -0.03
        const sway = isStill ? 0 : Math.sin(nowSeconds * 0.9 + swayPhase) * unit * 0.005
        const [left, top] = [x + drift + width * 1.1 * (1 - enteredShare - goneShare), y + sway]
        compositor.drawLayer(layer, { x: left - layer.width / 2, y: top - layer.height / 2, scale: 1 })
      }
    }
  }
}

/**
 * Allocates memory for the largest print that is a video, and returns its address. All videos are
 * drawn in it, one after the other.
 */
function allocateVideoMemory({ compositor }: Stage, prints: readonly Print[]): number {
  const sizes = prints.flatMap(({ layer, showFrameAt }) => (showFrameAt === undefined ? [] : [layer.width * layer.height]))
  return sizes.length === 0 ? 0 : compositor.arena.allocate(4 * Math.max(...sizes))
}

function drawPages(stage: Stage, images: readonly PlanImage[], placement: PrintPlacement): Print[][] {
  const { geometry, isStill, seconds, sun } = stage
  const { width, height } = geometry
  const random = stage.random('prints')
  const { top, height: heightShare } = placement.area
  const area = { top: height * top, width: width * (1 - 2 * sideMargin), height: height * heightShare }
  const ratio = area.width / area.height
  const sizes = isStill ? [images.length] : paginate(images.length, seconds, ratio)
  let next = 0
  return sizes.map((size) => {
    const boxes = arrangePrints(size, ratio)
    return boxes.flatMap((printBox, index): Print[] => {
      const picture = images[next++]
      if (!picture) return []
      const tilt = (random() - 0.5) * 0.05
      const print = drawPrint(stage, picture, { width: area.width * printBox.width, height: area.height * printBox.height }, tilt)
      // A single print hangs on the side away from the sun and leaves the middle free for the
      // scene.
      const sideOffset = size > 1 ? 0 : Math.max(0, area.width - print.layer.width) * (sun.x < width / 2 ? 0.22 : -0.22)
      return [
        {
          ...print,
          x: width * sideMargin + area.width * printBox.x + sideOffset,
          y: area.top + area.height * printBox.y,
          lateness: boxes.length > 1 ? index / (boxes.length - 1) : 0,
          swayPhase: random() * 6.28,
        },
      ]
    })
  })
}
