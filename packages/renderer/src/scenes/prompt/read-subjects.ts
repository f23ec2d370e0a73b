import type { Rgb } from '../../picture/color.ts'
import { placeColors, type ColorName } from './color-words.ts'
import type { FoundWord } from './find-words.ts'
import type { Condition, Subject } from './scene-brief.ts'
import { isCollective, isItem, subjectWords, type SubjectKind } from './subject-words.ts'
import type { Meaning } from './vocabulary.ts'

const subjectsMax = 4
/**
 * A color or number applies to the next subject if at most this many characters are between them.
 */
const attachedCharactersMax = 16
const plainPeople = ['person', 'man', 'woman', 'child'] as const satisfies readonly SubjectKind[]
/** Subjects that wear the garments of a prompt. */
const garmentWearers: ReadonlySet<SubjectKind> = new Set([
  ...plainPeople,
  'couple',
  'dancer',
  'player',
  'knight',
  'samurai',
  'king',
  'queen',
  'wizard',
  'cowboy',
  'chef',
  'artisan',
  'firefighter',
  'medic',
  'skateboarder',
  'surfer',
  'snowboarder',
  'skier',
])
/**
 * For each subject, other subjects that are not drawn beside it, because its drawing contains or
 * replaces them.
 */
const inclusions = {
  umbrella: plainPeople,
  bicycle: plainPeople,
  skateboarder: plainPeople,
  surfer: plainPeople,
  snowboarder: [...plainPeople, 'skier'],
  skier: plainPeople,
  tractor: ['car', 'person'],
  steamtrain: ['train'],
  couple: ['dancer', 'person'],
  wedding: ['bride', 'groom', 'couple', 'dancer', 'person'],
  player: ['person'],
  cake: ['candle'],
} as const satisfies Partial<Record<SubjectKind, readonly SubjectKind[]>>
const riders: ReadonlySet<SubjectKind> = new Set([
  ...plainPeople,
  'knight',
  'samurai',
  'king',
  'queen',
  'wizard',
  'cowboy',
  'astronaut',
  'robot',
])
const mounts = ['horse', 'unicorn', 'zebra', 'camel', 'elephant', 'deer'] as const satisfies readonly SubjectKind[]
/**
 * A word for at least this many subjects, such as "herd", may also follow the subject, as in "an
 * elephant herd".
 */
const groupCountMin = 5
/** Count for a plural without a number. */
const pluralCount = 3

/** Color and count before the next subject. `end` is the end of the last word that was read. */
interface Pending {
  color: { name: ColorName; rgb: Rgb; word: FoundWord } | undefined
  count: number | undefined
  end: number
}

export interface SubjectsRead {
  subjects: Subject[]
  /** Colors that apply to no subject and no garment. */
  colors: Rgb[]
  /**
   * Color words that apply to a subject or a garment. Their other meanings do not apply: "golden"
   * in "a golden dog" is not the golden hour.
   */
  usedColorWords: ReadonlySet<FoundWord>
}

