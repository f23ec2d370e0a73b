import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas'
import type { Arena } from '../../picture/arena.ts'
import type { Compositor, Layer } from '../../picture/compositor.ts'
import type { Stage } from '../stage.ts'
import type { PixelArea } from './cells.ts'
import { Extent, type Box } from './extent.ts'
import type { SubjectLight } from './light.ts'
import { composeLit, composeUnlit, type Drawing } from './relight.ts'

/** Form of a part. By default, it is a round body. */
export interface PartForm {
  volume?: number
  rim?: number
  /** Thickness in the figure's own units. */
  thickness?: number
}

/**
 * One image of a subject, composed of parts from back to front. Each part is drawn in its own
 * colors. Then the scene's light is applied, so that the same drawing suits a dusk and a snowy
 * noon. The image is in the set-up's memory, so only one figure exists at a time.
 */
export class Figure {
  readonly width: number
  readonly height: number
  readonly light: SubjectLight
  /** Pixels per unit of the drawing. */
  readonly size: number
  /** Premultiplied RGBA. */
  readonly area: PixelArea
  /** Position of the drawing's point 0, 0, in pixels. */
  readonly #foot: { x: number; y: number }
  readonly #isMirrored: boolean
  readonly #reliefCellPixels: number
  readonly #context: SKRSContext2D
  readonly #extent: Extent
  readonly #compositor: Compositor
  readonly #space: Arena
  #stance = { angle: 0, lift: 0 }
  /** Bounds of all parts that were drawn so far. */
  #drawn: Box = { left: 0, top: 0, right: 0, bottom: 0 }

