import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Rgb } from '../../../picture/colour.ts'
import type { Painter, Stage } from '../../stage.ts'
import { under, type Crest, type Standing } from './crests.ts'
import { sheetColours, type SheetColours } from './ramps.ts'
import { paintSheet, type Material, type Sheet, type SheetSpace } from './sheet.ts'

export interface Piece {
  crest: Crest
  colour: Rgb
  depth: number
  /** Foot line in pixels from the top. */
  foot: number
  /** Greatest height of the crest with the things that stand on it, in units. */
  reach: number
  /** Lower end in pixels from the top. The rest is hidden behind nearer sheets. */
  until?: number
  slide?: Sheet['slide']
  /** Things that stand on the crest; `tall` and `spacing` are in units. */
  standing?: { trace: (context: SKRSContext2D, standing: Standing) => void; tall: number; spacing: number }
  decorate?: (context: SKRSContext2D, standing: Standing) => void
}

/** The desk on which the sheets of a scene are cut and laid, far to near. */
export class Desk {
  readonly stage: Stage
  readonly material: Material
  readonly colours: SheetColours
  #laid = 0

  constructor(stage: Stage, material: Material) {
    this.stage = stage
    this.material = material
    this.colours = sheetColours(stage.brief)
  }

  /** Converts a share of the ground to pixels from the top. 0 is the horizon, 1 the lower edge. */
  ground(share: number): number {
    const { horizon, geometry } = this.stage
    return horizon + (geometry.height - horizon) * share
  }

  lay(piece: Piece): Painter {
    const { stage, material } = this
    const { unit, height } = stage.geometry
    const part = `sheet ${this.#laid++}`
    // Parts that would rise beyond the frame are not drawn.
    const foot = Math.min(unit * piece.reach, piece.foot + height * 0.05)
    const standing = (space: SheetSpace): Standing => ({
      ...space,
      crest: piece.crest,
      foot,
      unit,
      tall: unit * (piece.standing?.tall ?? 0),
      spacing: Math.max(4, unit * (piece.standing?.spacing ?? 1)),
      random: stage.random(part),
    })
    return paintSheet(stage, material, {
      colour: piece.colour,
      depth: piece.depth,
      top: piece.foot - foot,
      bottom: Math.min(height * 1.14, piece.until ?? height * 1.14),
      ...(piece.slide ? { slide: piece.slide } : {}),
      trace(context, space) {
        under(stage, piece.crest, foot)(context, space)
        piece.standing?.trace(context, standing(space))
      },
      decorate: (context, space) => piece.decorate?.(context, standing(space)),
    })
  }
}
