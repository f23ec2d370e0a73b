import type { Compositor } from '../picture/compositor.ts'
import type { PlanPicture, RenderPlan } from '../render-plan.ts'
import { paintSnowfall } from './floating.ts'
import { paintFirstAndLastFrame } from './modes/first-and-last-frame.ts'
import { paintFirstFrame } from './modes/first-frame.ts'
import { paintReferences } from './modes/references.ts'
import { paintAbstract } from './places/abstract.ts'
import { paintCity } from './places/city.ts'
import { paintDesert } from './places/desert.ts'
import { paintForest } from './places/forest.ts'
import { paintLake } from './places/lake.ts'
import { paintMeadow } from './places/meadow.ts'
import { paintSea } from './places/sea.ts'
import { paintSnowfield } from './places/snowfield.ts'
import { paintSpace } from './places/space.ts'
import { paintRain } from './rain.ts'
import { readPrompt } from './read-prompt.ts'
import type { Place } from './scene-brief.ts'
import { Stage, type Painter } from './stage.ts'
import { placeSubjects } from './subjects/place-all.ts'
import { createWatermark } from './watermark.ts'

export interface Scene {
  paint(index: number): void
}

export function createScene(plan: RenderPlan, compositor: Compositor): Scene {
  const brief = readPrompt(plan.prompt, plan.negativePrompt)
  const stage = new Stage(plan, brief, compositor, horizons[brief.place])
  const painters = choosePainters(plan, stage).filter((painter) => painter !== undefined)
  const watermark = plan.watermark ? createWatermark(compositor) : undefined
  return {
    paint(index) {
      const moment = stage.moment(index)
      for (const painter of painters) painter(moment)
      watermark?.()
    },
  }
}

function choosePainters(plan: RenderPlan, stage: Stage): (Painter | undefined)[] {
  const [first, last] = plan.pictures
  switch (plan.mode) {
    case 'text':
      return paintPrompt(stage, plan.prompt)
    case 'first-frame':
      return paintFirstFrame(stage, exactPicture(plan, first), plan.prompt)
    case 'first-and-last-frame':
      return [paintFirstAndLastFrame(stage, exactPicture(plan, first), exactPicture(plan, last))]
    case 'references':
      return [...paintPrompt(stage, plan.prompt), paintReferences(stage, plan.pictures, plan.frames <= 1)]
  }
}

function exactPicture({ width, height, mode }: RenderPlan, picture: PlanPicture | undefined): PlanPicture {
  if (!picture || picture.width !== width || picture.height !== height) {
    throw new RangeError(`${mode} needs pictures of exactly ${width}x${height}`)
  }
  return picture
}

function paintPrompt(stage: Stage, prompt: string): (Painter | undefined)[] {
  const { brief, palette } = stage
  const isBright = brief.time === 'day' || brief.time === 'dawn'
  stage.compositor.setFinish({ vignette: isBright ? 0.22 : 0.34, dither: 1 })
  return [
    ...paintPlace(stage, prompt),
    brief.weather === 'snow' ? paintSnowfall(stage, [235, 240, 250]) : undefined,
    brief.weather === 'rain' ? paintRain(stage, palette.mist) : undefined,
  ]
}

/** Share of the height above the horizon. */
const horizons: Record<Place, number> = { lake: 0.615, sea: 0.56, forest: 0.62, desert: 0.5, city: 0.64, space: 0.8, snowfield: 0.5, meadow: 0.5, abstract: 0.6 }

function paintPlace(stage: Stage, prompt: string): (Painter | undefined)[] {
  const { geometry, horizon } = stage
  const { height, unit } = geometry
  const below = height - horizon
  const ground = (share: number): number => horizon + below * share
  const far = { ground: ground(0.3), depth: 0.12, size: 1 }
  const afloat = { ground: ground(0.44), depth: 0.16, size: 1.25 }
  const shore = { standing: { ground: horizon + 2, depth: 0.1, size: 1 }, afloat }
  switch (stage.brief.place) {
    case 'snowfield':
      return paintSnowfield(stage, placeSubjects(stage, { ground: ground(0.7), depth: 0.22, standing: { ...far, ground: ground(0.5) }, shadow: [62, 84, 132], size: 1.25 }))
    case 'meadow':
      return paintMeadow(stage, placeSubjects(stage, { ground: ground(0.74), depth: 0.2, standing: { ...far, ground: ground(0.34) }, size: 1.1 }))
    case 'desert':
      return paintDesert(stage, placeSubjects(stage, { ground: ground(0.7), depth: 0.2, standing: { ...far, ground: ground(0.46) } }))
    case 'forest':
      return paintForest(stage, placeSubjects(stage, { ground: ground(0.66), depth: 0.2, standing: { ...far, ground: ground(0.36), depth: 0.17, size: 1.2 }, size: 1.15 }))
    case 'sea':
      return paintSea(stage, placeSubjects(stage, { ground: ground(0.97), depth: 0.28, ...shore }))
    case 'city':
      return paintCity(stage, placeSubjects(stage, { ground: height - unit * 0.02, depth: 0.3, ...shore, size: 1.1 }))
    case 'space':
      return paintSpace(stage, placeSubjects(stage, { ground: height - unit * 0.02, depth: 0.26, standing: { ...far, ground: height - unit * 0.05 } }))
    case 'lake':
      return paintLake(stage, placeSubjects(stage, { ground: height - unit * 0.02, depth: 0.3, ...shore, size: 1.1 }))
    case 'abstract':
      return paintAbstract(stage, prompt)
  }
}
