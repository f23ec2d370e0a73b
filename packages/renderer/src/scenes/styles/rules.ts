import type { Extra, Style, TimeOfDay } from '../prompt/scene-brief.ts'
import type { Place } from '../prompt/place.ts'
import type { SubjectKind } from '../prompt/subject-words.ts'

/**
 * Returns the only time of day of a style. Neon is always at night, even if the prompt names
 * another time.
 */
export function onlyTime(style: Style | undefined): TimeOfDay | undefined {
  return style === 'neon' ? 'night' : undefined
}

const omittedExtras: Partial<Record<Style, readonly Extra[]>> = {
  ink: ['clouds', 'stars'],
  minimal: ['clouds', 'birds', 'stars', 'mist'],
}

/** Returns the parts of a scene that a style omits by itself. */
export function omittedParts(style: Style | undefined): readonly Extra[] {
  return style ? (omittedExtras[style] ?? []) : []
}

const townsfolk: ReadonlySet<SubjectKind> = new Set(['car', 'train', 'person', 'cat', 'dog'])

/** Returns the place of a neon scene for a prompt that names none. */
export function placeOfStyle(style: Style | undefined, subject: SubjectKind | undefined): Place | undefined {
  return style === 'neon' && (subject === undefined || townsfolk.has(subject)) ? (subject ? 'street' : 'city') : undefined
}
