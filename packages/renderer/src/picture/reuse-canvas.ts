import { createCanvas, type Canvas } from '@napi-rs/canvas'

/**
 * Maximum size of all kept canvases of a thread. It is enough for a few of the largest layers of
 * 1080p. One canvas is kept even if it is larger.
 */
const keptBytesMax = 32 * 1024 * 1024
/**
 * A kept canvas is reused only if a drawing needs at least this share of its pixels, because all of
 * them are cleared and read.
 */
const usedShareMin = 0.5
const bytesPerPixel = 4
const sideMultiple = 64

const freeCanvases: Canvas[] = []

/**
 * Returns a canvas of at least this size for one drawing. The next call may return the same canvas.
 * Canvases are kept because a new one takes longer than most drawings: the system maps its memory
 * page by page.
 */
export function reuseCanvas(width: number, height: number): Canvas {
  const index = freeCanvases.findIndex(
    (canvas) => canvas.width >= width && canvas.height >= height && width * height >= canvas.width * canvas.height * usedShareMin,
  )
  const canvas = freeCanvases.splice(index, index < 0 ? 0 : 1)[0] ?? createCanvas(roundUp(width), roundUp(height))
  // The least recently used canvases are at the end, and are dropped.
  freeCanvases.unshift(canvas)
  while (freeCanvases.length > 1 && bytesOf(freeCanvases) > keptBytesMax) freeCanvases.pop()
  return canvas
}

function roundUp(side: number): number {
  return Math.ceil(side / sideMultiple) * sideMultiple
}

function bytesOf(canvases: readonly Canvas[]): number {
  return canvases.reduce((sum, { width, height }) => sum + width * height * bytesPerPixel, 0)
}
