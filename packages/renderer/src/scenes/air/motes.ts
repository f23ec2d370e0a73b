import { lightYuv, type Rgb } from '../../picture/color.ts'
import { windOf } from './wind.ts'
import { wrap } from './wrap.ts'
import type { Moment, Painter, Stage } from '../stage.ts'

const flakeCount = 330

/**
 * Paints specks of light that drift up through the air below `top`, such as dust in a low sun.
 */
export function paintMotes(
  stage: Stage,
  { count, light, top, size = 1 }: { count: number; light: Rgb; top: number; size?: number },
): Painter {
  const { compositor, geometry } = stage
  const random = stage.random('motes')
  const motes = Array.from({ length: count }, () => ({ x: random(), y: random(), nearness: random(), phase: random() * 6.28 }))
  const [y, u, v] = lightYuv(light)
  return ({ seconds }) => {
    for (const mote of motes) {
      const pace = 0.3 + mote.nearness
      const x = wrap(mote.x + seconds * 0.006 * pace + 0.01 * Math.sin(seconds * 0.7 + mote.phase)) * geometry.width
      const shareY = wrap(mote.y - 0.012 * seconds * pace + 0.008 * Math.sin(seconds * 0.9 + mote.phase * 2))
      const glow =
        (0.5 + 0.5 * Math.sin(seconds * 1.3 + mote.phase * 3)) *
        (1 - 0.55 * mote.nearness) *
        Math.min(1, shareY * 6, (1 - shareY) * 6)
      if (glow < 0.02) continue
      const radius = Math.max(1.2, stage.toPixels((2 + 9 * mote.nearness * mote.nearness) * size))
      const isNear = mote.nearness > 0.6
      compositor.addSpot(
        x,
        top + shareY * (geometry.height - top),
        radius,
        [y * glow, u * glow, v * glow],
        isNear ? 'disc' : 'glow',
      )
    }
  }
}

/**
 * Paints falling snow: distant specks, flakes, and a few large soft flakes close to the lens.
 */
export function paintSnowfall(stage: Stage, light: Rgb, visibleShare: (moment: Moment) => number = () => 1): Painter {
  const { compositor, geometry } = stage
  const wind = windOf(stage)
  const random = stage.random('snowfall')
  const [y, u, v] = lightYuv(light)
  const flakes = Array.from({ length: flakeCount }, () => {
    const nearness = random() ** 2.6
    return { x: random(), y: random(), nearness, phase: random() * 6.28, sway: 0.004 + random() * 0.012 }
  })
  return (moment) => {
    const { seconds } = moment
    const visibility = visibleShare(moment)
    if (visibility <= 0) return
    const windShift = (wind.distanceAfter(seconds) * geometry.unit) / geometry.width
    for (const flake of flakes) {
      const fall = wrap(flake.y + seconds * (0.035 + 0.2 * flake.nearness))
      const x = wrap(flake.x + windShift * (0.3 + 1.1 * flake.nearness) + flake.sway * Math.sin(seconds * 1.2 + flake.phase))
      const radius = Math.max(
        1.15,
        stage.toPixels(1.7 + 3.4 * flake.nearness + (flake.nearness > 0.7 ? 12 * (flake.nearness - 0.6) : 0)),
      )
      const strength = visibility * (flake.nearness > 0.7 ? 0.26 : 0.32 + 0.4 * flake.nearness)
      compositor.addSpot((x * 1.06 - 0.03) * geometry.width, (fall * 1.08 - 0.04) * geometry.height, radius, [
        y * strength,
        u * strength,
        v * strength,
      ])
    }
  }
}
