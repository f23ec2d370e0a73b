import { createCanvas } from '@napi-rs/canvas'
import { mixRgb, type Rgb } from '../../picture/colour.ts'
import type { Layer } from '../../picture/compositor.ts'
import type { Subject } from '../scene-brief.ts'
import { crowns } from '../season.ts'
import type { SubjectKind } from '../subject-words.ts'
import type { Moment, Painter, Stage } from '../stage.ts'
import { drawCastle } from './castle.ts'
import { drawBalloon, drawBoat, drawHouse, drawLighthouse, drawTree, type DrawThing } from './things.ts'
import { drawCar, drawRocket, drawTrain } from './vehicles.ts'

export type ThingKind = Extract<
  SubjectKind,
  'boat' | 'balloon' | 'house' | 'tree' | 'lighthouse' | 'castle' | 'car' | 'train' | 'rocket'
>

const things: Record<ThingKind, { draw: DrawThing; height: number; width: number }> = {
  boat: { draw: drawBoat, height: 0.26, width: 1.2 },
  balloon: { draw: drawBalloon, height: 0.3, width: 0.9 },
  house: { draw: drawHouse, height: 0.17, width: 2 },
  tree: { draw: drawTree, height: 0.36, width: 1 },
  lighthouse: { draw: drawLighthouse, height: 0.42, width: 1.2 },
  castle: { draw: drawCastle, height: 0.4, width: 1.4 },
  car: { draw: drawCar, height: 0.12, width: 5 },
  train: { draw: drawTrain, height: 0.07, width: 13 },
  rocket: { draw: drawRocket, height: 0.4, width: 0.8 },
}

export function isThing(kind: SubjectKind): kind is ThingKind {
  return kind in things
}

/** Things that stay where they are on the ground. */
export function paintStanding(
  stage: Stage,
  subject: Subject & { kind: ThingKind },
  at: { ground: number; depth: number; order: number; size: number },
): Painter {
  const random = stage.random(`standing ${subject.kind}`)
  const members = spread(subject.count, random() < 0.5 ? -1 : 1, at.order, random)
  const sprites = members.map(() => drawSprite(stage, subject, at.size))
  return (moment) => {
    for (const [index, member] of members.entries()) {
      const sprite = sprites[index]
      if (sprite) drawStanding(stage, sprite, member, at, moment)
    }
  }
}

/** Balloons hang in the air and rise a little, each with its own slow sway. */
export function paintBalloons(stage: Stage, subject: Subject & { kind: ThingKind }, order: number): Painter {
  const { geometry, horizon } = stage
  const random = stage.random('balloons')
  const sprite = drawSprite(stage, subject, 1)
  const members = spread(subject.count, random() < 0.5 ? -1 : 1, order, random).map((member, index) => ({
    x: member.x,
    y: horizon * (index === 0 ? 0.62 : 0.34 + 0.4 * random()),
    scale: index === 0 ? 1 : 0.54 + random() * 0.3,
    phase: random() * 6.28,
  }))
  return (moment) => {
    for (const { x, y, scale, phase } of members) {
      const rise = (moment.progress - 0.5) * geometry.unit * 0.06 * scale
      const sway = Math.sin(moment.seconds * 0.5 + phase) * geometry.unit * 0.006
      const left = x * geometry.width + sway - (sprite.width * scale) / 2
      stage.drawAt(sprite, { x: left, y: y - rise - sprite.height * scale * 0.5, depth: 0.04 + 0.08 * scale, scale }, moment)
    }
  }
}

/** Climbs slowly across the sky, a little turned with its own sway. */
export function paintRocket(stage: Stage, subject: Subject & { kind: ThingKind }): Painter {
  const { geometry, horizon } = stage
  const random = stage.random('rocket')
  const sprite = drawSprite(stage, subject, 1)
  const x = geometry.width * (stage.sun.x > geometry.width / 2 ? 0.66 + 0.1 * random() : 0.34 - 0.1 * random())
  return (moment) => {
    const climb = (moment.progress - 0.5) * geometry.unit * 0.2
    const shake = Math.sin(moment.seconds * 17) * stage.pixels(0.6)
    stage.drawAt(sprite, { x: x - sprite.width / 2 + shake, y: horizon * 0.62 - sprite.height / 2 - climb, depth: 0.16 }, moment)
  }
}

