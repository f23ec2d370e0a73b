/** Middle (`x`, `y`) and size of the box that an image may fill, in shares of the area. */
export interface PrintBox {
  x: number
  y: number
  width: number
  height: number
}

/**
 * Aspect ratio that the layout assumes for all images. An image with another ratio does not fill
 * its box.
 */
const defaultRatio = 4 / 3
/** Share of a box that an image fills. The rest is the gap to the next box. */
const fillShare = 0.93
/** Minimum time for which a page of images is shown. */
const pageSecondsMin = 0.9
/** Target width of one image on a page, as a multiple of the area's height. */
const printWidthRatio = 1.6

/**
 * Returns the number of images on each page. A longer video has more pages with fewer and larger
 * images.
 */
export function paginate(count: number, seconds: number, areaRatio: number): number[] {
  const pagesMax = Math.max(1, Math.floor(seconds / pageSecondsMin))
  const comfortableCount = Math.max(1, Math.round(areaRatio / printWidthRatio))
  const pages = Math.min(pagesMax, Math.ceil(count / comfortableCount))
  return splitEvenly(count, pages)
}

/** Arranges images in rows, with the number of rows that makes them largest. */
export function arrangePrints(count: number, areaRatio: number): PrintBox[] {
  const heightIn = (rows: number): number => Math.min(1 / rows, areaRatio / Math.ceil(count / rows) / defaultRatio)
  const choices = Array.from({ length: count }, (_, index) => index + 1)
  const rows = choices.reduce((best, choice) => (heightIn(choice) > heightIn(best) ? choice : best), 1)
  return splitEvenly(count, rows).flatMap((rowCount, row) =>
    Array.from({ length: rowCount }, (_, column) => ({
      x: (column + 0.5) / rowCount,
      y: (row + 0.5) / rows,
      width: fillShare / rowCount,
      height: fillShare / rows,
    })),
  )
}

/** Splits a number into nearly equal parts, larger parts first. */
function splitEvenly(count: number, parts: number): number[] {
  return Array.from({ length: parts }, (_, part) => Math.floor(count / parts) + (part < count % parts ? 1 : 0))
}
