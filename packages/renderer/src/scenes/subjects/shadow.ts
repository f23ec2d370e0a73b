import type { Layer } from '../../picture/compositor.ts'
import type { Stage } from '../stage.ts'
import { blurCells, copyCells, coverCells } from './cells.ts'
import type { Figure } from './figure.ts'

/** Frame pixels per pixel of the layer that holds a figure's shadow. */
export const shadowScale = 4

export interface Shadow {
  layer: Layer
  /** Offset from the figure's foot to the layer's top left corner, in frame pixels. */
  x: number
  y: number
}

/**
 * Draws the silhouette on the ground, away from the light. The shadow is darkest at the feet, and
 * softer with the distance from them. `lean` is its sideways offset per row.
 */
export function castShadow(stage: Stage, figure: Figure, foot: { x: number; y: number }, lean: number): Shadow {
  const { compositor } = stage
  const { kernels } = compositor
  const { groundShadow } = figure.light
  const space = figure.space()
  const sharp = coverCells(kernels, space, figure.area, { cellPixels: shadowScale, pad: 1 })
  blurCells(kernels, space, sharp, (figure.size * 0.018) / shadowScale)
  const softCells = copyCells(compositor.bytes, space, sharp)
  blurCells(kernels, space, softCells, (figure.size * 0.07) / shadowScale)
  const castHeight = Math.ceil((foot.y * groundShadow.length) / shadowScale)
  const rowsAbove = Math.ceil((figure.size * 0.06) / shadowScale)
  const slide = Math.abs(lean) * castHeight
  const width = Math.max(32, Math.ceil((sharp.columns + slide) / 2) * 2)
  const height = Math.max(8, Math.ceil((castHeight + rowsAbove) / 2) * 2)
  const originX = lean < 0 ? slide : 0
  const footRow = foot.y / shadowScale + 1
  const soleRow = Math.round(footRow - 1)
  const shadow = space.allocate(11 * 4)
  const { words, floats } = compositor
  words.set(
    [sharp.address, softCells.address, sharp.stride, sharp.columns, sharp.rows, soleRow, soleRow - rowsAbove],
    shadow >> 2,
  )
  floats.set([...groundShadow.color, groundShadow.strength], (shadow >> 2) + 7)
  const pixels = space.allocate(width * height * 4)
  for (let row = 0; row < height; row++) {
    const rowDistance = Math.max(0, row - rowsAbove)
    const castShare = rowDistance / castHeight
    const castStrength = row < rowsAbove ? 0 : (1 - castShare * 0.75) * 0.85
    // Parts of the figure close to the ground darken the ground.
    const contactStrength = Math.exp(-(((row - rowsAbove) / rowsAbove) ** 2) * 2.2) * 1.8
    const sourceRow = Math.floor(footRow - rowDistance / groundShadow.length)
    kernels.drawShadowRow(
      shadow,
      pixels + row * width * 4,
      width,
      -originX - lean * rowDistance,
      sourceRow,
      castStrength * (1 - castShare),
      castStrength * castShare,
      contactStrength,
    )
  }
  return {
    layer: compositor.layerAt(width, height, pixels),
    x: -(foot.x + (originX + 1) * shadowScale),
    y: -rowsAbove * shadowScale,
  }
}
