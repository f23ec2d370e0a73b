import { hex, mixRgb, scaleRgb, type Rgb } from '../../picture/color.ts'
import { toSeasonColor } from '../trees/season.ts'
import type { Stage } from '../stage.ts'

export type ForestKind = 'beeches' | 'conifers' | 'birches' | 'bamboo' | 'jungle' | 'redwoods'

/**
 * Kind and colors of the forest, and the effect of its light and air on a color. Lengths in the
 * forest are in meters.
 */
export interface ForestLook {
  kind: ForestKind
  isWinter: boolean
  isNight: boolean
  /** Whether trees carry leaves. */
  isLeafy: boolean
  bark: Rgb
  leaf: Rgb
  /** Color of leaves that the light shines through. */
  leafLit: Rgb
  snow: Rgb
  air: Rgb
  /** Side that the light comes from: 1 is the right, -1 the left. */
  facing: 1 | -1
  /**
   * Returns a color in the forest's light at a distance of `z` meters. `share` is the share of
   * direct light.
   */
  tone: (color: Rgb, share: number, z: number) => Rgb
}

const barks: Record<ForestKind, readonly [string, ...string[]]> = {
  beeches: ['#6c6258', '#5c5048', '#74685a'],
  conifers: ['#5a4438', '#4c3c34', '#66503e'],
  birches: ['#e4e0d6', '#dcd8d0'],
  bamboo: ['#7f9a44', '#6c8a40', '#93a050'],
  jungle: ['#5c5444', '#4c4a3c', '#665a48'],
  redwoods: ['#7c4a34', '#86543c', '#6e4430'],
}

const leaves: Record<ForestKind, readonly [string, ...string[]]> = {
  beeches: ['#56822e', '#4a7a34', '#6a8c34'],
  conifers: ['#2c5238', '#28483c', '#34583a'],
  birches: ['#84a43c', '#94a848', '#74983c'],
  bamboo: ['#6c9436', '#7ca03c', '#5c883a'],
  jungle: ['#2f6c34', '#3a7a34', '#28603c'],
  redwoods: ['#3a5c34', '#34543a'],
}

export function createForestLook(stage: Stage): ForestLook {
  const { brief, palette, sun, geometry } = stage
  const kind = chooseForestKind(stage)
  const isWinter = brief.weather === 'snow'
  const isNight = brief.time === 'night'
  const isEvergreen = kind === 'conifers' || kind === 'redwoods' || kind === 'bamboo' || kind === 'jungle'
  const autumn = hex(stage.pick('autumn', ['#d9822e', '#c8542c', '#e0a83c', '#b8442c']))
  const leafColor = hex(stage.pick('leaf', leaves[kind]))
  const leaf =
    brief.season === 'autumn' && !isEvergreen ? autumn : toSeasonColor(leafColor, brief.season, isEvergreen ? 0.3 : 0.8)
  const clearAirColor = mixRgb(palette.haze, palette.sky.at(-1) ?? palette.haze, 0.4)
  const tint = isNight ? hex('#2c5068') : brief.season === 'autumn' ? hex('#f4d08c') : isWinter ? hex('#e2ebf4') : hex('#dce8b4')
  const air = mixRgb(clearAirColor, tint, isNight ? 0.4 : brief.time === 'day' ? 0.45 : 0.2)
  const reach = brief.weather === 'fog' ? 9 : 19
  return {
    kind,
    isWinter,
    isNight,
    isLeafy: isEvergreen || !isWinter,
    bark: hex(stage.pick('bark', barks[kind])),
    leaf,
    leafLit: mixRgb(scaleRgb(leaf, 1.5), hex('#f0f0a0'), 0.25),
    snow: mixRgb(hex('#f4f6fb'), palette.skylight, 0.25),
    air,
    facing: sun.x > geometry.width / 2 ? 1 : -1,
    tone: (color, share, z) => {
      const haze = 0.9 * (1 - Math.exp(-Math.max(0, z - 4) / reach))
      const lightChannel = (channel: 0 | 1 | 2): number =>
        Math.min(
          246,
          (color[channel] * (palette.sunlight[channel] * share + palette.skylight[channel] * (isNight ? 0.95 : 0.6) + 16)) / 255,
        )
      return mixRgb([lightChannel(0), lightChannel(1), lightChannel(2)], air, haze)
    },
  }
}

function chooseForestKind(stage: Stage): ForestKind {
  const { settings, season, weather } = stage.brief
  for (const kind of ['conifers', 'birches', 'bamboo', 'jungle', 'redwoods'] as const) if (settings.has(kind)) return kind
  if (weather === 'snow') return stage.pick('forest', ['conifers', 'conifers', 'birches', 'beeches'])
  if (season) return stage.pick('forest', ['beeches', 'birches', 'beeches'])
  return stage.pick('forest', ['beeches', 'conifers', 'beeches', 'conifers', 'birches'])
}
