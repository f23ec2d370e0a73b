import { css, type Rgb } from '../../../picture/colour.ts'
import type { Random } from '../../../picture/random.ts'
import type { Place } from '../../prompt/place.ts'
import type { Painter } from '../../stage.ts'
import {
  cottages,
  dunes,
  facades,
  gorge,
  hills,
  peaks,
  puffs,
  towers,
  traceFirs,
  traceRiver,
  traceRoundTrees,
  traceWeed,
  volcano,
  type Crest,
} from '../cutout/crests.ts'
import type { Desk, Piece } from '../cutout/desk.ts'
import { atWater, onLand, type Layout } from '../cutout/layout.ts'
import { cut } from '../cutout/sheet.ts'
import { wall } from '../cutout/wall.ts'

/** All colors of an image except those of its subjects. */
export interface MinimalColours {
  empty: Rgb
  sun: Rgb
  far: Rgb
  near: Rgb
}

/**
 * Two or three shapes for each place. Places without an entry are drawn in the usual way and
 * flattened.
 */
export const minimalLayouts: Partial<Record<Place, (desk: Desk, colours: MinimalColours, random: Random) => Layout>> = {
  lake: (desk, colours, random) => ({
    back: [shape(desk, peaks(random, 0.2, 0.8), { colour: colours.far, at: 0, reach: 0.24, depth: 0.03 })],
    middle: [flatWater(desk, colours.near), sunTrack(desk, colours)],
    footing: atWater(desk, 0.4),
  }),
  mountains: (desk, colours, random) => ({
    back: [shape(desk, peaks(random, 0.36, 0.9), { colour: colours.far, at: 0.2, reach: 0.4, depth: 0.03 })],
    middle: [shape(desk, peaks(random, 0.18, 1.1), { colour: colours.near, at: 0.75, reach: 0.2, depth: 0.12 })],
    footing: onLand(desk, 0.9, 0.5),
  }),
  river: (desk, colours, random) => ({
    back: [shape(desk, hills(random, 0.1, 0.7), { colour: colours.far, at: 0.1, reach: 0.12, depth: 0.04 })],
    middle: [
      shape(desk, hills(random, 0.04, 0.6), {
        colour: colours.near,
        at: 0.3,
        reach: 0.06,
        depth: 0.1,
        decorate: (context, standing) =>
          cut(desk.stage, context, desk.material, colours.empty, () => traceRiver(context, standing, 0.16)),
      }),
    ],
    footing: { ...onLand(desk, 0.86, 0.34), afloat: { ground: desk.ground(0.66), depth: 0.12, size: 1.1 } },
  }),
  volcano: (desk, colours, random) => ({
    back: [shape(desk, volcano(random, 0.56, 0.7), { colour: colours.far, at: 0.1, reach: 0.45, depth: 0.03 })],
    middle: [shape(desk, hills(random, 0.08, 0.8), { colour: colours.near, at: 0.7, reach: 0.1, depth: 0.12 })],
    footing: onLand(desk, 0.88, 0.4),
  }),
  sky: (desk, colours, random) => ({
    back: [],
    middle: [shape(desk, puffs(random, 0.09, 0.42), { colour: colours.far, at: 0.45, reach: 0.1, depth: 0.06, slide: 0.04 })],
    front: [shape(desk, puffs(random, 0.12, 0.6), { colour: colours.near, at: 0.92, reach: 0.12, depth: 0.16, slide: 0.06 })],
    footing: onLand(desk, 0.7, 0.3),
  }),
  beach: (desk, colours, random) => ({
    back: [flatWater(desk, colours.near), sunTrack(desk, colours)],
    middle: [shape(desk, dunes(random, 0.08, 2.6), { colour: colours.far, at: 0.74, reach: 0.1, depth: 0.16 })],
    footing: { ...atWater(desk, 0.3), ...onLand(desk, 0.9, 0.7) },
  }),
  waterfall: (desk, colours, random) => {
    const [at, gap] = [(random() - 0.5) * 0.4, 0.16]
    const crest = gorge(random, 0.36, { at, gap })
    return {
      back: [
        shape(desk, crest, {
          colour: colours.far,
          at: 0.12,
          reach: 0.5,
          depth: 0.04,
          decorate: (context, { foot, unit, width }) => {
            const top = foot - crest(at) * unit
            cut(desk.stage, context, desk.material, colours.empty, () =>
              context.rect(width / 2 + (at - gap / 2) * unit, top, gap * unit, foot + unit * 0.4 - top),
            )
          },
        }),
      ],
      middle: [shape(desk, () => 0, { colour: colours.near, at: 0.3, reach: 0.01, depth: 0.08 })],
      footing: { ...atWater(desk, 0.5), standing: { ground: desk.ground(0.3), depth: 0.09, size: 1 } },
    }
  },
  sea: (desk, colours, random) => ({
    back: [],
    middle: [flatWater(desk, colours.far), sunTrack(desk, colours)],
    front: [shape(desk, hills(random, 0.05, 1.3), { colour: colours.near, at: 0.92, reach: 0.1, depth: 0.2, slide: 0.05 })],
    footing: atWater(desk, 0.4),
  }),
  forest: (desk, colours, random) => ({
    back: [shape(desk, hills(random, 0.08, 0.8), { colour: colours.far, at: 0.3, reach: 0.1, depth: 0.04 })],
    middle: [
      shape(desk, hills(random, 0.06, 0.7), {
        colour: colours.near,
        at: 0.62,
        reach: 0.5,
        depth: 0.1,
        standing: { trace: traceFirs, tall: 0.4, spacing: 0.34 },
      }),
    ],
    footing: onLand(desk, 0.86, 0.6),
  }),
  desert: (desk, colours, random) => ({
    back: [shape(desk, dunes(random, 0.16, 1.5), { colour: colours.far, at: 0.24, reach: 0.18, depth: 0.04 })],
    middle: [shape(desk, dunes(random, 0.14, 1.9), { colour: colours.near, at: 0.82, reach: 0.16, depth: 0.14 })],
    footing: onLand(desk, 0.88, 0.4),
  }),
  village: (desk, colours, random) => ({
    back: [shape(desk, cottages(random, 0.14, 0.16), { colour: colours.far, at: 0.3, reach: 0.2, depth: 0.05 })],
    middle: [shape(desk, hills(random, 0.06, 0.7), { colour: colours.near, at: 0.66, reach: 0.08, depth: 0.13 })],
    footing: onLand(desk, 0.84, 0.4),
  }),
  city: (desk, colours, random) => ({
    back: [shape(desk, towers(random, 0.36, 0.13), { colour: colours.far, at: 0, reach: 0.5, depth: 0.04 })],
    middle: [flatWater(desk, colours.near), sunTrack(desk, colours)],
    footing: atWater(desk, 0.4),
  }),
  street: (desk, colours, random) => ({
    back: [shape(desk, facades(random, { at: 0, rise: 0.7, gap: 0.1 }), { colour: colours.far, at: 0, reach: 0.7, depth: 0.05 })],
    middle: [flatWater(desk, colours.near)],
    footing: onLand(desk, 0.84, 0.3),
  }),
  room: (desk, colours) => ({
    back: [wall(desk, colours.far)],
    middle: [shape(desk, () => 0, { colour: colours.near, at: 0.4, reach: 0.01, depth: 0.1 })],
    footing: onLand(desk, 0.8, 0.5),
  }),
  space: (desk, colours) => ({
    back: [shape(desk, globe, { colour: colours.far, at: 1, reach: 0.24, depth: 0.06 })],
    footing: onLand(desk, 0.96, 0.9),
  }),
  snowfield: (desk, colours, random) => ({
    back: [
      shape(desk, hills(random, 0.1, 0.7), {
        colour: colours.near,
        at: 0.2,
        reach: 0.4,
        depth: 0.04,
        standing: { trace: traceFirs, tall: 0.22, spacing: 0.7 },
      }),
    ],
    middle: [shape(desk, hills(random, 0.08, 0.6), { colour: colours.far, at: 0.42, reach: 0.1, depth: 0.1 })],
    footing: onLand(desk, 0.74, 0.42, 1.2),
  }),
  meadow: (desk, colours, random) => ({
    back: [
      shape(desk, hills(random, 0.14, 0.6), {
        colour: colours.far,
        at: 0.3,
        reach: 0.4,
        depth: 0.04,
        ...(desk.stage.brief.subjects.length > 0 ? {} : { standing: { trace: traceRoundTrees, tall: 0.18, spacing: 0.9 } }),
      }),
    ],
    middle: [shape(desk, hills(random, 0.1, 0.7), { colour: colours.near, at: 0.72, reach: 0.12, depth: 0.13 })],
    footing: onLand(desk, 0.84, 0.34),
  }),
  underwater: (desk, colours, random) => ({
    back: [shape(desk, hills(random, 0.18, 0.7), { colour: colours.far, at: 0.3, reach: 0.2, depth: 0.04 })],
    front: [
      shape(desk, hills(random, 0.08, 0.8), {
        colour: colours.near,
        at: 0.95,
        reach: 0.5,
        depth: 0.16,
        standing: { trace: traceWeed, tall: 0.34, spacing: 0.6 },
      }),
    ],
    footing: onLand(desk, 0.8, 0.6),
  }),
  abstract: (desk, colours, random) => ({
    back: [shape(desk, hills(random, 0.3, 0.5), { colour: colours.far, at: 0.3, reach: 0.34, depth: 0.03, slide: 0.03 })],
    middle: [shape(desk, hills(random, 0.26, 0.6), { colour: colours.near, at: 0.9, reach: 0.3, depth: 0.1, slide: 0.05 })],
    footing: onLand(desk, 0.8, 0.5),
  }),
}

