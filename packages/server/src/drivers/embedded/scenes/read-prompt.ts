import type { Rgb } from '../picture/colour.ts'
import { hashText } from '../picture/random.ts'
import type { Extra, Place, SceneBrief, Sight, Style, Subject, SubjectKind, TimeOfDay, Weather } from './scene-brief.ts'
import { isSwimming } from './subjects/swim.ts'
import { vocabulary, type Meaning } from './vocabulary.ts'

const promptCharactersMax = 4000
const subjectsMax = 4
/** A colour or number this close before a subject belongs to it. */
const attachedCharactersMax = 16

interface Found {
  start: number
  end: number
  meanings: readonly Meaning[]
}

/** Never fails: what is not understood is left out, and a prompt without any known word becomes an abstract piece. */
export function readPrompt(prompt: string, negativePrompt = ''): SceneBrief {
  const unwanted = findWords(negativePrompt).flatMap((found) => found.meanings)
  const isUnwanted = (meaning: Meaning): boolean => unwanted.some((other) => sameMeaning(meaning, other))
  const found = findWords(prompt)
    .map(({ start, end, meanings }) => ({ start, end, meanings: meanings.filter((meaning) => !isUnwanted(meaning)) }))
    .filter((word) => word.meanings.length > 0)

  const { subjects, colours } = readSubjects(found)
  const all = found.flatMap((word) => word.meanings)
  const namedPlaces = all.flatMap((meaning) => (meaning.kind === 'place' ? [meaning.place] : []))
  const namedTimes = all.flatMap((meaning) => (meaning.kind === 'time' ? [meaning.time] : []))
  const namedWeathers = all.flatMap((meaning) => (meaning.kind === 'weather' ? [meaning.weather] : []))
  const weather = namedWeathers[0] ?? 'clear'
  const season = all.flatMap((meaning) => (meaning.kind === 'season' ? [meaning.season] : []))[0]
  const style = all.flatMap((meaning) => (meaning.kind === 'style' ? [meaning.style] : []))[0]
  const sights = new Set(all.flatMap((meaning) => (meaning.kind === 'sight' ? [meaning.sight] : [])))
  const named = namedPlaces[0] ?? impliedPlace(subjects, { time: namedTimes[0], weather, season, style, sights })
  const place = settled(named, subjects, weather)
  // The choice hangs on the words alone: another seed is another variation of the same scene.
  const time = namedTimes[0] ?? fittingTime(sights, style) ?? impliedTime(place, hashText(prompt), unwanted)
  return { place, time, weather, season, style, sights, subjects, colours, without: removedExtras(unwanted) }
}

function findWords(text: string): Found[] {
  const lower = text.slice(0, promptCharactersMax).toLowerCase().replaceAll('&', 'and')
  const found: Found[] = []
  const words = Array.from(lower.matchAll(/[a-z]+/g), ({ 0: word, index }) => ({ word, start: index, end: index + word.length }))
  for (let at = 0; at < words.length; at++) {
    // The longest known phrase at each word; its words stand for nothing else.
    for (const length of [3, 2, 1]) {
      const phrase = words.slice(at, at + length)
      const meanings = phrase.length === length && isUnbroken(phrase, lower) ? meaningsOf(phrase) : undefined
      if (!meanings) continue
      found.push({ start: phrase[0]?.start ?? 0, end: phrase.at(-1)?.end ?? 0, meanings })
      at += length - 1
      break
    }
  }
  // Chinese has no spaces: the longest known word at each place.
  for (const match of lower.matchAll(/\p{Script=Han}+/gu)) {
    for (let at = 0; at < match[0].length; at++) {
      for (const length of [3, 2, 1]) {
        const meanings = at + length <= match[0].length ? vocabulary.get(match[0].slice(at, at + length)) : undefined
        if (!meanings) continue
        found.push({ start: match.index + at, end: match.index + at + length, meanings })
        at += length - 1
        break
      }
    }
  }
  return found.toSorted((a, b) => a.start - b.start)
}

interface Word {
  word: string
  start: number
  end: number
}

/** Only spaces and hyphens may stand inside a phrase. */
function isUnbroken(phrase: readonly Word[], text: string): boolean {
  return phrase.slice(1).every(({ start }, index) => /^[\s-]+$/.test(text.slice(phrase[index]?.end, start)))
}

function meaningsOf(phrase: readonly Word[]): readonly Meaning[] | undefined {
  const text = phrase.map(({ word }) => word).join(' ')
  const singulars = [text, text.replace(/s$/, ''), text.replace(/es$/, ''), text.replace(/ves$/, 'f')]
  const known = singulars.find((form) => vocabulary.has(form))
  return known === undefined ? undefined : vocabulary.get(known)
}

