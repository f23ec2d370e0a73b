/** A place for a picture, in shares of the area: its middle and the box that it may fill. */
export interface Place {
  x: number
  y: number
  width: number
  height: number
}

/** What pictures are on the whole; those that are not are only smaller than they could be. */
const usualRatio = 4 / 3
/** Of a place, the rest being the gap to the next one. */
const fillShare = 0.93
/** A page of pictures is to be seen for so long at least. */
const pageSecondsMin = 0.9
/** A picture on a page needs so much of its width, in heights. */
const roomRatio = 1.6

/** How many pictures are shown at a time, page by page: few and large where the film is long enough for that. */
export function paginate(count: number, seconds: number, areaRatio: number): number[] {
  const pagesMost = Math.max(1, Math.floor(seconds / pageSecondsMin))
  const comfortable = Math.max(1, Math.round(areaRatio / roomRatio))
  const pages = Math.min(pagesMost, Math.ceil(count / comfortable))
  return shared(count, pages)
}

/** Rows of pictures, as many as make them largest. */
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

/** A number as so many nearly equal ones, the larger first. */
function shared(count: number, parts: number): number[] {
  return Array.from({ length: parts }, (_, part) => Math.floor(count / parts) + (part < count % parts ? 1 : 0))
}