/** Boats ride on the water with a broken reflection under them; the reflection is drawn once in several wave phases. */
export function paintBoats(
  stage: Stage,
  subject: Subject & { kind: ThingKind },
  at: { ground: number; depth: number; order: number; size: number },
): Painter {
  const { geometry } = stage
  const random = stage.random('boats')
  const boat = drawSprite(stage, subject, at.size)
  const reflections = Array.from({ length: reflectionPhases }, (_, phase) =>
    drawReflection(stage, subject, at.size, phase / reflectionPhases),
  )
  const members = spread(subject.count, random() < 0.5 ? -1 : 1, at.order, random).map((member, index) => ({
    x: member.x,
    scale: index === 0 ? 1 : 0.54 + 0.25 * random(),
    phase: random() * 6.28,
  }))
  return (moment) => {
    for (const { x, scale, phase } of members) {
      const heave = Math.sin(moment.seconds * 1.1 + phase) * stage.pixels(2.2) * scale
      const drift = (moment.progress - 0.5) * geometry.width * 0.035
      // A farther boat is smaller and floats nearer to the horizon.
      const waterline = stage.horizon + (at.ground - stage.horizon) * scale * scale
      const left = x * geometry.width + drift - (boat.width * scale) / 2
      const foot = boat.height * footShare * scale
      const reflection = reflections[Math.floor(((moment.seconds * 0.8 + phase) % 1) * reflectionPhases)]
      if (reflection)
        stage.drawAt(reflection, { x: left, y: waterline - heave * 0.4, depth: at.depth * scale, scale, opacity: 0.5 }, moment)
      stage.drawAt(boat, { x: left, y: waterline + heave - foot, depth: at.depth * scale, scale }, moment)
    }
  }
}

const reflectionPhases = 12
/** Where a sprite's ground point lies in it. */
export const footShare = 0.92

interface Member {
  /** Share of the frame's width. */
  x: number
  nearer: number
}

function spread(count: number, side: 1 | -1, order: number, random: () => number): Member[] {
  const first = 0.5 + side * (0.12 + 0.06 * random() + 0.09 * order)
  return Array.from({ length: Math.min(5, count) }, (_, index) =>
    index === 0
      ? { x: first, nearer: 0 }
      : { x: (first + index * 0.23 * -side + (random() - 0.5) * 0.08 + 2) % 1, nearer: (random() - 0.7) * 0.04 },
  )
}

export function drawSprite(stage: Stage, subject: Subject & { kind: ThingKind }, size: number): Layer {
  const { draw, height, width } = things[subject.kind]
  const tall = (height * stage.geometry.unit * size) / 0.9
  const random = stage.random(`shape of ${subject.kind}`)
  return stage.compositor.layer(tall * width, tall, (context, layerWidth, layerHeight) => {
    context.translate(layerWidth / 2, layerHeight * footShare)
    context.scale(tall * 0.9, tall * 0.9)
    draw(context, colours(stage, subject), random)
  })
}

function drawReflection(stage: Stage, subject: Subject & { kind: ThingKind }, size: number, phase: number): Layer {
  const { draw, height, width } = things[subject.kind]
  const tall = (height * stage.geometry.unit * size) / 0.9
  const upright = createCanvas(Math.max(2, Math.ceil(tall * width)), Math.max(2, Math.ceil(tall)))
  const source = upright.getContext('2d')
  source.translate(upright.width / 2, upright.height * footShare)
  source.scale(tall * 0.9, tall * 0.9)
  draw(source, colours(stage, subject), stage.random(`shape of ${subject.kind}`))
  return stage.compositor.layer(tall * width, tall * 0.75, (context, layerWidth, layerHeight) => {
    for (let row = 0; row < layerHeight; row++) {
      const down = row / layerHeight
      const wave =
        Math.sin(row / stage.pixels(3.2 + 5 * down) - phase * Math.PI * 2) +
        0.5 * Math.sin(row / stage.pixels(7) + phase * Math.PI * 4)
      const from = upright.height * footShare - row * 1.22
      if (from < 1) break
      context.globalAlpha = (1 - down) * 0.9
      context.drawImage(upright, 0, from, upright.width, 1.4, wave * stage.pixels(2 + 7 * down), row, layerWidth, 1.3)
    }
  })
}

function drawStanding(stage: Stage, sprite: Layer, member: Member, at: { ground: number; depth: number }, moment: Moment): void {
  const x = member.x * stage.geometry.width - sprite.width / 2
  const y = at.ground + member.nearer * stage.geometry.unit - sprite.height * footShare
  stage.drawAt(sprite, { x, y, depth: at.depth }, moment)
}

function colours(stage: Stage, subject: Subject): Parameters<DrawThing>[1] {
  const { palette, brief, sun, geometry } = stage
  return {
    main: subject.colour ?? (subject.kind === 'tree' && brief.season ? crowns[brief.season] : undefined),
    dim: (colour: Rgb) => mixRgb(colour, palette.near, palette.subjectShade),
    rim: palette.rim,
    near: palette.near,
    isDark: brief.time === 'night' || brief.time === 'dusk',
    facing: sun.x > geometry.width / 2 ? 1 : -1,
  }
}
