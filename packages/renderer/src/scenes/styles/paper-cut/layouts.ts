import type { Random } from '../../../picture/random.ts'
import type { Place } from '../../prompt/place.ts'
import { hills, traceTrunks, volcano } from '../cutout/crests.ts'
import type { SheetStack } from '../cutout/sheet-stack.ts'
import { wall } from '../cutout/wall.ts'
import { placeAtWater, placeOnLand, type Layout } from '../cutout/layout.ts'
import {
  dune,
  firHill,
  fronds,
  hill,
  houses,
  lava,
  mountain,
  planet,
  river,
  road,
  skyline,
  street,
  water,
  waterfall,
  weed,
  cloudBank,
} from './pieces.ts'

/**
 * Sheets of each place. Places without an entry are drawn as in other styles and then flattened.
 */
export const paperLayouts: Partial<Record<Place, (stack: SheetStack, random: Random) => Layout>> = {
  lake: (stack, random) => ({
    back: [
      mountain(stack, random, { nearness: 0, relief: 0.34, spread: 0.42, foot: 0.02, depth: 0.02 }),
      mountain(stack, random, { nearness: 0.25, relief: 0.22, spread: 0.3, foot: 0.03, depth: 0.05 }),
      firHill(stack, random, { nearness: 0.5, relief: 0.07, foot: 0.03, depth: 0.09, height: 0.075 }),
    ],
    middle: water(stack, random, { rows: 4, from: 0.03 }),
    front: [fronds(stack, 0.2)],
    footing: placeAtWater(stack, 0.46),
  }),
  mountains: (stack, random) => ({
    back: [
      mountain(stack, random, { nearness: 0, relief: 0.5, spread: 0.5, foot: 0.1, depth: 0.015 }),
      mountain(stack, random, { nearness: 0.25, relief: 0.36, spread: 0.36, foot: 0.16, depth: 0.04 }),
      mountain(stack, random, { nearness: 0.45, relief: 0.24, spread: 0.3, foot: 0.3, depth: 0.07 }),
    ],
    middle: [
      firHill(stack, random, { nearness: 0.66, relief: 0.1, foot: 0.5, depth: 0.12, height: 0.1 }),
      firHill(stack, random, { nearness: 0.85, relief: 0.08, foot: 0.74, depth: 0.18, height: 0.13 }),
    ],
    front: [fronds(stack, 0.16)],
    footing: placeOnLand(stack, 0.8, 0.4),
  }),
  river: (stack, random) => ({
    back: [
      mountain(stack, random, { nearness: 0, relief: 0.3, spread: 0.4, foot: 0.03, depth: 0.02 }),
      hill(stack, random, { nearness: 0.2, relief: 0.12, foot: 0.1, depth: 0.05, height: 0.07 }),
    ],
    middle: [river(stack, random, { nearness: 0.45, relief: 0.06, foot: 0.2, depth: 0.1 })],
    front: [fronds(stack, 0.24)],
    footing: { ...placeOnLand(stack, 0.86, 0.3), afloat: { ground: stack.ground(0.62), depth: 0.14, size: 1.1 } },
  }),
  volcano: (stack, random) => ({
    back: [
      mountain(stack, random, { nearness: 0, relief: 0.16, spread: 0.4, foot: 0.02, depth: 0.015 }),
      stack.add({
        crest: volcano(random, 0.62, 0.8),
        color: stack.colors.land(0.3),
        depth: 0.03,
        foot: stack.ground(0.12),
        reach: 0.5,
        decorate: (context, standing) => lava(stack, context, standing),
      }),
    ],
    middle: [
      firHill(stack, random, { nearness: 0.62, relief: 0.08, foot: 0.4, depth: 0.1, height: 0.09 }),
      firHill(stack, random, { nearness: 0.85, relief: 0.08, foot: 0.72, depth: 0.17, height: 0.13 }),
    ],
    front: [fronds(stack, 0.2)],
    footing: placeOnLand(stack, 0.84, 0.4),
  }),
  sky: (stack, random) => ({
    back: [0, 1].map((order) =>
      cloudBank(stack, random, { nearness: order / 4, relief: 0.07, foot: -0.02 + order * 0.22, depth: 0.03 + order * 0.03 }),
    ),
    middle: [cloudBank(stack, random, { nearness: 0.55, relief: 0.09, foot: 0.5, depth: 0.12 })],
    front: [cloudBank(stack, random, { nearness: 1, relief: 0.12, foot: 0.92, depth: 0.24 })],
    footing: placeOnLand(stack, 0.72, 0.3),
  }),
  beach: (stack, random) => ({
    back: water(stack, random, { rows: 4, from: 0.02, endShare: 0.5 }),
    middle: [dune(stack, random, { nearness: 0.3, relief: 0.07, length: 2.2, foot: 0.62, depth: 0.16, land: 'desert' })],
    front: [dune(stack, random, { nearness: 0.62, relief: 0.06, length: 1.8, foot: 1, depth: 0.28, land: 'desert' })],
    footing: { ...placeAtWater(stack, 0.3), ...placeOnLand(stack, 0.84, 0.6) },
  }),
  waterfall: (stack, random) => ({
    back: [
      mountain(stack, random, { nearness: 0, relief: 0.3, spread: 0.4, foot: 0.02, depth: 0.02 }),
      waterfall(stack, random, { nearness: 0.35, relief: 0.4, foot: 0.14, depth: 0.05 }),
      firHill(stack, random, { nearness: 0.55, relief: 0.03, foot: 0.14, depth: 0.08, height: 0.08 }),
    ],
    middle: water(stack, random, { rows: 4, from: 0.16 }),
    front: [fronds(stack, 0.24)],
    footing: { ...placeAtWater(stack, 0.5), standing: { ground: stack.ground(0.14), depth: 0.09, size: 1 } },
  }),
  sea: (stack, random) => ({
    back: [
      stack.add({
        crest: (centerOffset) => islands(centerOffset),
        color: stack.colors.land(0.1),
        depth: 0.02,
        foot: stack.stage.horizon + 2,
        reach: 0.14,
        bottomRow: stack.ground(0.12),
      }),
    ],
    middle: water(stack, random, { rows: 5, from: 0.03 }),
    footing: placeAtWater(stack, 0.46),
  }),
  forest: (stack, random) => ({
    back: [
      firHill(stack, random, { nearness: 0.05, relief: 0.05, foot: 0, depth: 0.02, height: 0.3 }),
      firHill(stack, random, { nearness: 0.3, relief: 0.06, foot: 0.14, depth: 0.05, height: 0.36 }),
      firHill(stack, random, { nearness: 0.52, relief: 0.06, foot: 0.34, depth: 0.09, height: 0.3 }),
    ],
    middle: [
      stack.add({
        crest: hills(random, 0.05, 1),
        color: stack.colors.land(0.7),
        depth: 0.14,
        foot: stack.ground(0.44),
        reach: 0.85,
        standing: { trace: traceTrunks, height: 0.6, spacing: 0.42 },
      }),
    ],
    front: [
      stack.add({
        crest: (centerOffset) => 0.03 - 0.6 * Math.max(0, 0.62 - Math.abs(centerOffset)),
        color: stack.colors.land(1),
        depth: 0.26,
        foot: stack.stage.geometry.height,
        reach: 1.1,
        standing: { trace: traceTrunks, height: 1, spacing: 0.5 },
      }),
      fronds(stack, 0.2),
    ],
    footing: placeOnLand(stack, 0.72, 0.46, 1.15),
  }),
  desert: (stack, random) => ({
    back: [
      mountain(stack, random, { nearness: 0, relief: 0.14, spread: 0.5, foot: 0.02, depth: 0.02 }),
      dune(stack, random, { nearness: 0.2, relief: 0.11, length: 0.9, foot: 0.1, depth: 0.05 }),
      dune(stack, random, { nearness: 0.42, relief: 0.14, length: 1.1, foot: 0.32, depth: 0.09 }),
    ],
    middle: [dune(stack, random, { nearness: 0.64, relief: 0.15, length: 1.3, foot: 0.58, depth: 0.15 })],
    front: [dune(stack, random, { nearness: 1, relief: 0.11, length: 1.6, foot: 1, depth: 0.28 })],
    footing: placeOnLand(stack, 0.78, 0.4),
  }),
  village: (stack, random) => ({
    back: [
      mountain(stack, random, { nearness: 0, relief: 0.26, spread: 0.4, foot: 0.02, depth: 0.02 }),
      firHill(stack, random, { nearness: 0.2, relief: 0.1, foot: 0.1, depth: 0.05, height: 0.09 }),
      houses(stack, random, { nearness: 0.42, relief: 0.1, width: 0.08, foot: 0.22, depth: 0.08 }),
      houses(stack, random, { nearness: 0.62, relief: 0.12, width: 0.1, foot: 0.42, depth: 0.12 }),
    ],
    middle: [hill(stack, random, { nearness: 0.8, relief: 0.05, foot: 0.62, depth: 0.16 })],
    front: [fronds(stack, 0.22)],
    footing: placeOnLand(stack, 0.82, 0.44),
  }),
  city: (stack, random) => ({
    back: [
      skyline(stack, random, { nearness: 0.05, relief: 0.42, width: 0.07, depth: 0.025 }),
      skyline(stack, random, { nearness: 0.4, relief: 0.32, width: 0.09, depth: 0.06 }),
      skyline(stack, random, { nearness: 0.78, relief: 0.18, width: 0.11, depth: 0.1 }),
    ],
    middle: water(stack, random, { rows: 4, from: 0.03 }),
    footing: placeAtWater(stack, 0.46),
  }),
  street: (stack, random) => ({
    back: [
      street(stack, random, { nearness: 0.1, rise: 0.5, gap: 0.02, depth: 0.03 }),
      street(stack, random, { nearness: 0.42, rise: 0.66, gap: 0.12, depth: 0.07 }),
    ],
    middle: [road(stack)],
    front: [],
    footing: placeOnLand(stack, 0.84, 0.3),
  }),
  room: (stack) => ({
    back: [
      stack.add({
        crest: (centerOffset) => 0.12 + 0.05 * Math.sin(centerOffset * 21),
        color: stack.colors.land(0.4),
        depth: 0.02,
        foot: stack.ground(0.05),
        reach: 0.2,
      }),
      wall(stack, stack.colors.landOf('abstract', 0.25)),
    ],
    middle: [
      stack.add({
        crest: () => 0,
        color: stack.colors.landOf('desert', 0.72),
        depth: 0.1,
        foot: stack.ground(0.4),
        reach: 0.02,
      }),
    ],
    front: [fronds(stack, 0.3)],
    footing: placeOnLand(stack, 0.8, 0.5),
  }),
  space: (stack, random) => ({
    back: [
      planet(stack, random),
      mountain(stack, random, { nearness: 0.3, relief: 0.2, spread: 0.4, foot: 0.1, depth: 0.05 }),
      mountain(stack, random, { nearness: 0.6, relief: 0.14, spread: 0.3, foot: 0.4, depth: 0.1 }),
    ],
    front: [mountain(stack, random, { nearness: 1, relief: 0.12, spread: 0.5, foot: 1.05, depth: 0.24 })],
    footing: placeOnLand(stack, 0.9, 0.8),
  }),
  snowfield: (stack, random) => ({
    back: [
      mountain(stack, random, { nearness: 0, relief: 0.22, spread: 0.5, foot: 0.02, depth: 0.02 }),
      firHill(stack, random, { nearness: 0.2, relief: 0.1, foot: 0.14, depth: 0.05, height: 0.09 }),
      firHill(stack, random, { nearness: 0.45, relief: 0.12, foot: 0.32, depth: 0.09, height: 0.12 }),
    ],
    middle: [hill(stack, random, { nearness: 0.75, relief: 0.1, foot: 0.56, depth: 0.16 })],
    front: [hill(stack, random, { nearness: 1, relief: 0.07, foot: 0.95, depth: 0.28 })],
    footing: placeOnLand(stack, 0.78, 0.42, 1.25),
  }),
  meadow: (stack, random) => ({
    back: [
      hill(stack, random, { nearness: 0, relief: 0.16, foot: 0.04, depth: 0.02 }),
      hill(stack, random, { nearness: 0.22, relief: 0.14, foot: 0.16, depth: 0.05, height: 0.07 }),
      hill(stack, random, { nearness: 0.45, relief: 0.13, foot: 0.36, depth: 0.09, height: 0.12 }),
    ],
    middle: [hill(stack, random, { nearness: 0.68, relief: 0.1, foot: 0.58, depth: 0.15 })],
    front: [fronds(stack, 0.24)],
    footing: placeOnLand(stack, 0.8, 0.4, 1.1),
  }),
  underwater: (stack, random) => ({
    back: [
      hill(stack, random, { nearness: 0.05, relief: 0.26, foot: 0.1, depth: 0.02 }),
      weed(stack, random, { nearness: 0.3, foot: 0.36, depth: 0.06, height: 0.22 }),
    ],
    middle: [weed(stack, random, { nearness: 0.6, foot: 0.72, depth: 0.12, height: 0.2 })],
    front: [weed(stack, random, { nearness: 1, foot: 1.02, depth: 0.24, height: 0.3 })],
    footing: placeOnLand(stack, 0.8, 0.6),
  }),
  abstract: (stack, random) => {
    const swell = (order: number): ReturnType<typeof hill> =>
      hill(stack, random, {
        nearness: order / 5,
        relief: 0.34 - order * 0.02,
        foot: order * 0.36 - 0.5,
        depth: 0.02 + order * 0.03,
      })
    return {
      back: [swell(0), swell(1), swell(2)],
      middle: [swell(3), swell(4)],
      front: [hill(stack, random, { nearness: 1, relief: 0.22, foot: 1, depth: 0.2 })],
      footing: placeOnLand(stack, 0.8, 0.5),
    }
  },
}

function islands(centerOffset: number): number {
  const island = (position: number, width: number, height: number): number =>
    height * Math.max(0, 1 - ((centerOffset - position) / width) ** 2)
  return island(0.62, 0.4, 0.11) + island(-0.75, 0.25, 0.05) - 0.02
}
