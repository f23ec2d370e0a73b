import { css, type Rgb } from '../../../picture/color.ts'
import type { Random } from '../../../picture/random.ts'
import type { Place } from '../../prompt/place.ts'
import type { Painter } from '../../stage.ts'
import {
  cottageCrest,
  duneCrest,
  facadeCrest,
  gorgeCrest,
  hillCrest,
  peakCrest,
  puffCrest,
  towerCrest,
  traceFirs,
  traceRiver,
  traceRoundTrees,
  traceWeed,
  volcanoCrest,
  type Crest,
} from '../cutout/crests.ts'
import type { SheetStack, Piece } from '../cutout/sheet-stack.ts'
import { placeAtWater, placeOnLand, type Layout } from '../cutout/layout.ts'
import { cut } from '../cutout/sheet.ts'
import { addWall } from '../cutout/wall.ts'

/** All colors of an image except those of its subjects. */
export interface MinimalColors {
  empty: Rgb
  sun: Rgb
  farColor: Rgb
  nearColor: Rgb
}

/**
 * One to three shapes for each place. A place without an entry is drawn as without a style, and its
 * layers are flattened.
 */
export const minimalLayouts: Partial<Record<Place, (stack: SheetStack, colors: MinimalColors, random: Random) => Layout>> = {
  lake: (stack, colors, random) => ({
    back: [addShape(stack, peakCrest(random, 0.2, 0.8), { color: colors.farColor, groundShare: 0, reach: 0.24, depth: 0.03 })],
    middle: [addWater(stack, colors.nearColor), paintSunTrack(stack, colors)],
    footing: placeAtWater(stack, 0.4),
  }),
  mountains: (stack, colors, random) => ({
    back: [addShape(stack, peakCrest(random, 0.36, 0.9), { color: colors.farColor, groundShare: 0.2, reach: 0.4, depth: 0.03 })],
    middle: [
      addShape(stack, peakCrest(random, 0.18, 1.1), { color: colors.nearColor, groundShare: 0.75, reach: 0.2, depth: 0.12 }),
    ],
    footing: placeOnLand(stack, 0.9, 0.5),
  }),
  river: (stack, colors, random) => ({
    back: [addShape(stack, hillCrest(random, 0.1, 0.7), { color: colors.farColor, groundShare: 0.1, reach: 0.12, depth: 0.04 })],
    middle: [
      addShape(stack, hillCrest(random, 0.04, 0.6), {
        color: colors.nearColor,
        groundShare: 0.3,
        reach: 0.06,
        depth: 0.1,
        decorate: (context, standing) =>
          cut(stack.stage, context, stack.material, colors.empty, () => traceRiver(context, standing, 0.16)),
      }),
    ],
    footing: { ...placeOnLand(stack, 0.86, 0.34), afloat: { ground: stack.ground(0.66), depth: 0.12, size: 1.1 } },
  }),
  volcano: (stack, colors, random) => ({
    back: [
      addShape(stack, volcanoCrest(random, 0.56, 0.7), { color: colors.farColor, groundShare: 0.1, reach: 0.45, depth: 0.03 }),
    ],
    middle: [
      addShape(stack, hillCrest(random, 0.08, 0.8), { color: colors.nearColor, groundShare: 0.7, reach: 0.1, depth: 0.12 }),
    ],
    footing: placeOnLand(stack, 0.88, 0.4),
  }),
  sky: (stack, colors, random) => ({
    back: [],
    middle: [
      addShape(stack, puffCrest(random, 0.09, 0.42), {
        color: colors.farColor,
        groundShare: 0.45,
        reach: 0.1,
        depth: 0.06,
        slide: 0.04,
      }),
    ],
    front: [
      addShape(stack, puffCrest(random, 0.12, 0.6), {
        color: colors.nearColor,
        groundShare: 0.92,
        reach: 0.12,
        depth: 0.16,
        slide: 0.06,
      }),
    ],
    footing: placeOnLand(stack, 0.7, 0.3),
  }),
  beach: (stack, colors, random) => ({
    back: [addWater(stack, colors.nearColor), paintSunTrack(stack, colors)],
    middle: [
      addShape(stack, duneCrest(random, 0.08, 2.6), { color: colors.farColor, groundShare: 0.74, reach: 0.1, depth: 0.16 }),
    ],
    footing: { ...placeAtWater(stack, 0.3), ...placeOnLand(stack, 0.9, 0.7) },
  }),
  waterfall: (stack, colors, random) => {
    const [position, gap] = [(random() - 0.5) * 0.4, 0.16]
    const crest = gorgeCrest(random, 0.36, { position, gap })
    return {
      back: [
        addShape(stack, crest, {
          color: colors.farColor,
          groundShare: 0.12,
          reach: 0.5,
          depth: 0.04,
          decorate: (context, { foot, unit, width }) => {
            const top = foot - crest(position) * unit
            cut(stack.stage, context, stack.material, colors.empty, () =>
              context.rect(width / 2 + (position - gap / 2) * unit, top, gap * unit, foot + unit * 0.4 - top),
            )
          },
        }),
      ],
      middle: [addShape(stack, () => 0, { color: colors.nearColor, groundShare: 0.3, reach: 0.01, depth: 0.08 })],
      footing: { ...placeAtWater(stack, 0.5), standing: { ground: stack.ground(0.3), depth: 0.09, size: 1 } },
    }
  },
  sea: (stack, colors, random) => ({
    back: [],
    middle: [addWater(stack, colors.farColor), paintSunTrack(stack, colors)],
    front: [
      addShape(stack, hillCrest(random, 0.05, 1.3), {
        color: colors.nearColor,
        groundShare: 0.92,
        reach: 0.1,
        depth: 0.2,
        slide: 0.05,
      }),
    ],
    footing: placeAtWater(stack, 0.4),
  }),
  forest: (stack, colors, random) => ({
    back: [addShape(stack, hillCrest(random, 0.08, 0.8), { color: colors.farColor, groundShare: 0.3, reach: 0.1, depth: 0.04 })],
    middle: [
      addShape(stack, hillCrest(random, 0.06, 0.7), {
        color: colors.nearColor,
        groundShare: 0.62,
        reach: 0.5,
        depth: 0.1,
        standing: { trace: traceFirs, height: 0.4, spacing: 0.34 },
      }),
    ],
    footing: placeOnLand(stack, 0.86, 0.6),
  }),
  desert: (stack, colors, random) => ({
    back: [
      addShape(stack, duneCrest(random, 0.16, 1.5), { color: colors.farColor, groundShare: 0.24, reach: 0.18, depth: 0.04 }),
    ],
    middle: [
      addShape(stack, duneCrest(random, 0.14, 1.9), { color: colors.nearColor, groundShare: 0.82, reach: 0.16, depth: 0.14 }),
    ],
    footing: placeOnLand(stack, 0.88, 0.4),
  }),
  village: (stack, colors, random) => ({
    back: [
      addShape(stack, cottageCrest(random, 0.14, 0.16), { color: colors.farColor, groundShare: 0.3, reach: 0.2, depth: 0.05 }),
    ],
    middle: [
      addShape(stack, hillCrest(random, 0.06, 0.7), { color: colors.nearColor, groundShare: 0.66, reach: 0.08, depth: 0.13 }),
    ],
    footing: placeOnLand(stack, 0.84, 0.4),
  }),
  city: (stack, colors, random) => ({
    back: [addShape(stack, towerCrest(random, 0.36, 0.13), { color: colors.farColor, groundShare: 0, reach: 0.5, depth: 0.04 })],
    middle: [addWater(stack, colors.nearColor), paintSunTrack(stack, colors)],
    footing: placeAtWater(stack, 0.4),
  }),
  street: (stack, colors, random) => ({
    back: [
      addShape(stack, facadeCrest(random, { position: 0, rise: 0.7, gap: 0.1 }), {
        color: colors.farColor,
        groundShare: 0,
        reach: 0.7,
        depth: 0.05,
      }),
    ],
    middle: [addWater(stack, colors.nearColor)],
    footing: placeOnLand(stack, 0.84, 0.3),
  }),
  room: (stack, colors) => ({
    back: [addWall(stack, colors.farColor)],
    middle: [addShape(stack, () => 0, { color: colors.nearColor, groundShare: 0.4, reach: 0.01, depth: 0.1 })],
    footing: placeOnLand(stack, 0.8, 0.5),
  }),
  space: (stack, colors) => ({
    back: [addShape(stack, globe, { color: colors.farColor, groundShare: 1, reach: 0.24, depth: 0.06 })],
    footing: placeOnLand(stack, 0.96, 0.9),
  }),
  snowfield: (stack, colors, random) => ({
    back: [
      addShape(stack, hillCrest(random, 0.1, 0.7), {
        color: colors.nearColor,
        groundShare: 0.2,
        reach: 0.4,
        depth: 0.04,
        standing: { trace: traceFirs, height: 0.22, spacing: 0.7 },
      }),
    ],
    middle: [
      addShape(stack, hillCrest(random, 0.08, 0.6), { color: colors.farColor, groundShare: 0.42, reach: 0.1, depth: 0.1 }),
    ],
    footing: placeOnLand(stack, 0.74, 0.42, 1.2),
  }),
  meadow: (stack, colors, random) => ({
    back: [
      addShape(stack, hillCrest(random, 0.14, 0.6), {
        color: colors.farColor,
        groundShare: 0.3,
        reach: 0.4,
        depth: 0.04,
        ...(stack.stage.brief.subjects.length > 0 ? {} : { standing: { trace: traceRoundTrees, height: 0.18, spacing: 0.9 } }),
      }),
    ],
    middle: [
      addShape(stack, hillCrest(random, 0.1, 0.7), { color: colors.nearColor, groundShare: 0.72, reach: 0.12, depth: 0.13 }),
    ],
    footing: placeOnLand(stack, 0.84, 0.34),
  }),
  underwater: (stack, colors, random) => ({
    back: [addShape(stack, hillCrest(random, 0.18, 0.7), { color: colors.farColor, groundShare: 0.3, reach: 0.2, depth: 0.04 })],
    front: [
      addShape(stack, hillCrest(random, 0.08, 0.8), {
        color: colors.nearColor,
        groundShare: 0.95,
        reach: 0.5,
        depth: 0.16,
        standing: { trace: traceWeed, height: 0.34, spacing: 0.6 },
      }),
    ],
    footing: placeOnLand(stack, 0.8, 0.6),
  }),
  abstract: (stack, colors, random) => ({
    back: [
      addShape(stack, hillCrest(random, 0.3, 0.5), {
        color: colors.farColor,
        groundShare: 0.3,
        reach: 0.34,
        depth: 0.03,
        slide: 0.03,
      }),
    ],
    middle: [
      addShape(stack, hillCrest(random, 0.26, 0.6), {
        color: colors.nearColor,
        groundShare: 0.9,
        reach: 0.3,
        depth: 0.1,
        slide: 0.05,
      }),
    ],
    footing: placeOnLand(stack, 0.8, 0.5),
  }),
}

