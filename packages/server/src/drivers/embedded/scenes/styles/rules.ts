import type { Extra, Style, TimeOfDay } from '../scene-brief.ts'

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
