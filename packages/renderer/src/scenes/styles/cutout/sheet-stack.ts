import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Rgb } from '../../../picture/color.ts'
import type { Painter, Stage } from '../../stage.ts'
import { traceGround, type Crest, type Standing } from './crests.ts'
import { createSheetColors, type SheetColors } from './ramps.ts'
import { paintSheet, type Material, type Sheet, type SheetSpace } from './sheet.ts'

export interface Piece {
  crest: Crest
  color: Rgb
  depth: number
  /** Foot line in pixels from the top of the frame. */
  foot: number
  /** Greatest height of the crest, together with the objects that stand on it, in units. */
  reach: number
  /** Lower end in pixels from the top. The rest is hidden behind nearer sheets. */
  bottomRow?: number
  slide?: Sheet['slide']
  /** Objects that stand on the crest; `height` (of the tallest) and `spacing` are in units. */
  standing?: { trace: (context: SKRSContext2D, standing: Standing) => void; height: number; spacing: number }
  decorate?: (context: SKRSContext2D, standing: Standing) => void
}

/** Cuts the sheets of a scene and draws them from far to near. */
export class SheetStack {
  readonly stage: Stage
  readonly material: Material
  readonly colors: SheetColors
  #sheetsAdded = 0

  constructor(stage: Stage, material: Material) {
    this.stage = stage
    this.material = material
    this.colors = createSheetColors(stage.brief)
  }

  /**
   * Converts a share of the ground to pixels from the top. A share of 0 is the horizon, 1 is the
   * lower edge.
   */
  ground(share: number): number {
    const { horizon, geometry } = this.stage
    return horizon + (geometry.height - horizon) * share
  }

  add(piece: Piece): Painter {
    const { stage, material } = this
    const { unit, height } = stage.geometry
    const part = `sheet ${this.#sheetsAdded++}`
    // Parts that would rise beyond the frame are not drawn.
    const foot = Math.min(unit * piece.reach, piece.foot + height * 0.05)
    const standing = (space: SheetSpace): Standing => ({
      ...space,
      crest: piece.crest,
      foot,
      unit,
      heightMax: unit * (piece.standing?.height ?? 0),
      spacing: Math.max(4, unit * (piece.standing?.spacing ?? 1)),
      random: stage.random(part),
    })
    return paintSheet(stage, material, {
      color: piece.color,
      depth: piece.depth,
      top: piece.foot - foot,
      bottom: Math.min(height * 1.14, piece.bottomRow ?? height * 1.14),
      ...(piece.slide ? { slide: piece.slide } : {}),
      trace(context, space) {
        traceGround(stage, piece.crest, foot)(context, space)
        piece.standing?.trace(context, standing(space))
      },
      decorate: (context, space) => piece.decorate?.(context, standing(space)),
    })
  }
}
