import type { Compositor } from '../picture/compositor.ts'
import { leadingPictures, type PlanPicture, type RenderPlan } from '../render-plan.ts'
import { paintSnowfall } from './floating.ts'
import { paintFog } from './mist.ts'
import { paintFirstAndLastFrame } from './modes/first-and-last-frame.ts'
import { paintFirstFrame } from './modes/first-frame.ts'
import { besideSubjects, betweenFrames, paintReferences } from './modes/references.ts'
import { horizons } from './paint-place.ts'
import { paintRain } from './rain.ts'
import { readPrompt } from './read-prompt.ts'
import { falling } from './season.ts'
import { Stage, type Painter } from './stage.ts'
import { paintPlaceInStyle, paintStyle } from './style.ts'
import { createWatermark } from './watermark.ts'

export interface Scene {
  paint(index: number): void
}

export function createScene(plan: RenderPlan, compositor: Compositor): Scene {
  const brief = readPrompt(plan.prompt, plan.negativePrompt)
  const stage = new Stage(plan, brief, compositor, horizons[brief.place])
  const painters = [...modePainters[plan.mode](plan, stage), paintPrints(plan, stage)].filter((painter) => painter !== undefined)
  const watermark = plan.watermark ? createWatermark(compositor) : undefined
  return {
    paint(index) {
      const moment = stage.moment(index)
      for (const painter of painters) painter(moment)
      watermark?.()
    },
  }
}

const modePainters: Record<RenderPlan['mode'], (plan: RenderPlan, stage: Stage) => (Painter | undefined)[]> = {
  text: ({ prompt }, stage) => paintPrompt(stage, prompt),
  'first-frame': (plan, stage) => paintFirstFrame(stage, exactPicture(plan, 0), plan.prompt),
  'first-and-last-frame': (plan, stage) => [paintFirstAndLastFrame(stage, exactPicture(plan, 0), exactPicture(plan, 1))],
}

function paintPrints(plan: RenderPlan, stage: Stage): Painter | undefined {
  const pictures = plan.pictures.slice(leadingPictures[plan.mode])
  if (pictures.length === 0) return undefined
  const showing = plan.mode === 'text' ? besideSubjects(stage) : betweenFrames(plan.mode === 'first-and-last-frame')
  return paintReferences(stage, pictures, showing)
}

function exactPicture({ width, height, mode, pictures }: RenderPlan, index: number): PlanPicture {
  const picture = pictures[index]
  if (!picture || picture.width !== width || picture.height !== height) {
    throw new RangeError(`${mode} needs pictures of exactly ${width}x${height}`)
  }
  return picture
}

function paintPrompt(stage: Stage, prompt: string): (Painter | undefined)[] {
  const { brief, palette } = stage
  const isBright = brief.time === 'day' || brief.time === 'dawn'
  const isLeafy = brief.place === 'forest' || brief.place === 'meadow'
  const leaf = brief.season ? falling[brief.season] : undefined
  // Indoors the weather stays outside the window.
  const weather = brief.place === 'room' ? 'clear' : brief.weather
  stage.compositor.setFinish({ vignette: isBright ? 0.22 : 0.34, dither: 1 })
  const painters = [
    ...paintPlaceInStyle(stage, prompt),
    weather === 'snow' ? paintSnowfall(stage, [235, 240, 250]) : undefined,
    isLeafy && leaf && weather !== 'snow' ? paintSnowfall(stage, leaf, undefined, 90) : undefined,
    weather === 'rain' ? paintRain(stage, palette.mist) : undefined,
    ...(weather === 'fog' && brief.place !== 'abstract' && brief.place !== 'space' ? paintFog(stage) : []),
  ].filter((painter) => painter !== undefined)
  return [...painters, paintStyle(stage, painters)]
}
