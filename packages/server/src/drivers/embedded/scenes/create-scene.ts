import type { Compositor } from '../picture/compositor.ts'
import type { RenderPlan } from '../render-plan.ts'
import { paintSnowfall } from './floating.ts'
import { paintLake } from './places/lake.ts'
import { paintSnowfield } from './places/snowfield.ts'
import { paintRain } from './rain.ts'
import { readPrompt } from './read-prompt.ts'
import { Stage, type Painter } from './stage.ts'
import { placeSubjects } from './subjects/place-all.ts'

export interface Scene {
  paint(index: number): void
}

export function createScene(plan: RenderPlan, compositor: Compositor): Scene {
  const brief = readPrompt(plan.prompt, plan.negativePrompt)
  const stage = new Stage(plan, brief, compositor, brief.place === 'snowfield' ? 0.5 : 0.615)
  compositor.setFinish({ vignette: 0.34, dither: 1 })
  const painters = paintPlace(stage)
  if (brief.weather === 'snow') painters.push(paintSnowfall(stage, [235, 240, 250]))
  if (brief.weather === 'rain') painters.push(paintRain(stage, stage.palette.mist))
  const used = painters.filter((painter) => painter !== undefined)
  return {
    paint(index) {
      const moment = stage.moment(index)
      for (const painter of used) painter(moment)
    },
  }
}

function paintPlace(stage: Stage): (Painter | undefined)[] {
  const { geometry, horizon } = stage
  const { height, unit } = geometry
  const below = height - horizon
  switch (stage.brief.place) {
    case 'snowfield':
      return paintSnowfield(stage, placeSubjects(stage, { ground: horizon + below * 0.7, depth: 0.22, shadow: [62, 84, 132], size: 1.25 }))
    default:
      return paintLake(stage, placeSubjects(stage, { ground: height - unit * 0.05, depth: 0.3 }))
  }
}
