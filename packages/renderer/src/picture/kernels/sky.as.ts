// The sky's texture: a gradient with the glow of the sun. All arithmetic is in f64.
import { exp } from './exponential.as'

/** Arguments of `paintSkyRow`. The host writes them into memory. */
@unmanaged
export class Sky {
  frameWidth: f64
  sunX: f64 // position of the sun in the frame
  unit: f64
  glowRed: f64 // color of the sun's glow
  glowGreen: f64
  glowBlue: f64
  sideRed: f64 // color of the sky far from the sun
  sideGreen: f64
  sideBlue: f64
  columns: i32
}

/** Rolls off bright values instead of clipping them. `scale` is the value of 255. */
@inline
function mapTone(value: f64, scale: f64): f64 {
  return (255 * (1 - exp((-max<f64>(0, value) / 255) * 1.25))) / scale
}

@inline
function mixed(color: f64, side: f64, sideShare: f64): f64 {
  return color + (side - color) * sideShare
}

@inline
function sampleOf(value: f64): i16 {
  return <i16><i32>max<f64>(-32640, min<f64>(32640, value * 128))
}

/**
 * Stores Y, U and V of a row of texels. `dy` is its distance below the sun in units, `red`, `green`
 * and `blue` its color, and `sideShareMax` the share of the side's color far from the sun.
 */
export function paintSkyRow(sky: Sky, planeY: usize, planeU: usize, planeV: usize, dy: f64, red: f64, green: f64, blue: f64, sideShareMax: f64): void {
  const columns = sky.columns, frameWidth = sky.frameWidth, sunX = sky.sunX, unit = sky.unit
  const toneScale = 1 - exp(-1.6)
  for (let column = 0; column < columns; column++) {
    const dx = ((<f64>column / <f64>(columns - 1)) * frameWidth - sunX) / unit
    const distance = sqrt<f64>(dx * dx + dy * dy * 1.56)
    const glow = exp(-distance * 3.1) * 0.55 + exp(-distance * distance * 60) * 0.5
    const sideShare = min<f64>(1, abs<f64>(dx) * 0.55) * sideShareMax * 0.5
    const r = mapTone(mixed(red, sky.sideRed, sideShare) + sky.glowRed * glow, toneScale)
    const g = mapTone(mixed(green, sky.sideGreen, sideShare) + sky.glowGreen * glow, toneScale)
    const b = mapTone(mixed(blue, sky.sideBlue, sideShare) + sky.glowBlue * glow, toneScale)
    const at: usize = column << 1
    store<i16>(planeY + at, sampleOf(16 + 0.182586 * r + 0.614231 * g + 0.062007 * b))
    store<i16>(planeU + at, sampleOf(128 - 0.100644 * r - 0.338572 * g + 0.439216 * b))
    store<i16>(planeV + at, sampleOf(128 + 0.439216 * r - 0.398942 * g - 0.040274 * b))
  }
}
