import { hashText } from '../picture/random.ts'
import { findWords } from './find-words.ts'
import { readSubjects } from './read-subjects.ts'
import type { Air, Extra, Place, SceneBrief, Style, Subject, TimeOfDay, Weather } from './scene-brief.ts'
import { leftOut, onlyTime, placeOfStyle } from './styles/rules.ts'
import { subjectWords, type SubjectKind } from './subject-words.ts'
import type { Meaning } from './vocabulary.ts'

const promptCharactersMax = 16_000

/** Never fails: what is not understood is left out, and a prompt without any known word becomes an abstract piece. */
export function readPrompt(prompt: string, negativePrompt = ''): SceneBrief {
  const text = readable(prompt)
  const words = findWords(text)
  const unwanted = [...findWords(readable(negativePrompt)), ...words.filter(({ isDenied }) => isDenied)].flatMap(({ meanings }) =>
    removable(meanings),
  )
  const unwantedThings = new Set(unwanted.flatMap(thingsOf))
  const found = words
    .filter(({ isDenied }) => !isDenied)
    .map(({ start, end, isPlural, isDenied, meanings }) => {
      const wanted = meanings.filter((meaning) => !thingsOf(meaning).some((thing) => unwantedThings.has(thing)))
      return { start, end, isPlural, isDenied, meanings: wanted }
    })
    .filter(({ meanings }) => meanings.length > 0)

  const { subjects, colours, spent } = readSubjects(found, text)
  const all = found.filter((word) => !spent.has(word)).flatMap(({ meanings }) => meanings)
  const namedPlaces = all.flatMap((meaning) => (meaning.kind === 'place' ? [meaning.place] : []))
  const namedTimes = all.flatMap((meaning) => (meaning.kind === 'time' ? [meaning.time] : []))
  const namedWeathers = all.flatMap((meaning) => (meaning.kind === 'weather' ? [meaning.weather] : []))
  const weather = namedWeathers[0] ?? 'clear'
  const season = all.flatMap((meaning) => (meaning.kind === 'season' ? [meaning.season] : []))[0]
  const mood = all.flatMap((meaning) => (meaning.kind === 'mood' ? [meaning.mood] : []))[0]
  const style = all.flatMap((meaning) => (meaning.kind === 'style' ? [meaning.style] : []))[0]
  const settings = new Set(all.flatMap((meaning) => (meaning.kind === 'setting' ? [meaning.setting] : [])))
  const sights = new Set(all.flatMap((meaning) => (meaning.kind === 'sight' ? [meaning.sight] : [])))
  const airs = new Set(all.flatMap((meaning) => (meaning.kind === 'air' ? [meaning.air] : [])))
  const named =
    foremost(namedPlaces) ?? impliedPlace(subjects, { time: namedTimes[0], weather, season, mood, style, sights, airs })
  const place = settled(named, subjects, weather)
  // The choice hangs on the words alone: another seed is another variation of the same scene.
  const time =
    onlyTime(style) ??
    namedTimes[0] ??
    fittingTime({ sights, airs, subjects, style }) ??
    impliedTime(place, hashText(prompt), unwanted)
  return {
    place,
    time,
    weather,
    season,
    mood,
    settings,
    style,
    sights,
    airs,
    subjects,
    colours,
    without: removedExtras(unwanted, style),
  }
}

/** "No stars" takes away the stars and not the night, of which they also speak. */
function removable(meanings: readonly Meaning[]): readonly Meaning[] {
  const things = meanings.filter(({ kind }) => kind !== 'time')
  return things.length > 0 ? things : meanings
}

/** Letters in one form, in lower case, and no more of them than a long prompt has. */
function readable(text: string): string {
  return text.slice(0, promptCharactersMax).normalize('NFKC').toLowerCase().replaceAll('&', 'and')
}

/**
 * Nearer places first: a room has a view, a street a city around it, the sea its depths; mountains stand behind anything, the
 * sky behind all.
 */
const nearness: Partial<Record<Place, number>> = { room: 2, street: 1, underwater: 1, mountains: -1, sky: -2 }

function foremost(named: readonly Place[]): Place | undefined {
  return named.toSorted((a, b) => (nearness[b] ?? 0) - (nearness[a] ?? 0))[0]
}

