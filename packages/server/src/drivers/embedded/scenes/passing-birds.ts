import { paintFlock } from './flock.ts'
import type { Painter, Stage } from './stage.ts'

/** Birds that nobody asked for: in some scenes, by the prompt's words. */
export function paintPassingBirds(stage: Stage, look: { count: number; size?: number }): Painter | undefined {
  return stage.pick('passing birds', [true, false, false]) ? paintFlock(stage, look) : undefined
}
