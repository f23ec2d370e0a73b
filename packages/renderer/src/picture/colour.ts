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

/** A color that is changed in place. A new object for each texel of an image would be garbage. */
export type Tone = [red: number, green: number, blue: number]

export function setTone(tone: Tone, colour: Rgb): void {
  tone[0] = colour[0]
  tone[1] = colour[1]
  tone[2] = colour[2]
}

export function blendTone(tone: Tone, colour: Rgb, share: number): void {
  tone[0] += (colour[0] - tone[0]) * share
  tone[1] += (colour[1] - tone[1]) * share
  tone[2] += (colour[2] - tone[2]) * share
}

export function scaleRgb(colour: Rgb, factor: number): Rgb {
  return [clamp(colour[0] * factor, 0, 255), clamp(colour[1] * factor, 0, 255), clamp(colour[2] * factor, 0, 255)]
}

export function css(colour: Rgb, alpha = 1): string {
  return `rgba(${Math.round(colour[0])},${Math.round(colour[1])},${Math.round(colour[2])},${alpha.toFixed(4)})`
}

export function toYuv(colour: Rgb): Yuv {
  const yuv: Tone = [0, 0, 0]
  setYuv(yuv, colour)
  return yuv
}

export function setYuv(yuv: Tone, [red, green, blue]: Rgb): void {
  yuv[0] = 16 + 0.182586 * red + 0.614231 * green + 0.062007 * blue
  yuv[1] = 128 - 0.100644 * red - 0.338572 * green + 0.439216 * blue
  yuv[2] = 128 + 0.439216 * red - 0.398942 * green - 0.040274 * blue
}

/** The change of Y, U and V when this much light is added: the matrix without its offsets. */
export function lightYuv(light: Rgb): Yuv {
  const [y, u, v] = toYuv(light)
  return [y - 16, u - 128, v - 128]
}

export function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Interpolates evenly spaced colors. The position is 0 to 1. */
export function colourRamp(colours: readonly Rgb[]): (position: number) => Rgb {
  const last = colours.length - 1
  return (position) => {
    const scaled = clamp(position) * last
    const index = Math.min(last - 1, Math.floor(scaled))
    const from = colours[index]
    const to = colours[index + 1]
    if (!from || !to) throw new RangeError('a colour ramp needs two colours')
    return mixRgb(from, to, scaled - index)
  }
}
