import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Random } from '../../../picture/random.ts'
import type { Stage } from '../../stage.ts'
import type { Place, Room } from '../room.ts'

/** What each piece is drawn with. */
export interface Draw {
  stage: Stage
  context: SKRSContext2D
  place: Place
  room: Room
  random: Random
}
