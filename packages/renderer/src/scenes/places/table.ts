import { hex, lightYuv, luminance, mixRgb, scaleRgb, toYuv, type Rgb } from '../../picture/color.ts'
import { clamp, smoothstep } from '../../picture/curves.ts'
import { paintMotes } from '../air/motes.ts'
import type { PlacedSubjects } from '../subjects/placed-subjects.ts'
import type { Painter, Stage } from '../stage.ts'
import { isDark } from '../subjects/light.ts'
import { itemsOf, paintItems, paintSurface } from '../table/tabletop.ts'

const brightTones: readonly [Tones, ...Tones[]] = [
  ['#d6c9b4', '#a2764c'],
  ['#aeb9a6', '#8c6644'],
  ['#9db0bd', '#a8825a'],
  ['#d2a68c', '#7a5036'],
  ['#c9bfd0', '#8a6a50'],
]
type Tones = readonly [wall: string, wood: string]

const dimTones: readonly [Tones, ...Tones[]] = [
  ['#3a2f28', '#5a3a26'],
  ['#26343a', '#6a482e'],
  ['#3d2a30', '#553626'],
  ['#2c3628', '#604028'],
]

/** Paints a still life in front of a wall, with moving shadows of leaves. */
export function paintTable(stage: Stage, subjects: PlacedSubjects): (Painter | undefined)[] {
  const { brief, geometry, horizon, palette } = stage
  const { height } = geometry
  const isDim = isDark(stage) || brief.mood === 'dramatic' || brief.mood === 'gloomy' || brief.style === 'oil'
  const [wallTone, woodTone] = isDim ? stage.pick('still life', dimTones) : stage.pick('still life', brightTones)
  const accent = brief.colors[0]
  const wall = accent ? mixRgb(isDim ? scaleRgb(accent, 0.4) : accent, hex(wallTone), 0.4) : hex(wallTone)
  const top = horizon
  return [
    paintWall(stage, wall),
    subjects.sky,
    paintLeafShadows(stage, { color: scaleRgb(wall, isDim ? 0.4 : 0.62), gain: isDim ? 0.5 : 0.42 }),
    subjects.floating,
    paintSurface(stage, { top, tone: hex(woodTone), light: isDim ? 0.72 : 1 }),
    paintLightSpot(stage, mixRgb(palette.sunlight, [255, 226, 180], 0.6), isDim ? 0.34 : 0.2),
    paintItems(stage, itemsOf(stage), { ground: top + (height - top) * 0.46, depth: 0.24, heightMax: top * 0.94 }),
    subjects.ground,
    paintMotes(stage, { count: 60, light: scaleRgb(hex('#ffdca0'), isDim ? 0.3 : 0.18), top: 0, size: 0.8 }),
  ]
}

/** Paints a plain wall that is lightest where the light falls on it. */
function paintWall(stage: Stage, wall: Rgb): Painter {
  const { compositor, geometry } = stage
  const { width, height } = geometry
  const lift = luminance(wall) > 110 ? 0.34 : 0.2
  const texture = compositor.texture(64, 36, (u, v, yuv) => {
    const lightShare = Math.exp(-(((u - 0.36) * 1.7) ** 2 + ((v - 0.34) * 1.9) ** 2))
    const shade = 0.6 + 0.42 * lightShare
    yuv.splice(0, 3, ...toYuv(mixRgb(scaleRgb(wall, shade), [255, 240, 214], lightShare * lift)))
  })
  return () => compositor.drawTexture(texture, { x: 0, y: 0, width, height }, { mode: 'replace' })
}

/** Paints soft moving shadows of leaves over what is already drawn. */
function paintLeafShadows(stage: Stage, { color, gain }: { color: Rgb; gain: number }): Painter {
  const { compositor, geometry, noise } = stage
  const { width, height, unit } = geometry
  const [columns, rows] = [96, 54]
  const field = noise.grid({ shape: 'soft', octaves: 3, gain: 0.5 }, columns, rows, (u, v, point) => {
    point.x = u * 4.6 + v * 1.6 + 11
    point.y = v * 3.4 - u * 0.9 + 5
  })
  const texture = compositor.coverTexture(columns, rows, (u, v, index) => {
    const edge = smoothstep(0, 0.06, u) * smoothstep(1, 0.94, u) * smoothstep(0, 0.06, v) * smoothstep(1, 0.94, v)
    return smoothstep(-0.08, 0.2, field[index] ?? 0) * edge
  })
  const yuv = toYuv(color)
  const span = Math.max(width, unit * 1.78) * 1.7
  return ({ seconds }) => {
    const sway = Math.sin(seconds * 0.9) * unit * 0.03
    compositor.drawTexture(
      texture,
      {
        x: (width - span) / 2 + sway + (Math.min(seconds, 30) / 30 - 0.5) * unit * 0.5,
        y: -height * 0.3 + sway * 0.5,
        width: span,
        height: height * 1.7,
      },
      { mode: 'cover', gain: clamp(gain + 0.03 * Math.sin(seconds * 0.7)), color: yuv },
    )
  }
}

/** Paints a spot of light in the middle. */
function paintLightSpot(stage: Stage, light: Rgb, strength: number): Painter {
  const { compositor, geometry, horizon } = stage
  const { width, unit } = geometry
  const yuv = lightYuv(light)
  const texture = compositor.texture(48, 48, (u, v, texelYuv) => {
    const glow = Math.max(0, Math.exp(-((u - 0.5) ** 2 + (v - 0.5) ** 2) * 13) - 0.04) * strength
    for (const channel of [0, 1, 2] as const) texelYuv[channel] = yuv[channel] * glow
  })
  const size = unit * 1.7
  return ({ seconds }) =>
    compositor.drawTexture(
      texture,
      { x: width * 0.46 - size / 2 + Math.sin(seconds * 0.6) * unit * 0.04, y: horizon - size * 0.5, width: size, height: size },
      { mode: 'add', gain: 0.86 + 0.08 * Math.sin(seconds * 0.8) },
    )
}
