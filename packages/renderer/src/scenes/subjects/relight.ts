import type { Arena } from '../../picture/arena.ts'
import type { Rgb } from '../../picture/color.ts'
import type { Compositor } from '../../picture/compositor.ts'
import { toFixedShare } from '../../picture/fixed-point.ts'
import { blurCells, copyCells, coverCells, type PixelArea } from './cells.ts'
import type { SubjectLight } from './light.ts'

/** One part of a subject, and the image that the part is composed over. */
export interface Drawing {
  /**
   * The part in its own colors, as straight RGBA. In memory, clear pixels follow each row up to a
   * multiple of eight pixels, because the kernels read eight pixels at once.
   */
  part: PixelArea
  /** The image, as premultiplied RGBA. `address` is that of the part's top left pixel in the image. */
  picture: { address: number; stride: number }
}

export interface Relief {
  /** Roundness of the form: 0 is flat, 1 is a round body. */
  volume: number
  /** Factor of the light's `rimShare`. 0 removes the rim light. */
  rim: number
  /** Thickness of the body in pixels. The shading changes over this distance from the edge. */
  thickness: number
  /** Side of the cells in which the form is computed. It is about the width of the rim. */
  cellPixels: number
}

/**
 * Composes a part over its image, lit as if its form were round. The side toward the light is
 * bright, with a rim at the edge, and the other side is shaded.
 */
export function composeLit(
  compositor: Compositor,
  space: Arena,
  drawing: Drawing,
  light: SubjectLight,
  { cellPixels, volume, rim, thickness }: Relief,
): void {
  const { kernels, words, floats } = compositor
  const blurRadius = thickness / cellPixels / 2
  // A blur has two passes. The first pass spreads coverage beyond the drawing, and the second pass
  // spreads some of it back. The padding keeps this coverage.
  const pad = Math.ceil(blurRadius) * 2 + 2
  const form = coverCells(kernels, space, drawing.part, { cellPixels, pad })
  const edge = copyCells(compositor.bytes, space, form)
  blurCells(kernels, space, form, blurRadius)
  blurCells(kernels, space, edge, 1)
  const { litColor, plainColor, shadedColor, hazeColor, hazeShare } = light
  const clearShare = 1 - hazeShare
  const steepness = (thickness / cellPixels) * 0.65 * volume
  const work = space.allocate(partWorkBytes + form.stride * 2 + Math.ceil(drawing.part.width / 8) * 104)
  const part = placePart(compositor, space, drawing, [form.address, edge.address, form.stride, cellPixels, pad, work])
  floats.set([-light.x * steepness, -light.y * steepness, -light.x * 2.4, -light.y * 2.4], (part >> 2) + partWords)
  const shares = [
    light.rimShare * rim,
    ...[...plainColor, ...subtractRgb(litColor, plainColor), ...subtractRgb(shadedColor, plainColor), ...light.rimColor].map(
      (value) => (value / 255) * clearShare,
    ),
    ...hazeColor.map((value) => (value / 255) * hazeShare),
  ]
  words.set(shares.map(toFixedShare), (part >> 2) + partWords + 4)
  kernels.lightPart(part)
}

/** Composes a part over its image without shading. */
export function composeUnlit(compositor: Compositor, space: Arena, drawing: Drawing): void {
  compositor.kernels.composePart(placePart(compositor, space, drawing, []))
}

/** Number of words before the floats in `Part` (`figures.as.ts`), the kernels' input. */
const partWords = 12
/** Size of a `Part`: its words, the four floats of the slopes, and the 16 shares. */
const partBytes = (partWords + 4 + 16) * 4
const partWorkBytes = 512

function placePart({ words }: Compositor, space: Arena, { part, picture }: Drawing, relief: readonly number[]): number {
  const address = space.allocate(partBytes)
  words.set([picture.address, picture.stride, part.address, part.stride, part.width, part.rows, ...relief], address >> 2)
  return address
}

function subtractRgb([red, green, blue]: Rgb, from: Rgb): Rgb {
  return [red - from[0], green - from[1], blue - from[2]]
}
