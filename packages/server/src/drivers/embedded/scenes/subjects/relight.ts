import { clamp } from '../../picture/curves.ts'
import type { SubjectLight } from './light.ts'

/** Premultiplied RGBA, and the rows and columns in which there is anything. */
export interface Drawing {
  rgba: Uint8Array
  width: number
  top: number
  bottom: number
  left: number
  right: number
}

export interface Relief {
  /** Roundness: 0 is flat, 1 a body. */
  volume: number
  /** Share of the rim light at the edge. */
  rim: number
  /** How thick a body is, in pixels: its light changes over that distance. */
  thickness: number
  /** Side of the cells in which the form is seen, in pixels: about as wide as the rim. */
  cell: number
}

/**
 * Lights a drawing as if its shape were round: where the silhouette turns towards the light it is lit, with a bright rim at the
 * very edge, and away from the light it falls into shade.
 */
export function relight(drawing: Drawing, light: SubjectLight, relief: Relief): void {
  const { rgba, width, top, bottom, left, right } = drawing
  const { cell } = relief
  const reach = relief.thickness / cell / 2
  // What a blur carries beyond the drawing must come back with the next.
  const pad = Math.ceil(reach) * 2 + 2
  const form = coarseCover(drawing, cell, pad)
  const edge: Cells = { ...form, cover: form.cover.slice() }
  blur(form, reach)
  blur(edge, 1)
  const facing = slopes(form, light, (relief.thickness / cell) * 0.9)
  const brink = slopes(edge, light, 1.6)
  const { columns } = form
  const { tint, lit, shade, rim, haze, hazeShare } = light
  const litShare = light.litShare * relief.volume
  const shadeShare = light.shadeShare * relief.volume
  const rimShare = light.rimShare * relief.rim
  const [tintR, tintG, tintB] = [tint[0] / 255, tint[1] / 255, tint[2] / 255]
  for (let y = top; y < bottom; y++) {
    const v = (y - top + 0.5) / cell + pad - 0.5
    const line = Math.trunc(v)
    const down = v - line
    let at = (y * width + left) * 4
    for (let x = left; x < right; x++, at += 4) {
      const alpha = rgba[at + 3] ?? 0
      if (alpha === 0) continue
      const u = (x - left + 0.5) / cell + pad - 0.5
      const column = Math.trunc(u)
      const across = u - column
      const index = line * columns + column
      const turned = sampled(facing, index, columns, across, down)
      const bright = clamp(sampled(brink, index, columns, across, down) * 1.5 - 0.42) * rimShare
      const cover = alpha / 255
      // What multiplies the drawn colour, and what is added to it.
      const share = turned > 0 ? Math.min(1, turned) * litShare * 0.55 : Math.min(1, -turned) * shadeShare * 0.6
      const gain = (turned > 0 ? 1 + share * 1.45 : 1 - share * 0.83) * (1 - share) * (1 - bright) * (1 - hazeShare)
      const toward = turned > 0 ? lit : shade
      const given = share * (1 - bright) * (1 - hazeShare) * cover
      const rimmed = bright * (1 - hazeShare) * cover
      const hazed = hazeShare * cover
      rgba[at] = Math.min(alpha, (rgba[at] ?? 0) * tintR * gain + toward[0] * given + rim[0] * rimmed + haze[0] * hazed)
      rgba[at + 1] = Math.min(alpha, (rgba[at + 1] ?? 0) * tintG * gain + toward[1] * given + rim[1] * rimmed + haze[1] * hazed)
      rgba[at + 2] = Math.min(alpha, (rgba[at + 2] ?? 0) * tintB * gain + toward[2] * given + rim[2] * rimmed + haze[2] * hazed)
    }
  }
}

/** A coarse map of what is covered, 0 to 1. */
export interface Cells {
  cover: Float32Array
  columns: number
  rows: number
}

/** `pad` empty cells lie around what is drawn. */
export function coarseCover({ rgba, width, top, bottom, left, right }: Drawing, cell: number, pad: number): Cells {
  const columns = Math.ceil((right - left) / cell) + pad * 2
  const rows = Math.ceil((bottom - top) / cell) + pad * 2
  const cover = new Float32Array(columns * rows)
  const share = 1 / (cell * cell * 255)
  for (let y = top; y < bottom; y++) {
    let index = (Math.trunc((y - top) / cell) + pad) * columns + pad
    let at = (y * width + left) * 4 + 3
    for (let x = left; x < right; index++) {
      let sum = 0
      for (const end = Math.min(right, x + cell); x < end; x++, at += 4) sum += rgba[at] ?? 0
      if (sum > 0) cover[index] = (cover[index] ?? 0) + sum * share
    }
  }
  return { cover, columns, rows }
}

/** Two box blurs in each direction: close to a bell. */
export function blur({ cover, columns, rows }: Cells, radius: number): void {
  const reach = Math.max(1, Math.round(radius))
  const line = new Float32Array(Math.max(columns, rows))
  for (let pass = 0; pass < 2; pass++) {
    for (let row = 0; row < rows; row++) blurLine(cover, row * columns, 1, columns, reach, line)
    for (let column = 0; column < columns; column++) blurLine(cover, column, columns, rows, reach, line)
  }
}

function blurLine(cover: Float32Array, first: number, step: number, count: number, reach: number, line: Float32Array): void {
  let sum = 0
  for (let index = 0; index < Math.min(reach, count); index++) sum += cover[first + index * step] ?? 0
  const share = 1 / (reach * 2 + 1)
  for (let index = 0; index < count; index++) {
    if (index + reach < count) sum += cover[first + (index + reach) * step] ?? 0
    if (index - reach > 0) sum -= cover[first + (index - reach - 1) * step] ?? 0
    line[index] = sum * share
  }
  for (let index = 0; index < count; index++) cover[first + index * step] = line[index] ?? 0
}

/** How much each cell's slope faces the light, about -1 to 1. */
function slopes({ cover, columns, rows }: Cells, light: { x: number; y: number }, steepness: number): Float32Array {
  const facing = new Float32Array(columns * rows)
  for (let row = 1; row < rows - 1; row++) {
    for (let column = 1; column < columns - 1; column++) {
      const index = row * columns + column
      const across = (cover[index + 1] ?? 0) - (cover[index - 1] ?? 0)
      const down = (cover[index + columns] ?? 0) - (cover[index - columns] ?? 0)
      facing[index] = -(across * light.x + down * light.y) * steepness
    }
  }
  return facing
}

function sampled(cells: Float32Array, index: number, columns: number, across: number, down: number): number {
  const [a = 0, b = 0, c = 0, d = 0] = [cells[index], cells[index + 1], cells[index + columns], cells[index + columns + 1]]
  const upper = a + (b - a) * across
  return upper + (c + (d - c) * across - upper) * down
}
