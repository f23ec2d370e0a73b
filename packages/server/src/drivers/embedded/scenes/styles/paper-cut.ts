import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, hex, mixRgb } from '../../picture/colour.ts'
import type { Random } from '../../picture/random.ts'
import type { Place } from '../scene-brief.ts'
import type { Painter, Stage } from '../stage.ts'
import { placeSubjects, type Footing } from '../subjects/place-all.ts'
import {
  dunes,
  hills,
  peaks,
  towers,
  traceFirs,
  traceFronds,
  traceRoundTrees,
  traceTrunks,
  traceWeed,
  waves,
  type Standing,
} from './cutout/crests.ts'
import { Desk } from './cutout/desk.ts'
import { createGrain, cut } from './cutout/sheet.ts'
import { paintCloudSheets, paintSkySheets } from './cutout/sky-sheets.ts'

/** What of a place lies behind, among and before its subjects. */
interface Layout {
  back: readonly Painter[]
  /** Between what stands far off and what walks or floats. */
  middle: readonly Painter[]
  front: readonly Painter[]
  footing: Footing
}

/** A scene of layered coloured paper: flat sheets one before the other, each with a soft shadow on those behind it. */
export function paintPaperCut(stage: Stage): (Painter | undefined)[] {
  const { geometry, brief, compositor } = stage
  compositor.setFinish({ vignette: 0.16, dither: 1 })
  const desk = new Desk(stage, { shadow: { strength: 0.5, reach: 26 }, grain: createGrain(stage), edge: 0.42 })
  const sky = paintSkySheets(stage, desk.material, desk.colours, brief.place === 'abstract' ? geometry.height : desk.ground(0.3))
  const hasClouds = brief.place !== 'space' && brief.place !== 'underwater' && brief.place !== 'abstract'
  const { back, middle, front, footing } = layouts[brief.place](desk, stage.random('crests'))
  const subjects = placeSubjects(stage, footing)
  return [
    sky,
    ...(hasClouds ? paintCloudSheets(stage, desk.material, desk.colours) : []),
    subjects.sky,
    ...back,
    subjects.floating,
    ...middle,
    subjects.ground,
    ...front,
  ]
}

