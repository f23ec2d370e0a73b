import type { Random } from '../picture/random.ts'
import type { SceneBrief } from './prompt/scene-brief.ts'

export type CloudKind = 'none' | 'streaks' | 'heaps' | 'towers' | 'rolls' | 'ripples' | 'veil' | 'storm'

/** Layout of a scene, decided before anything is drawn. */
export interface Composition {
  /** Share of the frame's height that lies above the horizon. */
  horizon: number
  /**
   * Position of the sun or moon. `x` is a share of the width. Its height above the horizon is the
   * palette's `sunHeight` times `lift`.
   */
  sun: { x: number; lift: number }
  clouds: CloudKind
  /** Share of the sky that clouds cover, 0 to 1. */
  cover: number
}

/** Clouds of fair weather, from which the prompt's words choose. */
const fairClouds: Record<SceneBrief['time'], readonly CloudKind[]> = {
  dawn: ['streaks', 'ripples', 'rolls', 'heaps', 'streaks'],
  day: ['heaps', 'heaps', 'towers', 'streaks', 'ripples', 'heaps', 'rolls'],
  dusk: ['rolls', 'streaks', 'ripples', 'towers', 'heaps', 'rolls'],
  night: ['streaks', 'none', 'rolls', 'streaks', 'heaps'],
}

/**
 * Chooses the layout by `wordRandom`, which depends only on the prompt's words. `seedRandom` varies
 * the layout slightly.
 */
export function compose(
  brief: SceneBrief,
  [highest, lowest]: readonly [highest: number, lowest: number],
  { wordRandom, seedRandom }: { wordRandom: Random; seedRandom: Random },
): Composition {
  const jitter = (size: number): number => (seedRandom() - 0.5) * size
  const horizon = highest + (lowest - highest) * wordRandom() + jitter(0.02)
  const side = wordRandom() < 0.5 ? -1 : 1
  const isCentral = wordRandom() < 0.2
  const sideOffset = isCentral ? 0.03 * wordRandom() : 0.12 + 0.25 * wordRandom()
  const lift = 0.7 + 0.7 * wordRandom() + jitter(0.15)
  const kinds = fairClouds[brief.time]
  const kind = kinds[Math.floor(wordRandom() * kinds.length)] ?? 'streaks'
  const cover = 0.25 + 0.6 * wordRandom()
  return {
    horizon,
    sun: { x: 0.5 + side * sideOffset + jitter(0.07), lift },
    clouds: chooseClouds(brief, kind),
    cover: brief.mood === 'joyful' || brief.mood === 'calm' ? cover * 0.7 : brief.mood === 'dramatic' ? 0.5 + cover * 0.5 : cover,
  }
}

function chooseClouds({ sights, weather, mood, omittedParts }: SceneBrief, kind: CloudKind): CloudKind {
  if (omittedParts.has('clouds')) return 'none'
  if (sights.has('lightning')) return 'storm'
  if (weather === 'rain' || weather === 'fog' || weather === 'snow') return 'veil'
  if (mood === 'gloomy' || mood === 'eerie') return 'veil'
  if (mood === 'dramatic' && kind !== 'towers') return 'rolls'
  if (sights.has('aurora')) return 'none'
  return kind
}
