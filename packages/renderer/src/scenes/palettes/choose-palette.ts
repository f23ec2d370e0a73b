import { hex, luminance, mixRgb, scaleRgb, type Rgb } from '../../picture/color.ts'
import type { Mood, SceneBrief, TimeOfDay, Weather } from '../prompt/scene-brief.ts'
import { dawns } from './dawns.ts'
import { days } from './days.ts'
import { dusks } from './dusks.ts'
import { neons } from './neons.ts'
import { nights } from './nights.ts'
import { mapColors, type PaletteCandidate, type Palette } from './palette.ts'
import { storms } from './storms.ts'

const palettesByTime: Record<TimeOfDay, readonly PaletteCandidate[]> = { dawn: dawns, day: days, dusk: dusks, night: nights }

const overcast: Record<TimeOfDay, readonly Rgb[]> = {
  dusk: ['#8a7590', '#7f7a88', '#947468'].map(hex),
  dawn: ['#bdbccb', '#c6c0b8', '#b2c0c4'].map(hex),
  day: ['#a4b4c2', '#b4b8ae', '#9cb0b4', '#b0aeba'].map(hex),
  night: ['#1b2638', '#1c2c30', '#262338'].map(hex),
}

const overcastShare: Record<Weather, number> = { clear: 0, snow: 0.42, rain: 0.6, fog: 0.5 }

interface MoodGrade {
  saturation: number
  /** Factor for the brightness of all colors. Values below 1 darken. */
  light: number
  /** Color toward which all colors move, by `share`. */
  tint: Rgb
  share: number
}

const moodGrades: Record<Mood, MoodGrade> = {
  calm: { saturation: 0.88, light: 1.02, tint: hex('#c4d4de'), share: 0.06 },
  dramatic: { saturation: 1.18, light: 0.84, tint: hex('#2a1c30'), share: 0.05 },
  dreamy: { saturation: 0.94, light: 1.08, tint: hex('#e8c4ec'), share: 0.16 },
  gloomy: { saturation: 0.42, light: 0.68, tint: hex('#58626c'), share: 0.2 },
  mysterious: { saturation: 0.72, light: 0.74, tint: hex('#1c5560'), share: 0.2 },
  joyful: { saturation: 1.28, light: 1.06, tint: hex('#ffe48c'), share: 0.05 },
  romantic: { saturation: 1.06, light: 1, tint: hex('#f48ca4'), share: 0.14 },
  eerie: { saturation: 0.6, light: 0.7, tint: hex('#5c8a3c'), share: 0.26 },
}

/**
 * Chooses the palette of a scene. `choice` depends only on the prompt's words, so the palette
 * depends on the words and not on the seed.
 */
export function choosePalette(brief: SceneBrief, choice: number): Palette {
  const isStorm = brief.sights.has('lightning')
  const stylePalettes = brief.style === 'neon' ? neons : undefined
  const hourPalettes =
    stylePalettes ??
    (isStorm ? storms[brief.time] : palettesByTime[brief.time]).filter(({ places }) => places?.includes(brief.place) ?? true)
  const { mood } = brief
  const fittingPalettes = mood ? hourPalettes.filter(({ moods }) => moods.includes(mood)) : hourPalettes
  const candidates = fittingPalettes.length > 0 ? fittingPalettes : hourPalettes
  const { palette } = candidates[choice % candidates.length] ?? { palette: undefined }
  if (!palette) throw new Error(`no palette for ${brief.time}`)
  const weatheredPalette = isStorm ? palette : applyWeather(palette, brief, choice)
  const gradedPalette = mood ? applyMood(weatheredPalette, moodGrades[mood]) : weatheredPalette
  // If the prompt names flowers, its color applies to the flowers and not to the sky.
  const accent = brief.sights.has('flowers') ? undefined : brief.colors[0]
  return accent && brief.place !== 'abstract' ? mapColors(gradedPalette, (color) => tint(color, accent, 0.42)) : gradedPalette
}

function applyWeather(palette: Palette, { weather, time }: SceneBrief, choice: number): Palette {
  const share = overcastShare[weather]
  if (share === 0) return palette
  const greys = overcast[time]
  const grey = greys[(choice >>> 4) % greys.length] ?? palette.haze
  const brightness = weather === 'rain' && time !== 'night' ? 0.78 : 1
  const cloudedPalette = mapColors(palette, (color) => scaleRgb(mixRgb(color, grey, share * 0.75), brightness))
  return {
    ...cloudedPalette,
    nearColor: mixRgb(palette.nearColor, grey, share * 0.25),
    sunlight: mixRgb(palette.sunlight, palette.skylight, share * 0.7),
    skylight: mixRgb(palette.skylight, grey, share * 0.6),
    glow: scaleRgb(palette.glow, 1 - share),
    haze: mixRgb(cloudedPalette.haze, grey, share * 0.3),
    stars: share > 0.4 ? 0 : palette.stars * (1 - share),
  }
}

function applyMood(palette: Palette, { saturation, light, tint: toward, share }: MoodGrade): Palette {
  return mapColors(palette, (color) => {
    const grey = luminance(color)
    const saturated = mixRgb([grey, grey, grey], color, saturation)
    // The factor 1 limits the channels of the more saturated color to 0..255.
    return scaleRgb(tint(scaleRgb(saturated, 1), toward, share), light)
  })
}

/** Moves a color toward the hue of `accent` at about the same luminance. */
function tint(color: Rgb, accent: Rgb, share: number): Rgb {
  const light = luminance(color)
  const accentLight = Math.max(24, luminance(accent))
  const matched =
    light > accentLight
      ? mixRgb(accent, [255, 255, 255], Math.min(1, (light - accentLight) / Math.max(1, 255 - accentLight)))
      : scaleRgb(accent, light / accentLight)
  return mixRgb(color, matched, share)
}
