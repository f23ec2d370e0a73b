import { hashText } from '../picture/random.ts'
import { isItem } from '../scenes/prompt/subject-words.ts'
import type { Season } from '../scenes/prompt/scene-brief.ts'
import { cameraMoves, framings, lightPhrase, placePhrases, seasonalPlaces, seasonPhrases } from './phrases.ts'
import { readWording, showsSameScene, type Wording } from './wording.ts'
import { trimEnd } from './trim-end.ts'

export interface EnhancementOptions {
  /** Whether to add a camera move. Default: false. */
  isVideo?: boolean
  /** Style to name. Default: one that fits, unless the prompt names a style. */
  style?: string
}

const seasons: readonly Season[] = ['autumn', 'spring', 'summer']
const cameraPattern =
  /\b(?:shot|framing|close-?up|lens|angle|camera|pan(?:s|ning)?|zoom(?:s|ing)?|dolly|tracking|drone|aerial|bokeh)\b|镜头|特写/i

/**
 * Returns the prompt, followed by phrases for what it does not name: place, season, light, framing
 * and style, as the renderer would draw them. The words of the prompt are kept. A prompt without
 * letters, digits or symbols is replaced by "a still life". The result is deterministic.
 *
 * A phrase is added only if the scene stays the same, because a new word can change the meaning of
 * the words beside it.
 */
export function enhancePrompt(prompt: string, { isVideo = false, style }: EnhancementOptions = {}): string {
  const wording = readWording(/[\p{L}\p{N}\p{S}]/u.test(prompt) ? prompt : 'a still life')
  const hash = hashText(wording.text)
  const enhanced = new EnhancedText(wording)
  for (const phrase of settingPhrases(wording, hash)) enhanced.extend(phrase)
  enhanced.addSentence(cameraSentence(wording, hash, isVideo))
  if (style !== undefined) return enhanced.textWith(`In ${style.trim().replaceAll(/\s+/g, ' ')} style`)
  if (!wording.named.has('style')) enhanced.addSentence(styleSentence(wording))
  return enhanced.text
}

/** Returns phrases for the place, the season and the light that the prompt does not name. */
function settingPhrases({ brief, named }: Wording, hash: number): string[] {
  const { place, time, weather } = brief
  const phrases: string[] = []
  if (!named.has('place') && named.size > 0) phrases.push(` ${placePhrases[place]}`)
  const needsSeason = seasonalPlaces.has(place) && weather !== 'snow' && !named.has('season')
  if (needsSeason) phrases.push(`, ${seasonPhrases[seasons[hash % seasons.length] ?? 'autumn']}`)
  if (!named.has('time')) phrases.push(`, ${lightPhrase(place, time)}`)
  return phrases
}

function cameraSentence({ text, brief }: Wording, hash: number, isVideo: boolean): string {
  const [first] = brief.subjects
  const distance = first === undefined ? 'far' : isItem(first.kind) ? 'near' : 'middle'
  const framing = pick(framings[distance], hash >>> 3)
  const move = pick(cameraMoves, hash >>> 6)
  if (cameraPattern.test(text)) return ''
  return isVideo ? `${framing}; ${move}` : framing
}

function styleSentence({ brief: { place } }: Wording): string {
  const isGraphic = place === 'emblem' || place === 'podium' || place === 'abstract'
  return isGraphic ? 'Minimalist style with clean surfaces' : 'Shot on film, with natural color and fine detail'
}

function pick<Item extends string>(items: readonly [Item, ...Item[]], hash: number): Item {
  return items[hash % items.length] ?? items[0]
}

/** A prompt to which phrases and sentences are appended. */
class EnhancedText {
  readonly #wording: Wording
  #text: string
  /** Whether the text ends in the middle of a sentence, which phrases may continue. */
  #isOpen: boolean

  constructor(wording: Wording) {
    this.#wording = wording
    this.#text = trimEnd(wording.text, ',;:，；：、')
    this.#isOpen = !/[.!?…。！？"”'’)]$/.test(this.#text)
  }

  get text(): string {
    return /[.!?…。！？]$/.test(this.#text) ? this.#text : `${this.#text}.`
  }

  /** Returns the text with a last sentence, even if it changes the scene. */
  textWith(sentence: string): string {
    return `${this.text} ${sentence}.`
  }

  /** Continues the sentence of the prompt, or begins one that describes the scene. */
  extend(phrase: string): void {
    const extended = this.#isOpen ? `${this.#text}${phrase}` : `${this.text} The scene is${phrase.replace(/^,/, '')}`
    if (this.#addIfSameScene(extended)) this.#isOpen = true
  }

  addSentence(sentence: string): void {
    if (sentence !== '' && this.#addIfSameScene(this.textWith(sentence))) this.#isOpen = false
  }

  #addIfSameScene(longer: string): boolean {
    if (!showsSameScene(this.#wording, readWording(longer))) return false
    this.#text = longer
    return true
  }
}
