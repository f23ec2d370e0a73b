import type { Place } from '../../prompt/place.ts'
import type { Painter, Stage } from '../../stage.ts'
import { SheetStack } from '../cutout/sheet-stack.ts'
import { withSubjects } from '../cutout/layout.ts'
import { createGrain } from '../cutout/sheet.ts'
import { paintCloudSheets, paintSkySheets } from './sky-sheets.ts'
import { paperLayouts } from './layouts.ts'

const cloudless: ReadonlySet<Place> = new Set(['space', 'underwater', 'abstract', 'sky'])

/**
 * Paints a scene of layered colored paper: flat sheets in front of each other, each with a soft
 * shadow on the sheets behind it.
 */
export function paintPaperCut(stage: Stage): (Painter | undefined)[] | undefined {
  const { geometry, brief, compositor } = stage
  const arrange = paperLayouts[brief.place]
  if (!arrange) return undefined
  compositor.setFinish({ vignette: 0.16, dither: 1 })
  const stack = new SheetStack(stage, { shadow: { strength: 0.5, reach: 26 }, grain: createGrain(stage), edge: 0.42 })
  const isOpen = brief.place === 'abstract' || brief.place === 'sky'
  const sky = paintSkySheets(stage, stack.material, stack.colors, isOpen ? geometry.height : stack.ground(0.3))
  return [
    sky,
    ...(cloudless.has(brief.place) ? [] : paintCloudSheets(stage, stack.material, stack.colors)),
    ...withSubjects(stage, arrange(stack, stage.random('crests'))),
  ]
}
