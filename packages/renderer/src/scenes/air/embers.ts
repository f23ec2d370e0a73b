import { lightYuv, mixRgb, type Rgb } from '../../picture/color.ts'
import type { Painter, Stage } from '../stage.ts'
import { windOf } from './wind.ts'
import { wrap } from './wrap.ts'

const count = 90
const hotColor: Rgb = [255, 226, 150]
const coolColor: Rgb = [214, 58, 20]

/** A fire from which sparks rise, in pixels. */
export interface Fire {
  x: number
  y: number
  /** Width over which the sparks start. */
  width: number
  /** Height that the sparks reach. */
  height: number
}

/**
 * Paints sparks that rise with the heat, swirl, and turn from yellow to red as they fade. Without a
 * fire, they rise from below the frame over its width.
 */
export function paintEmbers(stage: Stage, fire?: Fire): Painter {
  const { compositor, geometry, horizon } = stage
  const { width, height, unit } = geometry
  const random = stage.random('embers')
  const wind = windOf(stage)
  const bottom = fire?.y ?? height * 1.03
  const rise = fire?.height ?? bottom - horizon * 0.25
  const sparks = Array.from({ length: count }, () => {
    const nearness = random() ** 2
    return {
      x: random(),
      age: random(),
      nearness,
      phase: random() * 6.28,
      pace: 0.6 + 0.8 * random(),
      swirl: 0.01 + 0.03 * random(),
    }
  })
  return ({ seconds }) => {
    for (const { x, age, nearness, phase, pace, swirl } of sparks) {
      const lifeShare = wrap(age + seconds * pace * (0.1 + 0.14 * nearness))
      const angle = seconds * (1.4 + pace) + phase
      const windShift = wind.distanceAfter(lifeShare * 5) * unit
      const startX = fire ? fire.x + (x - 0.5) * fire.width * (0.5 + lifeShare) + windShift : wrap(x + windShift / width) * width
      const drawX = startX + (Math.sin(angle) + 0.6 * Math.sin(angle * 2.7)) * swirl * unit * (0.4 + lifeShare)
      const drawY = bottom - rise * lifeShare ** 0.85 * (0.7 + 0.3 * nearness)
      const flicker = 0.72 + 0.28 * Math.sin(angle * 7.3)
      const strength = Math.min(1, lifeShare * 14) * (1 - lifeShare) ** 0.8 * flicker
      if (strength < 0.03) continue
      const [y, u, v] = lightYuv(mixRgb(hotColor, coolColor, Math.min(1, lifeShare * 1.5)))
      const radius = Math.max(1.2, stage.toPixels(1.8 + 4.6 * nearness))
      // The halo carries the color, because the spot itself is too small to show a color.
      const halo = Math.max(5, radius * 3.2)
      compositor.addSpot(drawX, drawY, halo, [y * strength * 0.16, u * strength * 0.8, v * strength * 0.8])
      compositor.addSpot(drawX, drawY, radius, [y * strength * 0.62, 0, 0], nearness > 0.7 ? 'glow' : 'disc')
    }
  }
}
