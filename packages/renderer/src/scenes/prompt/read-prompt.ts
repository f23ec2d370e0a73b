import { hashText } from '../../picture/random.ts'
import { findWords } from './find-words.ts'
import { readQuotedText } from './quoted-text.ts'
import { readSubjects } from './read-subjects.ts'
import type { Particles, OmittablePart, SceneBrief, Setting, Style, Subject, TimeOfDay, Weather } from './scene-brief.ts'
import type { Place } from './place.ts'
import { omittedPartsOfStyle, placeOfStyle, timeOfStyle } from '../styles/rules.ts'
import { isItem, subjectWords, type SubjectKind } from './subject-words.ts'
import type { Meaning } from './vocabulary.ts'

const promptCharactersMax = 16_000

/**
 * Reads a prompt. Never fails: unknown words are ignored, and a prompt without any known word
 * becomes a still life.
 */
export function readPrompt(prompt: string, negativePrompt = ''): SceneBrief {
  const { writing, rest } = readQuotedText(prompt.slice(0, promptCharactersMax))
  const text = normalizeText(rest)
  // Choices that no word determines depend on this hash, not on the seed of the task. All seeds
  // therefore show variations of the same scene.
  const promptHash = hashText(rest)
  const words = findWords(text)
  const unwanted = [...findWords(normalizeText(negativePrompt)), ...words.filter(({ isNegated }) => isNegated)].flatMap(
    ({ meanings }) => removableMeanings(meanings),
  )
  const unwantedKeys = new Set(unwanted.flatMap(keysOf))
  const foundWords = words
    .filter(({ isNegated }) => !isNegated)
    .map(({ start, end, isPlural, isNegated, meanings }) => {
      const wantedMeanings = meanings.filter((meaning) => !keysOf(meaning).some((key) => unwantedKeys.has(key)))
      return { start, end, isPlural, isNegated, meanings: wantedMeanings }
    })
    .filter(({ meanings }) => meanings.length > 0)

  // All known words are negated, or removed by the negative prompt.
  const isEmptied = foundWords.length === 0 && words.some(({ meanings }) => meanings.length > 0)
  const { subjects: namedSubjects, colors, usedColorWords } = readSubjects(foundWords, text)
  const allMeanings = foundWords.filter((word) => !usedColorWords.has(word)).flatMap(({ meanings }) => meanings)
  const namedPlaces = allMeanings.flatMap((meaning) => (meaning.kind === 'place' ? [meaning.place] : []))
  const namedTimes = allMeanings.flatMap((meaning) => (meaning.kind === 'time' ? [meaning.time] : []))
  const namedWeathers = allMeanings.flatMap((meaning) => (meaning.kind === 'weather' ? [meaning.weather] : []))
  const weather = namedWeathers[0] ?? 'clear'
  const season = allMeanings.flatMap((meaning) => (meaning.kind === 'season' ? [meaning.season] : []))[0]
  const mood = allMeanings.flatMap((meaning) => (meaning.kind === 'mood' ? [meaning.mood] : []))[0]
  const style = allMeanings.flatMap((meaning) => (meaning.kind === 'style' ? [meaning.style] : []))[0]
  const sights = new Set(allMeanings.flatMap((meaning) => (meaning.kind === 'sight' ? [meaning.sight] : [])))
  const particles = new Set(allMeanings.flatMap((meaning) => (meaning.kind === 'particles' ? [meaning.particles] : [])))
  const wantedPlace =
    mainPlaceOf(namedPlaces, namedSubjects) ??
    impliedPlace(namedSubjects, { time: namedTimes[0], weather, season, mood, style, sights, particles, isEmptied })
  const place = placeFor(wantedPlace, namedSubjects, weather)
  const namedSettings = allMeanings.flatMap((meaning) => (meaning.kind === 'setting' ? [meaning.setting] : []))
  const isInKitchen = place === 'room' && namedPlaces.length === 0 && namedSubjects.some(({ kind }) => kind === 'chef')
  const settings = new Set<Setting>(isInKitchen ? [...namedSettings, 'kitchen'] : namedSettings)
  const subjects = withDefaultSubjects(
    place,
    namedSubjects.filter(({ kind }) => !isPartOf(place, kind)),
    { promptHash, color: colors[0] },
  )
  const time =
    timeOfStyle(style) ??
    namedTimes[0] ??
    fittingTime({ sights, particles, subjects, style }) ??
    chooseTime(place, promptHash, unwanted)
  return {
    place,
    time,
    weather,
    season,
    mood,
    settings,
    style,
    sights,
    particles,
    subjects,
    colors,
    omittedParts: findOmittedParts(unwanted, style),
    writing,
  }
}

/**
 * "No stars" removes the stars but not the night, although "stars" implies the night in other
 * phrases.
 */
function removableMeanings(meanings: readonly Meaning[]): readonly Meaning[] {
  const meaningsWithoutTime = meanings.filter(({ kind }) => kind !== 'time')
  return meaningsWithoutTime.length > 0 ? meaningsWithoutTime : meanings
}

