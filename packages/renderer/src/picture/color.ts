import { clamp, mix } from './curves.ts'

/** sRGB, 0 to 255. */
export type Rgb = readonly [red: number, green: number, blue: number]

/** Limited-range BT.709 code values. */
export type Yuv = readonly [y: number, u: number, v: number]

export function hex(text: string): Rgb {
  const value = Number.parseInt(text.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

export function mixRgb(from: Rgb, to: Rgb, share: number): Rgb {
  return [mix(from[0], to[0], share), mix(from[1], to[1], share), mix(from[2], to[2], share)]
}

/**
 * A color that is changed in place, so that a loop over texels allocates no objects. `setYuv`
 * stores Y, U and V in it.
 */
export type Tone = [red: number, green: number, blue: number]

export function setTone(tone: Tone, color: Rgb): void {
  tone[0] = color[0]
  tone[1] = color[1]
  tone[2] = color[2]
}

export function blendTone(tone: Tone, color: Rgb, share: number): void {
  tone[0] += (color[0] - tone[0]) * share
  tone[1] += (color[1] - tone[1]) * share
  tone[2] += (color[2] - tone[2]) * share
}

export function scaleRgb(color: Rgb, factor: number): Rgb {
  return [clamp(color[0] * factor, 0, 255), clamp(color[1] * factor, 0, 255), clamp(color[2] * factor, 0, 255)]
}

export function css(color: Rgb, alpha = 1): string {
  return `rgba(${Math.round(color[0])},${Math.round(color[1])},${Math.round(color[2])},${alpha.toFixed(4)})`
}

export function toYuv(color: Rgb): Yuv {
  const yuv: Tone = [0, 0, 0]
  setYuv(yuv, color)
  return yuv
}

export function setYuv(yuv: Tone, color: Rgb): void {
  // This runs for each texel. Reading by index is several times as fast as destructuring before V8
  // optimizes it.
  const red = color[0]
  const green = color[1]
  const blue = color[2]
  yuv[0] = 16 + 0.182586 * red + 0.614231 * green + 0.062007 * blue
  yuv[1] = 128 - 0.100644 * red - 0.338572 * green + 0.439216 * blue
  yuv[2] = 128 + 0.439216 * red - 0.398942 * green - 0.040274 * blue
}

/** Returns by how much the Y, U and V of a pixel change when this light is added to it. */
export function lightYuv(light: Rgb): Yuv {
  const yuv: Tone = [0, 0, 0]
  setYuv(yuv, light)
  return [yuv[0] - 16, yuv[1] - 128, yuv[2] - 128]
}

export function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/**
 * Returns a function that interpolates between evenly spaced colors. Its argument is a position
 * from 0 to 1.
 */
export function colorRamp(colors: readonly Rgb[]): (position: number) => Rgb {
  const last = colors.length - 1
  return (position) => {
    const scaled = clamp(position) * last
    const index = Math.min(last - 1, Math.floor(scaled))
    const from = colors[index]
    const to = colors[index + 1]
    if (!from || !to) throw new RangeError('a color ramp needs at least two colors')
    return mixRgb(from, to, scaled - index)
  }
}
