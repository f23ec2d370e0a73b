import { hex, mixRgb, type Rgb } from '../../picture/color.ts'
import type { Mood } from '../prompt/scene-brief.ts'
import type { Place } from '../prompt/place.ts'

/** Colors of a scene, chosen by hand for a time of day. */
export interface Palette {
  /** Colors from the zenith to the horizon. */
  sky: readonly Rgb[]
  /** Light that is added around the sun or moon, before tone mapping. */
  glow: Rgb
  /** Color of the horizon far from the sun. */
  side: Rgb
  haze: Rgb
  farColor: Rgb
  nearColor: Rgb
  /** Color of slopes that face the light. */
  litColor: Rgb
  /** Color of slopes that face away from the light. */
  shade: Rgb
  /** Color of a crest in front of the sun. */
  rim: Rgb
  /** Light on the ground from the sun or moon. White leaves colors unchanged. */
  sunlight: Rgb
  /** Light on the ground from the rest of the sky. White leaves colors unchanged. */
  skylight: Rgb
  cloudLit: Rgb
  cloudShade: Rgb
  mist: Rgb
  waterTint: Rgb
  /** Strength of the stars, 0 to 1. */
  stars: number
  /**
   * Share of `nearColor` that is mixed into the colors of trees, flowers and land. Most scenes add
   * a constant to this share.
   */
  subjectShade: number
  /** Height of the sun or moon above the horizon, as a share of `geometry.unit`. */
  sunHeight: number
}

/**
 * A palette as written in the lists, with the moods that it suits. Omitted colors are derived from
 * the others.
 */
export interface PaletteDefinition {
  sky: string
  glow: string
  haze: string
  farColor: string
  nearColor: string
  litColor: string
  shade: string
  clouds: string
  water: string
  sunlight: string
  skylight: string
  side?: string
  mist?: string
  moods: readonly Mood[]
  /** Places that the palette suits; all places by default. */
  places?: readonly Place[]
}

export interface TimeDefaults {
  stars: number
  subjectShade: number
  sunHeight: number
}

export interface PaletteCandidate {
  palette: Palette
  moods: readonly Mood[]
  places: readonly Place[] | undefined
}

export function createPalettes(
  timeDefaults: TimeDefaults,
  definitions: readonly PaletteDefinition[],
): readonly PaletteCandidate[] {
  return definitions.map((definition) => {
    const sky = parseColors(definition.sky)
    const [cloudLit, cloudShade] = parseColors(definition.clouds) as [Rgb, Rgb] // each list has two colors
    const haze = hex(definition.haze)
    const litColor = hex(definition.litColor)
    const palette: Palette = {
      sky,
      glow: hex(definition.glow),
      side: definition.side ? hex(definition.side) : mixRgb(sky[3] ?? haze, sky[4] ?? haze, 0.4),
      haze,
      farColor: hex(definition.farColor),
      nearColor: hex(definition.nearColor),
      litColor,
      shade: hex(definition.shade),
      rim: mixRgb(litColor, [255, 255, 255], 0.45),
      sunlight: hex(definition.sunlight),
      skylight: hex(definition.skylight),
      cloudLit,
      cloudShade,
      mist: definition.mist ? hex(definition.mist) : mixRgb(haze, cloudLit, 0.35),
      waterTint: hex(definition.water),
      ...timeDefaults,
    }
    return { palette, moods: definition.moods, places: definition.places }
  })
}

function parseColors(text: string): Rgb[] {
  return text.split(' ').map(hex)
}

/**
 * Returns the palette with each of its colors changed. The glow stays the same: it is light that is
 * added to the picture, not a color of it.
 */
export function mapColors(palette: Palette, change: (color: Rgb) => Rgb): Palette {
  return {
    ...palette,
    sky: palette.sky.map(change),
    side: change(palette.side),
    haze: change(palette.haze),
    farColor: change(palette.farColor),
    nearColor: change(palette.nearColor),
    litColor: change(palette.litColor),
    shade: change(palette.shade),
    rim: change(palette.rim),
    sunlight: change(palette.sunlight),
    skylight: change(palette.skylight),
    cloudLit: change(palette.cloudLit),
    cloudShade: change(palette.cloudShade),
    mist: change(palette.mist),
    waterTint: change(palette.waterTint),
  }
}
