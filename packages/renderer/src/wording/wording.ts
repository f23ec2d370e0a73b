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
  const words = findWords(text.toLowerCase()).filter(({ isNegated }) => !isNegated)
  const kinds = words.flatMap(({ meanings }) => meanings.map(({ kind }) => kind))
  return { text, brief: readPrompt(text), named: new Set(kinds) }
}

/**
 * Returns whether a longer wording shows the scene of the original one: the same place, weather,
 * subjects, colors, settings, phenomena, particles and writing. If the longer wording names a time
 * of day, it must be that of the original. The season, the mood and the style may differ. If the
 * original wording has no known word, the longer one must name no place and no subject.
 */
export function showsSameScene(original: Wording, longer: Wording): boolean {
  if (original.named.size === 0) return !longer.named.has('place') && !longer.named.has('subject')
  return sceneKeyOf(original.brief, longer) === sceneKeyOf(longer.brief, longer)
}

function sceneKeyOf(brief: SceneBrief, { named }: Pick<Wording, 'named'>): string {
  const { place, time, weather, subjects, colors, settings, sights, particles, writing } = brief
  const namedTime = named.has('time') ? time : null
  return JSON.stringify([place, namedTime, weather, subjects, colors, [...settings], [...sights], [...particles], writing])
}
