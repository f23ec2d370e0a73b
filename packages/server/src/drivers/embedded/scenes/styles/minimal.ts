import { css, hex, mixRgb, toYuv, type Rgb } from '../../picture/colour.ts'
import type { Random } from '../../picture/random.ts'
import type { Place, SceneBrief, TimeOfDay } from '../scene-brief.ts'
import type { Painter, Stage } from '../stage.ts'
import { placeSubjects, type Footing } from '../subjects/place-all.ts'
import { dunes, hills, peaks, towers, traceFirs, traceRoundTrees, traceWeed, type Crest } from './cutout/crests.ts'
import { Desk } from './cutout/desk.ts'

/** All colours that a picture has, but for its subjects. */
interface Colours {
  empty: Rgb
  sun: Rgb
  far: Rgb
  near: Rgb
}

const hours: Record<TimeOfDay, Colours> = {
  dawn: { empty: hex('#f7e8dc'), sun: hex('#f2a287'), far: hex('#b3bccd'), near: hex('#4a5a7a') },
  day: { empty: hex('#eef2ec'), sun: hex('#f4c24a'), far: hex('#9cc3bd'), near: hex('#2f6068') },
  dusk: { empty: hex('#f6dcc2'), sun: hex('#e5583a'), far: hex('#c0718a'), near: hex('#3c2a50') },
  night: { empty: hex('#16243f'), sun: hex('#f3e7c6'), far: hex('#30497a'), near: hex('#0b1430') },
}

/** Far and near ground as it is at noon, where that is not the day's own. */
const grounds: Partial<Record<Place, readonly [Rgb, Rgb]>> = {
  desert: [hex('#e8c08a'), hex('#b87842')],
  meadow: [hex('#a8c98a'), hex('#4f8a54')],
  forest: [hex('#a3c3a0'), hex('#2c5c46')],
  snowfield: [hex('#cfdde8'), hex('#5f7f9c')],
  sea: [hex('#8cc4d2'), hex('#1f6f94')],
  underwater: [hex('#6db8c8'), hex('#1b5f86')],
}

/** A few flat shapes in four colours around one large sun, and much room between them. */
export function paintMinimal(stage: Stage): (Painter | undefined)[] {
  const { compositor, brief, geometry } = stage
  compositor.setFinish({ vignette: 0, dither: 0.6 })
  const colours = chooseColours(brief)
  const desk = new Desk(stage, { shadow: { strength: 0, reach: 0 }, grain: undefined, edge: 0 })
  const { back, middle, front, footing } = layouts[brief.place](desk, colours, stage.random('crests'))
  const subjects = placeSubjects(stage, footing)
  const empty = compositor.texture(32, 32, (_u, _v, yuv) => yuv.splice(0, 3, ...toYuv(colours.empty)))
  const { width, height } = geometry
  return [
    () => compositor.drawTexture(empty, { x: 0, y: 0, width, height }, { mode: 'replace' }),
    paintSun(stage, colours),
    subjects.sky,
    ...back,
    subjects.floating,
    ...middle,
    subjects.ground,
    ...front,
  ]
}

function chooseColours({ time, place, colours: named, season }: SceneBrief): Colours {
  const hour = hours[time]
  const ground = grounds[place]
  const share = { day: 1, dawn: 0.45, dusk: 0.3, night: 0.15 }[time]
  const far = ground ? mixRgb(hour.far, ground[0], share) : hour.far
  const near = ground ? mixRgb(hour.near, ground[1], share) : hour.near
  const leaves = season === 'autumn' ? hex('#c8642c') : season === 'spring' ? hex('#e89ab0') : undefined
  const accent = named[0] ?? leaves
  const empty = place === 'underwater' ? mixRgb(hour.empty, grounds.underwater?.[0] ?? hour.far, 0.3) : hour.empty
  return { ...hour, empty, far: accent ? mixRgb(far, accent, 0.75) : far, near: accent ? mixRgb(near, accent, 0.3) : near }
}

/** One large disc that rises a little. */
function paintSun(stage: Stage, { sun }: Colours): Painter {
  const { compositor, geometry, horizon, brief } = stage
  const radius = geometry.unit * 0.17
  const layer = compositor.layer(
    radius * 2 + 4,
    radius * 2 + 4,
    (context, width, height) => {
      context.fillStyle = css(sun)
      context.beginPath()
      context.arc(width / 2, height / 2, radius, 0, Math.PI * 2)
      context.fill()
    },
    { isFinal: true },
  )
  const up = { day: 1.75, dawn: 0.7, dusk: 0.6, night: 1.9 }[brief.time]
  const y = Math.max(radius * 1.3, horizon - radius * up)
  return (moment) =>
    stage.drawAt(
      layer,
      {
        x: stage.sun.x - layer.width / 2,
        y: y - layer.height / 2 - (moment.progress - 0.5) * radius * 0.16,
        depth: 0.006,
      },
      moment,
    )
}

interface Layout {
  back: readonly Painter[]
  middle: readonly Painter[]
  front: readonly Painter[]
  footing: Footing
}

type Compose = (desk: Desk, colours: Colours, random: Random) => Layout

