import { createCanvas, type Canvas, type SKRSContext2D } from '@napi-rs/canvas'
import type { Layer } from '../../picture/compositor.ts'
import type { Stage } from '../stage.ts'
import type { SubjectLight } from './light.ts'
import { blur, coarseCover, relight, type Cells, type Drawing } from './relight.ts'

/** A part's form, as far as it differs from that of a round body. */
export interface PartForm {
  volume?: number
  rim?: number
  /** In the figure's own measure. */
  thickness?: number
}

/**
 * One picture of a subject, made of parts from back to front. Each part is drawn in its own colours; then the scene's light
 * falls on it, so that the same drawing belongs to a dusk as to a snowy noon.
 */
export class Figure {
  readonly width: number
  readonly height: number
  readonly light: SubjectLight
  /** Pixels per unit of the drawing, whose point 0, 0 stands on the ground. */
  readonly size: number
  readonly #foot: { x: number; y: number }
  readonly #mirrored: boolean
  readonly #cell: number
  readonly #canvas: Canvas
  readonly #pixels: Uint8Array
  #stance = { angle: 0, up: 0 }

  constructor({ width, height, foot, size, mirrored, cell, light }: FigureSpace & { light: SubjectLight }) {
    this.width = width
    this.height = height
    this.size = size
    this.light = light
    this.#foot = foot
    this.#mirrored = mirrored
    this.#cell = cell
    this.#canvas = createCanvas(width, height)
    this.#pixels = new Uint8Array(width * height * 4)
  }

  /** What `draw` draws is turned about the foot by `angle`, in radians, and lifted by `up`. */
  posed(stance: { angle?: number; up?: number }, draw: () => void): void {
    this.#stance = { angle: 0, up: 0, ...stance }
    draw()
    this.#stance = { angle: 0, up: 0 }
  }

  clear(): void {
    this.#pixels.fill(0)
  }