/** Reads the subjects of a prompt, each with the number and the color before it. */
export function readSubjects(foundWords: readonly FoundWord[], text: string): SubjectsRead {
  const subjects = new Map<SubjectKind, Subject>()
  const colors: Rgb[] = []
  const usedColorWords = new Set<FoundWord>()
  let wornColor: Rgb | undefined
  let lastNamed: { kind: SubjectKind; end: number } | undefined
  let pending = noPending(0)
  const addToImageColors = (end: number): void => {
    // Golden light is a time of day and not a tint.
    if (pending.color && !pending.color.word.meanings.some(({ kind }) => kind === 'time')) colors.push(pending.color.rgb)
    pending = noPending(end)
  }
  for (const word of foundWords) {
    const gap = text.slice(pending.end, word.start)
    if (gap.length > attachedCharactersMax || /[.;!?。；！？，]/.test(gap)) addToImageColors(word.end)
    const color = word.meanings.find((meaning) => meaning.kind === 'color')
    const count = word.meanings.find((meaning) => meaning.kind === 'count')
    const subject = word.meanings.find((meaning) => meaning.kind === 'subject')
    const natural = naturalColors(word.meanings)
    if (subject) {
      if (pending.color) usedColorWords.add(pending.color.word)
      const knownSubject = subjects.get(subject.subject)
      const namedCount = Math.max(pending.count ?? 1, count?.count ?? 1)
      const subjectCount = word.isPlural && namedCount === 1 && !isCollective(subject.subject) ? pluralCount : namedCount
      // "A caravan of camels" names the camels twice.
      if (knownSubject) subjects.set(subject.subject, { ...knownSubject, count: Math.max(knownSubject.count, subjectCount) })
      else if (subjects.size < subjectsMax)
        subjects.set(subject.subject, { kind: subject.subject, count: subjectCount, color: pending.color?.rgb })
      lastNamed = { kind: subject.subject, end: word.end }
      pending = noPending(word.end)
    } else if (word.meanings.some(({ kind }) => kind === 'garment')) {
      if (pending.color) usedColorWords.add(pending.color.word)
      wornColor ??= pending.color?.rgb
      pending = noPending(word.end)
    } else if (color) {
      // In "red and white", only the first color is used.
      const isSecond = pending.color && /^ (?:and|or) $/.test(gap)
      if (pending.color && !isSecond) addToImageColors(word.end)
      pending = { ...pending, color: isSecond ? pending.color : { name: color.name, rgb: color.color, word }, end: word.end }
    } else if (count && count.count >= groupCountMin && lastNamed && /^ $/.test(text.slice(lastNamed.end, word.start))) {
      // A group word after its subject, as in "an elephant herd".
      const knownSubject = subjects.get(lastNamed.kind)
      if (knownSubject) subjects.set(knownSubject.kind, { ...knownSubject, count: Math.max(knownSubject.count, count.count) })
      pending = noPending(word.end)
    } else if (count) {
      pending = { ...pending, count: count.count, end: word.end }
    } else if (natural) {
      if (pending.color && natural.includes(pending.color.name)) pending = noPending(word.end)
      else addToImageColors(word.end)
    }
  }
  addToImageColors(0)
  const motion = foundWords.flatMap(({ meanings }) =>
    meanings.flatMap((meaning) => (meaning.kind === 'motion' ? [meaning.motion] : [])),
  )[0]
  const wearer = [...subjects.values()].find(({ kind }) => garmentWearers.has(kind))
  if (wornColor && wearer && !wearer.color) subjects.set(wearer.kind, { ...wearer, color: wornColor })
  if (foundWords.some(({ meanings }) => meanings.some(({ kind }) => kind === 'riding'))) seatRiders(subjects)
  if (subjects.has('bride') && subjects.has('groom')) mergeCouple(subjects)
  applyConditions(subjects, foundWords)
  for (const [kind, includes] of Object.entries(inclusions)) {
    if (subjects.has(kind as keyof typeof inclusions)) for (const included of includes) subjects.delete(included)
  }
  if ([...subjects.keys()].some((kind) => kind !== 'product' && isItem(kind))) subjects.delete('product')
  if (subjects.has('iceberg')) surfaceSeaAnimals(subjects)
  return {
    subjects: Array.from(subjects.values(), (subject) => (motion ? { ...subject, motion } : subject)),
    colors,
    usedColorWords,
  }
}

/** Replaces a bride and a groom by a wedding couple, at the position of the first of them. */
function mergeCouple(subjects: Map<SubjectKind, Subject>): void {
  const entries = [...subjects].map(([kind, subject]): [SubjectKind, Subject] =>
    kind === 'bride' || kind === 'groom' ? ['wedding', { ...subject, kind: 'wedding', count: 1 }] : [kind, subject],
  )
  subjects.clear()
  for (const [kind, subject] of entries) if (!subjects.has(kind)) subjects.set(kind, subject)
}

