import { hex, type Rgb } from '../../picture/color.ts'
import type { Stage } from '../stage.ts'
import { farthest } from './perspective.ts'
import type { StreetKind } from './street-kind.ts'

export interface House {
  /** Side of the street, -1 or 1. */
  side: number
  /** Distances from the viewer to the near and the far end, in meters. */
  from: number
  to: number
  height: number
  wall: Rgb
  seed: number
}

/** Plans the houses along one side, near to far. */
export function planHouses(stage: Stage, kind: StreetKind, side: number): House[] {
  const random = stage.random(`houses ${side}`)
  const houses: House[] = []
  for (let from = 0.6; from < farthest;) {
    const to = from + kind.frontLength * (0.7 + 0.6 * random())
    const height = kind.heightMin + (kind.heightMax - kind.heightMin) * random() ** 1.6
    houses.push({
      side,
      from,
      to,
      height,
      wall: hex(kind.wallColors[Math.floor(random() * kind.wallColors.length)] ?? '#808080'),
      seed: random(),
    })
    from = to
  }
  return houses
}

export const litWindowColors = ['#ffd890', '#ffb860', '#fff0c8', '#ffc474', '#cfe4ff'].map(hex)
