import type { Stage } from '../stage.ts'

export type Game = 'soccer' | 'basketball' | 'tennis' | 'baseball'

/** Returns the game that the prompt names. The default is soccer. */
export function gameOf({ brief }: Stage): Game {
  for (const game of ['basketball', 'tennis', 'baseball'] as const) if (brief.settings.has(game)) return game
  return 'soccer'
}
