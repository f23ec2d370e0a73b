import { lightYuv } from '../../picture/color.ts'
import type { Painter, Stage } from '../stage.ts'
import { windOf } from './wind.ts'
import { wrap } from './wrap.ts'

const count = 90
const glow = lightYuv([196, 214, 70])
const core = lightYuv([120, 120, 60])

/**
 * Paints fireflies that move over the ground and light up, each at its own pace. Near ones are wide
 * and soft.
 */
export function paintFireflies(stage: Stage): Painter {
  const { compositor, geometry, horizon } = stage
  const { width, height, unit } = geometry
  const random = stage.random('fireflies')
  const wind = windOf(stage)
  const top = horizon - unit * 0.16
  const flies = Array.from({ length: count }, () => {
    const nearness = random() ** 1.8
    return {
      x: random(),
      y: random() ** 0.8,
      nearness,
      phase: random() * 6.28,
      pace: 0.5 + random(),
      roam: 0.02 + 0.05 * random(),
    }
  })
  return ({ seconds }) => {
    const windShift = wind.distanceAfter(seconds) * unit * 0.25
    for (const { x, y, nearness, phase, pace, roam } of flies) {
      const shine = Math.max(0, Math.sin(seconds * pace * 1.7 + phase * 3) * 1.4 - 0.1)
      if (shine <= 0) continue
      const angle = seconds * pace * 0.6 + phase
      const drawX =
        wrap(x + (windShift * (0.4 + nearness)) / width) * width + (Math.sin(angle) + 0.5 * Math.sin(angle * 2.3)) * roam * unit
      const drawY = top + y * (height - top) * (0.5 + 0.5 * nearness) + Math.cos(angle * 1.3) * roam * unit * 0.7
      const strength = Math.min(1, shine) * (0.9 - 0.45 * nearness)
      const radius = stage.toPixels(12 + 30 * nearness)
      compositor.addSpot(drawX, drawY, radius, [glow[0] * strength * 0.5, glow[1] * strength * 0.75, glow[2] * strength * 0.75])
      const coreRadius = Math.max(1.3, stage.toPixels(3 + 3.6 * nearness))
      compositor.addSpot(drawX, drawY, coreRadius, [core[0] * strength * 1.2, 0, 0], nearness > 0.6 ? 'glow' : 'disc')
    }
  }
}