  /** Draws a part in front of the others and lets the light fall on it. */
  part(draw: (context: SKRSContext2D) => void, { volume = 1, rim = 1, thickness = 0.3 }: PartForm = {}): void {
    const drawing = this.#draw(draw)
    if (!drawing) return
    relight(drawing, this.light, { volume, rim, thickness: thickness * this.size, cell: this.#cell })
    this.#lay(drawing)
  }

  /** Draws what shines by itself: windows, lamps, flames. */
  glow(draw: (context: SKRSContext2D) => void): void {
    const drawing = this.#draw(draw)
    if (drawing) this.#lay(drawing)
  }

  /** Windows and lamps: they shine by themselves when they are lit, and lie in the scene's light when not. */
  shine(isLit: boolean, draw: (context: SKRSContext2D) => void): void {
    if (isLit) this.glow(draw)
    else this.part(draw, { volume: 0, rim: 0 })
  }

  get pixels(): Uint8Array {
    return this.#pixels
  }

  #draw(draw: (context: SKRSContext2D) => void): Drawing | undefined {
    const context = this.#canvas.getContext('2d')
    context.reset()
    context.translate(this.#foot.x, this.#foot.y)
    context.scale(this.#mirrored ? -this.size : this.size, this.size)
    context.translate(0, -this.#stance.up)
    context.rotate(this.#stance.angle)
    draw(context)
    return bounded(this.#canvas.data(), this.width, this.height)
  }

  #lay({ rgba, width, top, bottom, left, right }: Drawing): void {
    const pixels = this.#pixels
    for (let y = top; y < bottom; y++) {
      const end = (y * width + right) * 4
      for (let at = (y * width + left) * 4; at < end; at += 4) {
        const alpha = rgba[at + 3] ?? 0
        if (alpha === 0) continue
        const rest = 255 - alpha
        for (let channel = at; channel < at + 4; channel++)
          pixels[channel] = (rgba[channel] ?? 0) + (rest === 0 ? 0 : (pixels[channel] ?? 0) * rest + 127) / 255
      }
    }
  }
}

/** What a canvas holds with the box that it lies in; nothing of an empty one. */
function bounded(rgba: Uint8Array, width: number, height: number): Drawing | undefined {
  const words = new Uint32Array(rgba.buffer, rgba.byteOffset, width * height)
  let [top, bottom, left, right] = [height, 0, width, 0]
  for (let y = 0; y < height; y++) {
    const row = y * width
    let first = 0
    while (first < width && words[row + first] === 0) first++
    if (first === width) continue
    let last = width - 1
    while (words[row + last] === 0) last--
    top = Math.min(top, y)
    bottom = y + 1
    left = Math.min(left, first)
    right = Math.max(right, last + 1)
  }
  return bottom > top ? { rgba, width, top, bottom, left, right } : undefined
}

/** The canvas of a figure, in pixels. */
export interface FigureSpace {
  width: number
  height: number
  foot: { x: number; y: number }
  size: number
  mirrored: boolean
  cell: number
}

/** The space for a drawing of `size` pixels per unit that reaches `left`, `right`, `up` and `down` units from its foot. */
export function figureSpace(
  stage: Stage,
  { size, reach, mirrored = false }: { size: number; reach: { side: number; up: number; down: number }; mirrored?: boolean },
): FigureSpace {
  const width = evenAtLeast(reach.side * 2 * size, 32)
  return {
    width,
    height: evenAtLeast((reach.up + reach.down) * size, 8),
    foot: { x: width / 2, y: reach.up * size },
    size,
    mirrored,
    cell: Math.max(1, Math.min(6, Math.round(stage.pixels(3.4)))),
  }
}

function evenAtLeast(length: number, least: number): number {
  return Math.max(least, Math.ceil(length / 2) * 2)
}

/** A figure's shadow on the ground, at this many pixels of the frame for one of the layer's. */
export const shadowScale = 4

export interface Shadow {
  layer: Layer
  /** From the figure's foot to the layer's top left corner, in frame pixels. */
  x: number
  y: number
}

/** The silhouette laid on the ground away from the light, softer with the distance, and darkest where the feet touch it. */
export function castShadow(stage: Stage, figure: Figure, foot: { x: number; y: number }, lean: number): Shadow {
  const { cast } = figure.light
  const { width, height } = figure
  const whole: Drawing = { rgba: figure.pixels, width, top: 0, bottom: height, left: 0, right: width }
  const sharp = coarseCover(whole, shadowScale, 1)
  const { columns, rows } = sharp
  blur(sharp, (figure.size * 0.018) / shadowScale)
  const soft: Cells = { columns, rows, cover: sharp.cover.slice() }
  blur(soft, (figure.size * 0.07) / shadowScale)
  const tall = Math.ceil((foot.y * cast.length) / shadowScale)
  const above = Math.ceil((figure.size * 0.06) / shadowScale)
  const slide = Math.abs(lean) * tall
  const layerWidth = Math.max(32, Math.ceil((columns + slide) / 2) * 2)
  const layerHeight = Math.max(8, Math.ceil((tall + above) / 2) * 2)
  const originX = lean < 0 ? slide : 0
  const footRow = foot.y / shadowScale + 1
  const sole = Math.round(footRow - 1)
  const rgba = new Uint8Array(layerWidth * layerHeight * 4)
  for (let row = 0; row < layerHeight; row++) {
    const down = Math.max(0, row - above)
    const far = down / tall
    const from = Math.floor(footRow - down / cast.length)
    for (let column = 0; column < layerWidth; column++) {
      const across = column - originX - lean * down
      const laid =
        row < above ? 0 : (coverAt(sharp, across, from) * (1 - far) + coverAt(soft, across, from) * far) * (1 - far * 0.75)
      // Where anything is close above the ground it is dark beneath.
      const under = Math.max(coverAt(soft, across, sole), coverAt(soft, across, sole - above))
      const touched = under * Math.exp(-(((row - above) / above) ** 2) * 2.2) * 1.8
      const cover = Math.min(0.8, cast.strength * (laid * 0.85 + touched))
      if (cover < 0.004) continue
      const target = (row * layerWidth + column) * 4
      rgba[target] = cast.colour[0] * cover
      rgba[target + 1] = cast.colour[1] * cover
      rgba[target + 2] = cast.colour[2] * cover
      rgba[target + 3] = cover * 255
    }
  }
  const layer = stage.compositor.layerFromPixels(layerWidth, layerHeight, rgba)
  return { layer, x: -(foot.x + (originX + 1) * shadowScale), y: -above * shadowScale }
}

function coverAt({ cover, columns, rows }: Cells, across: number, row: number): number {
  const column = Math.floor(across)
  if (column < 0 || column >= columns - 1 || row < 0 || row >= rows) return 0
  const left = cover[row * columns + column] ?? 0
  return left + ((cover[row * columns + column + 1] ?? 0) - left) * (across - column)
}
