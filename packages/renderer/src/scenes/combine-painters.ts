import type { Painter } from './stage.ts'

/** Combines several painters into one, or returns undefined if there are none. */
export function combinePainters(painters: readonly (Painter | undefined)[]): Painter | undefined {
  const present = painters.filter((painter) => painter !== undefined)
  if (present.length === 0) return undefined
  return (moment) => {
    for (const painter of present) painter(moment)
  }
}
