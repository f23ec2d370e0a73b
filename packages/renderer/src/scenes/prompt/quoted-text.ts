import { canWrite } from '../writing/glyphs.ts'

/** Form in which quoted words are drawn. */
export type WritingForm = 'sign' | 'neon' | 'title' | 'caption'

/** Words that a prompt puts in quotation marks. */
export interface Writing {
  text: string
  form: WritingForm
}

/** A prompt that is split into the text to draw and the rest. */
export interface SplitPrompt {
  /** Undefined if the prompt has no quotation that can be drawn. */
  writing: Writing | undefined
  /**
   * The prompt without its quotations of up to 48 characters. The unchanged prompt, if nothing
   * would remain.
   */
  rest: string
}

/**
 * Maximum length of a quotation that is drawn. A longer text would be illegible at the smallest
 * size.
 */
export const writingCharactersMax = 48

/**
 * Matches quotations of up to 100 characters that end on the same line. This limit keeps the search
 * for the end of a quotation short. A straight mark after a digit or a letter is an inch mark or an
 * apostrophe.
 */
const quotationPattern =
  /(?<![\p{L}\p{N}])"([^"\n]{1,100})"(?![\p{L}\p{N}])|“([^”\n]{1,100})”|„([^“”\n]{1,100})[“”]|«([^»\n]{1,100})»|「([^」\n]{1,100})」|『([^』\n]{1,100})』|(?<![\p{L}\p{N}])[‘']([^'‘’\n]{2,100})['’](?![\p{L}\p{N}])/gu

/** Words for objects that carry text. */
const signWords =
  /\b(?:sign|signs|signage|signboard|board|billboard|banner|poster|label|placard|plaque|marquee|shop|shopfront|storefront|store|cafe|bar|bakery|restaurant|hotel|door|wall|shirt|flag|package)\b|招牌|牌子|横幅/u
const neonWords = /\b(?:neon|led|glowing letters?|glowing text|glowing words?)\b|霓虹/u
const titleWords = /\b(?:title|titles|credits?|intro|outro|headline|typography|lettering|logo|card)\b|标题|片名/u
/** Words that introduce speech. */
const speechPattern =
  /\b(?:says?|said|saying|asks?|asking|whispers?|whispering|shouts?|shouting|yells?|replies|speaks?|speaking|sings?|singing|voice-?over|narrat\w+)\b[^.!?]{0,24}$|[说道喊问][：:，,]?\s*$/u
/** Words that introduce the name of something that is not in the image. */
const referencePattern = /\b(?:style of|inspired by|scene from|from the (?:film|movie|series|game|book)|reminiscent of)\s*$/u

/** Finds the first quotation of a prompt that can be drawn. */
export function readQuotedText(prompt: string): SplitPrompt {
  const quotations = [...prompt.matchAll(quotationPattern)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    text: match.slice(1).find((group) => group !== undefined) ?? '',
  }))
  const drawableQuotations = quotations.filter(({ text }) => Array.from(text.trim()).length <= writingCharactersMax)
  const rest = withoutQuotations(prompt, drawableQuotations)
  // A prompt that consists of quotations only is read as an ordinary prompt.
  if (!/[\p{L}\p{N}]/u.test(rest)) return { writing: undefined, rest: prompt }
  for (const { start, text } of drawableQuotations) {
    const textBefore = prompt.slice(Math.max(0, start - 80), start).toLowerCase()
    if (referencePattern.test(textBefore)) continue
    const written = keepDrawable(text)
    if (written !== '') return { writing: { text: written, form: formOf(rest.toLowerCase(), textBefore) }, rest }
  }
  return { writing: undefined, rest }
}

function withoutQuotations(prompt: string, quotations: readonly { start: number; end: number }[]): string {
  let rest = ''
  let next = 0
  for (const { start, end } of quotations) {
    rest += `${prompt.slice(next, start)} `
    next = end
  }
  return rest + prompt.slice(next)
}

function formOf(rest: string, textBefore: string): WritingForm {
  if (neonWords.test(rest)) return 'neon'
  if (titleWords.test(rest)) return 'title'
  if (signWords.test(rest)) return 'sign'
  return speechPattern.test(textBefore) ? 'caption' : 'title'
}

/** Keeps the characters of a text that have glyphs, and reduces spaces to single spaces. */
function keepDrawable(text: string): string {
  return Array.from(text.normalize('NFC'))
    .map((character) => (/\s/.test(character) ? ' ' : canWrite(character) ? character : ''))
    .join('')
    .replaceAll(/ +/g, ' ')
    .trim()
}
