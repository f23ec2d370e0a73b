/**
 * A letter, digit or mark as strokes, because a machine may have no fonts. Lengths are in
 * hundredths of a capital's height. In a path, y is 0 at the top of a capital, 36 at the top of a
 * small letter and 100 at the baseline.
 */
export interface Glyph {
  width: number
  path: string
}

const capitalLetters: Record<string, readonly [width: number, path: string]> = {
  A: [72, 'M0 100L36 0L72 100M13 66H59'],
  B: [60, 'M0 0V100H34C68 100 68 48 34 48H0M0 0H32C60 0 60 48 32 48'],
  C: [68, 'M68 22C56 -6 0 -12 0 50C0 112 56 106 68 78'],
  D: [68, 'M0 0V100H24C82 100 82 0 24 0Z'],
  E: [52, 'M52 0H0V100H52M0 48H44'],
  F: [50, 'M50 0H0V100M0 48H42'],
  G: [72, 'M68 22C56 -6 0 -12 0 50C0 114 72 112 72 56H42'],
  H: [64, 'M0 0V100M64 0V100M0 48H64'],
  I: [0, 'M0 0V100'],
  J: [42, 'M42 0V70C42 110 4 110 0 78'],
  K: [60, 'M0 0V100M58 0L0 60M22 40L60 100'],
  L: [48, 'M0 0V100H48'],
  M: [82, 'M0 100V0L41 66L82 0V100'],
  N: [66, 'M0 100V0L66 100V0'],
  O: [76, 'M38 0C-13 0 -13 100 38 100C89 100 89 0 38 0Z'],
  P: [56, 'M0 100V0H31C64 0 64 54 31 54H0'],
  Q: [76, 'M38 0C-13 0 -13 100 38 100C89 100 89 0 38 0ZM48 74L76 106'],
  R: [60, 'M0 100V0H31C64 0 64 54 31 54H0M28 54L60 100'],
  S: [58, 'M56 18C46 -8 2 -6 2 24C2 60 58 40 58 76C58 108 8 108 0 80'],
  T: [62, 'M0 0H62M31 0V100'],
  U: [64, 'M0 0V64C0 112 64 112 64 64V0'],
  V: [68, 'M0 0L34 100L68 0'],
  W: [98, 'M0 0L24 100L49 14L74 100L98 0'],
  X: [64, 'M0 0L64 100M64 0L0 100'],
  Y: [64, 'M0 0L32 50L64 0M32 50V100'],
  Z: [60, 'M0 0H60L0 100H60'],
  Æ: [96, 'M0 100L44 0H96M48 0V100H96M16 66H48M48 48H88'],
  Œ: [100, 'M52 0C-16 0 -16 100 52 100H100M52 0V100M52 0H100M52 48H92'],
  Ø: [76, 'M38 0C-13 0 -13 100 38 100C89 100 89 0 38 0ZM4 104L72 -4'],
  Ł: [48, 'M0 0V100H48M-14 62L26 36'],
  Đ: [68, 'M0 0V100H24C82 100 82 0 24 0ZM-14 48H26'],
  Ð: [68, 'M0 0V100H24C82 100 82 0 24 0ZM-14 48H26'],
  Þ: [56, 'M0 0V100M0 20H31C64 20 64 74 31 74H0'],
  Ħ: [64, 'M0 0V100M64 0V100M0 48H64M-10 22H74'],
  Ŋ: [60, 'M0 0V100M0 40C0 -12 60 -12 60 40V100C60 124 40 124 34 116'],
  ẞ: [60, 'M0 100V30C0 -10 56 -10 56 6L28 40C60 40 60 100 28 100'],
}

