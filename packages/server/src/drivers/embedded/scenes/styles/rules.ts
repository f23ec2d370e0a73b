import type { Extra, Place, Style, TimeOfDay } from '../scene-brief.ts'
import type { SubjectKind } from '../subject-words.ts'

/** Neon shines in the dark, whatever hour is named. */
export function onlyTime(style: Style | undefined): TimeOfDay | undefined {
  return style === 'neon' ? 'night' : undefined
}

const clutter: Partial<Record<Style, readonly Extra[]>> = {
  ink: ['clouds', 'stars'],
  minimal: ['clouds', 'birds', 'stars', 'mist'],
}

/** What a style leaves out unasked. */
export function leftOut(style: Style | undefined): readonly Extra[] {
  return style ? (clutter[style] ?? []) : []
}

const townsfolk: ReadonlySet<SubjectKind> = new Set(['car', 'train', 'person', 'cat', 'dog'])

/** Where neon shines when no place is named. */
export function placeOfStyle(style: Style | undefined, subject: SubjectKind | undefined): Place | undefined {
  return style === 'neon' && (subject === undefined || townsfolk.has(subject)) ? (subject ? 'street' : 'city') : undefined
}