function readSubjects(found: Found[]): { subjects: Subject[]; colours: Rgb[] } {
  const subjects = new Map<SubjectKind, Subject>()
  const colours: Rgb[] = []
  let pending: { colour: Rgb | undefined; count: number; end: number } = { colour: undefined, count: 1, end: 0 }
  for (const word of found) {
    if (word.start - pending.end > attachedCharactersMax) {
      if (pending.colour) colours.push(pending.colour)
      pending = { colour: undefined, count: 1, end: word.end }
    }
    for (const meaning of word.meanings) {
      if (meaning.kind === 'colour') {
        if (pending.colour) colours.push(pending.colour)
        pending = { ...pending, colour: meaning.colour, end: word.end }
      } else if (meaning.kind === 'count') {
        pending = { ...pending, count: meaning.count, end: word.end }
      } else if (meaning.kind === 'subject') {
        if (subjects.size < subjectsMax && !subjects.has(meaning.subject)) {
          subjects.set(meaning.subject, { kind: meaning.subject, count: pending.count, colour: pending.colour })
        }
        pending = { colour: undefined, count: 1, end: word.end }
      }
    }
  }
  if (pending.colour) colours.push(pending.colour)
  return { subjects: [...subjects.values()], colours }
}

const homes: Record<SubjectKind, Place> = {
  fox: 'forest',
  wolf: 'forest',
  dog: 'meadow',
  cat: 'meadow',
  horse: 'meadow',
  deer: 'forest',
  bear: 'forest',
  bird: 'lake',
  person: 'meadow',
  boat: 'sea',
  balloon: 'lake',
  house: 'meadow',
  tree: 'meadow',
  lighthouse: 'sea',
  castle: 'lake',
  bridge: 'sea',
  car: 'meadow',
  train: 'meadow',
  rocket: 'space',
  fish: 'underwater',
  whale: 'underwater',
}

/** Where the named place cannot show what is asked for, the one beside it that can. */
function settled(named: Place, subjects: Subject[], weather: Weather): Place {
  if (named === 'meadow' && weather === 'snow') return 'snowfield'
  const isOfWater = named === 'sea' || named === 'lake'
  return isOfWater && subjects.some(({ kind }) => isSwimming(kind)) ? 'underwater' : named
}

function impliedPlace(
  subjects: Subject[],
  {
    time,
    weather,
    season,
    style,
    sights,
  }: Pick<SceneBrief, 'weather' | 'season' | 'style' | 'sights'> & { time: TimeOfDay | undefined },
): Place {
  if (weather === 'snow') return 'snowfield'
  const first = subjects[0]
  if (first) return homes[first.kind]
  if (sights.has('lightning')) return 'sea'
  if (sights.has('rainbow') || sights.has('flowers')) return 'meadow'
  if (weather === 'rain') return 'city'
  if (weather === 'fog') return 'forest'
  if (season) return season === 'autumn' ? 'forest' : 'meadow'
  if (style === 'neon') return 'city'
  return time || style ? 'lake' : 'abstract'
}

const goodTimes: Record<Place, readonly TimeOfDay[]> = {
  lake: ['dusk', 'dawn', 'day'],
  sea: ['dusk', 'day', 'dawn'],
  forest: ['day', 'dawn'],
  desert: ['dusk', 'day'],
  city: ['dusk', 'night'],
  space: ['night'],
  snowfield: ['dawn', 'day'],
  meadow: ['day', 'dusk', 'dawn'],
  underwater: ['day'],
  abstract: ['dusk', 'night', 'dawn', 'day'],
}

/** Sights want a clear view, ink wants paper, neon the dark. */
function fittingTime(sights: ReadonlySet<Sight>, style: Style | undefined): TimeOfDay | undefined {
  if (sights.size > 0) return 'day'
  if (style === 'ink') return 'dawn'
  return style === 'neon' ? 'night' : undefined
}

function impliedTime(place: Place, choice: number, unwanted: Meaning[]): TimeOfDay {
  const times = goodTimes[place].filter((time) => !unwanted.some((meaning) => meaning.kind === 'time' && meaning.time === time))
  return times[choice % Math.max(1, times.length)] ?? 'day'
}

function removedExtras(unwanted: Meaning[]): Set<Extra> {
  return new Set(unwanted.flatMap((meaning) => (meaning.kind === 'extra' ? [meaning.extra] : [])))
}

/** Counts and extras are not things a prompt asks for, so nothing can unask them. */
function sameMeaning(a: Meaning, b: Meaning): boolean {
  return a.kind !== 'count' && a.kind !== 'extra' && JSON.stringify(a) === JSON.stringify(b)
}
