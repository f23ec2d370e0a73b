import { colorRamp, hex, mixRgb, type Rgb } from '../../picture/color.ts'
import type { LayerPixels } from '../../picture/compositor.ts'
import { clamp, smoothstep } from '../../picture/curves.ts'
import type { Painter, Stage } from '../stage.ts'
import { paintGlow } from './glow.ts'
import { paintGrade } from './grade.ts'
import { hasBody } from './has-body.ts'

const magenta = hex('#ff2fd0')
const cyan = hex('#26e4ff')

/**
 * Returns a treatment of layers that draws outlines as tubes of light, from magenta to cyan. It
 * leaves layers without a body unchanged.
 */
export function createNeonOutlines(stage: Stage): (pixels: LayerPixels) => void {
  const reach = Math.max(1, Math.round(stage.toPixels(3)))
  const { nearColor, farColor, litColor } = stage.palette
  const night = colorRamp([
    mixRgb(nearColor, [0, 0, 0], 0.5),
    farColor,
    mixRgb(farColor, litColor, 0.55),
    mixRgb(litColor, [255, 255, 255], 0.1),
  ])
  let groundCount = 0
  return ({ width, height, rgba }) => {
    if (!hasBody(rgba)) return
    const isGround = width > stage.geometry.width * 0.9
    // The phase of a subject depends on the size of its layer. All poses of a walker have the same
    // size, so their tubes have the same colors.
    const phase = isGround ? groundCount++ * 2.2 : (width * 31 + height * 17) % 61
    const alpha = (x: number, y: number): number =>
      x < 0 || y < 0 || x >= width || y >= height ? 255 : (rgba[(y * width + x) * 4 + 3] ?? 0)
    const lines = new Uint8Array(width * height)
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const centerAlpha = alpha(x, y)
        if (centerAlpha < 8) continue
        const lowestAlpha = Math.min(alpha(x - reach, y), alpha(x + reach, y), alpha(x, y - reach), alpha(x, y + reach))
        lines[y * width + x] = clamp(centerAlpha - lowestAlpha - 30, 0, 225)
      }
    }
    for (let index = 0; index < lines.length; index++) {
      const line = (lines[index] ?? 0) / 225
      const cover = (rgba[index * 4 + 3] ?? 0) / 255
      if (cover === 0) continue
      if (isGround) tintPixel(rgba, index * 4, cover, night)
      if (line === 0) continue
      const hueShare = 0.5 + 0.5 * Math.sin(((index % width) / stage.geometry.unit) * 3.1 + phase)
      const tube = mixRgb(magenta, cyan, hueShare)
      for (let channel = 0; channel < 3; channel++) {
        const channelValue = rgba[index * 4 + channel] ?? 0
        rgba[index * 4 + channel] = channelValue + ((tube[channel] ?? 0) * cover - channelValue) * line
      }
    }
  }
}

/** Gives grass, sand and snow the colors of the night. Vivid colors are unchanged. */
function tintPixel(rgba: Uint8Array, index: number, cover: number, night: (light: number) => Rgb): void {
  const [red = 0, green = 0, blue = 0] = rgba.subarray(index, index + 3)
  const light = (red * 0.2126 + green * 0.7152 + blue * 0.0722) / 255 / cover
  const vividness = (Math.max(red, green, blue) - Math.min(red, green, blue)) / cover
  const share = 0.82 * (1 - smoothstep(60, 130, vividness))
  if (share === 0) return
  const tinted = night(light * 0.9)
  rgba[index] = red + (tinted[0] * cover - red) * share
  rgba[index + 1] = green + (tinted[1] * cover - green) * share
  rgba[index + 2] = blue + (tinted[2] * cover - blue) * share
}

export function paintNeon(stage: Stage): Painter {
  const grade = paintGrade(stage, {
    contrast: 0.3,
    gain: 1,
    lift: 0,
    saturation: 1.35,
    shadows: [5, 1],
    lights: [2, 6],
    vignette: 0.34,
    grain: 1,
  })
  const glow = paintGlow(stage, { threshold: 96, colorWeight: 0.7, keptShare: 1, tint: [0, 0], strength: 0.8, spread: 0.62 })
  return (moment) => {
    grade(moment)
    glow(moment)
  }
}
