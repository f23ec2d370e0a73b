import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Random } from '../../../picture/random.ts'
import type { Stage } from '../../stage.ts'
import type { Place, Room } from '../room.ts'

/** Shared arguments of the functions that draw pieces of furniture. */
export interface FurnitureDrawing {
  stage: Stage
  context: SKRSContext2D
  place: Place
  room: Room
  random: Random
}
