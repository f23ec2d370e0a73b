type Rgb = readonly [red: number, green: number, blue: number]

/** Minimum contrast of text. WCAG 2.2, level AA, requires 4.5. */
const contrastMin = 4.6
const mixingSteps = 50

/** Mixes a color with black or white until text of this color is readable on the background. */
export function readableColor(color: string, background: string): string {
  const original = parse(color)
  const backgroundColor = parse(background)
  const target: Rgb = luminanceOf(backgroundColor) > 0.5 ? [0, 0, 0] : [255, 255, 255]
  for (let step = 0; step <= mixingSteps; step++) {
    const mixedColor = mix(original, target, step / mixingSteps)
    if (contrastOf(mixedColor, backgroundColor) >= contrastMin) return format(mixedColor)
  }
  return format(target)
}

function parse(color: string): Rgb {
  const digits = Number.parseInt(color.slice(1), 16)
  return [(digits >> 16) & 255, (digits >> 8) & 255, digits & 255]
}

function format(color: Rgb): string {
  return `#${color.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

function mix(from: Rgb, to: Rgb, share: number): Rgb {
  const mixChannel = (index: 0 | 1 | 2): number => Math.round(from[index] + (to[index] - from[index]) * share)
  return [mixChannel(0), mixChannel(1), mixChannel(2)]
}

/** Returns the contrast ratio of two colors as WCAG 2.2 defines it. */
function contrastOf(first: Rgb, second: Rgb): number {
  const [dark = 0, light = 0] = [luminanceOf(first), luminanceOf(second)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

function luminanceOf(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
