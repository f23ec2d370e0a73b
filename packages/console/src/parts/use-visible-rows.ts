import { useLayoutEffect, useRef, useState } from 'preact/hooks'

/**
 * Number of additional rows above and below the viewport, so that focus and scrolling find them.
 */
const overscanRows = 4

export interface VisibleRows {
  /** Ref for the grid element. */
  grid: { current: HTMLUListElement | null }
  /** Range of items to render. */
  first: number
  end: number
  /** Height of the rows that are not rendered, in pixels. */
  before: number
  after: number
}

/**
 * Virtualizes a grid: only rows near the viewport are rendered, so that thousands of items scroll
 * smoothly. `ratio` is the height of each item divided by its width.
 */
export function useVisibleRows(count: number, ratio: number): VisibleRows {
  const grid = useRef<HTMLUListElement>(null)
  const [range, setRange] = useState({ first: 0, end: 60, before: 0, after: 0 })

  useLayoutEffect(() => {
    const element = grid.current
    if (element === null) return undefined
    const measure = (): void => setRange((known) => unlessSame(known, rangeOf(element, count, ratio)))
    measure()
    const resized = new ResizeObserver(measure)
    resized.observe(element)
    // The page may scroll in an element other than the window, and scroll events do not bubble, so
    // the listener captures them.
    document.addEventListener('scroll', measure, { capture: true, passive: true })
    return () => {
      resized.disconnect()
      document.removeEventListener('scroll', measure, { capture: true })
    }
  }, [count, ratio])

  return { grid, ...range }
}

type Range = Omit<VisibleRows, 'grid'>

function rangeOf(element: HTMLElement, count: number, ratio: number): Range {
  const style = getComputedStyle(element)
  const widths = style.gridTemplateColumns.split(' ').map((width) => Number.parseFloat(width))
  const columns = Math.max(1, widths.length)
  const rowHeight = (widths[0] ?? 0) * ratio + (Number.parseFloat(style.rowGap) || 0)
  if (!(rowHeight > 0)) return { first: 0, end: Math.min(count, 60), before: 0, after: 0 }
  const rows = Math.ceil(count / columns)
  const { top } = element.getBoundingClientRect()
  const firstRow = Math.min(rows, Math.max(0, Math.floor(-top / rowHeight) - overscanRows))
  const endRow = Math.min(rows, Math.max(firstRow, Math.ceil((innerHeight - top) / rowHeight) + overscanRows))
  return {
    first: firstRow * columns,
    end: Math.min(count, endRow * columns),
    before: firstRow * rowHeight,
    after: (rows - endRow) * rowHeight,
  }
}

function unlessSame(known: Range, next: Range): Range {
  const isSame =
    known.first === next.first && known.end === next.end && known.before === next.before && known.after === next.after
  return isSame ? known : next
}
