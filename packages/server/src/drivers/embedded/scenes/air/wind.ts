import type { Stage } from '../stage.ts'

/** How far the air has carried something since the film began, in units; the same for all that floats in a scene. */
export interface Wind {
  /** 1 to the right, -1 to the left. */
  heading: 1 | -1
  /** Units a second, on average. */
  speed: number
  /** Units by which it has been carried after so many seconds, gusts included. */
  carried(seconds: number): number
}

/** The prompt's words choose where the wind comes from, the weather how strong it is. */
export function windOf(stage: Stage): Wind {
  const { weather, sights, mood } = stage.brief
  const wording = stage.wording('wind')
  const heading = wording() < 0.5 ? -1 : 1
  const strength = sights.has('lightning') ? 3 : weather === 'rain' ? 1.6 : weather === 'fog' || mood === 'calm' ? 0.5 : 1
  const speed = (0.018 + 0.014 * wording()) * strength
  const [pace, shift] = [0.5 + 0.4 * wording(), wording() * 6.28]
  return {
    heading,
    speed,
    carried: (seconds) => heading * speed * (seconds + (0.7 / pace) * Math.sin(seconds * pace + shift)),
  }
}
