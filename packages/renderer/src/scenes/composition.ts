import type { Random } from '../picture/random.ts'
import type { SceneBrief } from './prompt/scene-brief.ts'

export type CloudKind = 'none' | 'streaks' | 'heaps' | 'towers' | 'rolls' | 'ripples' | 'veil' | 'storm'

/** Layout of a scene, decided before anything is drawn. */
export interface Composition {
  /** Share of the frame's height that lies above the horizon. */
  horizon: number
  /**
   * Position of the sun or moon: share of the width, and a factor for the palette's height above
   * the horizon.
   */
  sun: { x: number; lift: number }
  clouds: CloudKind
  /** Share of the sky that clouds cover, 0 to 1. */
  cover: number
}

const fairClouds: Record<SceneBrief['time'], readonly CloudKind[]> = {
  dawn: ['streaks', 'ripples', 'rolls', 'heaps', 'streaks'],
  day: ['heaps', 'heaps', 'towers', 'streaks', 'ripples', 'heaps', 'rolls'],
  dusk: ['rolls', 'streaks', 'ripples', 'towers', 'heaps', 'rolls'],
  night: ['streaks', 'none', 'rolls', 'streaks', 'heaps'],
}

/** Chooses the layout. The prompt's words determine it, and the seed varies it slightly. */
export function compose(
  brief: SceneBrief,
  [highest, lowest]: readonly [highest: number, lowest: number],
  { words, seeded }: { words: Random; seeded: Random },
): Composition {
  const jitter = (size: number): number => (seeded() - 0.5) * size
  const horizon = highest + (lowest - highest) * words() + jitter(0.02)
  const side = words() < 0.5 ? -1 : 1
  const isCentral = words() < 0.2
  const sideOffset = isCentral ? 0.03 * words() : 0.12 + 0.25 * words()
  const lift = 0.7 + 0.7 * words() + jitter(0.15)
  const kinds = fairClouds[brief.time]
  const kind = kinds[Math.floor(words() * kinds.length)] ?? 'streaks'
  const cover = 0.25 + 0.6 * words()
  return {
    horizon,
    sun: { x: 0.5 + side * sideOffset + jitter(0.07), lift },
    clouds: cloudsOf(brief, kind),
    cover: brief.mood === 'joyful' || brief.mood === 'calm' ? cover * 0.7 : brief.mood === 'dramatic' ? 0.5 + cover * 0.5 : cover,
  }
}

function cloudsOf({ sights, weather, mood, without }: SceneBrief, kind: CloudKind): CloudKind {
  if (without.has('clouds')) return 'none'
  if (sights.has('lightning')) return 'storm'
  if (weather === 'rain' || weather === 'fog' || weather === 'snow') return 'veil'
  if (mood === 'gloomy' || mood === 'eerie') return 'veil'
  if (mood === 'dramatic' && kind !== 'towers') return 'rolls'
  if (sights.has('aurora')) return 'none'
  return kind
}
