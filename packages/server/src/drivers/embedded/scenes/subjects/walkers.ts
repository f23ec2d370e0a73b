import { hex, mixRgb, type Rgb } from '../../picture/colour.ts'
import type { Subject } from '../scene-brief.ts'
import type { SubjectKind } from '../subject-words.ts'
import type { Figure } from './figure.ts'
import { gaits, strideLength } from './gait.ts'
import { drawPerson } from './person.ts'
import { drawQuadruped } from './quadruped.ts'
import { species, type Species, type SpeciesName } from './species.ts'

/** Who walks, and how: lengths are in its own heights. */
export interface Walker {
  /** In units of the frame. */
  height: number
  /** How far the drawing reaches from the point between the feet. */
  reach: { side: number; up: number; down: number }
  /** Ground covered in a stride, and strides a second. */
  stride: number
  pace: number
  draw(figure: Figure, phase: number): void
}

type WalkerKind = SpeciesName | 'person'

export function isWalking(kind: SubjectKind): kind is WalkerKind & SubjectKind {
  return kind === 'person' || kind in species
}

export function walkerOf(subject: Subject): Walker {
  if (subject.kind === 'person' || !(subject.kind in species)) {
    const coat = subject.colour ?? hex('#b23e30')
    return {
      height: 0.25,
      reach: { side: 0.42, up: 1.06, down: 0.06 },
      stride: 0.62,
      pace: 0.95,
      draw: (figure, phase) => drawPerson(figure, phase, { coat, dark: [38, 36, 48], skin: [224, 178, 148] }),
    }
  }
  const kind: Species = coloured(subject)
  const long = kind.tail === 'brush' || kind.tail === 'whip' ? 1.5 : 1.2
  return {
    height: kind.height,
    reach: {
      side: long,
      up: kind.crown === 'antlers' ? 2.12 : kind.crown === 'horn' ? 1.85 : kind.mane ? 1.72 : 1.46,
      down: 0.08,
    },
    stride: strideLength(gaits[kind.gait]),
    pace: kind.pace,
    draw: (figure, phase) => drawQuadruped(figure, kind, phase),
  }
}

function coloured({ kind, colour }: Subject): Species {
  const own: Species = species[kind as SpeciesName]
  // A fox called red is as red as foxes are.
  if (!colour || (kind === 'fox' && isReddish(colour))) return own
  return {
    ...own,
    coat: colour,
    dark: own.pattern ? own.dark : mixRgb(own.dark, colour, 0.25),
    light: mixRgb(own.light, colour, 0.2),
  }
}

function isReddish([red, green, blue]: Rgb): boolean {
  return red > green * 1.5 && red > blue * 1.5
}
