import type { Rgb } from '../../picture/colour.ts'
import { createMistTexture, paintMist } from '../air/mist.ts'
import { paintPassingBirds } from '../birds/passing-birds.ts'
import { paintClouds } from '../clouds/paint-clouds.ts'
import { paintBloom, paintMoon, paintSky, paintStars } from '../sky/sky.ts'
import type { Painter, Stage } from '../stage.ts'
import type { PlacedSubjects } from '../subjects/placed-subjects.ts'
import { paintSlice, type Furnish, type Relief } from './paint-slice.ts'

export interface Dryland {
  relief: Relief
  slices: readonly { first: number; end: number; depth: number }[]
  /** Things on all slices but the farthest, which is slice 0. */
  furnish?: (order: number) => Furnish | undefined
  mist: LandMist
  /** The slice after which birds pass. Default: the second. */
  birdsAfter?: number
}

/** Banks of mist after the farthest slices, each nearer one lower and thinner. In units. */
export interface LandMist {
  banks: number
  /**
   * Height of the first bank's upper edge over the horizon, and how much lower each next one is.
   */
  above: number
  fall: number
  height: number
  gain: number
  thinning: number
  colour?: Rgb
}

const floatingAfter = 2

/**
 * Paints open land from the sky to the nearest ground, with the subjects in the sky and in the air.
 */
export function paintDryland(stage: Stage, subjects: PlacedSubjects, land: Dryland): (Painter | undefined)[] {
  const { geometry, horizon } = stage
  const { height, unit } = geometry
  const texture = createMistTexture(stage)
  const { banks, above, fall, gain, thinning, colour } = land.mist
  const mistAfter = (order: number): Painter | undefined =>
    paintMist(stage, texture, {
      top: horizon - unit * (above - fall * order),
      height: unit * land.mist.height,
      gain: gain - thinning * order,
      order,
      ...(colour && { colour }),
    })
  return [
    paintSky(stage, height),
    paintStars(stage),
    paintMoon(stage),
    paintClouds(stage, horizon),
    subjects.sky,
    ...land.slices.flatMap((slice, order) => [
      paintSlice(stage, land.relief, { ...slice, furnish: order > 0 ? land.furnish?.(order) : undefined }),
      order === 0 ? paintBloom(stage, height) : undefined,
      order < banks ? mistAfter(order) : undefined,
      order === (land.birdsAfter ?? 1) ? paintPassingBirds(stage) : undefined,
      order === floatingAfter ? subjects.floating : undefined,
    ]),
  ]
}
