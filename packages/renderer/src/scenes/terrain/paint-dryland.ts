import type { Rgb } from '../../picture/color.ts'
import { createMistTexture, paintMist } from '../air/mist.ts'
import { paintPassingBirds } from '../birds/passing-birds.ts'
import { paintClouds } from '../clouds/paint-clouds.ts'
import { paintBloom, paintMoon, paintSky, paintStars } from '../sky/sky.ts'
import type { Painter, Stage } from '../stage.ts'
import type { PlacedSubjects } from '../subjects/placed-subjects.ts'
import { paintSlice, type GroundObjects, type Relief } from './paint-slice.ts'

export interface Dryland {
  relief: Relief
  slices: readonly { stepFirst: number; stepEnd: number; depth: number }[]
  /** Returns the objects on a slice. It is not called for slice 0, which is the farthest. */
  objectsAt?: (order: number) => GroundObjects | undefined
  mist: LandMist
  /** Index of the slice after which birds are painted. Default: the second. */
  birdsAfter?: number
}

/**
 * Banks of mist that are painted after the farthest slices. Lengths are in units. Each nearer bank
 * is lower and thinner.
 */
export interface LandMist {
  /** Number of banks. */
  banks: number
  /** Height of the first bank's upper edge above the horizon. */
  topAbove: number
  /** Difference of this height from one bank to the next. */
  fall: number
  /** Height of each bank. */
  height: number
  /** Opacity of the first bank. */
  gain: number
  /** Difference of the opacity from one bank to the next. */
  thinning: number
  color?: Rgb
}

/** Index of the slice after which floating subjects are painted. */
const floatingAfter = 2

/**
 * Paints open land from the sky to the nearest ground, with the subjects in the sky and the
 * floating ones, but not those on the ground.
 */
export function paintDryland(stage: Stage, subjects: PlacedSubjects, land: Dryland): (Painter | undefined)[] {
  const { geometry, horizon } = stage
  const { height, unit } = geometry
  const texture = createMistTexture(stage)
  const { banks, topAbove, fall, gain, thinning, color } = land.mist
  const mistAfter = (order: number): Painter | undefined =>
    paintMist(stage, texture, {
      top: horizon - unit * (topAbove - fall * order),
      height: unit * land.mist.height,
      gain: gain - thinning * order,
      order,
      ...(color && { color }),
    })
  return [
    paintSky(stage, height),
    paintStars(stage),
    paintMoon(stage),
    paintClouds(stage, horizon),
    subjects.sky,
    ...land.slices.flatMap((slice, order) => [
      paintSlice(stage, land.relief, { ...slice, objects: order > 0 ? land.objectsAt?.(order) : undefined }),
      order === 0 ? paintBloom(stage, height) : undefined,
      order < banks ? mistAfter(order) : undefined,
      order === (land.birdsAfter ?? 1) ? paintPassingBirds(stage) : undefined,
      order === floatingAfter ? subjects.floating : undefined,
    ]),
  ]
}
