import type { Painter, Stage } from '../stage.ts'

/**
 * Maximum number of texels per `geometry.unit` in each direction. Clouds are soft, so they are
 * drawn small and enlarged.
 */
const texelsPerUnitMax = 390
/** Additional width of a sheet in units: half on each side, for the drift. */
const extraWidth = 0.42

/** Premultiplied RGBA pixels that cover the sky or a band of it. */
export interface CloudSheet {
  columns: number
  rows: number
  rgba: Uint8Array
  /** Frame pixels per texel. */
  scale: number
  /** Frame position of the left edge. */
  left: number
  /** Frame position of the upper edge. */
  top: number
}

/**
 * Creates a sheet from `top` down to `bottom`, in frame pixels. By default it reaches from above
 * the frame to the horizon.
 */
export function createCloudSheet(
  { geometry, horizon }: Stage,
  { top = -0.05 * geometry.unit, bottom = horizon } = {},
): CloudSheet {
  const { width, unit } = geometry
  const scale = Math.max(1, unit / texelsPerUnitMax)
  const drawnWidth = width * 1.04 + unit * extraWidth
  const columns = Math.max(32, Math.ceil(drawnWidth / scale / 2) * 2)
  const rows = Math.max(4, Math.ceil((bottom - top) / scale / 2) * 2)
  return { columns, rows, rgba: new Uint8Array(columns * rows * 4), scale, left: (width - drawnWidth) / 2, top }
}

/**
 * Paints a sheet that drifts.
 *
 *   drift    pixels per second to the left, for a frame of 1080 rows; negative: to the right
 *   rowEnd   the frame row before which the sheet ends
 *
 * The sheet stops after half of `extraWidth`, before its edge would appear.
 */
export function paintCloudSheet(
  stage: Stage,
  { columns, rows, rgba, scale, left, top }: CloudSheet,
  { rowEnd, drift, depth }: { rowEnd: number; drift: number; depth: number },
): Painter {
  const { compositor, geometry, horizon } = stage
  const layer = compositor.layerFromPixels(columns, rows, rgba)
  const driftMax = (geometry.unit * extraWidth) / 2
  return (moment) => {
    const zoom = stage.zoom(depth, moment)
    const movedDistance = moment.seconds * stage.toPixels(drift)
    const x = left - Math.sign(movedDistance) * Math.min(Math.abs(movedDistance), driftMax)
    const center = geometry.width / 2
    compositor.drawLayer(layer, {
      x: center + (x - center) * zoom,
      y: horizon + (top - horizon) * zoom,
      scale: scale * zoom,
      rowEnd,
    })
  }
}

/** Sets a texel to a color with an opacity, premultiplied. */
export function setTexel(
  rgba: Uint8Array,
  index: number,
  color: readonly [red: number, green: number, blue: number],
  opacity: number,
): void {
  rgba[index * 4] = color[0] * opacity
  rgba[index * 4 + 1] = color[1] * opacity
  rgba[index * 4 + 2] = color[2] * opacity
  rgba[index * 4 + 3] = opacity * 255
}