const layouts: Record<Place, (desk: Desk, random: Random) => Layout> = {
  lake: (desk, random) => ({
    back: [
      mountain(desk, random, { at: 0, relief: 0.34, spread: 0.42, foot: desk.ground(0.02), depth: 0.02 }),
      mountain(desk, random, { at: 0.25, relief: 0.22, spread: 0.3, foot: desk.ground(0.03), depth: 0.05 }),
      firHill(desk, random, { at: 0.5, relief: 0.07, foot: desk.ground(0.03), depth: 0.09, tall: 0.075 }),
    ],
    middle: water(desk, random, 4),
    front: [fronds(desk, 0.2)],
    footing: waterside(desk),
  }),
  mountains: (desk, random) => ({
    back: [
      mountain(desk, random, { at: 0, relief: 0.5, spread: 0.5, foot: desk.ground(0.1), depth: 0.015 }),
      mountain(desk, random, { at: 0.25, relief: 0.36, spread: 0.36, foot: desk.ground(0.16), depth: 0.04 }),
      mountain(desk, random, { at: 0.45, relief: 0.24, spread: 0.3, foot: desk.ground(0.3), depth: 0.07 }),
    ],
    middle: [
      firHill(desk, random, { at: 0.66, relief: 0.1, foot: desk.ground(0.5), depth: 0.12, tall: 0.1 }),
      firHill(desk, random, { at: 0.85, relief: 0.08, foot: desk.ground(0.74), depth: 0.18, tall: 0.13 }),
    ],
    front: [fronds(desk, 0.16)],
    footing: land(desk, 0.8, 0.4),
  }),
  sea: (desk, random) => ({
    back: [
      desk.lay({
        crest: (across) =>
          0.11 * Math.max(0, 1 - ((across - 0.62) / 0.4) ** 2) + 0.05 * Math.max(0, 1 - ((across + 0.75) / 0.25) ** 2) - 0.02,
        colour: desk.colours.land(0.1),
        depth: 0.02,
        foot: desk.stage.horizon + 2,
        reach: 0.14,
        until: desk.ground(0.12),
      }),
    ],
    middle: water(desk, random, 5),
    front: [],
    footing: { ...waterside(desk), ground: desk.stage.geometry.height - desk.stage.geometry.unit * 0.02 },
  }),
  forest: (desk, random) => ({
    back: [
      firHill(desk, random, { at: 0.05, relief: 0.05, foot: desk.ground(0), depth: 0.02, tall: 0.3 }),
      firHill(desk, random, { at: 0.3, relief: 0.06, foot: desk.ground(0.14), depth: 0.05, tall: 0.36 }),
      firHill(desk, random, { at: 0.52, relief: 0.06, foot: desk.ground(0.34), depth: 0.09, tall: 0.3 }),
    ],
    middle: [
      desk.lay({
        crest: hills(random, 0.05, 1),
        colour: desk.colours.land(0.7),
        depth: 0.14,
        foot: desk.ground(0.44),
        reach: 0.85,
        standing: { trace: traceTrunks, tall: 0.6, spacing: 0.42 },
      }),
    ],
    front: [
      desk.lay({
        crest: (across) => 0.03 - 0.6 * Math.max(0, 0.62 - Math.abs(across)),
        colour: desk.colours.land(1),
        depth: 0.26,
        foot: desk.stage.geometry.height,
        reach: 1.1,
        standing: { trace: traceTrunks, tall: 1, spacing: 0.5 },
      }),
      fronds(desk, 0.2),
    ],
    footing: { ...land(desk, 0.72, 0.46), size: 1.15 },
  }),
  desert: (desk, random) => ({
    back: [
      mountain(desk, random, { at: 0, relief: 0.14, spread: 0.5, foot: desk.ground(0.02), depth: 0.02 }),
      dune(desk, random, { at: 0.2, relief: 0.11, length: 0.9, foot: desk.ground(0.1), depth: 0.05 }),
      dune(desk, random, { at: 0.42, relief: 0.14, length: 1.1, foot: desk.ground(0.32), depth: 0.09 }),
    ],
    middle: [dune(desk, random, { at: 0.64, relief: 0.15, length: 1.3, foot: desk.ground(0.58), depth: 0.15 })],
    front: [dune(desk, random, { at: 1, relief: 0.11, length: 1.6, foot: desk.ground(1), depth: 0.28 })],
    footing: land(desk, 0.78, 0.4),
  }),
  city: (desk, random) => ({
    back: [
      skyline(desk, random, { at: 0.05, relief: 0.42, wide: 0.07, depth: 0.025 }),
      skyline(desk, random, { at: 0.4, relief: 0.32, wide: 0.09, depth: 0.06 }),
      skyline(desk, random, { at: 0.78, relief: 0.18, wide: 0.11, depth: 0.1 }),
    ],
    middle: water(desk, random, 4),
    front: [],
    footing: waterside(desk),
  }),
  space: (desk, random) => ({
    back: [
      planet(desk, random),
      mountain(desk, random, { at: 0.3, relief: 0.2, spread: 0.4, foot: desk.ground(0.1), depth: 0.05 }),
      mountain(desk, random, { at: 0.6, relief: 0.14, spread: 0.3, foot: desk.ground(0.4), depth: 0.1 }),
    ],
    middle: [],
    front: [mountain(desk, random, { at: 1, relief: 0.12, spread: 0.5, foot: desk.ground(1.05), depth: 0.24 })],
    footing: land(desk, 0.9, 0.8),
  }),
  snowfield: (desk, random) => ({
    back: [
      mountain(desk, random, { at: 0, relief: 0.22, spread: 0.5, foot: desk.ground(0.02), depth: 0.02 }),
      firHill(desk, random, { at: 0.2, relief: 0.1, foot: desk.ground(0.14), depth: 0.05, tall: 0.09 }),
      firHill(desk, random, { at: 0.45, relief: 0.12, foot: desk.ground(0.32), depth: 0.09, tall: 0.12 }),
    ],
    middle: [hill(desk, random, { at: 0.75, relief: 0.1, foot: desk.ground(0.56), depth: 0.16 })],
    front: [hill(desk, random, { at: 1, relief: 0.07, foot: desk.ground(0.95), depth: 0.28 })],
    footing: { ...land(desk, 0.78, 0.42), size: 1.25 },
  }),
  meadow: (desk, random) => ({
    back: [
      hill(desk, random, { at: 0, relief: 0.16, foot: desk.ground(0.04), depth: 0.02 }),
      hill(desk, random, { at: 0.22, relief: 0.14, foot: desk.ground(0.16), depth: 0.05, tall: 0.07 }),
      hill(desk, random, { at: 0.45, relief: 0.13, foot: desk.ground(0.36), depth: 0.09, tall: 0.12 }),
    ],
    middle: [hill(desk, random, { at: 0.68, relief: 0.1, foot: desk.ground(0.58), depth: 0.15 })],
    front: [fronds(desk, 0.24)],
    footing: { ...land(desk, 0.8, 0.4), size: 1.1 },
  }),
  underwater: (desk, random) => ({
    back: [
      hill(desk, random, { at: 0.05, relief: 0.26, foot: desk.ground(0.1), depth: 0.02 }),
      weed(desk, random, { at: 0.3, foot: desk.ground(0.36), depth: 0.06, tall: 0.22 }),
    ],
    middle: [weed(desk, random, { at: 0.6, foot: desk.ground(0.72), depth: 0.12, tall: 0.2 })],
    front: [weed(desk, random, { at: 1, foot: desk.ground(1.02), depth: 0.24, tall: 0.3 })],
    footing: land(desk, 0.8, 0.6),
  }),
  abstract: (desk, random) => ({
    back: [0, 1, 2].map((order) =>
      hill(desk, random, { at: order / 5, relief: 0.34, foot: desk.ground(-0.5 + order * 0.36), depth: 0.02 + order * 0.03 }),
    ),
    middle: [3, 4].map((order) =>
      hill(desk, random, { at: order / 5, relief: 0.3, foot: desk.ground(-0.5 + order * 0.36), depth: 0.02 + order * 0.03 }),
    ),
    front: [hill(desk, random, { at: 1, relief: 0.22, foot: desk.ground(1), depth: 0.2 })],
    footing: land(desk, 0.8, 0.5),
  }),
}

