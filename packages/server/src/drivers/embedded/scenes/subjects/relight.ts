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
  const facing = slopes(form, light, (relief.thickness / cell) * 0.65)
  const brink = slopes(edge, light, 1.6)
  const { columns } = form
  const { lit, plain, shaded, rim, haze, hazeShare } = light
  const rimShare = light.rimShare * relief.rim
  const clear = 1 - hazeShare
  const turns = new Float32Array(columns)
  const brinks = new Float32Array(columns)
  for (let y = top; y < bottom; y++) {
    const v = (y - top + 0.5) / cell + pad - 0.5
    const line = Math.trunc(v)
    betweenRows(facing, line, v - line, turns)
    betweenRows(brink, line, v - line, brinks)
    let at = (y * width + left) * 4
    for (let x = left; x < right; x++, at += 4) {
      const alpha = rgba[at + 3] ?? 0
      if (alpha === 0) continue
      const u = (x - left + 0.5) / cell + pad - 0.5
      const column = Math.trunc(u)
      const across = u - column
      const turn = turns[column] ?? 0
      const turned = (turn + ((turns[column + 1] ?? 0) - turn) * across) * relief.volume
      const edge = brinks[column] ?? 0
      const bright = clamp((edge + ((brinks[column + 1] ?? 0) - edge) * across) * 1.5 - 0.42) * rimShare
      const toward = turned > 0 ? lit : shaded
      const share = Math.min(1, turned > 0 ? turned : -turned)
      const kept = (1 - bright) * clear * (1 / 255)
      const rimmed = (bright * clear * alpha) / 255
      const hazed = (hazeShare * alpha) / 255
      const red = (rgba[at] ?? 0) * (plain[0] + (toward[0] - plain[0]) * share) * kept + rim[0] * rimmed + haze[0] * hazed
      const green = (rgba[at + 1] ?? 0) * (plain[1] + (toward[1] - plain[1]) * share) * kept + rim[1] * rimmed + haze[1] * hazed
      const blue = (rgba[at + 2] ?? 0) * (plain[2] + (toward[2] - plain[2]) * share) * kept + rim[2] * rimmed + haze[2] * hazed
      rgba[at] = Math.min(alpha, red)
      rgba[at + 1] = Math.min(alpha, green)
      rgba[at + 2] = Math.min(alpha, blue)
    }
  }
}

/** One row of values between two rows of cells. */
function betweenRows(cells: Float32Array, row: number, down: number, out: Float32Array): void {
  const columns = out.length
  const upper = row * columns
  for (let column = 0; column < columns; column++) {
    const above = cells[upper + column] ?? 0
    out[column] = above + ((cells[upper + columns + column] ?? 0) - above) * down
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
