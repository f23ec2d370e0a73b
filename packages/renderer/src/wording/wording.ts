import { findWords } from '../scenes/prompt/find-words.ts'
import { readPrompt } from '../scenes/prompt/read-prompt.ts'
import type { SceneBrief } from '../scenes/prompt/scene-brief.ts'
import type { Meaning } from '../scenes/prompt/vocabulary.ts'

/** A prompt as it is written, and what it names. */
export interface Wording {
  /** Without outer spaces and repeated spaces. */
  text: string
  brief: SceneBrief
  /** The kinds of its words. Everything else in the brief is implied. */
  named: ReadonlySet<Meaning['kind']>
}

export function readWording(prompt: string): Wording {
  const text = prompt.trim().replaceAll(/\s+/g, ' ')
  const words = findWords(text.toLowerCase()).filter(({ isDenied }) => !isDenied)
  const kinds = words.flatMap(({ meanings }) => meanings.map(({ kind }) => kind))
  return { text, brief: readPrompt(text), named: new Set(kinds) }
}

/**
 * Whether a longer wording shows the scene of the first one: the same place, weather, subjects, colors
 * and writing, and the same time once it names one. It may add a season, a mood and a style. Nothing
 * is known of a scene without a known word, so a longer wording may add all but places and subjects.
 */
export function showsSameScene(first: Wording, second: Wording): boolean {
  if (first.named.size === 0) return !second.named.has('place') && !second.named.has('subject')
  return sceneOf(first.brief, second) === sceneOf(second.brief, second)
}

function sceneOf(brief: SceneBrief, { named }: Pick<Wording, 'named'>): string {
  const { place, time, weather, subjects, colors, settings, sights, airs, writing } = brief
  const hour = named.has('time') ? time : null
  return JSON.stringify([place, hour, weather, subjects, colors, [...settings], [...sights], [...airs], writing])
}
