const plainAscii = /^[\x20-\x7e]*$/
/** Characters that are two columns wide: East Asian wide and full-width characters, and emoji. */
const wideCharacters =
  /[\p{Emoji_Presentation}\u{1100}-\u{115f}\u{2e80}-\u{303e}\u{3041}-\u{a4cf}\u{a960}-\u{a97c}\u{ac00}-\u{d7a3}\u{f900}-\u{faff}\u{fe30}-\u{fe6f}\u{ff01}-\u{ff60}\u{ffe0}-\u{ffe6}\u{20000}-\u{3fffd}]/u
const ellipsis = '…'
let segmenter: Intl.Segmenter | undefined

/** Returns the width of a text on a terminal, in columns. */
export function textWidth(text: string): number {
  return plainAscii.test(text) ? text.length : graphemesIn(text).map(widthOf).reduce(sum, 0)
}

/** Returns the text if it fits into the width, otherwise its beginning followed by `…`. */
export function shorten(text: string, widthMax: number): string {
  if (textWidth(text) <= widthMax) return text
  let fittingText = ''
  let width = textWidth(ellipsis)
  for (const grapheme of graphemesIn(text)) {
    width += widthOf(grapheme)
    if (width > widthMax) break
    fittingText += grapheme
  }
  return `${fittingText.trimEnd()}${ellipsis}`
}

/** Wraps the text between words. A word that is wider than a line gets its own line. */
export function wrappedLines(text: string, widthMax: number): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? ''
    const extendedLine = line === '' ? word : `${line} ${word}`
    if (line === '' || textWidth(extendedLine) <= widthMax) lines[lines.length - 1] = extendedLine
    else lines.push(word)
  }
  return lines
}

export function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)))
}

/**
 * Returns the graphemes of a text. The segmenter is created on first use, because its creation
 * takes a tenth of the time of a short command.
 */
function graphemesIn(text: string): string[] {
  segmenter ??= new Intl.Segmenter()
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

function widthOf(grapheme: string): number {
  return wideCharacters.test(grapheme) ? 2 : 1
}

function sum(left: number, right: number): number {
  return left + right
}
