type Cell = string | number | null | undefined

/**
 * Writes CSV. Spreadsheets interpret a text as a formula if it begins with one of `=+-@`, even in
 * full width or after white space. Such a text gets an apostrophe as its first character, which
 * marks it as text.
 */
export function csvText(headings: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [headings, ...rows].map((cells) => `${cells.map(cell).join(',')}\r\n`).join('')
}

function cell(value: Cell): string {
  const text = typeof value === 'string' && /^\s*[=+\-@＝＋－＠]/.test(value) ? `'${value}` : String(value ?? '')
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
