import type { Random } from '../../../picture/random.ts'
import type { Place } from '../../prompt/place.ts'
import { hillCrest, traceTrunks, volcanoCrest } from '../cutout/crests.ts'
import type { SheetStack } from '../cutout/sheet-stack.ts'
import { addWall } from '../cutout/wall.ts'
import { placeAtWater, placeOnLand, type Layout } from '../cutout/layout.ts'
import {
  addDune,
  addFirHill,
  addFronds,
  addHill,
  addHouses,
  drawLava,
  addMountain,
  addPlanet,
  addRiver,
  addRoad,
  addSkyline,
  addStreet,
  addWater,
  addWaterfall,
  addWeed,
  addCloudBank,
} from './pieces.ts'

/**
 * Sheets of each place. A place without an entry is drawn as without a style, and its layers are
 * flattened.
 */
export const paperLayouts: Partial<Record<Place, (stack: SheetStack, random: Random) => Layout>> = {
  lake: (stack, random) => ({
    back: [
      addMountain(stack, random, { nearness: 0, relief: 0.34, spread: 0.42, foot: 0.02, depth: 0.02 }),
      addMountain(stack, random, { nearness: 0.25, relief: 0.22, spread: 0.3, foot: 0.03, depth: 0.05 }),
      addFirHill(stack, random, { nearness: 0.5, relief: 0.07, foot: 0.03, depth: 0.09, height: 0.075 }),
    ],
    middle: addWater(stack, random, { rows: 4, from: 0.03 }),
    front: [addFronds(stack, 0.2)],
    footing: placeAtWater(stack, 0.46),
  }),
  mountains: (stack, random) => ({
    back: [
      addMountain(stack, random, { nearness: 0, relief: 0.5, spread: 0.5, foot: 0.1, depth: 0.015 }),
      addMountain(stack, random, { nearness: 0.25, relief: 0.36, spread: 0.36, foot: 0.16, depth: 0.04 }),
      addMountain(stack, random, { nearness: 0.45, relief: 0.24, spread: 0.3, foot: 0.3, depth: 0.07 }),
    ],
    middle: [
      addFirHill(stack, random, { nearness: 0.66, relief: 0.1, foot: 0.5, depth: 0.12, height: 0.1 }),
      addFirHill(stack, random, { nearness: 0.85, relief: 0.08, foot: 0.74, depth: 0.18, height: 0.13 }),
    ],
    front: [addFronds(stack, 0.16)],
    footing: placeOnLand(stack, 0.8, 0.4),
  }),
  river: (stack, random) => ({
    back: [
      addMountain(stack, random, { nearness: 0, relief: 0.3, spread: 0.4, foot: 0.03, depth: 0.02 }),
      addHill(stack, random, { nearness: 0.2, relief: 0.12, foot: 0.1, depth: 0.05, height: 0.07 }),
    ],
    middle: [addRiver(stack, random, { nearness: 0.45, relief: 0.06, foot: 0.2, depth: 0.1 })],
    front: [addFronds(stack, 0.24)],
    footing: { ...placeOnLand(stack, 0.86, 0.3), afloat: { ground: stack.ground(0.62), depth: 0.14, size: 1.1 } },
  }),
  volcano: (stack, random) => ({
    back: [
      addMountain(stack, random, { nearness: 0, relief: 0.16, spread: 0.4, foot: 0.02, depth: 0.015 }),
      stack.add({
        crest: volcanoCrest(random, 0.62, 0.8),
        color: stack.colors.land(0.3),
        depth: 0.03,
        foot: stack.ground(0.12),
        reach: 0.5,
        decorate: (context, standing) => drawLava(stack, context, standing),
      }),
    ],
    middle: [
      addFirHill(stack, random, { nearness: 0.62, relief: 0.08, foot: 0.4, depth: 0.1, height: 0.09 }),
      addFirHill(stack, random, { nearness: 0.85, relief: 0.08, foot: 0.72, depth: 0.17, height: 0.13 }),
    ],
    front: [addFronds(stack, 0.2)],
    footing: placeOnLand(stack, 0.84, 0.4),
  }),
  sky: (stack, random) => ({
    back: [0, 1].map((order) =>
      addCloudBank(stack, random, { nearness: order / 4, relief: 0.07, foot: -0.02 + order * 0.22, depth: 0.03 + order * 0.03 }),
    ),
    middle: [addCloudBank(stack, random, { nearness: 0.55, relief: 0.09, foot: 0.5, depth: 0.12 })],
    front: [addCloudBank(stack, random, { nearness: 1, relief: 0.12, foot: 0.92, depth: 0.24 })],
    footing: placeOnLand(stack, 0.72, 0.3),
  }),
  beach: (stack, random) => ({
    back: addWater(stack, random, { rows: 4, from: 0.02, endShare: 0.5 }),
    middle: [addDune(stack, random, { nearness: 0.3, relief: 0.07, length: 2.2, foot: 0.62, depth: 0.16, land: 'desert' })],
    front: [addDune(stack, random, { nearness: 0.62, relief: 0.06, length: 1.8, foot: 1, depth: 0.28, land: 'desert' })],
    footing: { ...placeAtWater(stack, 0.3), ...placeOnLand(stack, 0.84, 0.6) },
  }),
  waterfall: (stack, random) => ({
    back: [
      addMountain(stack, random, { nearness: 0, relief: 0.3, spread: 0.4, foot: 0.02, depth: 0.02 }),
      addWaterfall(stack, random, { nearness: 0.35, relief: 0.4, foot: 0.14, depth: 0.05 }),
      addFirHill(stack, random, { nearness: 0.55, relief: 0.03, foot: 0.14, depth: 0.08, height: 0.08 }),
    ],
    middle: addWater(stack, random, { rows: 4, from: 0.16 }),
    front: [addFronds(stack, 0.24)],
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
    middle: addWater(stack, random, { rows: 5, from: 0.03 }),
    footing: placeAtWater(stack, 0.46),
  }),
  forest: (stack, random) => ({
    back: [
      addFirHill(stack, random, { nearness: 0.05, relief: 0.05, foot: 0, depth: 0.02, height: 0.3 }),
      addFirHill(stack, random, { nearness: 0.3, relief: 0.06, foot: 0.14, depth: 0.05, height: 0.36 }),
      addFirHill(stack, random, { nearness: 0.52, relief: 0.06, foot: 0.34, depth: 0.09, height: 0.3 }),
    ],
    middle: [
      stack.add({
        crest: hillCrest(random, 0.05, 1),
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
      addFronds(stack, 0.2),
    ],
    footing: placeOnLand(stack, 0.72, 0.46, 1.15),
  }),
  desert: (stack, random) => ({
    back: [
      addMountain(stack, random, { nearness: 0, relief: 0.14, spread: 0.5, foot: 0.02, depth: 0.02 }),
      addDune(stack, random, { nearness: 0.2, relief: 0.11, length: 0.9, foot: 0.1, depth: 0.05 }),
      addDune(stack, random, { nearness: 0.42, relief: 0.14, length: 1.1, foot: 0.32, depth: 0.09 }),
    ],
    middle: [addDune(stack, random, { nearness: 0.64, relief: 0.15, length: 1.3, foot: 0.58, depth: 0.15 })],
    front: [addDune(stack, random, { nearness: 1, relief: 0.11, length: 1.6, foot: 1, depth: 0.28 })],
    footing: placeOnLand(stack, 0.78, 0.4),
  }),
  village: (stack, random) => ({
    back: [
      addMountain(stack, random, { nearness: 0, relief: 0.26, spread: 0.4, foot: 0.02, depth: 0.02 }),
      addFirHill(stack, random, { nearness: 0.2, relief: 0.1, foot: 0.1, depth: 0.05, height: 0.09 }),
      addHouses(stack, random, { nearness: 0.42, relief: 0.1, width: 0.08, foot: 0.22, depth: 0.08 }),
      addHouses(stack, random, { nearness: 0.62, relief: 0.12, width: 0.1, foot: 0.42, depth: 0.12 }),
    ],
    middle: [addHill(stack, random, { nearness: 0.8, relief: 0.05, foot: 0.62, depth: 0.16 })],
    front: [addFronds(stack, 0.22)],
    footing: placeOnLand(stack, 0.82, 0.44),
  }),
  city: (stack, random) => ({
    back: [
      addSkyline(stack, random, { nearness: 0.05, relief: 0.42, width: 0.07, depth: 0.025 }),
      addSkyline(stack, random, { nearness: 0.4, relief: 0.32, width: 0.09, depth: 0.06 }),
      addSkyline(stack, random, { nearness: 0.78, relief: 0.18, width: 0.11, depth: 0.1 }),
    ],
    middle: addWater(stack, random, { rows: 4, from: 0.03 }),
    footing: placeAtWater(stack, 0.46),
  }),
  street: (stack, random) => ({
    back: [
      addStreet(stack, random, { nearness: 0.1, rise: 0.5, gap: 0.02, depth: 0.03 }),
      addStreet(stack, random, { nearness: 0.42, rise: 0.66, gap: 0.12, depth: 0.07 }),
    ],
    middle: [addRoad(stack)],
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
      addWall(stack, stack.colors.landOf('abstract', 0.25)),
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
    front: [addFronds(stack, 0.3)],
    footing: placeOnLand(stack, 0.8, 0.5),
  }),
  space: (stack, random) => ({
    back: [
      addPlanet(stack, random),
      addMountain(stack, random, { nearness: 0.3, relief: 0.2, spread: 0.4, foot: 0.1, depth: 0.05 }),
      addMountain(stack, random, { nearness: 0.6, relief: 0.14, spread: 0.3, foot: 0.4, depth: 0.1 }),
    ],
    front: [addMountain(stack, random, { nearness: 1, relief: 0.12, spread: 0.5, foot: 1.05, depth: 0.24 })],
    footing: placeOnLand(stack, 0.9, 0.8),
  }),
  snowfield: (stack, random) => ({
    back: [
      addMountain(stack, random, { nearness: 0, relief: 0.22, spread: 0.5, foot: 0.02, depth: 0.02 }),
      addFirHill(stack, random, { nearness: 0.2, relief: 0.1, foot: 0.14, depth: 0.05, height: 0.09 }),
      addFirHill(stack, random, { nearness: 0.45, relief: 0.12, foot: 0.32, depth: 0.09, height: 0.12 }),
    ],
    middle: [addHill(stack, random, { nearness: 0.75, relief: 0.1, foot: 0.56, depth: 0.16 })],
    front: [addHill(stack, random, { nearness: 1, relief: 0.07, foot: 0.95, depth: 0.28 })],
    footing: placeOnLand(stack, 0.78, 0.42, 1.25),
  }),
  meadow: (stack, random) => ({
    back: [
      addHill(stack, random, { nearness: 0, relief: 0.16, foot: 0.04, depth: 0.02 }),
      addHill(stack, random, { nearness: 0.22, relief: 0.14, foot: 0.16, depth: 0.05, height: 0.07 }),
      addHill(stack, random, { nearness: 0.45, relief: 0.13, foot: 0.36, depth: 0.09, height: 0.12 }),
    ],
    middle: [addHill(stack, random, { nearness: 0.68, relief: 0.1, foot: 0.58, depth: 0.15 })],
    front: [addFronds(stack, 0.24)],
    footing: placeOnLand(stack, 0.8, 0.4, 1.1),
  }),
  underwater: (stack, random) => ({
    back: [
      addHill(stack, random, { nearness: 0.05, relief: 0.26, foot: 0.1, depth: 0.02 }),
      addWeed(stack, random, { nearness: 0.3, foot: 0.36, depth: 0.06, height: 0.22 }),
    ],
    middle: [addWeed(stack, random, { nearness: 0.6, foot: 0.72, depth: 0.12, height: 0.2 })],
    front: [addWeed(stack, random, { nearness: 1, foot: 1.02, depth: 0.24, height: 0.3 })],
    footing: placeOnLand(stack, 0.8, 0.6),
  }),
  abstract: (stack, random) => {
    const swell = (order: number): ReturnType<typeof addHill> =>
      addHill(stack, random, {
        nearness: order / 5,
        relief: 0.34 - order * 0.02,
        foot: order * 0.36 - 0.5,
        depth: 0.02 + order * 0.03,
      })
    return {
      back: [swell(0), swell(1), swell(2)],
      middle: [swell(3), swell(4)],
      front: [addHill(stack, random, { nearness: 1, relief: 0.22, foot: 1, depth: 0.2 })],
      footing: placeOnLand(stack, 0.8, 0.5),
    }
  },
}

function islands(centerOffset: number): number {
  const island = (position: number, width: number, height: number): number =>
    height * Math.max(0, 1 - ((centerOffset - position) / width) ** 2)
  return island(0.62, 0.4, 0.11) + island(-0.75, 0.25, 0.05) - 0.02
}