function land(desk: Desk, walking: number, standing: number): Footing {
  return { ground: desk.ground(walking), depth: 0.2, standing: { ground: desk.ground(standing), depth: 0.12, size: 1 } }
}

function waterside(desk: Desk): Footing {
  const { geometry, horizon } = desk.stage
  return {
    ground: geometry.height - geometry.unit * 0.06,
    depth: 0.3,
    size: 1.1,
    standing: { ground: horizon + 2, depth: 0.1, size: 1 },
    afloat: { ground: desk.ground(0.46), depth: 0.16, size: 1.25 },
  }
}

interface SheetPlace {
  /** 0 far to 1 near: its colour. */
  at: number
  foot: number
  depth: number
}

function mountain(
  desk: Desk,
  random: Random,
  { at, foot, depth, relief, spread }: SheetPlace & { relief: number; spread: number },
): Painter {
  const until = foot + desk.stage.geometry.unit * 0.24
  return desk.lay({
    crest: peaks(random, relief, spread),
    colour: desk.colours.land(at),
    depth,
    foot,
    reach: relief + 0.02,
    until,
  })
}

function firHill(
  desk: Desk,
  random: Random,
  { at, foot, depth, relief, tall }: SheetPlace & { relief: number; tall: number },
): Painter {
  return desk.lay({
    crest: hills(random, relief, 1.2),
    colour: desk.colours.land(at),
    depth,
    foot,
    reach: relief + tall * 1.1,
    until: foot + desk.stage.geometry.unit * 0.3,
    ...(desk.stage.brief.without.has('plants') ? {} : { standing: { trace: traceFirs, tall, spacing: tall * 0.62 } }),
  })
}

function hill(
  desk: Desk,
  random: Random,
  { at, foot, depth, relief, tall = 0 }: SheetPlace & { relief: number; tall?: number },
): Painter {
  return desk.lay({
    crest: hills(random, relief, 0.9),
    colour: desk.colours.land(at),
    depth,
    foot,
    reach: relief + tall * 1.1,
    ...(tall > 0 && !desk.stage.brief.without.has('plants')
      ? { standing: { trace: traceRoundTrees, tall, spacing: tall * 3.4 } }
      : {}),
    ...(at === 1 ? {} : { until: foot + desk.stage.geometry.unit * 0.34 }),
  })
}

function dune(
  desk: Desk,
  random: Random,
  { at, foot, depth, relief, length }: SheetPlace & { relief: number; length: number },
): Painter {
  const until = at === 1 ? undefined : foot + desk.stage.geometry.unit * 0.4
  return desk.lay({
    crest: dunes(random, relief, length),
    colour: desk.colours.land(at),
    depth,
    foot,
    reach: relief + 0.02,
    ...(until === undefined ? {} : { until }),
  })
}

/** Rows of scalloped waves that slide to and fro, one against the other. */
function water(desk: Desk, random: Random, rows: number): Painter[] {
  const { unit } = desk.stage.geometry
  return Array.from({ length: rows }, (_, row) => {
    const near = row / (rows - 1)
    const foot = desk.ground(0.03 + 0.92 * near ** 1.25 * 0.86)
    return desk.lay({
      crest: waves(random, 0.014 + 0.026 * near, 0.1 + 0.16 * near),
      colour: desk.colours.water(near),
      depth: 0.08 + 0.16 * near,
      foot,
      reach: 0.05,
      slide: { reach: unit * (0.012 + 0.02 * near), pace: 0.7 - 0.2 * near, phase: row * 2.4 },
      ...(row === rows - 1 ? {} : { until: desk.ground(0.03 + 0.92 * ((row + 1) / (rows - 1)) ** 1.25 * 0.86) + unit * 0.04 }),
    })
  })
}

