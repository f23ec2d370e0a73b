import type { LayerPixels } from '../../../picture/compositor.ts'
import { clamp, smoothstep } from '../../../picture/curves.ts'
import type { Stage } from '../../stage.ts'
import { hasBody } from '../has-body.ts'

export interface FlatLook {
  /** Levels of light to use, from dark to light, 0 to 255. */
  levels: readonly number[]
  /** Opacity of the shadow on objects behind, 0 to 1. */
  shadow: number
  /** Share of white in the color of the edge. */
  edge: number
}

/**
 * Returns a treatment that turns shaded drawings into pieces of flat paper: a few tones with hard
 * borders, and a shadow beneath.
 */
export function createFlattening(stage: Stage, { levels, shadow, edge }: FlatLook): (pixels: LayerPixels) => void {
  const reach = Math.max(1, Math.round(stage.toPixels(5)))
  const rim = Math.max(1, Math.round(stage.toPixels(2)))
  return ({ width, height, rgba }) => {
    if (!hasBody(rgba)) return
    const cover = new Uint8Array(width * height)
    for (let pixel = 0; pixel < cover.length; pixel++) cover[pixel] = 255 * smoothstep(88, 168, rgba[pixel * 4 + 3] ?? 0)
    const shadowCover = shadow > 0 ? blur(blur(cover, width, height, reach), width, height, reach) : cover
    const coverAt = (x: number, y: number): number =>
      x < 0 || y < 0 || x >= width || y >= height ? 0 : (cover[y * width + x] ?? 0)
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const offset = (y * width + x) * 4
        const ownCover = (cover[y * width + x] ?? 0) / 255
        const [shadowX, shadowY] = [x - reach, y - reach * 0.4]
        const edgeFade = Math.min(1, x / reach, y / reach, (width - 1 - x) / reach, (height - 1 - y) / reach)
        const shade =
          shadow > 0
            ? ((shadowCover[clamp(Math.round(shadowY), 0, height - 1) * width + clamp(shadowX, 0, width - 1)] ?? 0) / 255) *
              shadow *
              edgeFade
            : 0
        const alpha = ownCover + (1 - ownCover) * shade
        if (ownCover > 0) {
          const insideShare = Math.min(coverAt(x - rim, y), coverAt(x + rim, y), coverAt(x, y - rim), coverAt(x, y + rim)) / 255
          setFlat(rgba, offset, levels, ownCover, edge * (1 - insideShare))
        } else rgba.fill(0, offset, offset + 3)
        rgba[offset + 3] = alpha * 255
      }
    }
  }
}

/** Sets the pixel to the nearest level of light in its own hue, premultiplied by its new cover. */
function setFlat(rgba: Uint8Array, offset: number, levels: readonly number[], cover: number, whiteShare: number): void {
  const [red = 0, green = 0, blue = 0, alpha = 0] = rgba.subarray(offset, offset + 4)
  const straight = 255 / Math.max(1, alpha)
  const light = Math.max(1, (red * 0.2126 + green * 0.7152 + blue * 0.0722) * straight)
  let nearest = light
  for (const level of levels) if (nearest === light || Math.abs(level - light) < Math.abs(nearest - light)) nearest = level
  const factor = straight * (nearest / light)
  for (const [channel, value] of [red, green, blue].entries()) {
    const flat = Math.min(255, value * factor)
    rgba[offset + channel] = (flat + (255 - flat) * whiteShare) * cover
  }
}

/** Returns the mean of a square around each pixel. */
function blur(values: Uint8Array, width: number, height: number, radius: number): Uint8Array {
  const rowMeans = new Uint8Array(values.length)
  const columnMeans = new Uint8Array(values.length)
  const share = 1 / (2 * radius + 1)
  for (let y = 0; y < height; y++) {
    let sum = 0
    for (let x = -radius; x < width; x++) {
      sum += x + radius < width ? (values[y * width + x + radius] ?? 0) : 0
      if (x - radius - 1 >= 0) sum -= values[y * width + x - radius - 1] ?? 0
      if (x >= 0) rowMeans[y * width + x] = sum * share
    }
  }
  for (let x = 0; x < width; x++) {
    let sum = 0
    for (let y = -radius; y < height; y++) {
      sum += y + radius < height ? (rowMeans[(y + radius) * width + x] ?? 0) : 0
      if (y - radius - 1 >= 0) sum -= rowMeans[(y - radius - 1) * width + x] ?? 0
      if (y >= 0) columnMeans[y * width + x] = sum * share
    }
  }
  return columnMeans
}