/** Cuts the text to the maximum length, and normalizes its letters and their case. */
function normalizeText(text: string): string {
  const composed = text.slice(0, promptCharactersMax).normalize('NFKC').toLowerCase().replaceAll('&', 'and')
  // "Café" becomes "cafe". Marks of other scripts are kept.
  return composed.normalize('NFD').replaceAll(latinMarks, '$1').normalize('NFC')
}

const latinMarks = /([a-z])[\u0300-\u036f]+/g

/**
 * Precedence if a prompt names several places: the highest number wins, and a place without an entry
 * has 0. Mountains and the sky have low numbers, because they can be the background of other places.
 */
const placePrecedence: Partial<Record<Place, number>> = {
  emblem: 5,
  podium: 4,
  stadium: 3,
  room: 2,
  street: 1,
  underwater: 1,
  mountains: -1,
  sky: -2,
  table: -3,
  abstract: -4,
}

function mainPlaceOf(namedPlaces: readonly Place[], subjects: readonly Subject[]): Place | undefined {
  const place = namedPlaces.toSorted((a, b) => (placePrecedence[b] ?? 0) - (placePrecedence[a] ?? 0))[0]
  // The word "football" names the stadium. In "children playing football on the beach", the beach is
  // the place.
  const otherPlaces = namedPlaces.filter((place) => place !== 'stadium')
  const isPlayedElsewhere =
    place === 'stadium' && otherPlaces.length > 0 && subjects.some(({ kind }) => kind !== 'player' && isPersonOrAnimal(kind))
  return isPlayedElsewhere ? mainPlaceOf(otherPlaces, subjects) : place
}

function isPersonOrAnimal(kind: SubjectKind): boolean {
  return 'group' in subjectWords[kind]
}

const stillLives: readonly (readonly SubjectKind[])[] = [
  ['vase', 'fruit', 'book'],
  ['fruit', 'candle', 'bottle'],
  ['cup', 'book', 'candle'],
  ['vase', 'cup', 'book'],
  ['bread', 'bottle', 'fruit'],
  ['candle', 'vase', 'fruit'],
]

/** Adds the subjects that a table, a podium or a stadium shows if the prompt names none. */
function withDefaultSubjects(
  place: Place,
  subjects: readonly Subject[],
  { promptHash, color }: { promptHash: number; color: Subject['color'] },
): Subject[] {
  if (place === 'table' && subjects.length === 0)
    return (stillLives[promptHash % stillLives.length] ?? []).map((kind, index) => ({
      kind,
      count: 1,
      color: index === 0 ? color : undefined,
    }))
  if (place === 'podium' && subjects.length === 0) return [{ kind: 'product', count: 1, color: undefined }]
  const needsPlayers = place === 'stadium' && !subjects.some(({ kind }) => isPersonOrAnimal(kind))
  return needsPlayers ? [...subjects, { kind: 'player', count: 2, color: undefined, motion: 'runs' }] : [...subjects]
}

/**
 * Returns whether a place already shows this subject. A city and a street have houses, which count
 * as the subject `keep` (a tower).
 */
function isPartOf(place: Place, kind: SubjectKind): boolean {
  return kind === 'keep' && (place === 'city' || place === 'street')
}

/**
 * Returns the place to show. If the wanted place cannot show a subject, another place is returned.
 */
function placeFor(wantedPlace: Place, subjects: Subject[], weather: Weather): Place {
  const mainSubject = subjects.find(({ kind }) => !isItem(kind)) ?? subjects[0]
  // The words "marble" and "silk" name the abstract place. In "a marble palace" or "a fox in silk",
  // the place is that of the palace or the fox.
  if (wantedPlace === 'abstract' && mainSubject) return homeOf(mainSubject)
  // In a town, items are shown on a table indoors or on a podium.
  if (
    mainSubject &&
    isItem(mainSubject.kind) &&
    (wantedPlace === 'city' || wantedPlace === 'street' || wantedPlace === 'village')
  )
    return subjectWords[mainSubject.kind].home === 'table' ? 'room' : 'podium'
  if (mainSubject && (wantedPlace === 'table' || wantedPlace === 'podium') && !isItem(mainSubject.kind))
    return homeOf(mainSubject)
  if (subjects.some(({ condition }) => condition === 'leaping')) return 'sea'
  if (placesWithoutSkiSlope.has(wantedPlace) && subjects.some(({ kind }) => kind === 'snowboarder' || kind === 'skier'))
    return 'snowfield'
  if (wantedPlace === 'snowfield' && subjects.some(({ kind }) => kind === 'iceberg')) return 'sea'
  if (wantedPlace === 'meadow' && weather === 'snow' && !subjects.some(({ kind }) => isItem(kind))) return 'snowfield'
  const isWaterPlace = wantedPlace === 'sea' || wantedPlace === 'lake' || wantedPlace === 'river'
  return isWaterPlace && subjects.some(({ kind }) => subjectWords[kind].home === 'underwater') ? 'underwater' : wantedPlace
}