function fronds(desk: Desk, tall: number): Painter {
  const { geometry, brief } = desk.stage
  return desk.lay({
    crest: (across) => -0.02 + 0.05 * Math.min(1, Math.abs(across)) ** 2,
    colour: mixRgb(desk.colours.land(0.92), hex('#0c0a1c'), 0.2),
    depth: 0.34,
    foot: geometry.height + 2,
    reach: tall * 1.2 + 0.06,
    ...(brief.without.has('plants') ? {} : { standing: { trace: traceFronds, tall, spacing: 0.05 } }),
  })
}

function weed(desk: Desk, random: Random, { at, foot, depth, tall }: SheetPlace & { tall: number }): Painter {
  return desk.lay({
    crest: hills(random, 0.1, 1.4),
    colour: desk.colours.land(at),
    depth,
    foot,
    reach: 0.1 + tall,
    ...(desk.stage.brief.without.has('plants') ? {} : { standing: { trace: traceWeed, tall, spacing: tall * 0.6 } }),
  })
}

function skyline(
  desk: Desk,
  random: Random,
  { at, relief, wide, depth }: { at: number; relief: number; wide: number; depth: number },
): Painter {
  const { stage, colours } = desk
  const isDark = stage.brief.time === 'night' || stage.brief.time === 'dusk'
  const light = isDark ? hex('#ffdf9a') : mixRgb(colours.land(at), [255, 255, 255], 0.5)
  return desk.lay({
    crest: towers(random, relief, wide),
    colour: colours.land(at),
    depth,
    foot: stage.horizon + 2,
    reach: relief * 1.4,
    until: desk.ground(0.12),
    decorate: (context, standing) => cutWindows(context, standing, css(light), wide),
  })
}

/** Windows in a grid, as far as they lie well inside the outline. */
function cutWindows(
  context: SKRSContext2D,
  { crest, foot, unit, across, width, random }: Standing,
  colour: string,
  wide: number,
): void {
  const pitch = unit * wide * 0.26
  context.fillStyle = colour
  for (let x = pitch; x < width; x += pitch) {
    const top = foot - Math.min(crest(across(x)), crest(across(x - pitch * 0.5)), crest(across(x + pitch * 0.8))) * unit
    for (let y = foot - pitch * 1.2; y > top + pitch * 0.7; y -= pitch * 1.15) {
      if (random() < 0.42) context.fillRect(x, y, pitch * 0.42, pitch * 0.56)
    }
  }
}

/** A disc in two tones with a ring around it. */
function planet({ stage, material, colours }: Desk, random: Random): Painter {
  const { compositor, geometry, sun } = stage
  const radius = geometry.unit * (0.12 + 0.07 * random())
  const size = radius * 4.6
  const body = mixRgb(hex('#f0a868'), colours.sky(0.5), 0.25)
  const layer = compositor.layer(
    size,
    size,
    (context) => {
      context.translate(size / 2, size / 2)
      context.rotate(-0.35)
      const ring = (isFront: boolean): void =>
        cut(stage, context, material, hex('#ffe2b4'), () => {
          const [from, to] = isFront ? [0, Math.PI] : [Math.PI, Math.PI * 2]
          context.ellipse(0, 0, radius * 1.85, radius * 0.5, 0, from, to)
          context.ellipse(0, 0, radius * 1.4, radius * 0.34, 0, to, from, true)
          context.closePath()
        })
      ring(false)
      cut(stage, context, material, body, () => context.arc(0, 0, radius, 0, Math.PI * 2))
      context.save()
      context.beginPath()
      context.arc(0, 0, radius, 0, Math.PI * 2)
      context.clip()
      for (const [y, high] of [
        [-0.5, 0.2],
        [-0.05, 0.16],
        [0.36, 0.3],
      ] as const) {
        cut(stage, context, { ...material, edge: 0 }, mixRgb(body, hex('#8a3c5c'), 0.4), () =>
          context.rect(-radius, y * radius, radius * 2, high * radius),
        )
      }
      context.restore()
      ring(true)
    },
    { isFinal: true },
  )
  const [x, y] = [geometry.width - sun.x, geometry.height * 0.34]
  return (moment) => stage.drawAt(layer, { x: x - layer.width / 2, y: y - layer.height / 2, depth: 0.03 }, moment)
}