const layouts: Record<Place, Compose> = {
  lake: (desk, colours, random) => ({
    back: [shape(desk, peaks(random, 0.2, 0.8), { colour: colours.far, at: 0, reach: 0.24, depth: 0.03 })],
    middle: [flatWater(desk, colours.near), sunTrack(desk, colours)],
    front: [],
    footing: waterside(desk),
  }),
  mountains: (desk, colours, random) => ({
    back: [shape(desk, peaks(random, 0.36, 0.9), { colour: colours.far, at: 0.2, reach: 0.4, depth: 0.03 })],
    middle: [shape(desk, peaks(random, 0.18, 1.1), { colour: colours.near, at: 0.75, reach: 0.2, depth: 0.12 })],
    front: [],
    footing: land(desk, 0.9, 0.5),
  }),
  sea: (desk, colours, random) => ({
    back: [],
    middle: [flatWater(desk, colours.far), sunTrack(desk, colours)],
    front: [shape(desk, hills(random, 0.05, 1.3), { colour: colours.near, at: 0.92, reach: 0.1, depth: 0.2, slide: 0.05 })],
    footing: waterside(desk),
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
    front: [],
    footing: land(desk, 0.86, 0.6),
  }),
  desert: (desk, colours, random) => ({
    back: [shape(desk, dunes(random, 0.16, 1.5), { colour: colours.far, at: 0.24, reach: 0.18, depth: 0.04 })],
    middle: [shape(desk, dunes(random, 0.14, 1.9), { colour: colours.near, at: 0.82, reach: 0.16, depth: 0.14 })],
    front: [],
    footing: land(desk, 0.88, 0.4),
  }),
  city: (desk, colours, random) => ({
    back: [shape(desk, towers(random, 0.3, 0.15), { colour: colours.far, at: 0, reach: 0.42, depth: 0.04 })],
    middle: [flatWater(desk, colours.near), sunTrack(desk, colours)],
    front: [],
    footing: waterside(desk),
  }),
  space: (desk, colours) => ({
    back: [
      shape(desk, (across) => Math.sqrt(Math.max(0, 1.7 ** 2 - across ** 2)) - 1.54, {
        colour: colours.near,
        at: 1,
        reach: 0.2,
        depth: 0.06,
      }),
    ],
    middle: [],
    front: [],
    footing: land(desk, 0.96, 0.9),
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
    front: [],
    footing: { ...land(desk, 0.74, 0.42), size: 1.2 },
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
    front: [],
    footing: land(desk, 0.84, 0.34),
  }),
  underwater: (desk, colours, random) => ({
    back: [shape(desk, hills(random, 0.18, 0.7), { colour: colours.far, at: 0.3, reach: 0.2, depth: 0.04 })],
    middle: [],
    front: [
      shape(desk, hills(random, 0.08, 0.8), {
        colour: colours.near,
        at: 0.95,
        reach: 0.5,
        depth: 0.16,
        standing: { trace: traceWeed, tall: 0.34, spacing: 0.6 },
      }),
    ],
    footing: land(desk, 0.8, 0.6),
  }),
  abstract: (desk, colours, random) => ({
    back: [shape(desk, hills(random, 0.3, 0.5), { colour: colours.far, at: 0.3, reach: 0.34, depth: 0.03, slide: 0.03 })],
    middle: [shape(desk, hills(random, 0.26, 0.6), { colour: colours.near, at: 0.9, reach: 0.3, depth: 0.1, slide: 0.05 })],
    front: [],
    footing: land(desk, 0.8, 0.5),
  }),
}

interface ShapeLook {
  colour: Rgb
  /** Share of the ground at which its foot lies. */
  at: number
  reach: number
  depth: number
  /** Units that it slides to either side. */
  slide?: number
  standing?: Parameters<Desk['lay']>[0]['standing']
}

function shape(desk: Desk, crest: Crest, { at, slide, standing, ...look }: ShapeLook): Painter {
  const { geometry } = desk.stage
  return desk.lay({
    crest,
    ...look,
    foot: desk.ground(at),
    ...(slide ? { slide: { reach: geometry.unit * slide, pace: 0.5, phase: at * 5 } } : {}),
    ...(standing && !desk.stage.brief.without.has('plants') ? { standing } : {}),
  })
}

function flatWater(desk: Desk, colour: Rgb): Painter {
  return shape(desk, () => 0, { colour, at: 0, reach: 0.01, depth: 0.05 })
}

/** The sun's path on the water: a few bars, ever shorter, that slide to and fro. */
function sunTrack({ stage }: Desk, { sun }: Colours): Painter {
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

function land(desk: Desk, walking: number, standing: number): Footing {
  return { ground: desk.ground(walking), depth: 0.2, standing: { ground: desk.ground(standing), depth: 0.12, size: 1 } }
}

function waterside(desk: Desk): Footing {
  const { geometry, horizon } = desk.stage
  return {
    ground: geometry.height - geometry.unit * 0.06,
    depth: 0.24,
    standing: { ground: horizon + 2, depth: 0.1, size: 1 },
    afloat: { ground: desk.ground(0.4), depth: 0.14, size: 1.2 },
  }
}
