type Cell = string | number | null | undefined

/**
 * Renders CSV. Spreadsheets interpret a text as a formula if it begins with one of `=+-@`, even in
 * full width or after white space. Such a text is prefixed with an apostrophe, which marks it as
 * text.
 */
export function csvText(headings: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [headings, ...rows].map((cells) => `${cells.map(cellText).join(',')}\r\n`).join('')
}

function cellText(value: Cell): string {
  const text = typeof value === 'string' && /^\s*[=+\-@＝＋－＠]/.test(value) ? `'${value}` : String(value ?? '')
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
