import { plainText } from './write.ts'

const gap = '  '

/** Columns as wide as their widest cell; the last one is not filled up. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [headings, ...rows].map((cells) => cells.map(plainText))
  const widths = headings.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)))
  return lines
    .map((cells) =>
      cells
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join(gap)
        .trimEnd(),
    )
    .join('\n')
}

/** Names before their values, one a line. */
export function facts(pairs: readonly (readonly [name: string, value: string | null | undefined])[]): string {
  const shown = pairs.flatMap(([name, value]) => (value === null || value === undefined ? [] : [[name, value] as const]))
  const width = Math.max(...shown.map(([name]) => name.length))
  return shown.map(([name, value]) => `${name.padEnd(width)}${gap}${plainText(value)}`).join('\n')
}
