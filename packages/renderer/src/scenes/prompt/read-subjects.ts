import type { Rgb } from '../../picture/colour.ts'
import { placeColours, type ColourName } from './colour-words.ts'
import type { FoundWord } from './find-words.ts'
import type { Condition, Subject } from './scene-brief.ts'
import { isCollective, isItem, subjectWords, type SubjectKind } from './subject-words.ts'
import type { Meaning } from './vocabulary.ts'

const subjectsMax = 4
/**
 * A color or number belongs to the next subject if at most this many characters are between them.
 */
const attachedCharactersMax = 16
const plainPeople = ['person', 'man', 'woman', 'child'] as const satisfies readonly SubjectKind[]
/** The wearer of each garment. */
const people: ReadonlySet<SubjectKind> = new Set([
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
/** What the drawing of a subject already contains, such as the person on the bicycle. */
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
 * Words for at least this many, such as "herd", may also follow their subject: "an elephant herd".
 */
const groupCount = 5
/** Count for a plural without a number. */
const pluralCount = 3

interface Pending {
  colour: { name: ColourName; rgb: Rgb; word: FoundWord } | undefined
  count: number | undefined
  end: number
}

export interface SubjectsRead {
  subjects: Subject[]
  /** Colors of the whole picture. */
  colours: Rgb[]
  /** Color words that apply to a subject, so their other meanings do not ("a golden dog"). */
  spent: ReadonlySet<FoundWord>
}

/** Gives each subject the number and the color before it. Other colors are for the whole image. */
export function readSubjects(found: readonly FoundWord[], text: string): SubjectsRead {
  const subjects = new Map<SubjectKind, Subject>()
  const colours: Rgb[] = []
  const spent = new Set<FoundWord>()
  let worn: Rgb | undefined
  let lastNamed: { kind: SubjectKind; end: number } | undefined
  let pending = nothing(0)
  const giveToPicture = (end: number): void => {
    // Golden light is an hour of the day, not a tint.
    if (pending.colour && !pending.colour.word.meanings.some(({ kind }) => kind === 'time')) colours.push(pending.colour.rgb)
    pending = nothing(end)
  }
  for (const word of found) {
    const gap = text.slice(pending.end, word.start)
    if (gap.length > attachedCharactersMax || /[.;!?。；！？，]/.test(gap)) giveToPicture(word.end)
    const colour = word.meanings.find((meaning) => meaning.kind === 'colour')
    const count = word.meanings.find((meaning) => meaning.kind === 'count')
    const subject = word.meanings.find((meaning) => meaning.kind === 'subject')
    const natural = naturalColours(word.meanings)
    if (subject) {
      if (pending.colour) spent.add(pending.colour.word)
      const known = subjects.get(subject.subject)
      const counted = Math.max(pending.count ?? 1, count?.count ?? 1)
      const number = word.isPlural && counted === 1 && !isCollective(subject.subject) ? pluralCount : counted
      // "A caravan of camels" names them twice.
      if (known) subjects.set(subject.subject, { ...known, count: Math.max(known.count, number) })
      else if (subjects.size < subjectsMax)
        subjects.set(subject.subject, { kind: subject.subject, count: number, colour: pending.colour?.rgb })
      lastNamed = { kind: subject.subject, end: word.end }
      pending = nothing(word.end)
    } else if (word.meanings.some(({ kind }) => kind === 'garment')) {
      if (pending.colour) spent.add(pending.colour.word)
      worn ??= pending.colour?.rgb
      pending = nothing(word.end)
    } else if (colour) {
      // In "red and white", the first color leads.
      const isSecond = pending.colour && /^ (?:and|or) $/.test(gap)
      if (pending.colour && !isSecond) giveToPicture(word.end)
      pending = { ...pending, colour: isSecond ? pending.colour : { name: colour.name, rgb: colour.colour, word }, end: word.end }
    } else if (count && count.count >= groupCount && lastNamed && /^ $/.test(text.slice(lastNamed.end, word.start))) {
      // For example "herd" in "an elephant herd".
      const known = subjects.get(lastNamed.kind)
      if (known) subjects.set(known.kind, { ...known, count: Math.max(known.count, count.count) })
      pending = nothing(word.end)
    } else if (count) {
      pending = { ...pending, count: count.count, end: word.end }
    } else if (natural) {
      if (pending.colour && natural.includes(pending.colour.name)) pending = nothing(word.end)
      else giveToPicture(word.end)
    }
  }
  giveToPicture(0)
  const motion = found.flatMap(({ meanings }) =>
    meanings.flatMap((meaning) => (meaning.kind === 'motion' ? [meaning.motion] : [])),
  )[0]
  const wearer = [...subjects.values()].find(({ kind }) => people.has(kind))
  if (worn && wearer && !wearer.colour) subjects.set(wearer.kind, { ...wearer, colour: worn })
  if (found.some(({ meanings }) => meanings.some(({ kind }) => kind === 'riding'))) seat(subjects)
  if (subjects.has('bride') && subjects.has('groom')) marry(subjects)
  imposeConditions(subjects, found)
  for (const [kind, includes] of Object.entries(inclusions)) {
    if (subjects.has(kind as keyof typeof inclusions)) for (const included of includes) subjects.delete(included)
  }
  if ([...subjects.keys()].some((kind) => kind !== 'product' && isItem(kind))) subjects.delete('product')
  if (subjects.has('iceberg')) surface(subjects)
  return { subjects: Array.from(subjects.values(), (subject) => (motion ? { ...subject, motion } : subject)), colours, spent }
}

/** Merges a bride and a groom into a pair, at the position of the first. */
function marry(subjects: Map<SubjectKind, Subject>): void {
  const entries = [...subjects].map(([kind, subject]): [SubjectKind, Subject] =>
    kind === 'bride' || kind === 'groom' ? ['wedding', { ...subject, kind: 'wedding', count: 1 }] : [kind, subject],
  )
  subjects.clear()
  for (const [kind, subject] of entries) if (!subjects.has(kind)) subjects.set(kind, subject)
}

const buildings: ReadonlySet<SubjectKind> = new Set([
  'castle',
  'keep',
  'house',
  'pagoda',
  'windmill',
  'tree',
  'lighthouse',
  'ruin',
])
const decayed: ReadonlySet<SubjectKind> = new Set(['castle', 'keep', 'pagoda'])

/** The subjects that can be in each condition. */
const canBe: Record<Condition, (kind: SubjectKind) => boolean> = {
  burning: (kind) => buildings.has(kind),
  ruined: (kind) => decayed.has(kind),
  'breathing fire': (kind) => kind === 'dragon',
  leaping: (kind) => subjectWords[kind].home === 'underwater',
}

function kindsOf(words: readonly FoundWord[]): SubjectKind[] {
  return words.flatMap(({ meanings }) => meanings.flatMap((meaning) => (meaning.kind === 'subject' ? [meaning.subject] : [])))
}

/** Gives each condition to an adjacent subject that can be in it, preferably the next one. */
function imposeConditions(subjects: Map<SubjectKind, Subject>, found: readonly FoundWord[]): void {
  for (const [index, { meanings }] of found.entries()) {
    for (const meaning of meanings) {
      if (meaning.kind !== 'condition') continue
      const { condition } = meaning
      const near = [...kindsOf(found.slice(index + 1, index + 3)), ...kindsOf(found.slice(0, index)).toReversed()]
      const kind = near.find((one) => subjects.has(one) && canBe[condition](one))
      const subject = kind && subjects.get(kind)
      if (!subject) continue
      if (condition === 'ruined') {
        subjects.delete(subject.kind)
        subjects.set('ruin', { ...subject, kind: 'ruin' })
      } else subjects.set(subject.kind, { ...subject, condition })
    }
  }
}

/** Sea animals come up beside an iceberg, because the ice cannot be seen from below. */
function surface(subjects: Map<SubjectKind, Subject>): void {
  for (const [kind, subject] of subjects) if (canBe.leaping(kind)) subjects.set(kind, { ...subject, condition: 'leaping' })
}

/** Puts the first possible rider on the first possible mount. */
function seat(subjects: Map<SubjectKind, Subject>): void {
  const mount = mounts.find((kind) => subjects.has(kind))
  const rider = [...subjects.keys()].find((kind) => riders.has(kind))
  const ridden = mount && subjects.get(mount)
  if (!ridden) return
  const { kind, colour } = (rider && subjects.get(rider)) ?? { kind: 'man', colour: undefined }
  subjects.set(ridden.kind, { ...ridden, rider: { kind, colour } })
  if (rider) subjects.delete(rider)
}

function nothing(end: number): Pending {
  return { colour: undefined, count: undefined, end }
}

/** Natural colors of this part of the scene; empty if the word names no part. */
function naturalColours(meanings: readonly Meaning[]): readonly ColourName[] | undefined {
  const all = meanings.flatMap((meaning) => {
    if (meaning.kind === 'part') return [meaning.natural]
    if (meaning.kind === 'place') return [placeColours[meaning.place] ?? []]
    if (meaning.kind === 'weather') return [meaning.weather === 'snow' ? (['white'] as const) : []]
    if (meaning.kind === 'time') return [meaning.time === 'night' ? (['black', 'blue'] as const) : []]
    return []
  })
  return all.length > 0 ? all.flat() : undefined
}
