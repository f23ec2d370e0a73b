import type { Stage } from '../stage.ts'

/** The wind of a scene. It moves everything that floats in the scene. */
export interface Wind {
  /** Direction of the wind: 1 is to the right, -1 to the left. */
  heading: 1 | -1
  /** Average speed in units per second. */
  speed: number
  /**
   * Returns the distance in units that the air has moved after this many seconds, gusts included.
   */
  distanceAfter(seconds: number): number
}

/**
 * Returns the wind of a scene. The prompt's words choose its direction, the weather its strength.
 */
export function windOf(stage: Stage): Wind {
  const { weather, sights, mood } = stage.brief
  const wordRandom = stage.wordRandom('wind')
  const heading = wordRandom() < 0.5 ? -1 : 1
  const strength = sights.has('lightning') ? 3 : weather === 'rain' ? 1.6 : weather === 'fog' || mood === 'calm' ? 0.5 : 1
  const speed = (0.018 + 0.014 * wordRandom()) * strength
  const [pace, shift] = [0.5 + 0.4 * wordRandom(), wordRandom() * 6.28]
  return {
    heading,
    speed,
    distanceAfter: (seconds) => heading * speed * (seconds + (0.7 / pace) * Math.sin(seconds * pace + shift)),
  }
}
