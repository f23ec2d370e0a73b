import { distance } from 'fastest-levenshtein'

/** The known name that was probably meant; undefined when none is near. */
export function nearestName(written: string, known: readonly string[], distanceMax: number): string | undefined {
  let nearest: string | undefined
  let nearestDistance = distanceMax + 1
  for (const name of known) {
    const current = distance(written, name)
    if (current < nearestDistance) {
      nearest = name
      nearestDistance = current
    }
  }
  return nearest
}
