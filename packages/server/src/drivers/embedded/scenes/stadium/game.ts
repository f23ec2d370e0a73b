import type { Stage } from '../stage.ts'

export type Game = 'soccer' | 'basketball' | 'tennis' | 'baseball'

/** The game that the prompt names; football where it names none. */
export function gameOf({ brief }: Stage): Game {
  for (const game of ['basketball', 'tennis', 'baseball'] as const) if (brief.settings.has(game)) return game
  return 'soccer'
}
