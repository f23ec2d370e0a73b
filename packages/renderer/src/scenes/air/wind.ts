import type { Stage } from '../stage.ts'

/** The wind of a scene, which moves everything that floats. */
export interface Wind {
  /** Direction of the wind: 1 is to the right, -1 to the left. */
  heading: 1 | -1
  /** Average speed in units (`FrameGeometry`) per second. */
  speed: number
  /**
   * Returns the distance that the air has moved after this many seconds, in units. It is negative
   * to the left.
   */
  distanceAfter(seconds: number): number
}

/**
 * Returns the wind of a scene. The prompt's words determine its direction. The weather and the mood
 * determine its strength.
 */
export function windOf(stage: Stage): Wind {
  const { weather, sights, mood } = stage.brief
  const wordRandom = stage.wordRandom('wind')
  const heading = wordRandom() < 0.5 ? -1 : 1
  const strength = sights.has('lightning') ? 3 : weather === 'rain' ? 1.6 : weather === 'fog' || mood === 'calm' ? 0.5 : 1
  const speed = (0.018 + 0.014 * wordRandom()) * strength
  const [gustFrequency, gustPhase] = [0.5 + 0.4 * wordRandom(), wordRandom() * 6.28]
  return {
    heading,
    speed,
    distanceAfter: (seconds) =>
      heading * speed * (seconds + (0.7 / gustFrequency) * Math.sin(seconds * gustFrequency + gustPhase)),
  }
}
