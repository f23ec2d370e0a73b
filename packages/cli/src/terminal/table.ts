import { outputWidth } from './output-width.ts'
import { pad, shorten, textWidth, wrappedLines } from './text-width.ts'
import { plainText } from './write.ts'

/**
 * A column of a table. On a narrow terminal, long cells are shortened or wrapped between words. If
 * the table is still too wide, the columns with the lowest rank are omitted.
 */
export interface Column {
  heading: string
  /** Whether long cells are shortened or wrapped. Default: neither. */
  long?: 'shorten' | 'wrap'
  /** Columns with a lower rank are omitted first. A column without a rank is never omitted. */
  rank?: number
}

const gap = '  '
/** Minimum width of a column whose cells are shortened. */
const shortenedWidthMin = 12
/** Minimum width of a column whose cells wrap, if its words are shorter. */
const wrappedWidthMin = 16
/** Maximum width of a word for which such a column must have room. */
const wordWidthMax = 30

/** Formats a table. Columns are as wide as their widest cell, if the terminal is wide enough. */
export function table(
  headings: readonly (string | Column)[],
  rows: readonly (readonly string[])[],
  widthMax = outputWidth(),
): string {
  const columns = headings.map((heading, index): MeasuredColumn => {
    const column = typeof heading === 'string' ? { heading } : heading
    return measureColumn(
      column,
      rows.map((cells) => plainText(cells[index] ?? '')),
    )
  })
  const shownColumns = columnsThatFit(columns, widthMax)
  const widths = widthsWithin(shownColumns, widthMax)
  const lines = [
    lineOf(
      shownColumns.map(({ heading }) => heading),
      widths,
    ),
    ...rows.flatMap((_, row) => linesOfRow(shownColumns, row, widths)),
  ]
  const omittedHeadings = columns.filter((column) => !shownColumns.includes(column)).map(({ heading }) => heading)
  if (omittedHeadings.length > 0) lines.push('', ...wrappedLines(omissionText(omittedHeadings), widthMax))
  return lines.join('\n')
}

/** Formats names and values, one pair per line. */
export function facts(
  pairs: readonly (readonly [name: string, value: string | null | undefined])[],
  widthMax = outputWidth(),
): string {
  const presentPairs = pairs.flatMap(([name, value]) => (value === null || value === undefined ? [] : [[name, value] as const]))
  const nameWidth = Math.max(...presentPairs.map(([name]) => textWidth(name)))
  const valueWidth = Math.max(wrappedWidthMin, widthMax - nameWidth - gap.length)
  return presentPairs
    .map(
      ([name, value]) =>
        pad(name, nameWidth) + gap + wrappedLines(plainText(value), valueWidth).join(`\n${' '.repeat(nameWidth)}${gap}`),
    )
    .join('\n')
}

/** Wraps a text to the width of the terminal. */
export function paragraph(text: string, widthMax = outputWidth()): string {
  return wrappedLines(plainText(text), widthMax).join('\n')
}

interface MeasuredColumn extends Column {
  cells: readonly string[]
  width: number
  widthMin: number
}

function measureColumn(column: Column, cells: readonly string[]): MeasuredColumn {
  const headingWidth = textWidth(column.heading)
  const width = widestOf([column.heading, ...cells])
  return { ...column, cells, width, widthMin: Math.min(width, Math.max(headingWidth, widthMinOf(column, cells, width))) }
}

function widthMinOf({ long }: Column, cells: readonly string[], width: number): number {
  if (long === 'shorten') return shortenedWidthMin
  if (long === undefined) return width
  return Math.max(wrappedWidthMin, Math.min(wordWidthMax, widestOf(cells.flatMap((cell) => cell.split(' ')))))
}

function widestOf(texts: readonly string[]): number {
  return texts.reduce((widest, text) => Math.max(widest, textWidth(text)), 0)
}

/**
 * Returns the columns without a rank, and the highest-ranked other columns that fit into the width.
 */
function columnsThatFit(columns: readonly MeasuredColumn[], widthMax: number): MeasuredColumn[] {
  const shownColumns = new Set(columns.filter(({ rank }) => rank === undefined))
  for (const column of columns.filter(({ rank }) => rank !== undefined).toSorted((a, b) => (b.rank ?? 0) - (a.rank ?? 0))) {
    if (totalOf([...shownColumns, column].map(({ widthMin }) => widthMin)) <= widthMax) shownColumns.add(column)
  }
  return columns.filter((column) => shownColumns.has(column))
}

/**
 * Returns the widths of the columns. Until the table fits, narrows the widest column that may be
 * shortened or wrapped. If none is left, narrows any column.
 */
function widthsWithin(columns: readonly MeasuredColumn[], widthMax: number): number[] {
  const widths = columns.map(({ width }) => width)
  while (totalOf(widths) > widthMax) {
    const narrowableWidths = columns.map(({ widthMin }, index) => ((widths[index] ?? 0) > widthMin ? (widths[index] ?? 0) : 0))
    const candidates = Math.max(...narrowableWidths) > 0 ? narrowableWidths : widths
    const width = Math.max(...candidates)
    if (width <= 1) break
    widths[candidates.indexOf(width)] = width - 1
  }
  return widths
}

function totalOf(widths: readonly number[]): number {
  return widths.reduce((total, width) => total + width, gap.length * (widths.length - 1))
}

function linesOfRow(columns: readonly MeasuredColumn[], row: number, widths: readonly number[]): string[] {
  const cells = columns.map(({ cells: all, long }, index) => {
    const cell = all[row] ?? ''
    return long === 'wrap' ? wrappedLines(cell, widths[index] ?? 0) : [cell]
  })
  const height = Math.max(...cells.map((lines) => lines.length))
  return Array.from({ length: height }, (_, line) =>
    lineOf(
      cells.map((lines) => lines[line] ?? ''),
      widths,
    ),
  )
}

function lineOf(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map((cell, column) => pad(shorten(cell, widths[column] ?? 0), widths[column] ?? 0))
    .join(gap)
    .trimEnd()
}

function omissionText(headings: readonly string[]): string {
  return `Hidden columns: ${headings.join(', ')}. A wider terminal or --json shows them.`
}
