import { paintFlock, type FlockLook } from './flock.ts'
import type { Painter, Stage } from '../stage.ts'
import { reachesIntoSky } from '../subjects/kinds.ts'
import type { Place } from '../prompt/place.ts'

type Flock = Pick<FlockLook, 'formation' | 'count' | 'size'>

/**
 * Flocks that may pass in each place: geese, gulls, swallows or a pair of kites. The prompt's words
 * choose an entry, so undefined entries make birds rarer.
 */
const flocksByPlace: Partial<Record<Place, readonly [Flock | undefined, ...(Flock | undefined)[]]>> = {
  lake: [
    undefined,
    undefined,
    { formation: 'wedge', count: 9 },
    { formation: 'line', count: 5, size: 17 },
    { formation: 'scattered', count: 3, size: 20 },
  ],
  mountains: [undefined, undefined, { formation: 'scattered', count: 2, size: 22 }, { formation: 'wedge', count: 11, size: 9 }],
  sea: [
    undefined,
    { formation: 'scattered', count: 5, size: 21 },
    { formation: 'scattered', count: 3, size: 26 },
    { formation: 'line', count: 6, size: 11 },
  ],
  meadow: [undefined, undefined, { formation: 'scattered', count: 7, size: 11 }, { formation: 'wedge', count: 7, size: 10 }],
  village: [undefined, { formation: 'scattered', count: 6, size: 11 }],
  desert: [undefined, undefined, undefined, { formation: 'scattered', count: 2, size: 19 }],
  city: [undefined, undefined, { formation: 'scattered', count: 9, size: 9 }],
  snowfield: [undefined, undefined, undefined, { formation: 'wedge', count: 9, size: 10 }],
}

/**
 * Paints birds that the prompt did not name. They appear only in fair weather, and never at night
 * or if a subject reaches into the sky. The prompt's words choose the flock.
 */
export function paintPassingBirds(stage: Stage): Painter | undefined {
  const { brief, sun, geometry } = stage
  const isFair = brief.weather === 'clear' && !brief.sights.has('lightning') && brief.time !== 'night'
  if (!isFair || brief.omittedParts.has('birds') || reachesIntoSky(brief.subjects)) return undefined
  const flock = stage.pick('passing birds', flocksByPlace[brief.place] ?? [undefined])
  if (!flock) return undefined
  const wordRandom = stage.wordRandom('where birds pass')
  // The birds fly on the side of the sky away from the sun, where they are visible. The prompt's
  // words choose the exact position.
  const flockX = sun.x > geometry.width / 2 ? 0.14 + 0.34 * wordRandom() : 0.52 + 0.34 * wordRandom()
  return paintFlock(stage, { ...flock, x: flockX, y: 0.22 + 0.42 * wordRandom() })
}
