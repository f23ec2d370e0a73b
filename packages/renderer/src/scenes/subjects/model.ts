import type { Rgb } from '../../picture/colour.ts'
import type { Random } from '../../picture/random.ts'
import type { Motion, Rider, Season } from '../prompt/scene-brief.ts'
import type { Figure } from './figure.ts'

/** Properties of one subject from the prompt and the scene. */
export interface Look {
  /** Color that the prompt names. */
  colour: Rgb | undefined
  /** Index of the variant: 0 is the default. */
  variant: number
  /** Windows are lit and lamps burn. */
  isDark: boolean
  season: Season | undefined
  motion: Motion | undefined
  rider: Rider | undefined
  /** A fresh sequence: the same for all pictures of one subject. */
  random: () => Random
}

/** Drawing of a subject that faces right, in units of its height around its foot. */
export interface Model {
  /** Height in units of the frame. */
  height: number
  /** Extent of the drawing from its foot. */
  reach: { side: number; up: number; down: number }
  /**
   * Pictures of one cycle of its movement, and cycles per second. Default: no movement of its own.
   */
  cycle?: { poses: number; pace: number }
  /** Number of variants in a group. */
  variants?: number
  /** `phase` is 0 to 1 through the cycle. */
  draw(figure: Figure, phase: number, look: Look): void
}
