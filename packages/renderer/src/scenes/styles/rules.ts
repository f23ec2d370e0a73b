import type { OmittablePart, Style, TimeOfDay } from '../prompt/scene-brief.ts'
import type { Place } from '../prompt/place.ts'
import type { SubjectKind } from '../prompt/subject-words.ts'

/**
 * Returns the time of day to which a style is limited, if any. Neon is always at night, even if the
 * prompt names another time.
 */
export function timeOfStyle(style: Style | undefined): TimeOfDay | undefined {
  return style === 'neon' ? 'night' : undefined
}

const omittedPartsByStyle: Partial<Record<Style, readonly OmittablePart[]>> = {
  ink: ['clouds', 'stars'],
  minimal: ['clouds', 'birds', 'stars', 'mist'],
}

/** Returns the parts of a scene that a style omits. */
export function omittedPartsOfStyle(style: Style | undefined): readonly OmittablePart[] {
  return style ? (omittedPartsByStyle[style] ?? []) : []
}

const townSubjects: ReadonlySet<SubjectKind> = new Set(['car', 'train', 'person', 'cat', 'dog'])

/**
 * Returns the place that a style implies if the prompt names none. Only the neon style implies a
 * place.
 */
export function placeOfStyle(style: Style | undefined, subject: SubjectKind | undefined): Place | undefined {
  return style === 'neon' && (subject === undefined || townSubjects.has(subject)) ? (subject ? 'street' : 'city') : undefined
}