/** Height of the top of a large ball. */
function globe(centerOffset: number): number {
  return Math.sqrt(Math.max(0, 1.7 ** 2 - centerOffset ** 2)) - 1.5
}

interface ShapeLook extends Pick<Piece, 'color' | 'reach' | 'depth' | 'standing' | 'decorate'> {
  /** Position of the foot as a share of the ground. */
  groundShare: number
  /** Motion to either side in units. */
  slide?: number
}

function addShape(stack: SheetStack, crest: Crest, { groundShare, slide, standing, ...look }: ShapeLook): Painter {
  const { geometry, brief } = stack.stage
  return stack.add({
    crest,
    ...look,
    foot: stack.ground(groundShare),
    ...(slide ? { slide: { reach: geometry.unit * slide, pace: 0.5, phase: groundShare * 5 } } : {}),
    ...(standing && !brief.omittedParts.has('plants') ? { standing } : {}),
  })
}

function addWater(stack: SheetStack, color: Rgb): Painter {
  return addShape(stack, () => 0, { color, groundShare: 0, reach: 0.01, depth: 0.05 })
}

/** Paints the sun's reflection on the water: a few bars that slide to both sides. */
function paintSunTrack({ stage }: SheetStack, { sun }: MinimalColors): Painter {
  const { compositor, geometry, horizon } = stage
  const { unit, height } = geometry
  const bars = [0.3, 0.22, 0.26, 0.14].map((share, index) => {
    const thickness = Math.max(3, unit * 0.011)
    const layer = compositor.layer(
      unit * share + 4,
      thickness + 4,
      (context, width, layerHeight) => {
        context.fillStyle = css(sun)
        context.beginPath()
        context.roundRect(2, 2, width - 4, layerHeight - 4, (layerHeight - 4) / 2)
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
