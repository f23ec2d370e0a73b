import { hex, luminance, mixRgb, scaleRgb, type Rgb } from '../../picture/color.ts'
import type { TimeOfDay } from '../prompt/scene-brief.ts'
import type { Place } from '../prompt/place.ts'
import type { Stage } from '../stage.ts'

/** Light of the scene on its subjects. */
export interface SubjectLight {
  /** Unit vector toward the sun or moon in the image. y grows downward. */
  x: number
  y: number
  /** Color of a white surface that faces the light. */
  litColor: Rgb
  /** Color of a white surface that faces the viewer. */
  plainColor: Rgb
  /** Color of a white surface that faces away from the light. */
  shadedColor: Rgb
  /** Color of the edge toward the light. */
  rimColor: Rgb
  rimShare: number
  hazeColor: Rgb
  hazeShare: number
  /**
   * Shadow on the ground: its color, its strength, and its length as a multiple of the subject's
   * height.
   */
  groundShadow: { color: Rgb; strength: number; length: number }
}

interface TimeLight {
  /** Shares of the sky's light and the sun's light on surfaces that face the viewer. */
  sky: number
  sun: number
  /** Minimum brightness of a white surface, so that a subject stays visible. */
  brightnessMin: number
  rim: number
  /** Share of the light that the ground reflects. */
  bounce: number
}

const lightByTime: Record<TimeOfDay, TimeLight> = {
  day: { sky: 0.56, sun: 0.44, brightnessMin: 160, rim: 0.45, bounce: 0.68 },
  dawn: { sky: 0.66, sun: 0.36, brightnessMin: 136, rim: 0.65, bounce: 0.6 },
  dusk: { sky: 0.82, sun: 0.24, brightnessMin: 96, rim: 0.95, bounce: 0.5 },
  night: { sky: 0.62, sun: 0.42, brightnessMin: 74, rim: 0.8, bounce: 0.48 },
}

/** Color of the light that reaches the subjects under water, and color of the water. */
const waters: Record<TimeOfDay, { light: Rgb; farColor: Rgb }> = {
  day: { light: hex('#c4f4f0'), farColor: hex('#1c8fb4') },
  dawn: { light: hex('#e8dcd0'), farColor: hex('#4a9ab8') },
  dusk: { light: hex('#d8b8c0'), farColor: hex('#54609e') },
  night: { light: hex('#7fb0d8'), farColor: hex('#153c6c') },
}

/**
 * Returns the light on a subject whose middle is at `position`. A distance of 0 is at the viewer, 1
 * at the horizon.
 */
export function lightAt(stage: Stage, position: { x: number; y: number }, distance: number): SubjectLight {
  if (stage.brief.place === 'underwater') return lightUnderWater(stage, position, distance)
  if (stage.brief.place === 'space') return lightInSpace(stage)
  if (stage.brief.place === 'room') return lightIndoors(stage)
  if (studios.has(stage.brief.place)) return lightInStudio(stage)
  const { palette, brief, sun, geometry } = stage
  const { unit } = geometry
  const [dx, dy] = [sun.x - position.x, sun.y - position.y - unit * 0.1]
  const length = Math.hypot(dx, dy) || 1
  const clearness = skyClearness(stage)
  const nearness = 1 - Math.min(1, length / (unit * 1.8))
  const timeLight = lightByTime[brief.time]
  const isInWoods = brief.place === 'forest'
  const isInCity = (brief.place === 'city' || brief.place === 'street') && isDark(stage)
  const sunlight = scaleRgb(palette.sunlight, (0.4 + 0.6 * clearness) * (isInWoods ? 0.8 : 1))
  // A subject high in the air receives light from below as well.
  const gain = position.y < stage.horizon * 0.7 ? 1.2 : 1
  const plainColor = brightenTo(
    addRgb(scaleRgb(palette.skylight, timeLight.sky * gain), scaleRgb(sunlight, timeLight.sun * gain)),
    timeLight.brightnessMin,
  )
  const weatherHaze = brief.weather === 'fog' ? 0.2 + 0.42 * distance : brief.weather === 'clear' ? 0 : 0.05
  return {
    x: dx / length,
    y: dy / length,
    litColor: addRgb(scaleRgb(plainColor, 0.78), scaleRgb(sunlight, 0.42)),
    plainColor: isInCity ? mixRgb(plainColor, cityGlow, 0.22) : plainColor,
    shadedColor: mixRgb(scaleRgb(plainColor, timeLight.bounce), palette.skylight, 0.14),
    rimColor: isInCity ? mixRgb(palette.rim, cityGlow, 0.5) : palette.rim,
    rimShare: timeLight.rim * (0.25 + 0.75 * clearness) * (0.62 + 0.38 * nearness) * (isInWoods ? 0.75 : 1),
    hazeColor: mixRgb(palette.haze, palette.mist, brief.weather === 'fog' ? 0.6 : 0.2),
    hazeShare: Math.min(0.8, weatherHaze + 0.34 * distance * distance),
    groundShadow: {
      color: mixRgb(palette.nearColor, palette.shade, 0.5),
      strength: (brief.time === 'night' ? 0.5 : 0.46) * (0.15 + 0.85 * clearness) * (isInWoods ? 0.5 : 1),
      length: Math.min(0.75, 0.14 + 0.04 / Math.max(0.04, palette.sunHeight)),
    },
  }
}

