import { hex, type Rgb } from '../../picture/color.ts'
import type { Stage } from '../stage.ts'
import { farthest } from './perspective.ts'
import type { StreetKind } from './street-kind.ts'

export interface House {
  side: number
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
    const to = from + kind.front * (0.7 + 0.6 * random())
    const height = kind.heightMin + (kind.heightMax - kind.heightMin) * random() ** 1.6
    houses.push({
      side,
      from,
      to,
      height,
      wall: hex(kind.walls[Math.floor(random() * kind.walls.length)] ?? '#808080'),
      seed: random(),
    })
    from = to
  }
  return houses
}

export const windowTones = ['#ffd890', '#ffb860', '#fff0c8', '#ffc474', '#cfe4ff'].map(hex)
