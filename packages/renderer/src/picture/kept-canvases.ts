import { createCanvas, type Canvas } from '@napi-rs/canvas'

/** Limit of kept canvases per thread, in bytes: a few of the largest layers of 1080p. */
const keptBytesMax = 32 * 1024 * 1024
/**
 * A kept canvas is reused only if at least this share of it is needed, because all of it is cleared
 * and read.
 */
const usedShareMin = 0.5
const bytesPerPixel = 4
const sideMultiple = 64

const kept: Canvas[] = []

/**
 * A canvas of at least this size, for one drawing: the next call may return the same canvas. Fresh
 * canvases cost more than most drawings, because the system maps their memory page by page.
 */
export function keptCanvas(width: number, height: number): Canvas {
  const index = kept.findIndex(
    (canvas) => canvas.width >= width && canvas.height >= height && width * height >= canvas.width * canvas.height * usedShareMin,
  )
  const canvas = kept.splice(index, index < 0 ? 0 : 1)[0] ?? createCanvas(roundedUp(width), roundedUp(height))
  // The most recently used canvas comes first. Those at the end are dropped.
  kept.unshift(canvas)
  while (kept.length > 1 && bytesOf(kept) > keptBytesMax) kept.pop()
  return canvas
}

function roundedUp(side: number): number {
  return Math.ceil(side / sideMultiple) * sideMultiple
}

function bytesOf(canvases: readonly Canvas[]): number {
  return canvases.reduce((sum, { width, height }) => sum + width * height * bytesPerPixel, 0)
}
