import { vocabulary, type Meaning } from './vocabulary.ts'

/** Length of the longest Chinese word in the vocabulary. */
const hanCharactersMax = 5
const phraseWordsMax = 4
const countMax = 99

export interface FoundWord {
  start: number
  end: number
  meanings: readonly Meaning[]
  isPlural: boolean
  /** Whether the text negates the word: "no people", "without any birds". */
  isDenied: boolean
}

interface Token {
  start: number
  end: number
  word: string
  isPlural: boolean
}

/**
 * Finds the words of a text that the vocabulary knows, in their order. Of overlapping matches the
 * longest wins. `text` must be lower case.
 */
export function findWords(text: string): FoundWord[] {
  const found = [...findSpaced(text), ...findHan(text)].toSorted((a, b) => a.start - b.start)
  const marked: FoundWord[] = []
  for (const word of found) {
    const previous = marked.at(-1)
    const between = text.slice(previous?.end ?? 0, word.start)
    const isAttributed = /^\s?$/.test(between) && (previous?.meanings.every(isAttribute) ?? false)
    const goesOn = (previous?.isDenied ?? false) && (isAttributed || listed.test(between))
    marked.push({ ...word, isDenied: goesOn || denial.test(between) })
  }
  return marked
}

const denial = /(?:\b(?:no|without|not)\b(?: +(?:any|an?|the|other|more|visible))?|没有?|无|不要|没有任何)\s*$/
const listed = /^(?: +or +| *, *(?:or|nor) +| +nor +|或|和|、)$/

/** Counts and colors pass a negation on to the next word: "no red cars" negates the cars. */
function isAttribute({ kind }: Meaning): boolean {
  return kind === 'count' || kind === 'colour'
}

function findSpaced(text: string): Omit<FoundWord, 'isDenied'>[] {
  const tokens = [...text.matchAll(/[a-z\d]+/g)].map((match): Token => {
    const { word, isPlural } = singularOf(match[0])
    return { start: match.index, end: match.index + match[0].length, word, isPlural }
  })
  const found: Omit<FoundWord, 'isDenied'>[] = []
  for (let at = 0; at < tokens.length; at++) {
    const first = tokens[at]
    if (!first) continue
    const length = phraseAt(text, tokens, at)
    const last = tokens[at + length - 1] ?? first
    const meanings =
      length > 1 ? vocabulary.get(wordsOf(tokens, at, length)) : (vocabulary.get(first.word) ?? numeral(text, first))
    if (meanings) found.push({ start: first.start, end: last.end, meanings, isPlural: last.isPlural })
    at += length - 1
  }
  return found
}

/**
 * Returns the number of tokens in the longest known phrase that begins here, or 1 if there is none.
 */
function phraseAt(text: string, tokens: readonly Token[], at: number): number {
  if (!phraseBeginnings.has(tokens[at]?.word ?? '')) return 1
  for (let length = Math.min(phraseWordsMax, tokens.length - at); length > 1; length--) {
    if (!vocabulary.has(wordsOf(tokens, at, length))) continue
    const gaps = tokens.slice(at + 1, at + length).map((token, index) => text.slice(tokens[at + index]?.end, token.start))
    if (gaps.every((gap) => /^[\s'’-]+$/.test(gap))) return length
  }
  return 1
}

function wordsOf(tokens: readonly Token[], at: number, length: number): string {
  return tokens
    .slice(at, at + length)
    .map(({ word }) => word)
    .join(' ')
}

/** Reads a standalone number, not part of a ratio, a time or a size. */
function numeral(text: string, { start, end, word }: Token): readonly Meaning[] | undefined {
  const count = /^\d{1,2}$/.test(word) ? Number(word) : 0
  if (count < 1 || count > countMax) return undefined
  const isAlone = !/[\d.:/%°]/.test(`${text[start - 1] ?? ' '}${text[end] ?? ' '}`.replace(/\.$/, ''))
  return isAlone ? [{ kind: 'count', count }] : undefined
}

/** Finds the longest known word at each position, because Chinese has no spaces. */
function findHan(text: string): Omit<FoundWord, 'isDenied'>[] {
  const found: Omit<FoundWord, 'isDenied'>[] = []
  for (const match of text.matchAll(/\p{Script=Han}+/gu)) {
    const run = match[0]
    for (let at = 0; at < run.length; at++) {
      for (let length = Math.min(hanCharactersMax, run.length - at); length > 0; length--) {
        const meanings = vocabulary.get(run.slice(at, at + length))
        if (!meanings) continue
        found.push({ start: match.index + at, end: match.index + at + length, meanings, isPlural: false })
        at += length - 1
        break
      }
    }
  }
  return found
}

const irregular: ReadonlyMap<string, string> = new Map(
  Object.entries({ men: 'man', women: 'woman', children: 'child', geese: 'goose', mice: 'mouse', oxen: 'ox', people: 'people' }),
)

/**
 * Returns the form under which the vocabulary knows a word, and whether the text had its plural. An
 * unknown word is returned unchanged.
 */
function singularOf(text: string): { word: string; isPlural: boolean } {
  const named = irregular.get(text)
  if (named !== undefined) return { word: named, isPlural: true }
  if (known.has(text) || !text.endsWith('s')) return { word: text, isPlural: false }
  const forms = [text.slice(0, -1), text.replace(/es$/, ''), text.replace(/ies$/, 'y'), text.replace(/ves$/, 'f')]
  const word = forms.find((form) => known.has(form))
  return word === undefined ? { word: text, isPlural: false } : { word, isPlural: true }
}

const phrases = [...vocabulary.keys()].filter((words) => words.includes(' ')).map((words) => words.split(' '))
const phraseBeginnings: ReadonlySet<string> = new Set(phrases.map(([first = '']) => first))
const known: ReadonlySet<string> = new Set([...vocabulary.keys(), ...phrases.flat()])
