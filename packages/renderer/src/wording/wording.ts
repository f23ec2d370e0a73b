import { findWords } from '../scenes/prompt/find-words.ts'
import { readPrompt } from '../scenes/prompt/read-prompt.ts'
import type { SceneBrief } from '../scenes/prompt/scene-brief.ts'
import type { Meaning } from '../scenes/prompt/vocabulary.ts'

/** A prompt, its scene, and the parts of the scene that its words name. */
export interface Wording {
  /** The prompt without leading, trailing and repeated spaces. */
  text: string
  brief: SceneBrief
  /** The parts of the brief that the words name. The renderer chooses the other parts. */
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
 * and writing, and the same time if it names one. The season, the mood and the style may differ. If
 * the first wording has no known word, the longer one must only name no place and no subject.
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
