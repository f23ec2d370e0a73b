import type { Painter, Stage } from '../stage.ts'
import { paintWater, type WaterLook } from '../water/water.ts'
import { paintSlice, type GroundObjects, type Relief } from './paint-slice.ts'

export interface Waterland {
  relief: Relief & { waterline: number }
  slices: readonly { stepFirst: number; stepEnd: number; depth: number }[]
  objects?: GroundObjects | undefined
  water: WaterLook
  /**
   * Returns a painter, such as one of mist or light, that runs after the part of a slice above the
   * horizon. `order` counts slices from far to near.
   */
  afterSlice: (order: number) => Painter | undefined
  /** Painter of objects that float far away. They are reflected like the land. */
  floating: Painter | undefined
  /** Painter that runs after the water and before the near land. */
  onWater?: Painter | undefined
  /** Returns a painter that runs after the part of a slice below the horizon. */
  afterBank?: (order: number) => Painter | undefined
}

/**
 * Paints land around water. The water mirrors the image above the horizon, and then the land below
 * the horizon is drawn over the edges of the water.
 */
export function paintWaterland(stage: Stage, land: Waterland): (Painter | undefined)[] {
  const { horizon } = stage
  const painters = land.slices.map((slice) => paintSlice(stage, land.relief, { ...slice, objects: land.objects }))
  return [
    ...painters.flatMap((paint, order) => [
      (moment: Parameters<Painter>[0]) => paint(moment, { rowEnd: horizon }),
      land.afterSlice(order),
    ]),
    land.floating,
    paintWater(stage, land.water),
    land.onWater,
    ...painters.flatMap((paint, order) => [
      (moment: Parameters<Painter>[0]) => paint(moment, { rowFirst: horizon }),
      land.afterBank?.(order),
    ]),
  ]
}