  constructor(
    compositor: Compositor,
    { width, height, foot, size, isMirrored, reliefCellPixels, light }: FigureSpace & { light: SubjectLight },
  ) {
    this.width = width
    this.height = height
    this.size = size
    this.light = light
    this.#foot = foot
    this.#isMirrored = isMirrored
    this.#reliefCellPixels = reliefCellPixels
    this.#context = createCanvas(width, height).getContext('2d')
    this.#extent = new Extent(this.#context)
    this.#compositor = compositor
    this.#space = compositor.workspace()
    this.area = { address: this.#space.allocate(width * height * 4), stride: width * 4, width, rows: height }
    this.clear()
  }

  /**
   * Rotates the output of `draw` about the foot by `angle`, in radians, and moves it up by `lift`.
   */
  pose(stance: { angle?: number; lift?: number }, draw: () => void): void {
    this.#stance = { angle: 0, lift: 0, ...stance }
    draw()
    this.#stance = { angle: 0, lift: 0 }
  }

  clear(): void {
    const { address, stride, rows } = this.area
    this.#compositor.kernels.clearBytes(address, stride * rows)
    this.#drawn = { left: this.width, top: this.height, right: 0, bottom: 0 }
  }

  /** Draws a part in front of the others and applies the scene's light to it. */
  part(draw: (context: SKRSContext2D) => void, { volume = 1, rim = 1, thickness = 0.3 }: PartForm = {}): void {
    const relief = { volume, rim, thickness: thickness * this.size, cellPixels: this.#reliefCellPixels }
    this.#draw(draw, (space, drawing) => composeLit(this.#compositor, space, drawing, this.light, relief))
  }

  /** Draws light sources, such as windows, lamps and flames. */
  glow(draw: (context: SKRSContext2D) => void): void {
    this.#draw(draw, (space, drawing) => composeUnlit(this.#compositor, space, drawing))
  }

  /** Draws windows or lamps. If they are lit, they are light sources, otherwise flat parts. */
  shine(isLit: boolean, draw: (context: SKRSContext2D) => void): void {
    if (isLit) this.glow(draw)
    else this.part(draw, { volume: 0, rim: 0 })
  }

  get pixels(): Uint8Array {
    const { address, stride, rows } = this.area
    return this.#compositor.bytes.subarray(address, address + stride * rows)
  }

  /** Returns an arena over temporary memory, which the next part overwrites. */
  space(): Arena {
    return this.#space.remaining()
  }

  /**
   * Crops the image to a layer, and returns the layer with its offset in the image. Overwrites the
   * image, so `clear` must precede the next part.
   */
  toLayer(): { layer: Layer; left: number; top: number } {
    const { width, height } = this
    const { address, stride } = this.area
    const compositor = this.#compositor
    compositor.treatLayer?.({ width, height, rgba: this.pixels })
    // `treatLayer` applies a style, which may draw outside the bounds of the drawing.
    const box = compositor.treatLayer ? { left: 0, top: 0, right: width, bottom: height } : this.#drawn
    // Even offsets keep the chroma aligned. The clear edge of two pixels is necessary because a
    // layer's last pixels are repeated.
    const left = Math.max(0, (Math.min(box.left, width - layerWidthMin) - 2) & ~1)
    const top = Math.max(0, (Math.min(box.top, height - 8) - 2) & ~1)
    const right = Math.min(width, Math.max(box.right + 3, left + layerWidthMin) & ~1)
    const bottom = Math.min(height, Math.max(box.bottom + 3, top + 8) & ~1)
    const rowBytes = (right - left) * 4
    for (let y = top; y < bottom; y++) {
      const from = address + y * stride + left * 4
      compositor.bytes.copyWithin(address + (y - top) * rowBytes, from, from + rowBytes)
    }
    return { layer: compositor.layerAt(right - left, bottom - top, address, { isFinal: true }), left, top }
  }

  /** Draws a part on the canvas. Unless the part is empty, `compose` draws it over the image. */
  #draw(draw: (context: SKRSContext2D) => void, compose: (space: Arena, drawing: Drawing) => void): void {
    const context = this.#context
    context.reset()
    context.translate(this.#foot.x, this.#foot.y)
    context.scale(this.#isMirrored ? -this.size : this.size, this.size)
    context.translate(0, -this.#stance.lift)
    context.rotate(this.#stance.angle)
    draw(context)
    const bounds = this.#extent.clippedTo(this.width, this.height)
    if (!bounds) return
    const { bytes, kernels, words } = this.#compositor
    const space = this.space()
    // The kernels read eight pixels at once.
    const width = Math.ceil((bounds.right - bounds.left) / 4) * 4 + 8
    const { data } = context.getImageData(bounds.left, bounds.top, width, bounds.bottom - bounds.top)
    const read = { address: space.allocate(data.length), stride: width * 4, width, rows: bounds.bottom - bounds.top }
    bytes.set(data, read.address)
    const boxAddress = space.allocate(16)
    kernels.findBox(boxAddress, read.address, width, read.rows)
    const [left = 0, top = 0, right = 0, bottom = 0] = words.subarray(boxAddress >> 2, (boxAddress >> 2) + 4)
    if (right === 0) return
    const { address, stride } = this.area
    compose(space, {
      part: {
        address: read.address + top * read.stride + left * 4,
        stride: read.stride,
        width: right - left,
        rows: bottom - top,
      },
      picture: { address: address + (bounds.top + top) * stride + (bounds.left + left) * 4, stride },
    })
    this.#drawn = {
      left: Math.min(this.#drawn.left, bounds.left + left),
      top: Math.min(this.#drawn.top, bounds.top + top),
      right: Math.max(this.#drawn.right, bounds.left + right),
      bottom: Math.max(this.#drawn.bottom, bounds.top + bottom),
    }
  }
}

/** Minimum width of a layer. */
const layerWidthMin = 32

/** The canvas of a figure, in pixels. */
export interface FigureSpace {
  width: number
  height: number
  foot: { x: number; y: number }
  size: number
  isMirrored: boolean
  /** Side of the cells in which the relief of a part is computed. */
  reliefCellPixels: number
}

/**
 * Returns the space for a drawing of `size` pixels per unit. The drawing extends `side`, `up` and
 * `down` units from its foot.
 */
export function figureSpace(
  stage: Stage,
  { size, reach, isMirrored = false }: { size: number; reach: { side: number; up: number; down: number }; isMirrored?: boolean },
): FigureSpace {
  const width = evenAtLeast(reach.side * 2 * size, 32)
  return {
    width,
    height: evenAtLeast((reach.up + reach.down) * size, 8),
    foot: { x: width / 2, y: reach.up * size },
    size,
    isMirrored,
    reliefCellPixels: Math.max(1, Math.min(6, Math.round(stage.toPixels(3.4)))),
  }
}

function evenAtLeast(length: number, minimum: number): number {
  return Math.max(minimum, Math.ceil(length / 2) * 2)
}
