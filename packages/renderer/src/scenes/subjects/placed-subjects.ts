import type { Painter } from '../stage.ts'

/** Painters of the prompt's subjects, for three positions in the drawing order of a scene. */
export interface PlacedSubjects {
  /** Phenomena in the sky, such as a rainbow. */
  sky: Painter | undefined
  /**
   * Subjects in the air, in the distance and on the far side of water. They are painted before the
   * water's reflection and therefore mirrored.
   */
  floating: Painter | undefined
  /** Subjects in the foreground and on near water. */
  ground: Painter | undefined
}
