import { useLayoutEffect, useRef, useState } from 'preact/hooks'

/**
 * Number of rows that are rendered above and below the viewport, so that focus and scrolling reach
 * them.
 */
const overscanRows = 4
/** Maximum number of items that are rendered before the height of a row is known. */
const unmeasuredItemsMax = 60

export interface VisibleRows<Container extends HTMLElement> {
  /** Ref for the element that contains the rows. */
  container: { current: Container | null }
  /** Index of the first item to render. */
  first: number
  /** Index after the last item to render. */
  end: number
  /** Height of the rows before the rendered ones. */
  pixelsBefore: number
  /** Height of the rows after the rendered ones. */
  pixelsAfter: number
}

/** Layout of the rows of a container. */
export interface RowLayout {
  columns: number
  /** Height of a row with its gap, in pixels. 0 if it is not known yet. */
  rowHeight: number
}

/** Returns the layout of a grid whose items have the ratio `ratio` of height to width. */
export function gridLayout(ratio: number): (grid: HTMLElement) => RowLayout {
  return (grid) => {
    const style = getComputedStyle(grid)
    const widths = style.gridTemplateColumns.split(' ').map((width) => Number.parseFloat(width))
    return { columns: Math.max(1, widths.length), rowHeight: (widths[0] ?? 0) * ratio + (Number.parseFloat(style.rowGap) || 0) }
  }
}

/** Returns the layout of a table body. Its rows with the class `row` must have the same height. */
export function tableLayout(body: HTMLElement): RowLayout {
  return { columns: 1, rowHeight: body.querySelector('.row')?.getBoundingClientRect().height ?? 0 }
}

/**
 * Returns the range of rows near the viewport. Rendering only these rows lets thousands of items
 * scroll smoothly. `layoutOf` must be the same function at each call.
 */
export function useVisibleRows<Container extends HTMLElement>(
  count: number,
  layoutOf: (container: HTMLElement) => RowLayout,
): VisibleRows<Container> {
  const container = useRef<Container>(null)
  const [range, setRange] = useState({ first: 0, end: unmeasuredItemsMax, pixelsBefore: 0, pixelsAfter: 0 })

  useLayoutEffect(() => {
    const element = container.current
    if (element === null) return undefined
    const measure = (): void => setRange((current) => unlessSame(current, computeRange(element, count, layoutOf(element))))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    // The page may scroll in an element other than the window, and scroll events do not bubble, so
    // the listener captures them.
    document.addEventListener('scroll', measure, { capture: true, passive: true })
    return () => {
      observer.disconnect()
      document.removeEventListener('scroll', measure, { capture: true })
    }
  }, [count, layoutOf])

  return { container, ...range }
}

type Range = Omit<VisibleRows<HTMLElement>, 'container'>

function computeRange(element: HTMLElement, count: number, { columns, rowHeight }: RowLayout): Range {
  if (!(rowHeight > 0)) return { first: 0, end: Math.min(count, unmeasuredItemsMax), pixelsBefore: 0, pixelsAfter: 0 }
  const rows = Math.ceil(count / columns)
  const { top } = element.getBoundingClientRect()
  const firstRow = Math.min(rows, Math.max(0, Math.floor(-top / rowHeight) - overscanRows))
  const endRow = Math.min(rows, Math.max(firstRow, Math.ceil((innerHeight - top) / rowHeight) + overscanRows))
  return {
    first: firstRow * columns,
    end: Math.min(count, endRow * columns),
    pixelsBefore: firstRow * rowHeight,
    pixelsAfter: (rows - endRow) * rowHeight,
  }
}

function unlessSame(current: Range, next: Range): Range {
  const isSame =
    current.first === next.first &&
    current.end === next.end &&
    current.pixelsBefore === next.pixelsBefore &&
    current.pixelsAfter === next.pixelsAfter
  return isSame ? current : next
}