/** Height of the top of a large ball. */
function globe(across: number): number {
  return Math.sqrt(Math.max(0, 1.7 ** 2 - across ** 2)) - 1.5
}

interface ShapeLook extends Pick<Piece, 'colour' | 'reach' | 'depth' | 'standing' | 'decorate'> {
  /** Position of the foot as a share of the ground. */
  at: number
  /** Motion to either side in units. */
  slide?: number
}

function shape(desk: Desk, crest: Crest, { at, slide, standing, ...look }: ShapeLook): Painter {
  const { geometry, brief } = desk.stage
  return desk.lay({
    crest,
    ...look,
    foot: desk.ground(at),
    ...(slide ? { slide: { reach: geometry.unit * slide, pace: 0.5, phase: at * 5 } } : {}),
    ...(standing && !brief.without.has('plants') ? { standing } : {}),
  })
}

function flatWater(desk: Desk, colour: Rgb): Painter {
  return shape(desk, () => 0, { colour, at: 0, reach: 0.01, depth: 0.05 })
}

/** Paints the sun's path on the water: a few bars that slide to and fro. */
function sunTrack({ stage }: Desk, { sun }: MinimalColours): Painter {
  const { compositor, geometry, horizon } = stage
  const { unit, height } = geometry
  const bars = [0.3, 0.22, 0.26, 0.14].map((share, index) => {
    const thick = Math.max(3, unit * 0.011)
    const layer = compositor.layer(
      unit * share + 4,
      thick + 4,
      (context, width, high) => {
        context.fillStyle = css(sun)
        context.beginPath()
        context.roundRect(2, 2, width - 4, high - 4, (high - 4) / 2)
        context.fill()
      },
      { isFinal: true },
    )
    return { layer, y: horizon + (height - horizon) * (0.1 + 0.13 * index), phase: index * 1.9 }
  })
  return (moment) => {
    for (const { layer, y, phase } of bars) {
      const x = stage.sun.x + Math.sin(moment.seconds * 0.8 + phase) * unit * 0.022
      stage.drawAt(layer, { x: x - layer.width / 2, y, depth: 0.02 }, moment)
    }
  }
}