const smallLetters: Record<string, readonly [width: number, path: string]> = {
  a: [50, 'M50 36V100M50 68C50 25 0 25 0 68C0 111 50 111 50 68'],
  b: [50, 'M0 0V100M0 68C0 25 50 25 50 68C50 111 0 111 0 68'],
  c: [45, 'M45 50C37 28 0 27 0 68C0 109 37 108 45 86'],
  d: [50, 'M50 0V100M50 68C50 25 0 25 0 68C0 111 50 111 50 68'],
  e: [50, 'M0 66H50C50 25 0 25 0 68C0 110 40 108 48 86'],
  f: [34, 'M34 3C22 -5 13 3 13 20V100M0 38H30'],
  g: [50, 'M50 36V106C50 138 8 138 3 118M50 68C50 25 0 25 0 68C0 111 50 111 50 68'],
  h: [47, 'M0 0V100M0 66C0 26 47 26 47 62V100'],
  i: [0, 'M0 36V100M0 9V11'],
  j: [15, 'M15 36V112C15 130 4 132 0 126M15 9V11'],
  k: [43, 'M0 0V100M41 36L0 76M16 61L43 100'],
  l: [13, 'M0 0V84C0 98 6 101 13 99'],
  m: [78, 'M0 36V100M0 64C0 26 39 26 39 62V100M39 64C39 26 78 26 78 62V100'],
  n: [47, 'M0 36V100M0 66C0 26 47 26 47 62V100'],
  o: [52, 'M26 36C-9 36 -9 100 26 100C61 100 61 36 26 36Z'],
  p: [50, 'M0 36V132M0 68C0 25 50 25 50 68C50 111 0 111 0 68'],
  q: [50, 'M50 36V132M50 68C50 25 0 25 0 68C0 111 50 111 50 68'],
  r: [30, 'M0 36V100M0 64C2 38 18 32 30 39'],
  s: [41, 'M39 49C31 30 2 30 2 52C2 76 41 62 41 83C41 106 6 106 0 88'],
  t: [33, 'M13 12V82C13 100 23 102 33 97M0 38H30'],
  u: [47, 'M0 36V72C0 110 47 110 47 70M47 36V100'],
  v: [47, 'M0 36L23.5 100L47 36'],
  w: [73, 'M0 36L18 100L36.5 44L55 100L73 36'],
  x: [45, 'M0 36L45 100M45 36L0 100'],
  y: [47, 'M0 36L24 99M47 36L20 122C15 134 8 133 2 130'],
  z: [43, 'M0 36H43L0 100H43'],
  ß: [54, 'M0 100V26C0 -8 46 -8 46 18C46 38 24 38 24 52C24 66 54 60 54 82C54 105 26 105 19 92'],
  æ: [84, 'M42 66H84C84 25 42 25 42 68C42 110 76 108 82 86M42 68C42 25 0 25 0 68C0 111 42 111 42 68'],
  œ: [92, 'M42 66H92C92 25 46 25 46 68C46 110 82 108 90 86M24 36C-8 36 -8 100 24 100C54 100 54 36 24 36Z'],
  ø: [52, 'M26 36C-9 36 -9 100 26 100C61 100 61 36 26 36ZM2 104L50 32'],
  ł: [13, 'M0 0V84C0 98 6 101 13 99M-13 62L16 40'],
  đ: [50, 'M50 0V100M50 68C50 25 0 25 0 68C0 111 50 111 50 68M26 18H64'],
  ð: [50, 'M12 4C40 18 50 44 50 68C50 111 0 111 0 68C0 30 40 28 48 56M10 28L44 6'],
  þ: [50, 'M0 0V132M0 68C0 25 50 25 50 68C50 111 0 111 0 68'],
  ħ: [47, 'M0 0V100M0 66C0 26 47 26 47 62V100M-12 18H26'],
  ŋ: [47, 'M0 36V100M0 66C0 26 47 26 47 62V110C47 132 30 132 24 126'],
  ı: [0, 'M0 36V100'],
  ȷ: [15, 'M15 36V112C15 130 4 132 0 126'],
}

const otherGlyphs: Record<string, readonly [width: number, path: string]> = {
  '0': [58, 'M29 0C-10 0 -10 100 29 100C68 100 68 0 29 0Z'],
  '1': [24, 'M0 20L24 0V100'],
  '2': [56, 'M2 26C4 -8 56 -10 56 28C56 52 14 72 0 100H56'],
  '3': [56, 'M2 16C14 -8 52 -4 52 23C52 47 30 47 21 47C34 47 56 50 56 74C56 108 10 108 0 82'],
  '4': [62, 'M45 100V0L0 70H62'],
  '5': [56, 'M50 0H8L4 44C22 28 56 34 56 66C56 106 8 106 0 84'],
  '6': [56, 'M48 6C22 -4 0 24 0 66C0 112 56 110 56 68C56 30 10 26 0 62'],
  '7': [54, 'M0 0H54L17 100'],
  '8': [56, 'M28 46C-2 46 -2 0 28 0C58 0 58 46 28 46C-10 46 -10 100 28 100C66 100 66 46 28 46Z'],
  '9': [56, 'M8 94C34 104 56 76 56 34C56 -12 0 -10 0 32C0 70 46 74 56 38'],
  '.': [0, 'M0 98V100'],
  ',': [7, 'M6 96L0 114'],
  '!': [0, 'M0 0V68M0 98V100'],
  '?': [46, 'M0 22C2 -8 46 -8 46 24C46 46 23 46 23 70M23 98V100'],
  '¡': [0, 'M0 30V98M0 0V2'],
  '¿': [46, 'M46 78C44 108 0 108 0 76C0 54 23 54 23 30M23 0V2'],
  ':': [0, 'M0 48V50M0 98V100'],
  ';': [7, 'M6 48V50M6 96L0 114'],
  '-': [32, 'M0 58H32'],
  '–': [46, 'M0 58H46'],
  '—': [78, 'M0 58H78'],
  "'": [0, 'M0 0V22'],
  '’': [6, 'M6 0L1 24'],
  '"': [18, 'M0 0V22M18 0V22'],
  '&': [70, 'M70 100L16 30C6 14 16 0 29 0C45 0 53 24 33 36C-14 62 -2 100 27 100C48 100 60 80 64 58'],
  '/': [42, 'M0 108L42 -8'],
  '(': [17, 'M17 -8C-5 20 -5 88 17 114'],
  ')': [17, 'M0 -8C22 20 22 88 0 114'],
  '+': [48, 'M24 34V82M0 58H48'],
  '=': [46, 'M0 46H46M0 72H46'],
  '#': [62, 'M22 0L10 100M52 0L40 100M4 34H62M0 68H58'],
  '%': [74, 'M62 0L12 100M14 0C-6 0 -6 36 14 36C34 36 34 0 14 0ZM60 64C40 64 40 100 60 100C80 100 80 64 60 64Z'],
  $: [58, 'M56 18C46 -8 2 -6 2 24C2 60 58 40 58 76C58 108 8 108 0 80M29 -14V114'],
  '€': [66, 'M66 16C50 -10 12 -8 12 50C12 108 50 110 66 84M0 40H46M0 62H42'],
  '£': [56, 'M52 16C42 -8 14 -4 14 26C14 60 26 80 2 100H56M0 54H40'],
  '*': [36, 'M18 0V40M1 10L35 30M35 10L1 30'],
  '°': [22, 'M11 0C-4 0 -4 22 11 22C26 22 26 0 11 0Z'],
  '•': [0, 'M0 54V62'],
  '·': [0, 'M0 58V60'],
  '…': [60, 'M0 98V100M30 98V100M60 98V100'],
  '@': [92, 'M62 50C62 28 32 28 32 52C32 76 62 74 62 50V64C62 80 90 74 90 46C90 -16 0 -14 0 50C0 110 56 108 76 94'],
}