/**
 * Returns the appearance of a color in this light, on a surface that faces the viewer (`sunShare`
 * 0) or the sun (1).
 */
export function appearanceIn({ plainColor, litColor, hazeColor, hazeShare }: SubjectLight, color: Rgb, sunShare = 0): Rgb {
  const light = mixRgb(plainColor, litColor, sunShare)
  const shownColor: Rgb = [(color[0] * light[0]) / 255, (color[1] * light[1]) / 255, (color[2] * light[2]) / 255]
  return mixRgb(shownColor, hazeColor, hazeShare)
}

const cityGlow: Rgb = [255, 206, 150]

/** Returns whether it is dark enough for lit windows and lamps. */
export function isDark({ brief }: Stage): boolean {
  return brief.time === 'night' || brief.time === 'dusk' || brief.weather === 'fog' || brief.sights.has('lightning')
}

function skyClearness({ brief }: Stage): number {
  return brief.sights.has('lightning') ? 0.25 : { clear: 1, snow: 0.7, rain: 0.35, fog: 0.3 }[brief.weather]
}

function lightUnderWater({ sun, brief, geometry }: Stage, { x }: { x: number }, distance: number): SubjectLight {
  const { light, farColor } = waters[brief.time]
  const sideOffset = ((sun.x - x) / geometry.width) * 0.5
  const length = Math.hypot(sideOffset, 1)
  const plainColor = mixRgb(scaleRgb(light, 0.78), farColor, 0.34)
  return {
    x: sideOffset / length,
    y: -1 / length,
    litColor: light,
    plainColor,
    shadedColor: mixRgb(scaleRgb(plainColor, 0.5), farColor, 0.4),
    rimColor: light,
    rimShare: 0.55,
    hazeColor: farColor,
    hazeShare: 0.06 + 0.5 * distance,
    groundShadow: { color: [4, 20, 40], strength: 0, length: 0.2 },
  }
}

/** Returns the light of a room, which is warmer if the lamps burn. */
function lightIndoors(stage: Stage): SubjectLight {
  const { palette } = stage
  const isLit = isDark(stage)
  const plainColor: Rgb = isLit ? [172, 142, 116] : mixRgb([206, 198, 188], palette.skylight, 0.25)
  return {
    x: -0.35,
    y: -0.94,
    litColor: isLit ? [250, 214, 168] : [250, 244, 232],
    plainColor,
    shadedColor: scaleRgb(plainColor, 0.5),
    rimColor: isLit ? [255, 224, 176] : [255, 250, 240],
    rimShare: 0.5,
    hazeColor: palette.haze,
    hazeShare: 0,
    groundShadow: { color: [18, 12, 14], strength: 0.5, length: 0.22 },
  }
}

const studios: ReadonlySet<Place> = new Set(['table', 'podium', 'emblem'])

/**
 * Returns the light of a studio: a large soft window or lamp at the upper left, and reflections
 * from the walls.
 */
function lightInStudio(stage: Stage): SubjectLight {
  const isLit = isDark(stage)
  const plainColor: Rgb = isLit ? [186, 158, 132] : [212, 204, 196]
  return {
    x: -0.62,
    y: -0.78,
    litColor: isLit ? [255, 226, 184] : [255, 250, 242],
    plainColor,
    shadedColor: scaleRgb(plainColor, 0.46),
    rimColor: isLit ? [255, 230, 190] : [255, 252, 246],
    rimShare: 0.55,
    hazeColor: stage.palette.haze,
    hazeShare: 0,
    groundShadow: { color: [16, 12, 14], strength: 0.5, length: 0.2 },
  }
}

function lightInSpace({ sun, geometry }: Stage): SubjectLight {
  const side = sun.x > geometry.width / 2 ? 1 : -1
  return {
    x: side * 0.86,
    y: -0.5,
    litColor: [255, 252, 244],
    plainColor: [150, 148, 164],
    shadedColor: [44, 44, 66],
    rimColor: [255, 250, 240],
    rimShare: 0.85,
    hazeColor: [20, 18, 34],
    hazeShare: 0,
    groundShadow: { color: [4, 4, 10], strength: 0.6, length: 0.4 },
  }
}

function addRgb(a: Rgb, b: Rgb): Rgb {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]].map((value) => Math.min(255, value)) as [number, number, number] // the array has three values
}

function brightenTo(light: Rgb, minimum: number): Rgb {
  const brightness = luminance(light)
  return brightness >= minimum ? light : scaleRgb(light, minimum / Math.max(1, brightness))
}