/**
 * Places without a ski slope. Skiers and snowboarders are shown in the snowfield instead, which has
 * mountains.
 */
const placesWithoutSkiSlope: ReadonlySet<Place> = new Set(['sea', 'meadow', 'mountains', 'sky'])

/** Returns the place that suits a subject. An astronaut is in space, even on a mount. */
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
    particles,
    isEmptied,
  }: Pick<SceneBrief, 'weather' | 'season' | 'mood' | 'style' | 'sights' | 'particles'> & {
    time: TimeOfDay | undefined
    isEmptied: boolean
  },
): Place {
  const mainSubject = subjects.find(({ kind }) => !isItem(kind)) ?? subjects[0]
  if (weather === 'snow' && !(mainSubject && isItem(mainSubject.kind))) return 'snowfield'
  const styledPlace = placeOfStyle(style, mainSubject?.kind)
  if (styledPlace) return styledPlace
  if (mainSubject) return homeOf(mainSubject)
  if (sights.has('lightning')) return 'sea'
  if (sights.has('rainbow') || sights.has('flowers')) return 'meadow'
  const namedParticles = [...particles][0]
  if (namedParticles) return particleHomes[namedParticles]
  if (weather === 'rain') return 'city'
  if (weather === 'fog') return 'forest'
  if (season) return season === 'autumn' ? 'forest' : 'meadow'
  if (time || style || mood) return 'lake'
  return isEmptied ? 'abstract' : 'table'
}

/** Place of each kind of particles if the prompt names no place. */
const particleHomes: Record<Particles, Place> = {
  fireflies: 'forest',
  embers: 'forest',
  meteors: 'lake',
  petals: 'meadow',
  leaves: 'forest',
  dust: 'desert',
  bubbles: 'underwater',
}

/** Subjects that shine or wake at night. */
const nightSubjects: ReadonlySet<SubjectKind> = new Set(['campfire', 'lantern', 'owl'])

/** Candles and drinks, which fit the evening. */
const eveningSubjects: ReadonlySet<SubjectKind> = new Set(['candle', 'tumbler', 'wine'])

/** Times of day of each place. The hash of the prompt chooses one if nothing else determines it. */
const timesByPlace: Record<Place, readonly TimeOfDay[]> = {
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
  table: ['day', 'dusk', 'dawn'],
  podium: ['day', 'dusk'],
  stadium: ['night', 'day', 'dusk'],
  emblem: ['day', 'night'],
  abstract: ['dusk', 'night', 'dawn', 'day'],
}

/**
 * Returns the time of day that suits the contents of the scene, if any: night for fireflies and
 * lanterns, dusk for embers and candles, day for sights such as flowers and rainbows, and dawn for
 * an ink painting.
 */
function fittingTime({
  sights,
  particles,
  subjects,
  style,
}: Pick<SceneBrief, 'sights' | 'particles' | 'subjects' | 'style'>): TimeOfDay | undefined {
  if (particles.has('fireflies') || particles.has('meteors') || subjects.some(({ kind }) => nightSubjects.has(kind)))
    return 'night'
  if (particles.has('embers') || subjects.some(({ kind }) => eveningSubjects.has(kind))) return 'dusk'
  if (sights.size > 0) return 'day'
  return style === 'ink' ? 'dawn' : undefined
}

function chooseTime(place: Place, promptHash: number, unwanted: Meaning[]): TimeOfDay {
  const times = timesByPlace[place].filter(
    (time) => !unwanted.some((meaning) => meaning.kind === 'time' && meaning.time === time),
  )
  return times[promptHash % Math.max(1, times.length)] ?? 'day'
}

function findOmittedParts(unwanted: Meaning[], style: Style | undefined): Set<OmittablePart> {
  const namedParts = unwanted.flatMap((meaning) => (meaning.kind === 'omittable' ? [meaning.part] : []))
  return new Set([...namedParts, ...omittedPartsOfStyle(style)])
}

/**
 * Returns the keys of a meaning. A negated word removes every meaning that has one of its keys. A
 * group of subjects has the keys of its kinds. Meanings that describe another word, such as counts,
 * have no key.
 */
function keysOf(meaning: Meaning): string[] {
  switch (meaning.kind) {
    case 'count':
    case 'omittable':
    case 'part':
    case 'garment':
    case 'riding':
    case 'condition':
      return []
    case 'group':
      return allKinds
        .filter((kind) => 'group' in subjectWords[kind] && subjectWords[kind].group === meaning.group)
        .map((subject) => JSON.stringify({ kind: 'subject', subject }))
    default:
      return [JSON.stringify(meaning)]
  }
}

const allKinds = Object.keys(subjectWords) as SubjectKind[] // Object.keys loses the key type of a closed record
