import type { Painter } from './stage.ts'

/** The prompt's subjects as painters for three places in the order of a scene. */
export interface PlacedSubjects {
  /** Among the clouds. */
  sky: Painter | undefined
  /** On the water's far side, before the mirror: reflected. */
  floating: Painter | undefined
  /** In the foreground. */
  ground: Painter | undefined
}
