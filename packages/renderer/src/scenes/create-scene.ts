import type { Compositor } from '../picture/compositor.ts'
import { leadingImageCounts, type PlanImage, type RenderPlan } from '../render-plan.ts'
import { paintAir } from './air/paint-air.ts'
import { paintBough } from './flowers/bough.ts'
import { paintFog } from './air/mist.ts'
import { paintEdit } from './given/paint-edit.ts'
import { paintGivenFrame } from './given/paint-given-frame.ts'
import { paintMotion } from './given/paint-motion.ts'
import type { Place } from './prompt/place.ts'
import { paintFirstAndLastFrame } from './modes/first-and-last-frame.ts'
import { paintFirstFrame } from './modes/first-frame.ts'
import { placeAroundSubjects, placeBetweenFrames, paintReferences } from './modes/references.ts'
import { createOverlay } from './overlay.ts'
import { horizons } from './paint-place.ts'
import { readPrompt } from './prompt/read-prompt.ts'
import { Stage, type Painter } from './stage.ts'
import { paintPlaceInStyle, paintStyle } from './styles/style.ts'
import { paintWriting } from './writing/paint-writing.ts'

export interface Scene {
  paint(index: number): void
}

/**
 * Draws the layers of a plan's scene. `givenFrame` always holds the current frame of its given
 * video.
 */
export function createScene(plan: RenderPlan, compositor: Compositor, givenFrame?: Uint8Array): Scene {
  const brief = readPrompt(plan.prompt, plan.negativePrompt)
  const stage = new Stage(plan, brief, compositor, horizons[brief.place])
  const painters = [...paintMode(plan, stage, givenFrame), paintPrints(plan, stage)].filter((painter) => painter !== undefined)
  const paintOverlay = plan.overlay === null ? undefined : createOverlay(compositor, plan.overlay)
  return {
    paint(index) {
      const moment = stage.moment(index)
      for (const painter of painters) painter(moment)
      paintOverlay?.()
    },
  }
}

function paintMode(plan: RenderPlan, stage: Stage, givenFrame: Uint8Array | undefined): (Painter | undefined)[] {
  switch (plan.mode) {
    case 'text':
      return paintPrompt(stage, plan.prompt)
    case 'first-frame':
      return paintFirstFrame(stage, frameImage(plan, 0), plan.prompt)
    case 'first-and-last-frame':
      return [paintFirstAndLastFrame(stage, frameImage(plan, 0), frameImage(plan, 1))]
    default:
      return paintVideo(plan, stage, givenFrame)
  }
}

function paintVideo(plan: RenderPlan, stage: Stage, frame: Uint8Array | undefined): (Painter | undefined)[] {
  const { mode, given } = plan
  if (given === undefined || frame === undefined) throw new RangeError(`${mode} needs a given video`)
  if (mode === 'edit') return paintEdit(stage, frame)
  stage.compositor.setFinish({ vignette: 0, dither: 0 })
  return [mode === 'motion' ? paintMotion(stage, frameImage(plan, 0), given, frame) : paintGivenFrame(stage, frame)]
}

function paintPrints(plan: RenderPlan, stage: Stage): Painter | undefined {
  const images = plan.images.slice(leadingImageCounts[plan.mode])
  if (images.length === 0) return undefined
  const placement = plan.mode === 'text' ? placeAroundSubjects(stage) : placeBetweenFrames(plan.mode === 'first-and-last-frame')
  return paintReferences(stage, images, placement)
}

/**
 * Returns the plan's image at this index. Throws a `RangeError` if it does not have the plan's size.
 */
function frameImage({ width, height, mode, images }: RenderPlan, index: number): PlanImage {
  const image = images[index]
  if (!image || image.width !== width || image.height !== height) {
    throw new RangeError(`${mode} needs images of exactly ${width}x${height}`)
  }
  return image
}

/** Places without the bough of blossom in front, because no tree grows there. */
const placesWithoutBough: ReadonlySet<Place> = new Set([
  'underwater',
  'space',
  'abstract',
  'desert',
  'room',
  'table',
  'podium',
  'stadium',
  'emblem',
])
const placesWithoutFog: ReadonlySet<Place> = new Set(['space', 'abstract', 'room', 'table', 'podium', 'emblem'])

function paintPrompt(stage: Stage, prompt: string): (Painter | undefined)[] {
  const { brief } = stage
  const isBright = brief.time === 'day' || brief.time === 'dawn'
  stage.compositor.setFinish({ vignette: isBright ? 0.22 : 0.34, dither: 1 })
  const painters = [
    ...paintPlaceInStyle(stage, prompt),
    brief.settings.has('blossom') && !placesWithoutBough.has(brief.place) ? paintBough(stage) : undefined,
    ...paintAir(stage),
    ...(brief.weather === 'fog' && !placesWithoutFog.has(brief.place) ? paintFog(stage) : []),
  ].filter((painter) => painter !== undefined)
  return [...painters, paintStyle(stage, painters), paintWriting(stage)]
}
