import type { Painter } from '../stage.ts'

/** Painters of the prompt's subjects, for three positions in the drawing order of a scene. */
export interface PlacedSubjects {
  /** Subjects among the clouds. */
  sky: Painter | undefined
  /**
   * Subjects on the far side of the water. They are painted before the reflection and therefore
   * mirrored.
   */
  floating: Painter | undefined
  /** Subjects in the foreground. */
  ground: Painter | undefined
}
