/**
 * A letter as strokes in a box of height 1, with y pointing down. Each line is a list of the x and
 * y of its points.
 */
interface Letter {
  width: number
  lines: readonly (readonly number[])[]
}

const oval = (width: number): number[] => {
  const [left, right] = [0.22, width - 0.22]
  return [left, 0, right, 0, width, 0.22, width, 0.78, right, 1, left, 1, 0, 0.78, 0, 0.22, left, 0]
}
const dot = [0.02, 0.98, 0.02, 1]

/** The letters as strokes, because a machine may have no fonts. */
export const letters: Readonly<Record<string, Letter>> = {
  A: {
    width: 0.76,
    lines: [
      [0, 1, 0.38, 0, 0.76, 1],
      [0.14, 0.66, 0.62, 0.66],
    ],
  },
  B: {
    width: 0.6,
    lines: [
      [0, 0, 0.4, 0, 0.56, 0.1, 0.56, 0.37, 0.4, 0.48, 0, 0.48],
      [0.4, 0.48, 0.6, 0.6, 0.6, 0.88, 0.42, 1, 0, 1, 0, 0],
    ],
  },
  C: { width: 0.7, lines: [[0.7, 0.16, 0.52, 0, 0.2, 0, 0, 0.2, 0, 0.8, 0.2, 1, 0.52, 1, 0.7, 0.84]] },
  D: { width: 0.68, lines: [[0, 0, 0.4, 0, 0.68, 0.26, 0.68, 0.74, 0.4, 1, 0, 1, 0, 0]] },
  E: {
    width: 0.58,
    lines: [
      [0.58, 0, 0, 0, 0, 1, 0.58, 1],
      [0, 0.48, 0.48, 0.48],
    ],
  },
  F: {
    width: 0.58,
    lines: [
      [0, 1, 0, 0, 0.58, 0],
      [0, 0.48, 0.46, 0.48],
    ],
  },
  G: { width: 0.72, lines: [[0.7, 0.16, 0.52, 0, 0.2, 0, 0, 0.2, 0, 0.8, 0.2, 1, 0.52, 1, 0.72, 0.82, 0.72, 0.54, 0.42, 0.54]] },
  H: {
    width: 0.68,
    lines: [
      [0, 0, 0, 1],
      [0.68, 0, 0.68, 1],
      [0, 0.48, 0.68, 0.48],
    ],
  },
  I: { width: 0.04, lines: [[0.02, 0, 0.02, 1]] },
  J: { width: 0.5, lines: [[0.5, 0, 0.5, 0.8, 0.34, 1, 0.14, 1, 0, 0.84]] },
  K: {
    width: 0.64,
    lines: [
      [0, 0, 0, 1],
      [0.62, 0, 0, 0.58],
      [0.2, 0.4, 0.64, 1],
    ],
  },
  L: { width: 0.54, lines: [[0, 0, 0, 1, 0.54, 1]] },
  M: { width: 0.84, lines: [[0, 1, 0, 0, 0.42, 0.66, 0.84, 0, 0.84, 1]] },
  N: { width: 0.7, lines: [[0, 1, 0, 0, 0.7, 1, 0.7, 0]] },
  O: { width: 0.76, lines: [oval(0.76)] },
  P: { width: 0.6, lines: [[0, 1, 0, 0, 0.42, 0, 0.6, 0.13, 0.6, 0.42, 0.42, 0.55, 0, 0.55]] },
  Q: { width: 0.78, lines: [oval(0.76), [0.48, 0.74, 0.78, 1.04]] },
  R: {
    width: 0.62,
    lines: [
      [0, 1, 0, 0, 0.42, 0, 0.6, 0.12, 0.6, 0.4, 0.42, 0.53, 0, 0.53],
      [0.34, 0.53, 0.62, 1],
    ],
  },
  S: {
    width: 0.62,
    lines: [
      [0.6, 0.14, 0.44, 0, 0.16, 0, 0, 0.13, 0, 0.35, 0.14, 0.47, 0.48, 0.53, 0.62, 0.65, 0.62, 0.87, 0.46, 1, 0.16, 1, 0, 0.86],
    ],
  },
  T: {
    width: 0.66,
    lines: [
      [0, 0, 0.66, 0],
      [0.33, 0, 0.33, 1],
    ],
  },
  U: { width: 0.7, lines: [[0, 0, 0, 0.78, 0.2, 1, 0.5, 1, 0.7, 0.78, 0.7, 0]] },
  V: { width: 0.74, lines: [[0, 0, 0.37, 1, 0.74, 0]] },
  W: { width: 1.04, lines: [[0, 0, 0.26, 1, 0.52, 0.2, 0.78, 1, 1.04, 0]] },
  X: {
    width: 0.68,
    lines: [
      [0, 0, 0.68, 1],
      [0.68, 0, 0, 1],
    ],
  },
  Y: {
    width: 0.7,
    lines: [
      [0, 0, 0.35, 0.5, 0.7, 0],
      [0.35, 0.5, 0.35, 1],
    ],
  },
  Z: { width: 0.64, lines: [[0, 0, 0.64, 0, 0, 1, 0.64, 1]] },
  '0': { width: 0.62, lines: [oval(0.62)] },
  '1': { width: 0.26, lines: [[0, 0.2, 0.24, 0, 0.24, 1]] },
  '2': { width: 0.6, lines: [[0.02, 0.16, 0.18, 0, 0.44, 0, 0.6, 0.14, 0.6, 0.36, 0, 1, 0.6, 1]] },
  '3': {
    width: 0.6,
    lines: [
      [0, 0.12, 0.16, 0, 0.42, 0, 0.57, 0.12, 0.57, 0.36, 0.42, 0.48, 0.2, 0.48],
      [0.42, 0.48, 0.6, 0.6, 0.6, 0.86, 0.44, 1, 0.16, 1, 0, 0.88],
    ],
  },
  '4': { width: 0.66, lines: [[0.5, 1, 0.5, 0, 0, 0.7, 0.66, 0.7]] },
  '5': {
    width: 0.6,
    lines: [[0.56, 0, 0.06, 0, 0.03, 0.46, 0.2, 0.38, 0.42, 0.38, 0.6, 0.54, 0.6, 0.82, 0.42, 1, 0.16, 1, 0, 0.88]],
  },
  '6': {
    width: 0.6,
    lines: [
      [0.52, 0.06, 0.4, 0, 0.2, 0, 0, 0.2, 0, 0.82, 0.18, 1, 0.42, 1, 0.6, 0.84, 0.6, 0.6, 0.42, 0.44, 0.18, 0.44, 0, 0.58],
    ],
  },
  '7': { width: 0.6, lines: [[0, 0, 0.6, 0, 0.2, 1]] },
  '8': {
    width: 0.6,
    lines: [
      [0.16, 0.47, 0.03, 0.35, 0.03, 0.12, 0.17, 0, 0.43, 0, 0.57, 0.12, 0.57, 0.35, 0.44, 0.47, 0.16, 0.47],
      [0.16, 0.47, 0, 0.6, 0, 0.87, 0.16, 1, 0.44, 1, 0.6, 0.87, 0.6, 0.6, 0.44, 0.47],
    ],
  },
  '9': {
    width: 0.6,
    lines: [
      [0.08, 0.94, 0.2, 1, 0.4, 1, 0.6, 0.8, 0.6, 0.18, 0.42, 0, 0.18, 0, 0, 0.16, 0, 0.4, 0.18, 0.56, 0.42, 0.56, 0.6, 0.42],
    ],
  },
  '&': {
    width: 0.72,
    lines: [
      [0.72, 1, 0.12, 0.3, 0.12, 0.12, 0.26, 0, 0.4, 0, 0.52, 0.12, 0.52, 0.26, 0, 0.64, 0, 0.86, 0.16, 1, 0.4, 1, 0.7, 0.6],
    ],
  },
  '+': {
    width: 0.5,
    lines: [
      [0, 0.52, 0.5, 0.52],
      [0.25, 0.27, 0.25, 0.77],
    ],
  },
  '!': { width: 0.04, lines: [[0.02, 0, 0.02, 0.68], dot] },
  '.': { width: 0.04, lines: [dot] },
  '-': { width: 0.4, lines: [[0, 0.52, 0.4, 0.52]] },
  '/': { width: 0.4, lines: [[0, 1.02, 0.4, -0.02]] },
  "'": { width: 0.04, lines: [[0.02, 0, 0.02, 0.2]] },
  ' ': { width: 0.3, lines: [] },
}

/**
 * Replacements for European capital letters that Unicode does not decompose into a letter and a
 * mark, and for punctuation.
 */
const replacements: Readonly<Record<string, string>> = {
  Æ: 'AE',
  Œ: 'OE',
  Ø: 'O',
  Ł: 'L',
  Đ: 'D',
  Ð: 'D',
  Þ: 'TH',
  '’': "'",
  '–': '-',
  '—': '-',
}

const charactersMax = 24

/**
 * Returns the part of a name that can be drawn: capitals without diacritics, and only the first
 * words that fit into `charactersMax`. A longer first word is cut. Empty if nothing can be drawn.
 */
export function drawableText(name: string): string {
  const capitals = Array.from(name.toUpperCase().normalize('NFKD'), (character) => replacements[character] ?? character).join('')
  const drawableCharacters = Array.from(capitals, (character) =>
    Object.hasOwn(letters, character) ? character : /\s/.test(character) ? ' ' : '',
  ).join('')
  const words = drawableCharacters.trim().split(/ +/)
  let text = (words[0] ?? '').slice(0, charactersMax)
  for (const word of words.slice(1)) {
    if (text.length + 1 + word.length > charactersMax) break
    text += ` ${word}`
  }
  return text
}
