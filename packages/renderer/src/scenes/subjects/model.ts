import type { Rgb } from '../../picture/colour.ts'
import type { Random } from '../../picture/random.ts'
import type { Motion, Rider, Season } from '../prompt/scene-brief.ts'
import type { Figure } from './figure.ts'

/** What the prompt and the scene say about one subject. */
export interface Look {
  /** Named in the prompt. */
  colour: Rgb | undefined
  /** Which of several different ones: 0 is the usual. */
  variant: number
  /** Windows are lit and lamps burn. */
  isDark: boolean
  season: Season | undefined
  motion: Motion | undefined
  rider: Rider | undefined
  /** A fresh sequence: the same for all pictures of one subject. */
  random: () => Random
}

/** How a subject is drawn, in its own heights around its foot; one that moves to the right. */
export interface Model {
  /** In units of the frame. */
  height: number
  /** How far the drawing reaches from its foot. */
  reach: { side: number; up: number; down: number }
  /** Pictures of one cycle of its own movement, and cycles a second; without them it does not move in itself. */
  cycle?: { poses: number; pace: number }
  /** How many different ones there are in a group. */
  variants?: number
  /** `phase` is 0 to 1 through the cycle. */
  draw(figure: Figure, phase: number, look: Look): void
}