/**
 * Diacritics, centered on 0. Marks over a letter are above its top, and other marks are below the
 * baseline.
 */
const marks: Record<string, { path: string; isBelow?: true }> = {
  '\u0300': { path: 'M-12 -32L6 -16' },
  '\u0301': { path: 'M12 -32L-6 -16' },
  '\u0302': { path: 'M-16 -16L0 -32L16 -16' },
  '\u0303': { path: 'M-18 -18C-12 -34 -5 -28 0 -24C5 -20 12 -14 18 -30' },
  '\u0304': { path: 'M-16 -23H16' },
  '\u0306': { path: 'M-16 -32C-12 -14 12 -14 16 -32' },
  '\u0307': { path: 'M0 -25V-23' },
  '\u0308': { path: 'M-13 -25V-23M13 -25V-23' },
  '\u0309': { path: 'M-6 -32C4 -40 14 -28 0 -22V-16' },
  '\u030a': { path: 'M0 -40C-14 -40 -14 -16 0 -16C14 -16 14 -40 0 -40Z' },
  '\u030b': { path: 'M-2 -32L-14 -16M16 -32L4 -16' },
  '\u030c': { path: 'M-16 -32L0 -16L16 -32' },
  '\u031b': { path: 'M22 8C34 4 36 -8 32 -14' },
  '\u0323': { path: 'M0 120V122', isBelow: true },
  '\u0326': { path: 'M3 114L-4 132', isBelow: true },
  '\u0327': { path: 'M0 102C18 108 14 128 -8 123', isBelow: true },
  '\u0328': { path: 'M14 100C-2 110 4 128 18 123', isBelow: true },
}

const capitalTop = 0
const smallTop = 36
/** Distance between the first and the second mark over a letter. */
const stackedMarkDistance = 26
const dotless: Record<string, string> = { i: 'ı', j: 'ȷ' }

/**
 * Returns the glyphs of one character and of its marks, with their positions. Undefined if there is
 * no glyph for one of them.
 */
export function glyphOf(character: string): readonly { glyph: Glyph; x: number; y: number }[] | undefined {
  const plainGlyph = baseGlyph(character)
  if (plainGlyph) return [{ glyph: plainGlyph, x: 0, y: 0 }]
  const [letter = '', ...letterMarks] = character.normalize('NFD')
  const marksAbove = letterMarks.filter((mark) => marks[mark] && !marks[mark].isBelow)
  const base = baseGlyph(marksAbove.length > 0 ? (dotless[letter] ?? letter) : letter)
  if (!base || letterMarks.some((mark) => !marks[mark])) return undefined
  const top = letter in capitalLetters ? capitalTop : 'bdfhklt'.includes(letter) ? capitalTop : smallTop
  return [
    { glyph: base, x: 0, y: 0 },
    ...letterMarks.map((mark) => {
      const { path = '', isBelow } = marks[mark] ?? {}
      const y = isBelow ? 0 : top - Math.max(0, marksAbove.indexOf(mark)) * stackedMarkDistance
      return { glyph: { width: 0, path }, x: base.width / 2, y }
    }),
  ]
}

export function canWrite(character: string): boolean {
  return glyphOf(character) !== undefined
}

const glyphs: ReadonlyMap<string, Glyph> = new Map(
  [capitalLetters, smallLetters, otherGlyphs].flatMap((table) =>
    Object.entries(table).map(([character, [width, path]]) => [character, { width, path }] as const),
  ),
)

function baseGlyph(character: string): Glyph | undefined {
  return glyphs.get(character)
}
