import { lightYuv, mixRgb, type Rgb } from '../../picture/colour.ts'
import type { Painter, Stage } from '../stage.ts'
import { windOf } from './wind.ts'
import { wrapped } from './wrapped.ts'

const count = 90
const hot: Rgb = [255, 226, 150]
const dying: Rgb = [214, 58, 20]

/** The fire from which sparks rise. Without one, they rise from the ground all along the frame. */
export interface Fire {
  x: number
  y: number
  /** Width over which the sparks start (`wide`) and height that they reach, in pixels. */
  wide: number
  high: number
}

/** Paints sparks that rise with the heat, swirl, and turn from yellow to red as they fade. */
export function paintEmbers(stage: Stage, fire?: Fire): Painter {
  const { compositor, geometry, horizon } = stage
  const { width, height, unit } = geometry
  const random = stage.random('embers')
  const wind = windOf(stage)
  const bottom = fire?.y ?? height * 1.03
  const rise = fire?.high ?? bottom - horizon * 0.25
  const sparks = Array.from({ length: count }, () => {
    const near = random() ** 2
    return { x: random(), age: random(), near, phase: random() * 6.28, pace: 0.6 + 0.8 * random(), swirl: 0.01 + 0.03 * random() }
  })
  return ({ seconds }) => {
    for (const { x, age, near, phase, pace, swirl } of sparks) {
      const life = wrapped(age + seconds * pace * (0.1 + 0.14 * near))
      const turn = seconds * (1.4 + pace) + phase
      const blown = wind.carried(life * 5) * unit
      const from = fire ? fire.x + (x - 0.5) * fire.wide * (0.5 + life) + blown : wrapped(x + blown / width) * width
      const across = from + (Math.sin(turn) + 0.6 * Math.sin(turn * 2.7)) * swirl * unit * (0.4 + life)
      const down = bottom - rise * life ** 0.85 * (0.7 + 0.3 * near)
      const flicker = 0.72 + 0.28 * Math.sin(turn * 7.3)
      const strength = Math.min(1, life * 14) * (1 - life) ** 0.8 * flicker
      if (strength < 0.03) continue
      const [y, u, v] = lightYuv(mixRgb(hot, dying, Math.min(1, life * 1.5)))
      const radius = Math.max(1.2, stage.pixels(1.8 + 4.6 * near))
      // The halo carries the color, because the spot itself is too small to show it.
      const halo = Math.max(5, radius * 3.2)
      compositor.addSpot(across, down, halo, [y * strength * 0.16, u * strength * 0.8, v * strength * 0.8])
      compositor.addSpot(across, down, radius, [y * strength * 0.62, 0, 0], near > 0.7 ? 'glow' : 'disc')
    }
  }
}
