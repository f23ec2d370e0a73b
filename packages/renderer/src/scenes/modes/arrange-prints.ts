/** Place of an image, in shares of the area: its middle and the box that it may fill. */
export interface Place {
  x: number
  y: number
  width: number
  height: number
}

/**
 * Aspect ratio that the layout assumes for all images. Other images are only smaller than they
 * could be.
 */
const usualRatio = 4 / 3
/** Share of a place that an image fills. The rest is the gap to the next place. */
const fillShare = 0.93
/** Shortest time for which a page of images is shown. */
const pageSecondsMin = 0.9
/** Width that one image should have on a page, in heights of the area. */
const roomRatio = 1.6

/**
 * Returns the number of images on each page: few and large if the video is long enough for that.
 */
export function paginate(count: number, seconds: number, areaRatio: number): number[] {
  const pagesMost = Math.max(1, Math.floor(seconds / pageSecondsMin))
  const comfortable = Math.max(1, Math.round(areaRatio / roomRatio))
  const pages = Math.min(pagesMost, Math.ceil(count / comfortable))
  return shared(count, pages)
}

/** Arranges images in rows, with the number of rows that makes them largest. */
export function arrange(count: number, areaRatio: number): Place[] {
  const heightIn = (rows: number): number => Math.min(1 / rows, areaRatio / Math.ceil(count / rows) / usualRatio)
  const choices = Array.from({ length: count }, (_, index) => index + 1)
  const rows = choices.reduce((best, choice) => (heightIn(choice) > heightIn(best) ? choice : best), 1)
  return shared(count, rows).flatMap((inRow, row) =>
    Array.from({ length: inRow }, (_, column) => ({
      x: (column + 0.5) / inRow,
      y: (row + 0.5) / rows,
      width: fillShare / inRow,
      height: fillShare / rows,
    })),
  )
}

/** Splits a number into nearly equal parts, the larger ones first. */
function shared(count: number, parts: number): number[] {
  return Array.from({ length: parts }, (_, part) => Math.floor(count / parts) + (part < count % parts ? 1 : 0))
}