/** Where the named place cannot show what is asked for, the one beside it that can. */
function settled(named: Place, subjects: Subject[], weather: Weather): Place {
  const first = subjects[0]
  // A marble palace, a fox in silk: something is to be seen, and it needs a place.
  if (named === 'abstract' && first) return homeOf(first)
  if (named === 'meadow' && weather === 'snow') return 'snowfield'
  const isOfWater = named === 'sea' || named === 'lake' || named === 'river'
  return isOfWater && subjects.some(({ kind }) => subjectWords[kind].home === 'underwater') ? 'underwater' : named
}

/** An astronaut is in space on whatever back. */
function homeOf({ kind, rider }: Subject): Place {
  return subjectWords[rider?.kind === 'astronaut' ? 'astronaut' : kind].home
}

function impliedPlace(
  subjects: Subject[],
  {
    time,
    weather,
    season,
    mood,
    style,
    sights,
    airs,
  }: Pick<SceneBrief, 'weather' | 'season' | 'mood' | 'style' | 'sights' | 'airs'> & { time: TimeOfDay | undefined },
): Place {
  if (weather === 'snow') return 'snowfield'
  const first = subjects[0]
  const shining = placeOfStyle(style, first?.kind)
  if (shining) return shining
  if (first) return homeOf(first)
  if (sights.has('lightning')) return 'sea'
  if (sights.has('rainbow') || sights.has('flowers')) return 'meadow'
  const aired = [...airs][0]
  if (aired) return airHomes[aired]
  if (weather === 'rain') return 'city'
  if (weather === 'fog') return 'forest'
  if (season) return season === 'autumn' ? 'forest' : 'meadow'
  return time || style || mood ? 'lake' : 'abstract'
}

/** Where it is to be seen when the prompt names no place. */
const airHomes: Record<Air, Place> = {
  fireflies: 'forest',
  embers: 'forest',
  meteors: 'lake',
  petals: 'meadow',
  leaves: 'forest',
  dust: 'desert',
  bubbles: 'underwater',
}

/** What shines or wakes at night. */
const nightly: ReadonlySet<SubjectKind> = new Set(['campfire', 'lantern', 'owl'])

const goodTimes: Record<Place, readonly TimeOfDay[]> = {
  lake: ['dusk', 'dawn', 'day'],
  mountains: ['day', 'dawn', 'dusk'],
  river: ['day', 'dawn', 'dusk'],
  volcano: ['night', 'dusk'],
  sky: ['day', 'dusk', 'dawn'],
  beach: ['day', 'day', 'dusk'],
  waterfall: ['day', 'dawn'],
  village: ['dusk', 'day', 'dawn'],
  street: ['night', 'dusk', 'day'],
  room: ['day', 'dusk', 'night'],
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

/** Lights want the dark, sights a clear view, ink wants paper. */
function fittingTime({
  sights,
  airs,
  subjects,
  style,
}: Pick<SceneBrief, 'sights' | 'airs' | 'subjects' | 'style'>): TimeOfDay | undefined {
  if (airs.has('fireflies') || airs.has('meteors') || subjects.some(({ kind }) => nightly.has(kind))) return 'night'
  if (airs.has('embers')) return 'dusk'
  if (sights.size > 0) return 'day'
  return style === 'ink' ? 'dawn' : undefined
}

function impliedTime(place: Place, choice: number, unwanted: Meaning[]): TimeOfDay {
  const times = goodTimes[place].filter((time) => !unwanted.some((meaning) => meaning.kind === 'time' && meaning.time === time))
  return times[choice % Math.max(1, times.length)] ?? 'day'
}

function removedExtras(unwanted: Meaning[], style: Style | undefined): Set<Extra> {
  const named = unwanted.flatMap((meaning) => (meaning.kind === 'extra' ? [meaning.extra] : []))
  return new Set([...named, ...leftOut(style)])
}

/**
 * What two words that mean the same have in common. Nobody asks for a count, so nobody can unask it; extras are asked for by
 * none; "people" are all who are people.
 */
function thingsOf(meaning: Meaning): string[] {
  switch (meaning.kind) {
    case 'count':
    case 'extra':
    case 'part':
    case 'garment':
    case 'riding':
      return []
    case 'group':
      return allKinds
        .filter((kind) => 'group' in subjectWords[kind] && subjectWords[kind].group === meaning.group)
        .map((subject) => JSON.stringify({ kind: 'subject', subject }))
    default:
      return [JSON.stringify(meaning)]
  }
}

const allKinds = Object.keys(subjectWords) as SubjectKind[] // Object.keys forgets the keys of a closed record
