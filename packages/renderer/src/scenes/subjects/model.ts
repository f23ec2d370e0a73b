import type { Rgb } from '../../picture/color.ts'
import type { Random } from '../../picture/random.ts'
import type { Motion, Rider, Season } from '../prompt/scene-brief.ts'
import type { Figure } from './figure.ts'

/** Properties of one subject from the prompt and the scene. */
export interface Look {
  /** Color that the prompt names. */
  color: Rgb | undefined
  /** Index of the variant: 0 is the default. */
  variant: number
  /** Whether windows are lit and lamps burn. */
  isDark: boolean
  season: Season | undefined
  motion: Motion | undefined
  rider: Rider | undefined
  /** Returns a new random sequence. It is the same for all images of a variant. */
  createRandom: () => Random
}

/**
 * Drawing of a subject that faces right, with its foot at 0, 0. Its unit is about the height of the
 * subject, the length of some (such as fish and aircraft), and the shoulder height of animals.
 */
export interface Model {
  /** Unit of the drawing, in units of the frame. */
  height: number
  /** Extent of the drawing from its foot to each side, upward and downward. */
  reach: { side: number; up: number; down: number }
  /**
   * Cycle of the subject's movement: its number of images, and cycles per second. Default: no
   * movement.
   */
  cycle?: { poseCount: number; pace: number }
  /** Number of variants in a group. */
  variantCount?: number
  /** Draws the subject. `phase` is the progress of the cycle, from 0 to 1. */
  draw(figure: Figure, phase: number, look: Look): void
}
