import { Path2D, type SKRSContext2D } from '@napi-rs/canvas'
import { glyphOf } from './glyphs.ts'

// The unit of length is the height of a capital letter.
const letterGap = 0.3
const wordGap = 0.46
const lineHeight = 1.72
const linesMax = 3

/** A text that is broken into lines. The unit of length is the height of a capital letter. */
export interface Lettering {
  lines: readonly { text: string; width: number }[]
  width: number
  /** Distance from the top of the first line's capitals to the last line's baseline. */
  height: number
}

/**
 * Breaks a text into at most three lines, so that its letters are as large as possible in a box.
 * `ratio` is the box's width divided by its height. `tracking` is added to each gap.
 */
export function layOutText(text: string, ratio: number, tracking = 0): Lettering {
  const words = text.split(' ')
  const candidates = Array.from({ length: Math.min(linesMax, words.length) }, (_, index) => breakInto(words, index + 1, tracking))
  const sizeIn = ({ width, height }: Lettering): number => Math.min(ratio / width, 1 / height)
  return candidates.reduce((best, candidate) => (sizeIn(candidate) > sizeIn(best) ? candidate : best))
}

/** Breaks the words into `count` lines, so that the widest line is as narrow as possible. */
function breakInto(words: readonly string[], count: number, tracking: number): Lettering {
  const lines = count === 1 ? [words] : breakNarrowest(words, count, tracking)
  const measured = lines.map((line) => {
    const text = line.join(' ')
    return { text, width: widthOf(text, tracking) }
  })
  return {
    lines: measured,
    width: Math.max(0.5, ...measured.map(({ width }) => width)),
    height: 1 + (measured.length - 1) * lineHeight,
  }
}

function breakNarrowest(words: readonly string[], count: number, tracking: number): string[][] {
  if (count === 1) return [[...words]]
  let bestLines: string[][] = []
  let narrowestWidth = Infinity
  for (let firstLineWords = 1; firstLineWords <= words.length - count + 1; firstLineWords++) {
    const lines = [words.slice(0, firstLineWords), ...breakNarrowest(words.slice(firstLineWords), count - 1, tracking)]
    const widest = Math.max(...lines.map((line) => widthOf(line.join(' '), tracking)))
    if (widest < narrowestWidth) [bestLines, narrowestWidth] = [lines, widest]
  }
  return bestLines
}

function widthOf(text: string, tracking: number): number {
  let width = 0
  let isFirst = true
  for (const character of text) {
    if (character === ' ') {
      width += wordGap + tracking
      continue
    }
    width += (isFirst ? 0 : letterGap + tracking) + advanceOf(character)
    isFirst = false
  }
  return width
}

function advanceOf(character: string): number {
  return (glyphOf(character)?.[0]?.glyph.width ?? 0) / 100
}

/**
 * Strokes the lines, centered on `x`, with the stroke style of the context. The capitals of the
 * first line start at `y` and are `size` high.
 */
export function strokeText(
  context: SKRSContext2D,
  { lines }: Lettering,
  { x, y, size, tracking = 0 }: { x: number; y: number; size: number; tracking?: number },
): void {
  context.lineCap = 'round'
  context.lineJoin = 'round'
  for (const [row, { text, width }] of lines.entries()) {
    let left = -width / 2
    let isFirst = true
    for (const character of text) {
      if (character === ' ') {
        left += wordGap + tracking
        continue
      }
      if (!isFirst) left += letterGap + tracking
      isFirst = false
      for (const { glyph, x: offsetX, y: offsetY } of glyphOf(character) ?? []) {
        const path = new Path2D()
        const scale = size / 100
        path.addPath(new Path2D(glyph.path), {
          a: scale,
          b: 0,
          c: 0,
          d: scale,
          e: x + left * size + offsetX * scale,
          f: y + row * lineHeight * size + offsetY * scale,
        })
        context.stroke(path)
      }
      left += advanceOf(character)
    }
  }
}
