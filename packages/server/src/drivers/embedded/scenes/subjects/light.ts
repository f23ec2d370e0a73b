import { luminance, mixRgb, scaleRgb, type Rgb } from '../../picture/colour.ts'
import type { Stage } from '../stage.ts'

/** How the scene lights what stands in it. Colours are what a surface turns towards, by the share beside them. */
export interface SubjectLight {
  /** Towards the sun or moon, a unit vector in the picture; y grows down. */
  x: number
  y: number
  /** What white looks like in this air; every colour is multiplied by it. */
  tint: Rgb
  lit: Rgb
  litShare: number
  shade: Rgb
  shadeShare: number
  rim: Rgb
  rimShare: number
  haze: Rgb
  hazeShare: number
  /** Windows are lit and lamps burn. */
  isDark: boolean
  /** Of the shadow on the ground: its strength, and its length for a height of one. */
  cast: { colour: Rgb; strength: number; length: number }
}

/** The light on something whose middle is at `x`, `y`; `distance` 0 is at the viewer, 1 at the horizon. */
export function lightAt(stage: Stage, { x, y }: { x: number; y: number }, distance: number): SubjectLight {
  const { palette, brief, sun, geometry } = stage
  const { unit } = geometry
  const isUnder = brief.place === 'underwater'
  const [dx, dy] = isUnder ? [(sun.x - x) * 0.4, -unit] : [sun.x - x, sun.y - y - unit * 0.1]
  const length = Math.hypot(dx, dy) || 1
  const clearness = brief.sights.has('lightning') ? 0.3 : { clear: 1, snow: 0.7, rain: 0.4, fog: 0.35 }[brief.weather]
  const near = 1 - Math.min(1, Math.hypot(dx, dy) / (unit * 1.8))
  const hours = {
    day: { rim: 0.5, lit: 0.34, shade: 0.3 },
    dawn: { rim: 0.7, lit: 0.3, shade: 0.34 },
    dusk: { rim: 0.95, lit: 0.3, shade: 0.42 },
    night: { rim: 0.85, lit: 0.2, shade: 0.42 },
  }[brief.time]
  const isDark = brief.time === 'night' || brief.time === 'dusk'
  const isInWoods = brief.place === 'forest'
  const fog = brief.weather === 'fog' ? 0.22 + 0.4 * distance : brief.weather === 'clear' ? 0.02 : 0.06
  return {
    x: dx / length,
    y: dy / length,
    tint: tintOf(stage),
    lit: palette.lit,
    litShare: hours.lit * (0.35 + 0.65 * clearness) * (isInWoods ? 0.7 : 1),
    shade: palette.shade,
    shadeShare: hours.shade * (0.6 + 0.4 * clearness),
    rim: brief.place === 'city' && isDark ? mixRgb(palette.rim, cityGlow, 0.5) : palette.rim,
    rimShare: hours.rim * (0.25 + 0.75 * clearness) * (0.62 + 0.38 * near) * (isInWoods ? 0.75 : 1),
    haze: mixRgb(palette.haze, palette.mist, brief.weather === 'fog' ? 0.6 : 0.2),
    hazeShare: Math.min(0.8, fog + 0.3 * distance * distance),
    isDark,
    cast: {
      colour: mixRgb(palette.near, palette.shade, 0.5),
      strength: (brief.time === 'night' ? 0.5 : 0.42) * (0.15 + 0.85 * clearness) * (isInWoods ? 0.5 : 1),
      length: Math.min(0.75, 0.14 + 0.04 / Math.max(0.04, palette.sunHeight)),
    },
  }
}

const cityGlow: Rgb = [255, 206, 150]

/** The hour's colour on white: as dark as subjects are at this hour, in the hue of the sky. */
function tintOf({ palette, brief }: Stage): Rgb {
  const sky = mixRgb(palette.sky[3] ?? palette.haze, palette.haze, 0.45)
  const light = Math.max(1, luminance(sky))
  const hue = scaleRgb(sky, 235 / light)
  // A city lights its own streets.
  const own = brief.place === 'city' && brief.time === 'night' ? 0.6 : 1
  return mixRgb(mixRgb([255, 255, 255], hue, 0.28), palette.near, Math.min(0.75, palette.subjectShade * 1.15 * own))
}
