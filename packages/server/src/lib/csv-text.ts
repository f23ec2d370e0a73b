type Cell = string | number | null | undefined

/**
 * Spreadsheets take a text that begins with one of `=+-@`, full width or behind white space, for a formula: it is quoted as a text.
 */
export function csvText(headings: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [headings, ...rows].map((cells) => `${cells.map(cell).join(',')}\r\n`).join('')
}

function cell(value: Cell): string {
  const text = typeof value === 'string' && /^\s*[=+\-@＝＋－＠]/.test(value) ? `'${value}` : String(value ?? '')
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
