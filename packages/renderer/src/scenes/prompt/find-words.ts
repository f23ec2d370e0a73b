import { vocabulary, type Meaning } from './vocabulary.ts'

/** Length of the longest Chinese word in the vocabulary. */
const hanCharactersMax = 5
/** Number of words in the longest English phrase in the vocabulary. */
const phraseWordsMax = 4
const countMax = 99

export interface FoundWord {
  start: number
  end: number
  meanings: readonly Meaning[]
  isPlural: boolean
  /** Whether the text negates the word: "no people", "without any birds". */
  isNegated: boolean
}

interface Token {
  start: number
  end: number
  word: string
  isPlural: boolean
}

/**
 * Finds the words of a text that the vocabulary knows, in their order. If several known phrases
 * begin at the same word, the longest one is used. `text` must be lower case.
 */
export function findWords(text: string): FoundWord[] {
  const foundWords = [...findLatin(text), ...findHan(text)].toSorted((a, b) => a.start - b.start)
  const words: FoundWord[] = []
  for (const word of foundWords) {
    const previous = words.at(-1)
    const gapText = text.slice(previous?.end ?? 0, word.start)
    const isAttributed = /^\s?$/.test(gapText) && (previous?.meanings.every(isAttribute) ?? false)
    const isNegationContinued = (previous?.isNegated ?? false) && (isAttributed || listSeparator.test(gapText))
    words.push({ ...word, isNegated: isNegationContinued || negationPattern.test(gapText) })
  }
  return words
}

const negationPattern = /(?:\b(?:no|without|not)\b(?: +(?:any|an?|the|other|more|visible))?|没有?|无|不要|没有任何)\s*$/
const listSeparator = /^(?: +or +| *, *(?:or|nor) +| +nor +|或|和|、)$/

/** Returns whether a negation of the word also applies to the next one, as in "no red cars". */
function isAttribute({ kind }: Meaning): boolean {
  return kind === 'count' || kind === 'color'
}

/** Finds the words and phrases that consist of the letters a to z and digits. */
function findLatin(text: string): Omit<FoundWord, 'isNegated'>[] {
  const tokens = [...text.matchAll(/[a-z\d]+/g)].map((match): Token => {
    const { word, isPlural } = singularOf(match[0])
    return { start: match.index, end: match.index + match[0].length, word, isPlural }
  })
  const foundWords: Omit<FoundWord, 'isNegated'>[] = []
  for (let index = 0; index < tokens.length; index++) {
    const first = tokens[index]
    if (!first) continue
    const length = phraseLengthAt(text, tokens, index)
    const last = tokens[index + length - 1] ?? first
    const meanings =
      length > 1 ? vocabulary.get(wordsOf(tokens, index, length)) : (vocabulary.get(first.word) ?? readNumeral(text, first))
    if (meanings) foundWords.push({ start: first.start, end: last.end, meanings, isPlural: last.isPlural })
    index += length - 1
  }
  return foundWords
}

/**
 * Returns the number of tokens in the longest known phrase that begins at this token, or 1 if no
 * known phrase begins there.
 */
function phraseLengthAt(text: string, tokens: readonly Token[], tokenIndex: number): number {
  if (!phraseBeginnings.has(tokens[tokenIndex]?.word ?? '')) return 1
  for (let length = Math.min(phraseWordsMax, tokens.length - tokenIndex); length > 1; length--) {
    if (!vocabulary.has(wordsOf(tokens, tokenIndex, length))) continue
    const gaps = tokens
      .slice(tokenIndex + 1, tokenIndex + length)
      .map((token, index) => text.slice(tokens[tokenIndex + index]?.end, token.start))
    if (gaps.every((gap) => /^[\s'’-]+$/.test(gap))) return length
  }
  return 1
}

function wordsOf(tokens: readonly Token[], index: number, length: number): string {
  return tokens
    .slice(index, index + length)
    .map(({ word }) => word)
    .join(' ')
}

/** Reads a number from 1 to 99. A number in a ratio, a time or a size is ignored. */
function readNumeral(text: string, { start, end, word }: Token): readonly Meaning[] | undefined {
  const count = /^\d{1,2}$/.test(word) ? Number(word) : 0
  if (count < 1 || count > countMax) return undefined
  const isAlone = !/[\d.:/%°]/.test(`${text[start - 1] ?? ' '}${text[end] ?? ' '}`.replace(/\.$/, ''))
  return isAlone ? [{ kind: 'count', count }] : undefined
}

/** Finds Chinese words. As they are not separated by spaces, the longest known word is used. */
function findHan(text: string): Omit<FoundWord, 'isNegated'>[] {
  const foundWords: Omit<FoundWord, 'isNegated'>[] = []
  for (const match of text.matchAll(/\p{Script=Han}+/gu)) {
    const run = match[0]
    for (let index = 0; index < run.length; index++) {
      for (let length = Math.min(hanCharactersMax, run.length - index); length > 0; length--) {
        const meanings = vocabulary.get(run.slice(index, index + length))
        if (!meanings) continue
        foundWords.push({ start: match.index + index, end: match.index + index + length, meanings, isPlural: false })
        index += length - 1
        break
      }
    }
  }
  return foundWords
}

const irregularPlurals: ReadonlyMap<string, string> = new Map(
  Object.entries({ men: 'man', women: 'woman', children: 'child', geese: 'goose', mice: 'mouse', oxen: 'ox', people: 'people' }),
)

/**
 * Returns the form of a word in the vocabulary, and whether the text had the plural. An unknown
 * word is returned unchanged.
 */
function singularOf(text: string): { word: string; isPlural: boolean } {
  const irregularSingular = irregularPlurals.get(text)
  if (irregularSingular !== undefined) return { word: irregularSingular, isPlural: true }
  if (knownWords.has(text) || !text.endsWith('s')) return { word: text, isPlural: false }
  const forms = [text.slice(0, -1), text.replace(/es$/, ''), text.replace(/ies$/, 'y'), text.replace(/ves$/, 'f')]
  const word = forms.find((form) => knownWords.has(form))
  return word === undefined ? { word: text, isPlural: false } : { word, isPlural: true }
}

const phrases = [...vocabulary.keys()].filter((words) => words.includes(' ')).map((words) => words.split(' '))
const phraseBeginnings: ReadonlySet<string> = new Set(phrases.map(([first = '']) => first))
const knownWords: ReadonlySet<string> = new Set([...vocabulary.keys(), ...phrases.flat()])
