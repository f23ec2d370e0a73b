import { hex, luminance, mixRgb, scaleRgb, type Rgb } from '../picture/colour.ts'
import type { SceneBrief, TimeOfDay, Weather } from './scene-brief.ts'

/** Chosen by hand for each mood: more than any effect, these colours make the picture. */
export interface Palette {
  /** From the zenith to the horizon. */
  sky: readonly Rgb[]
  /** Light added around the sun or moon, before tone mapping. */
  glow: Rgb
  /** The horizon far from the sun. */
  side: Rgb
  haze: Rgb
  far: Rgb
  near: Rgb
  /** Slopes towards the light, away from it, and the crest before the sun. */
  lit: Rgb
  shade: Rgb
  rim: Rgb
  cloudLit: Rgb
  cloudShade: Rgb
  mist: Rgb
  waterTint: Rgb
  /** 0 to 1. */
  stars: number
  /** How far a subject's own colour is darkened towards `near`. */
  subjectShade: number
  /** Height of the sun or moon above the horizon, in units. */
  sunHeight: number
}

const moods: Record<TimeOfDay, Palette> = {
  dusk: {
    sky: ['#0e1533', '#232a5c', '#54407a', '#a75a7c', '#e8876a', '#ffb877', '#ffd79a'].map(hex),
    glow: hex('#785c32'),
    side: hex('#7a4a78'),
    haze: hex('#f0a184'),
    far: hex('#b8708c'),
    near: hex('#120f24'),
    lit: hex('#ffb58c'),
    shade: hex('#1d1440'),
    rim: hex('#ffd2a0'),
    cloudLit: hex('#f7a283'),
    cloudShade: hex('#53406c'),
    mist: hex('#e7a092'),
    waterTint: hex('#1c1a3c'),
    stars: 0.9,
    subjectShade: 0.34,
    sunHeight: 0.055,
  },
  dawn: {
    sky: ['#5b7fb4', '#84a2cc', '#b3bede', '#dcc9dc', '#f5cfca', '#fddcb9', '#ffeac8'].map(hex),
    glow: hex('#6e5a38'),
    side: hex('#b8a8cc'),
    haze: hex('#f6d4c4'),
    far: hex('#a9a4c6'),
    near: hex('#2c3352'),
    lit: hex('#ffe0c4'),
    shade: hex('#4a5688'),
    rim: hex('#fff0d8'),
    cloudLit: hex('#ffe3d2'),
    cloudShade: hex('#a9a2c8'),
    mist: hex('#fbe2d6'),
    waterTint: hex('#4a628c'),
    stars: 0.12,
    subjectShade: 0.12,
    sunHeight: 0.09,
  },
  day: {
    sky: ['#1f63b4', '#3a80cb', '#5e9edc', '#8abbe8', '#b0d3ef', '#cfe4f2', '#e4eff2'].map(hex),
    glow: hex('#4a4a42'),
    side: hex('#b4d0e8'),
    haze: hex('#cfe2ee'),
    far: hex('#8fb2d2'),
    near: hex('#1d3a3e'),
    lit: hex('#fff6dc'),
    shade: hex('#2c4d7a'),
    rim: hex('#ffffff'),
    cloudLit: hex('#ffffff'),
    cloudShade: hex('#a9bfd8'),
    mist: hex('#e6f0f5'),
    waterTint: hex('#155a80'),
    stars: 0,
    subjectShade: 0.04,
    sunHeight: 0.3,
  },
  night: {
    sky: ['#040714', '#070e26', '#0c1a3c', '#12284f', '#1b3a63', '#2a5074', '#3d6683'].map(hex),
    glow: hex('#2c3c50'),
    side: hex('#12284a'),
    haze: hex('#31587a'),
    far: hex('#24456a'),
    near: hex('#050a16'),
    lit: hex('#9cc3e2'),
    shade: hex('#040a1c'),
    rim: hex('#cfe6f8'),
    cloudLit: hex('#5d7fa0'),
    cloudShade: hex('#13233f'),
    mist: hex('#3f6a8a'),
    waterTint: hex('#050d20'),
    stars: 1,
    subjectShade: 0.42,
    sunHeight: 0.27,
  },
}

const overcast: Record<TimeOfDay, Rgb> = {
  dusk: hex('#8a7590'),
  dawn: hex('#bdbccb'),
  day: hex('#a9b7c4'),
  night: hex('#1b2638'),
}

const overcastShare: Record<Weather, number> = { clear: 0, snow: 0.2, rain: 0.6, fog: 0.5 }

export function choosePalette(brief: SceneBrief): Palette {
  const mood = moods[brief.time]
  const isStorm = brief.sights.has('lightning')
  const grey = isStorm && brief.time !== 'night' ? mixRgb(overcast[brief.time], hex('#62748a'), 0.7) : overcast[brief.time]
  const share = isStorm ? (brief.time === 'night' ? 0.45 : 0.8) : overcastShare[brief.weather]
  const darker = brief.weather === 'rain' && brief.time !== 'night' ? (isStorm ? 0.54 : 0.78) : 1
  const clouded = mapColours(mood, (colour) => scaleRgb(mixRgb(colour, grey, share * (isStorm ? 0.66 : 0.75)), darker))
  const weathered: Palette = {
    ...clouded,
    near: mixRgb(mood.near, grey, share * 0.25),
    cloudShade: scaleRgb(clouded.cloudShade, isStorm ? 0.55 : 1),
    cloudLit: scaleRgb(clouded.cloudLit, isStorm ? 0.85 : 1),
    glow: scaleRgb(mood.glow, 1 - share),
    haze: mixRgb(clouded.haze, grey, share * 0.3),
    stars: share > 0.4 ? 0 : mood.stars * (1 - share),
  }
  // A colour beside flowers is theirs, not the sky's.
  const accent = brief.sights.has('flowers') ? undefined : brief.colours[0]
  return accent && brief.place !== 'abstract' ? mapColours(weathered, (colour) => tint(colour, accent, 0.42)) : weathered
}

/** Towards the hue of `accent` while about as light as before. */
function tint(colour: Rgb, accent: Rgb, share: number): Rgb {
  const light = luminance(colour)
  const accentLight = Math.max(24, luminance(accent))
  const matched =
    light > accentLight
      ? mixRgb(accent, [255, 255, 255], Math.min(1, (light - accentLight) / Math.max(1, 255 - accentLight)))
      : scaleRgb(accent, light / accentLight)
  return mixRgb(colour, matched, share)
}

function mapColours(palette: Palette, change: (colour: Rgb) => Rgb): Palette {
  return {
    ...palette,
    sky: palette.sky.map(change),
    glow: palette.glow,
    side: change(palette.side),
    haze: change(palette.haze),
    far: change(palette.far),
    near: change(palette.near),
    lit: change(palette.lit),
    shade: change(palette.shade),
    rim: change(palette.rim),
    cloudLit: change(palette.cloudLit),
    cloudShade: change(palette.cloudShade),
    mist: change(palette.mist),
    waterTint: change(palette.waterTint),
  }
}
