import type { Painter, Stage } from '../stage.ts'
import { paintWater, type WaterLook } from '../water.ts'
import { paintSlice, type Furnish, type Relief } from './paint-slice.ts'

export interface Waterland {
  relief: Relief & { waterline: number }
  slices: readonly { first: number; end: number; depth: number }[]
  furnish?: Furnish | undefined
  water: WaterLook
  /** After each slice, far to near, above the horizon: mist, light. */
  between: (order: number) => Painter | undefined
  /** Reflected like the land: what floats far out. */
  floating: Painter | undefined
  /** After the water and before the near land. */
  onWater?: Painter | undefined
  /** After the part of each slice that lies below the horizon. */
  afterBank?: (order: number) => Painter | undefined
}

/** Land around water: what stands above the horizon is mirrored, then the banks are laid over the water's edge. */
export function paintWaterland(stage: Stage, land: Waterland): (Painter | undefined)[] {
  const { horizon } = stage
  const painters = land.slices.map((slice) => paintSlice(stage, land.relief, { ...slice, furnish: land.furnish }))
  return [
    ...painters.flatMap((paint, order) => [
      (moment: Parameters<Painter>[0]) => paint(moment, { rowEnd: horizon }),
      land.between(order),
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
