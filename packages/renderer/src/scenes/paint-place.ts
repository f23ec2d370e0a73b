import { paintAbstract } from './places/abstract.ts'
import { paintBeach } from './places/beach.ts'
import { paintCity } from './places/city.ts'
import { paintDesert } from './places/desert.ts'
import { paintForest } from './places/forest.ts'
import { paintEmblem } from './places/emblem.ts'
import { paintLake } from './places/lake.ts'
import { paintMountains } from './places/mountains.ts'
import { paintMeadow } from './places/meadow.ts'
import { paintPodium } from './places/podium.ts'
import { paintRiver } from './places/river.ts'
import { paintRoom } from './places/room.ts'
import { paintSea } from './places/sea.ts'
import { paintCloudSea } from './places/sky.ts'
import { paintSnowfield } from './places/snowfield.ts'
import { paintSpace } from './places/space.ts'
import { paintStadium } from './places/stadium.ts'
import { paintStreet } from './places/street.ts'
import { paintTable } from './places/table.ts'
import { paintUnderwater } from './places/underwater.ts'
import { paintVillage } from './places/village.ts'
import { paintVolcano } from './places/volcano.ts'
import { paintWaterfall } from './places/waterfall.ts'
import type { Place } from './prompt/place.ts'
import type { Painter, Stage } from './stage.ts'
import { placeSubjects, type Footing } from './subjects/place-subjects.ts'
import { hasTableInFront } from './table/tabletop.ts'

type PaintPlace = (stage: Stage, prompt: string) => (Painter | undefined)[]

/** Highest and lowest horizon of each place, as shares of the frame's height from the top. */
export const horizons: Record<Place, readonly [number, number]> = {
  lake: [0.5, 0.66],
  mountains: [0.58, 0.68],
  river: [0.4, 0.52],
  volcano: [0.6, 0.7],
  sky: [0.5, 0.7],
  beach: [0.36, 0.46],
  waterfall: [0.5, 0.6],
  village: [0.36, 0.46],
  street: [0.5, 0.58],
  room: [0.46, 0.54],
  sea: [0.4, 0.62],
  forest: [0.58, 0.66],
  desert: [0.42, 0.54],
  city: [0.58, 0.69],
  space: [0.58, 0.72],
  snowfield: [0.42, 0.54],
  meadow: [0.4, 0.54],
  underwater: [0.56, 0.66],
  table: [0.6, 0.66],
  podium: [0.6, 0.66],
  stadium: [0.38, 0.44],
  emblem: [0.5, 0.5],
  abstract: [0.6, 0.6],
}

/** Paints each place with its subjects. */
const paintByPlace: Record<Place, PaintPlace> = {
  lake: (stage) => paintLake(stage, placeSubjects(stage, watersideFooting(stage, 1.1))),
  mountains: (stage) => paintMountains(stage, placeSubjects(stage, landFooting(stage, 0.8, 0.5))),
  river: (stage) =>
    paintRiver(stage, placeSubjects(stage, { ...watersideFooting(stage, 1), standing: landFooting(stage, 0.8, 0.34).standing })),
  volcano: (stage) => paintVolcano(stage, placeSubjects(stage, landFooting(stage, 0.8, 0.4))),
  sky: (stage) => paintCloudSea(stage, placeSubjects(stage, landFooting(stage, 0.8, 0.3))),
  beach: (stage) => paintBeach(stage, placeSubjects(stage, { ...watersideFooting(stage, 1), ...landFooting(stage, 0.86, 0.5) })),
  waterfall: (stage) =>
    paintWaterfall(
      stage,
      placeSubjects(stage, { ...watersideFooting(stage, 1), standing: landFooting(stage, 0.9, 0.5).standing }),
    ),
  village: (stage, prompt) => paintVillage(stage, placeSubjects(stage, landFooting(stage, 0.84, 0.5)), prompt),
  room: (stage) => {
    const { unit } = stage.geometry
    const standing = { ground: stage.horizon + unit * 0.32, depth: 0.14, size: 0.8 }
    // People behind a table are drawn nearer to the viewer, because the table hides their legs.
    const size = hasTableInFront(stage) ? 1.9 : 1.2
    return paintRoom(stage, placeSubjects(stage, { ground: stage.horizon + unit * 0.45, depth: 0.2, size, standing }))
  },
  street: (stage) => {
    const standing = { ground: groundY(stage, 0.3), depth: 0.1, size: 0.9 }
    return paintStreet(stage, placeSubjects(stage, { ...landFooting(stage, 0.78, 0.3), standing, size: 1.2 }))
  },
  city: (stage) => paintCity(stage, placeSubjects(stage, watersideFooting(stage, 1.1))),
  sea: (stage) => paintSea(stage, placeSubjects(stage, watersideFooting(stage, 1))),
  snowfield: (stage) => paintSnowfield(stage, placeSubjects(stage, { ...landFooting(stage, 0.7, 0.5), depth: 0.22, size: 1.25 })),
  meadow: (stage) => paintMeadow(stage, placeSubjects(stage, { ...landFooting(stage, 0.74, 0.34), size: 1.1 })),
  desert: (stage) => paintDesert(stage, placeSubjects(stage, landFooting(stage, 0.7, 0.46))),
  forest: (stage) => {
    const standing = { ground: groundY(stage, 0.36), depth: 0.17, size: 1.2 }
    return paintForest(stage, placeSubjects(stage, { ...landFooting(stage, 0.66, 0.36), standing, size: 1.15 }))
  },
  space: (stage) =>
    paintSpace(stage, placeSubjects(stage, { ...landFooting(stage, 0.92, 0.8), ground: lowestGroundY(stage), depth: 0.26 })),
  underwater: (stage) => paintUnderwater(stage, placeSubjects(stage, landFooting(stage, 0.8, 0.6))),
  table: (stage) => paintTable(stage, placeSubjects(stage, landFooting(stage, 0.8, 0.3))),
  podium: (stage) => paintPodium(stage, placeSubjects(stage, landFooting(stage, 0.8, 0.3))),
  stadium: (stage) => paintStadium(stage, placeSubjects(stage, landFooting(stage, 0.7, 0.3))),
  emblem: paintEmblem,
  abstract: paintAbstract,
}

export function paintPlace(stage: Stage, prompt: string): (Painter | undefined)[] {
  return paintByPlace[stage.brief.place](stage, prompt)
}

/**
 * Converts a share of the ground to pixels from the top. A share of 0 is the horizon, 1 is the
 * lower edge.
 */
function groundY({ geometry, horizon }: Stage, share: number): number {
  return horizon + (geometry.height - horizon) * share
}

/** Places walkers and immobile subjects at these shares of the ground. */
function landFooting(stage: Stage, walkingShare: number, standingShare: number): Footing {
  const standing = { ground: groundY(stage, standingShare), depth: 0.12, size: 1 }
  return { ground: groundY(stage, walkingShare), depth: 0.2, standing }
}

/** Returns the lowest line on which subjects stand, just above the lower edge of the frame. */
function lowestGroundY({ geometry }: Stage): number {
  return geometry.height - geometry.unit * 0.055
}

/** Places walkers on the near shore, immobile subjects on the far shore and boats between them. */
function watersideFooting(stage: Stage, size: number): Footing {
  const { horizon } = stage
  return {
    ground: lowestGroundY(stage),
    depth: 0.3,
    size,
    standing: { ground: horizon + 2, depth: 0.1, size: 1 },
    afloat: { ground: groundY(stage, 0.44), depth: 0.16, size: 1.25 },
  }
}