const flammableKinds: ReadonlySet<SubjectKind> = new Set([
  'castle',
  'keep',
  'house',
  'pagoda',
  'windmill',
  'tree',
  'lighthouse',
  'ruin',
])
const ruinableKinds: ReadonlySet<SubjectKind> = new Set(['castle', 'keep', 'pagoda'])

/** For each condition, whether a subject can be in it. */
const canHaveCondition: Record<Condition, (kind: SubjectKind) => boolean> = {
  burning: (kind) => flammableKinds.has(kind),
  ruined: (kind) => ruinableKinds.has(kind),
  'breathing fire': (kind) => kind === 'dragon',
  leaping: (kind) => subjectWords[kind].home === 'underwater',
}

function kindsOf(words: readonly FoundWord[]): SubjectKind[] {
  return words.flatMap(({ meanings }) => meanings.flatMap((meaning) => (meaning.kind === 'subject' ? [meaning.subject] : [])))
}

/**
 * Assigns each condition to a subject that can be in it: a subject among the next two known words,
 * or else the nearest one before.
 */
function applyConditions(subjects: Map<SubjectKind, Subject>, foundWords: readonly FoundWord[]): void {
  for (const [index, { meanings }] of foundWords.entries()) {
    for (const meaning of meanings) {
      if (meaning.kind !== 'condition') continue
      const { condition } = meaning
      const neighbors = [...kindsOf(foundWords.slice(index + 1, index + 3)), ...kindsOf(foundWords.slice(0, index)).toReversed()]
      const kind = neighbors.find((neighbor) => subjects.has(neighbor) && canHaveCondition[condition](neighbor))
      const subject = kind && subjects.get(kind)
      if (!subject) continue
      if (condition === 'ruined') {
        subjects.delete(subject.kind)
        subjects.set('ruin', { ...subject, kind: 'ruin' })
      } else subjects.set(subject.kind, { ...subject, condition })
    }
  }
}

/**
 * Moves sea animals beside an iceberg to the surface, because the ice cannot be seen from below.
 */
function surfaceSeaAnimals(subjects: Map<SubjectKind, Subject>): void {
  for (const [kind, subject] of subjects)
    if (canHaveCondition.leaping(kind)) subjects.set(kind, { ...subject, condition: 'leaping' })
}

/**
 * Seats the first possible rider of the prompt on the first of `mounts` that the prompt names.
 * Without a rider, a man rides it.
 */
function seatRiders(subjects: Map<SubjectKind, Subject>): void {
  const mount = mounts.find((kind) => subjects.has(kind))
  const rider = [...subjects.keys()].find((kind) => riders.has(kind))
  const ridden = mount && subjects.get(mount)
  if (!ridden) return
  const { kind, color } = (rider && subjects.get(rider)) ?? { kind: 'man', color: undefined }
  subjects.set(ridden.kind, { ...ridden, rider: { kind, color } })
  if (rider) subjects.delete(rider)
}

function noPending(end: number): Pending {
  return { color: undefined, count: undefined, end }
}

/**
 * Returns the natural colors of a part, a place, a weather or a time of day, and undefined for other
 * words.
 */
function naturalColors(meanings: readonly Meaning[]): readonly ColorName[] | undefined {
  const colorLists = meanings.flatMap((meaning) => {
    if (meaning.kind === 'part') return [meaning.natural]
    if (meaning.kind === 'place') return [placeColors[meaning.place] ?? []]
    if (meaning.kind === 'weather') return [meaning.weather === 'snow' ? (['white'] as const) : []]
    if (meaning.kind === 'time') return [meaning.time === 'night' ? (['black', 'blue'] as const) : []]
    return []
  })
  return colorLists.length > 0 ? colorLists.flat() : undefined
}
