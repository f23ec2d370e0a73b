import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, hex, lightYuv, mixRgb, scaleRgb, type Rgb } from '../../picture/colour.ts'
import { drawBroadleaf } from '../broadleaf.ts'
import { paintClouds } from '../clouds/paint-clouds.ts'
import { createMistTexture, paintMist } from '../mist.ts'
import type { PlacedSubjects } from '../place-subjects.ts'
import { crowns } from '../season.ts'
import { paintBloom, paintMoon, paintSky, paintStars } from '../sky.ts'
import { overscan, type Painter, type Stage } from '../stage.ts'
import { paintWater } from '../water.ts'

interface StreetKind {
  /** Metres from the middle to the kerb and to the walls. */
  kerb: number
  wall: number
  /** Heights of houses, and lengths of their fronts. */
  low: number
  high: number
  front: number
  storey: number
  walls: readonly string[]
  signs: number
  trees: boolean
  lamps: number
}

const kinds = {
  boulevard: {
    kerb: 5,
    wall: 9.5,
    low: 17,
    high: 21,
    front: 16,
    storey: 3.3,
    walls: ['#d9cbb0', '#cfc0a8', '#e0d4bc', '#c4b49c'],
    signs: 0.3,
    trees: true,
    lamps: 16,
  },
  downtown: {
    kerb: 6,
    wall: 9,
    low: 26,
    high: 70,
    front: 22,
    storey: 3.6,
    walls: ['#7c7a80', '#8e8378', '#6c7480', '#a0927f', '#5c6068'],
    signs: 0.5,
    trees: false,
    lamps: 20,
  },
  neon: {
    kerb: 3.6,
    wall: 5.6,
    low: 12,
    high: 30,
    front: 8,
    storey: 3.2,
    walls: ['#6c6870', '#7c7470', '#5c6068', '#84787c'],
    signs: 1.6,
    trees: false,
    lamps: 18,
  },
  oldTown: {
    kerb: 2.8,
    wall: 4.2,
    low: 8,
    high: 13,
    front: 7.5,
    storey: 3,
    walls: ['#d8a070', '#c8b48c', '#b8746c', '#d8c49c', '#8ca09c', '#c89858', '#a8b48c'],
    signs: 0.5,
    trees: false,
    lamps: 13,
  },
  alley: {
    kerb: 1.5,
    wall: 2.1,
    low: 8,
    high: 14,
    front: 9,
    storey: 3.1,
    walls: ['#a87c5c', '#8c8074', '#b08c68', '#94705c'],
    signs: 0.5,
    trees: false,
    lamps: 7,
  },
} satisfies Record<string, StreetKind>

const signTones = ['#ff4c8c', '#4cd8ff', '#ffd24c', '#a46cff', '#ff7a3c', '#5cf0a0', '#ff3c4c', '#f4f0ff'].map(hex)
const windowTones = ['#ffd890', '#ffb860', '#fff0c8', '#ffc474', '#cfe4ff'].map(hex)
/** Height of the eye in metres, and how far the street goes. */
const eye = 1.75
const farthest = 150
const focalUnits = 0.92

/** Where a point of the street lies: metres from the middle, above the ground and away. */
type Project = (x: number, y: number, z: number) => { x: number; y: number }

/** A street in perspective: fronts on both sides, lamps, signs, and what of it the asphalt mirrors when it is wet. */
export function paintStreet(stage: Stage, subjects: PlacedSubjects): (Painter | undefined)[] {
  const { palette, geometry, horizon, brief } = stage
  const { unit, height } = geometry
  const kind = kindOf(stage)
  const isDark = brief.time === 'night' || brief.time === 'dusk'
  // Neon lights want a mirror.
  const isWet = brief.weather === 'rain' || brief.style === 'neon'
  const mist = createMistTexture(stage)
  const slices = [
    { near: 34, far: farthest, depth: 0.03 },
    { near: 13, far: 34, depth: 0.08 },
    // So near that the walls leave the frame.
    { near: Math.min(3.2, (kind.wall * focalUnits * unit * 1.9) / (geometry.width * overscan)), far: 13, depth: 0.15 },
  ]
  const plan = [-1, 1].flatMap((side) => build(stage, kind, side))
  const air = mixRgb(palette.haze, hex('#e8a070'), isDark ? 0.25 : 0)
  const fronts = slices.map((slice) => paintFronts(stage, { kind, plan, slice, air }))
  const lights = paintLights(stage, kind, isDark ? 1 : 0.2)
  return [
    paintSky(stage, height),
    paintStars(stage),
    paintMoon(stage),
    paintClouds(stage, horizon),
    subjects.sky,
    isDark
      ? paintMist(stage, mist, { top: horizon - unit * 0.34, height: unit * 0.42, gain: 0.4, colour: air, order: 2 })
      : undefined,
    ...fronts.flatMap((front, order) => [
      front.above,
      order === 0 ? paintBloom(stage, height) : undefined,
      order < 2
        ? paintMist(stage, mist, {
            top: horizon - unit * (0.14 + 0.05 * order),
            height: unit * 0.24,
            gain: 0.34 - 0.14 * order,
            colour: air,
            order,
          })
        : undefined,
    ]),
    lights,
    paintWater(stage, {
      rippleFar: 1,
      rippleNear: isWet ? 20 : 6,
      clarityFar: isWet ? 0.82 : 0.3,
      clarityNear: isWet ? 0.5 : 0.08,
      frequency: 1.5,
      tint: mixRgb(scaleRgb(asphalt, isDark ? 0.3 : 0.9), palette.skylight, 0.3),
    }),
    paintRoad(stage, kind, isWet),
    ...fronts.map((front) => front.below),
    paintTraffic(stage, kind, isDark ? 1 : 0.5),
    subjects.floating,
    subjects.ground,
  ]
}

const asphalt: Rgb = hex('#62646a')

function kindOf(stage: Stage): StreetKind {
  const { brief } = stage
  if (brief.settings.has('alley')) return kinds.alley
  if (brief.style === 'neon' || (brief.weather === 'rain' && brief.time === 'night')) return kinds.neon
  const names =
    brief.time === 'night'
      ? (['neon', 'downtown', 'boulevard', 'oldTown'] as const)
      : (['boulevard', 'oldTown', 'downtown'] as const)
  return kinds[stage.pick('street', names)]
}

function projection({ geometry, horizon }: Stage): Project {
  const focal = geometry.unit * focalUnits
  return (x, y, z) => ({ x: geometry.width / 2 + (x / z) * focal, y: horizon + ((eye - y) / z) * focal })
}

interface House {
  side: number
  from: number
  to: number
  tall: number
  wall: Rgb
  seed: number
}

function build(stage: Stage, kind: StreetKind, side: number): House[] {
  const random = stage.random(`houses ${side}`)
  const houses: House[] = []
  for (let from = 0.6; from < farthest;) {
    const to = from + kind.front * (0.7 + 0.6 * random())
    const tall = kind.low + (kind.high - kind.low) * random() ** 1.6
    houses.push({
      side,
      from,
      to,
      tall,
      wall: hex(kind.walls[Math.floor(random() * kind.walls.length)] ?? '#808080'),
      seed: random(),
    })
    from = to
  }
  return houses
}

/** The houses between two distances as one layer, drawn above the horizon and, after the road, below it. */
function paintFronts(
  stage: Stage,
  {
    kind,
    plan,
    slice,
    air,
  }: { kind: StreetKind; plan: readonly House[]; slice: { near: number; far: number; depth: number }; air: Rgb },
): { above: Painter; below: Painter } {
  const { geometry, horizon, compositor } = stage
  const { unit, width, height } = geometry
  const layerWidth = Math.ceil((width * overscan) / 16) * 16
  const scale = Math.max(1, unit / 760)
  const left = (width - layerWidth) / 2
  const top = -unit * 0.06
  const bottom = Math.min(height * 1.06, horizon + (eye / slice.near) * unit * focalUnits + 8)
  const project = projection(stage)
  const layer = compositor.layer(layerWidth / scale, (bottom - top) / scale, (context) => {
    context.scale(1 / scale, 1 / scale)
    context.translate(-left, -top)
    const shown = plan.filter(({ from, to }) => to > slice.near && from < slice.far).toSorted((a, b) => b.from - a.from)
    for (const house of shown) drawFront(stage, context, project, { kind, house, slice, air })
    if (kind.trees) drawTrees(stage, context, project, { kind, slice, air })
    drawLamps(stage, context, project, { kind, slice, air })
    if (kind.wall < 5) drawLines(stage, context, project, { kind, slice, air })
  })
  const at = { x: left, y: top, depth: slice.depth, scale }
  return {
    above: (moment) => stage.drawAt(layer, { ...at, rowEnd: horizon }, moment),
    below: (moment) => stage.drawAt(layer, { ...at, rowFirst: horizon }, moment),
  }
}

/** Four corners of a part of a wall. */
function quad(
  context: SKRSContext2D,
  project: Project,
  x: number,
  [y0, y1]: readonly [number, number],
  [z0, z1]: readonly [number, number],
): void {
  const corners = [project(x, y0, z0), project(x, y1, z0), project(x, y1, z1), project(x, y0, z1)]
  context.beginPath()
  for (const [index, corner] of corners.entries()) {
    if (index === 0) context.moveTo(corner.x, corner.y)
    else context.lineTo(corner.x, corner.y)
  }
  context.closePath()
  context.fill()
}

function drawFront(
  stage: Stage,
  context: SKRSContext2D,
  project: Project,
  { kind, house, slice, air }: { kind: StreetKind; house: House; slice: { near: number; far: number }; air: Rgb },
): void {
  const { palette, brief, sun, geometry } = stage
  const random = stage.random(`front ${house.side} ${house.seed}`)
  const isDark = brief.time === 'night' || brief.time === 'dusk'
  const isSunny = sun.x > geometry.width / 2 !== house.side > 0
  const x = house.side * kind.wall
  const from = Math.max(house.from, slice.near * 0.8)
  const to = Math.min(house.to, slice.far)
  const hazed = (colour: Rgb, z: number): Rgb => mixRgb(colour, air, 0.74 * (1 - Math.exp(-Math.max(0, z - 8) / 60)))
  const share = isSunny ? 1 : 0.28
  const lit = (colour: Rgb): Rgb => [
    Math.min(250, (colour[0] * (palette.sunlight[0] * share + palette.skylight[0] * 0.66)) / 255),
    Math.min(250, (colour[1] * (palette.sunlight[1] * share + palette.skylight[1] * 0.66)) / 255),
    Math.min(250, (colour[2] * (palette.sunlight[2] * share + palette.skylight[2] * 0.66)) / 255),
  ]
  const wall = lit(house.wall)
  const middle = (from + to) / 2
  // The gable end that faces the viewer, where the next house is lower.
  context.fillStyle = css(hazed(scaleRgb(wall, 0.62), house.from))
  const corner = [
    project(x, 0, house.from),
    project(x, house.tall, house.from),
    project(x + house.side * 14, house.tall, house.from),
    project(x + house.side * 14, 0, house.from),
  ]
  if (house.from >= slice.near * 0.8) {
    context.beginPath()
    for (const [index, point] of corner.entries()) {
      if (index === 0) context.moveTo(point.x, point.y)
      else context.lineTo(point.x, point.y)
    }
    context.fill()
  }
  const near = project(x, 0, from)
  const far = project(x, 0, to)
  const fill = context.createLinearGradient(near.x, 0, far.x, 0)
  fill.addColorStop(0, css(hazed(wall, from)))
  fill.addColorStop(1, css(hazed(wall, to)))
  context.fillStyle = fill
  quad(context, project, x, [0, house.tall], [from, to])
  // Darker towards the ground, where less sky is seen.
  const shade = context.createLinearGradient(0, project(x, house.tall * 0.5, middle).y, 0, project(x, 0, middle).y)
  shade.addColorStop(0, css(palette.shade, 0))
  shade.addColorStop(1, css(palette.shade, 0.4))
  context.fillStyle = shade
  quad(context, project, x, [0, house.tall], [from, to])
  context.fillStyle = css(hazed(scaleRgb(wall, 1.16), middle))
  quad(context, project, x * 0.985, [house.tall - 0.5, house.tall + 0.1], [from, to])
  if (kind.storey < 3.5) quad(context, project, x * 0.99, [kind.storey + 0.6, kind.storey + 0.85], [from, to])
  drawCourses(context, project, { x, house, from, to, wall, hazed, random })
  const columns = Math.max(2, Math.round((house.to - house.from) / 2.3))
  const hasShutters = random() < 0.4 && kind.storey < 3.5
  const shutter = lit(hex(['#5c7c6c', '#6c5a80', '#8c5a44', '#4c6480'][Math.floor(random() * 4)] ?? '#5c7c6c'))
  const hasBalconies = random() < 0.4
  const rows = Math.floor((house.tall - kind.storey - 0.8) / kind.storey)
  const burning = { night: 0.5, dusk: 0.36, dawn: 0.1, day: 0.02 }[brief.time]
  const pane = lit(mixRgb(hex('#3a4450'), palette.sky[2] ?? air, 0.35))
  for (let column = 0; column < columns; column++) {
    const z0 = house.from + ((column + 0.22) / columns) * (house.to - house.from)
    const z1 = house.from + ((column + 0.78) / columns) * (house.to - house.from)
    if (z0 < from || z1 > to) continue
    for (let row = 0; row < rows; row++) {
      const y0 = kind.storey * (1 + row) + 1
      const tone = windowTones[Math.floor(random() * windowTones.length)] ?? pane
      const burns = random() < burning
      context.fillStyle = css(hazed(burns ? mixRgb(wall, tone, 0.6 + 0.4 * random()) : scaleRgb(pane, 0.8 + 0.4 * random()), z0))
      quad(context, project, x * 0.996, [y0, y0 + kind.storey * 0.56], [z0, z1])
      const [y1, wide] = [y0 + kind.storey * 0.56, z1 - z0]
      if (z0 > 30) continue
      context.fillStyle = css(hazed(scaleRgb(wall, 1.14), z0))
      quad(context, project, x * 0.992, [y0 - 0.16, y0], [z0 - 0.1, z1 + 0.1])
      quad(context, project, x * 0.994, [y1, y1 + 0.14], [z0 - 0.06, z1 + 0.06])
      context.fillStyle = css(hazed(scaleRgb(wall, 0.8), z0))
      quad(context, project, x * 0.994, [y0, y1], [z0 + wide * 0.47, z0 + wide * 0.53])
      quad(context, project, x * 0.994, [y0 + kind.storey * 0.36, y0 + kind.storey * 0.39], [z0, z1])
      if (hasShutters) {
        context.fillStyle = css(hazed(shutter, z0))
        quad(context, project, x * 0.99, [y0, y1], [z0 - wide * 0.4, z0 - 0.04])
        quad(context, project, x * 0.99, [y0, y1], [z1 + 0.04, z1 + wide * 0.4])
      }
      if (hasBalconies && row % 2 === 0) {
        context.fillStyle = css(hazed(lit(hex('#2c2c30')), z0), 0.85)
        for (let bar = 0; bar <= 7; bar++)
          quad(
            context,
            project,
            x * 0.97,
            [y0 - 0.1, y0 + 0.75],
            [z0 - 0.1 + (bar / 7) * (wide + 0.2), z0 - 0.04 + (bar / 7) * (wide + 0.2)],
          )
        quad(context, project, x * 0.97, [y0 + 0.72, y0 + 0.8], [z0 - 0.1, z1 + 0.16])
      }
    }
  }
  drawShops(stage, context, project, { kind, house, from, to, hazed, lit, random, isDark })
}

/** Courses of stone or brick, some of them darker: what a near wall has and a far one does not show. */
function drawCourses(
  context: SKRSContext2D,
  project: Project,
  {
    x,
    house,
    from,
    to,
    wall,
    hazed,
    random,
  }: {
    x: number
    house: House
    from: number
    to: number
    wall: Rgb
    hazed: (colour: Rgb, z: number) => Rgb
    random: () => number
  },
): void {
  if (from > 20) return
  const end = Math.min(to, 24)
  const top = Math.min(house.tall, 12)
  for (let stone = 0; stone < 150; stone++) {
    const [z, y] = [from + (end - from) * random(), Math.floor((top * random()) / 0.3) * 0.3]
    context.fillStyle = css(hazed(scaleRgb(wall, random() < 0.5 ? 0.88 : 1.08), z), 0.5)
    quad(context, project, x * 0.999, [y + 0.02, y + 0.28], [z, z + (0.2 + 0.3 * random()) * Math.min(1, z / 5)])
  }
  context.strokeStyle = css(hazed(scaleRgb(wall, 0.7), from), 0.35)
  context.lineWidth = 1
  context.beginPath()
  for (let y = 0.3; y < top; y += 0.3) {
    const [a, b] = [project(x * 0.999, y, from), project(x * 0.999, y, end)]
    context.moveTo(a.x, a.y)
    context.lineTo(b.x, b.y)
  }
  context.stroke()
}

function drawShops(
  stage: Stage,
  context: SKRSContext2D,
  project: Project,
  {
    kind,
    house,
    from,
    to,
    hazed,
    lit,
    random,
    isDark,
  }: {
    kind: StreetKind
    house: House
    from: number
    to: number
    hazed: (colour: Rgb, z: number) => Rgb
    lit: (colour: Rgb) => Rgb
    random: () => number
    isDark: boolean
  },
): void {
  const x = house.side * kind.wall
  const accents = stage.brief.colours.length > 0 ? [...stage.brief.colours, ...signTones.slice(0, 3)] : signTones
  const shops = Math.max(1, Math.round((house.to - house.from) / 4.5))
  for (let shop = 0; shop < shops; shop++) {
    const z0 = house.from + ((shop + 0.08) / shops) * (house.to - house.from)
    const z1 = house.from + ((shop + 0.92) / shops) * (house.to - house.from)
    if (z0 < from || z1 > to || (kind.kerb < 2 && random() < 0.7)) continue
    const glows = isDark && random() < 0.75
    const inside = glows ? (windowTones[Math.floor(random() * windowTones.length)] ?? signTones[2]) : undefined
    context.fillStyle = css(hazed(inside ? mixRgb(inside, [255, 250, 235], 0.2) : lit(hex('#39414a')), z0))
    quad(context, project, x * 0.994, [0.3, kind.storey * 0.82], [z0, z1])
    context.fillStyle = css(hazed(lit(hex('#3c3430')), z0))
    for (const share of [0, 0.48, 0.96])
      quad(context, project, x * 0.993, [0.1, kind.storey * 0.84], [z0 + (z1 - z0) * share, z0 + (z1 - z0) * share + 0.12])
    const accent = accents[Math.floor(random() * accents.length)] ?? [255, 255, 255]
    if (random() < 0.55) {
      // An awning over the pavement.
      context.fillStyle = css(hazed(lit(mixRgb(accent, hex('#80604c'), 0.45)), z0))
      const out = x - house.side * 0.9
      const [a, b, c, d] = [
        project(x, kind.storey * 0.98, z0),
        project(x, kind.storey * 0.98, z1),
        project(out, kind.storey * 0.78, z1),
        project(out, kind.storey * 0.78, z0),
      ]
      context.beginPath()
      context.moveTo(a.x, a.y)
      for (const point of [b, c, d]) context.lineTo(point.x, point.y)
      context.fill()
    } else {
      context.fillStyle = css(hazed(isDark && kind.signs > 0.4 ? accent : lit(scaleRgb(accent, 0.6)), z0))
      quad(context, project, x * 0.985, [kind.storey * 0.88, kind.storey * 1.12], [z0, z1])
    }
    for (let sign = random() < kind.signs - 1 ? 2 : 1; sign > 0 && random() < kind.signs; sign--)
      drawSign(context, project, {
        x,
        side: house.side,
        z: z0 + (z1 - z0) * random(),
        y: kind.storey * (1.1 + random() * 1.4),
        accent: accents[Math.floor(random() * accents.length)] ?? accent,
        isDark,
        hazed,
        lit,
        random,
      })
  }
}

/** A tall sign that hangs out over the pavement, facing the viewer. */
function drawSign(
  context: SKRSContext2D,
  project: Project,
  {
    x,
    side,
    z,
    y,
    accent,
    isDark,
    hazed,
    lit,
    random,
  }: {
    x: number
    side: number
    z: number
    y: number
    accent: Rgb
    isDark: boolean
    hazed: (colour: Rgb, z: number) => Rgb
    lit: (colour: Rgb) => Rgb
    random: () => number
  },
): void {
  const [wide, tall] = [0.7 + 0.5 * random(), 1.4 + 2.6 * random()]
  const from = project(x, y, z)
  const to = project(x - side * wide, y + tall, z)
  const [left, right] = [Math.min(from.x, to.x), Math.max(from.x, to.x)]
  if (isDark) {
    const glow = context.createRadialGradient(
      (left + right) / 2,
      (from.y + to.y) / 2,
      0,
      (left + right) / 2,
      (from.y + to.y) / 2,
      (from.y - to.y) * 0.95,
    )
    glow.addColorStop(0, css(hazed(accent, z), 0.4))
    glow.addColorStop(1, css(accent, 0))
    context.fillStyle = glow
    context.fillRect(
      left - (from.y - to.y),
      to.y - (from.y - to.y) * 0.5,
      right - left + 2 * (from.y - to.y),
      (from.y - to.y) * 2,
    )
  }
  context.fillStyle = css(hazed(isDark ? mixRgb(accent, [20, 16, 24], 0.72) : lit(scaleRgb(accent, 0.7)), z))
  context.fillRect(left, to.y, right - left, from.y - to.y)
  context.strokeStyle = css(hazed(isDark ? mixRgb(accent, [255, 255, 255], 0.35) : lit([230, 224, 214]), z))
  context.lineWidth = Math.max(0.8, (right - left) * 0.07)
  context.strokeRect(left, to.y, right - left, from.y - to.y)
  // Marks that read as writing from afar.
  const marks = Math.max(1, Math.round(tall / (wide * 1.05)))
  const size = (right - left) * 0.3
  context.beginPath()
  for (let mark = 0; mark < marks; mark++) {
    const [centreX, centreY] = [(left + right) / 2, to.y + ((mark + 0.5) / marks) * (from.y - to.y)]
    const strokes = 3 + Math.floor(random() * 3)
    for (let stroke = 0; stroke < strokes; stroke++) {
      const isAcross = random() < 0.55
      const [shift, reach] = [(random() * 2 - 1) * size, size * (0.5 + 0.5 * random())]
      const slant = (random() - 0.5) * size * 0.5
      context.moveTo(centreX + (isAcross ? -reach : shift), centreY + (isAcross ? shift : -reach))
      context.lineTo(centreX + (isAcross ? reach : shift + slant), centreY + (isAcross ? shift + slant * 0.4 : reach))
    }
  }
  context.stroke()
}

function drawTrees(
  stage: Stage,
  context: SKRSContext2D,
  project: Project,
  { kind, slice, air }: { kind: StreetKind; slice: { near: number; far: number }; air: Rgb },
): void {
  const { palette, brief, sun, geometry } = stage
  const random = stage.random(`street trees ${slice.near}`)
  const leaf = mixRgb(
    (brief.season ? crowns[brief.season] : undefined) ?? hex('#4c6c30'),
    palette.near,
    0.12 + palette.subjectShade,
  )
  if (brief.without.has('plants') || brief.weather === 'snow') return
  for (let z = Math.floor(slice.far / 9) * 9 + 4; z > Math.max(slice.near, 6); z -= 9) {
    for (const side of [-1, 1]) {
      const foot = project(side * (kind.kerb + 1.1), 0, z)
      const top = project(side * (kind.kerb + 1.1), 7.5, z)
      const haze = 0.7 * (1 - Math.exp(-z / 60))
      const colour = mixRgb(leaf, air, haze)
      drawBroadleaf(context, {
        x: foot.x,
        y: foot.y,
        height: foot.y - top.y,
        colour: scaleRgb(colour, 0.8),
        lit: mixRgb(scaleRgb(colour, 1.2), palette.sunlight, 0.15),
        facing: sun.x > geometry.width / 2 ? 1 : -1,
        random,
      })
    }
  }
}

/** Lines from wall to wall: washing by day, lanterns when it is dark. */
function drawLines(
  stage: Stage,
  context: SKRSContext2D,
  project: Project,
  { kind, slice, air }: { kind: StreetKind; slice: { near: number; far: number }; air: Rgb },
): void {
  const { brief, palette } = stage
  const isDark = brief.time === 'night' || brief.time === 'dusk'
  const random = stage.random(`lines ${slice.far}`)
  const cloths = ['#e8e0d4', '#8cb0c4', '#d88c7c', '#e4c878', '#a4b48c', '#c8a4b8'].map(hex)
  for (const z of [70, 52, 40, 30, 22, 16, 11.5, 8, 6]) {
    if (z < slice.near || z >= slice.far || random() < 0.2) continue
    const y = 4.4 + 1.6 * random()
    const haze = 0.7 * (1 - Math.exp(-z / 60))
    const at = (way: number): { x: number; y: number } => project((way * 2 - 1) * kind.wall, y - 4 * way * (1 - way) * 0.5, z)
    const size = (stage.geometry.unit * focalUnits) / z
    context.strokeStyle = css(mixRgb(palette.near, air, haze))
    context.lineWidth = Math.max(0.7, size * 0.012)
    context.beginPath()
    for (let step = 0; step <= 12; step++) {
      const point = at(step / 12)
      if (step === 0) context.moveTo(point.x, point.y)
      else context.lineTo(point.x, point.y)
    }
    context.stroke()
    const count = Math.round(kind.wall * 2.4)
    for (let index = 1; index < count; index++) {
      const point = at(index / count)
      if (isDark) {
        const tone = brief.colours[0] ?? hex(index % 3 === 0 ? '#ffd070' : '#ff6a3c')
        const glow = context.createRadialGradient(point.x, point.y + size * 0.16, 0, point.x, point.y + size * 0.16, size * 0.7)
        glow.addColorStop(0, css(mixRgb(tone, air, haze), 0.5))
        glow.addColorStop(1, css(tone, 0))
        context.fillStyle = glow
        context.fillRect(point.x - size, point.y - size, size * 2, size * 2)
        context.fillStyle = css(mixRgb(mixRgb(tone, [255, 250, 220], 0.3), air, haze))
        context.beginPath()
        context.ellipse(point.x, point.y + size * 0.16, size * 0.12, size * 0.14, 0, 0, Math.PI * 2)
        context.fill()
      } else if (random() < 0.75) {
        const cloth = mixRgb(cloths[Math.floor(random() * cloths.length)] ?? air, palette.skylight, 0.3)
        const [wide, tall] = [size * (0.3 + 0.2 * random()), size * (0.4 + 0.35 * random())]
        context.fillStyle = css(mixRgb(cloth, air, haze))
        context.beginPath()
        context.moveTo(point.x - wide / 2, point.y)
        context.lineTo(point.x + wide / 2, point.y)
        context.quadraticCurveTo(point.x + wide * 0.42, point.y + tall * 0.6, point.x + wide * 0.5, point.y + tall)
        context.lineTo(point.x - wide * 0.46, point.y + tall * 0.96)
        context.fill()
      }
    }
  }
}

const lampHeight = 5

function lampsOf(kind: StreetKind, slice: { near: number; far: number }): { side: number; z: number }[] {
  const lamps: { side: number; z: number }[] = []
  for (let z = farthest - (farthest % kind.lamps); z > Math.max(slice.near, 5); z -= kind.lamps) {
    if (z < slice.far) lamps.push({ side: (z / kind.lamps) % 2 === 0 ? -1 : 1, z })
  }
  return lamps
}

function drawLamps(
  stage: Stage,
  context: SKRSContext2D,
  project: Project,
  { kind, slice, air }: { kind: StreetKind; slice: { near: number; far: number }; air: Rgb },
): void {
  for (const { side, z } of lampsOf(kind, slice)) {
    const at = side * (kind.kerb + 0.5)
    const [foot, top, head] = [project(at, 0, z), project(at, lampHeight, z), project(at - side * 0.7, lampHeight + 0.1, z)]
    context.strokeStyle = css(mixRgb(scaleRgb(stage.palette.near, 0.9), air, 0.6 * (1 - Math.exp(-z / 60))))
    context.lineWidth = Math.max(1, (foot.y - top.y) * 0.022)
    context.beginPath()
    context.moveTo(foot.x, foot.y)
    context.lineTo(top.x, top.y)
    context.lineTo(head.x, head.y)
    context.stroke()
  }
}

/** The asphalt's own marks: kerbs, lines and a crossing, over what it mirrors. */
function paintRoad(stage: Stage, kind: StreetKind, isWet: boolean): Painter {
  const { geometry, horizon, compositor, palette, brief } = stage
  const { width, height, unit } = geometry
  const layerWidth = Math.ceil((width * overscan) / 16) * 16
  const left = (width - layerWidth) / 2
  const project = projection(stage)
  const light = (colour: Rgb): Rgb =>
    mixRgb(scaleRgb(colour, brief.time === 'night' ? 0.34 : brief.time === 'dusk' ? 0.6 : 0.95), palette.skylight, 0.25)
  const nearest = 2.4
  const flat = (context: SKRSContext2D, x0: number, x1: number, z0: number, z1: number): void => {
    const corners = [project(x0, 0, z0), project(x1, 0, z0), project(x1, 0, z1), project(x0, 0, z1)]
    context.beginPath()
    for (const [index, corner] of corners.entries()) {
      if (index === 0) context.moveTo(corner.x, corner.y)
      else context.lineTo(corner.x, corner.y)
    }
    context.fill()
  }
  const layer = compositor.layer(layerWidth, height * 1.06 - horizon, (context) => {
    context.translate(-left, -horizon)
    const opacity = isWet ? 0.3 : 0.82
    const pavement = light(hex(stage.pick('pavement', ['#8c8880', '#7c7c80', '#948878'])))
    for (const side of [-1, 1]) {
      context.fillStyle = css(pavement, isWet ? 0.45 : 0.94)
      flat(context, side * kind.kerb, side * (kind.wall + 6), nearest, farthest)
      context.fillStyle = css(scaleRgb(pavement, 0.66), 0.8)
      flat(context, side * kind.kerb, side * (kind.kerb + 0.16), nearest, farthest)
      context.strokeStyle = css(scaleRgb(pavement, 0.7), 0.5)
      context.lineWidth = Math.max(0.8, unit * 0.001)
      context.beginPath()
      for (let z = 3; z < 60; z *= 1.16) {
        const [from, to] = [project(side * (kind.kerb + 0.2), 0, z), project(side * (kind.wall + 4), 0, z)]
        context.moveTo(from.x, from.y)
        context.lineTo(to.x, to.y)
      }
      context.stroke()
    }
    const fade = context.createLinearGradient(0, horizon, 0, height)
    fade.addColorStop(0, css(light(asphalt), opacity * 0.5))
    fade.addColorStop(1, css(scaleRgb(light(asphalt), 0.8), opacity))
    context.fillStyle = fade
    flat(context, -kind.kerb, kind.kerb, nearest, farthest)
    if (kind.kerb < 2) return
    context.fillStyle = css(light([236, 232, 220]), isWet ? 0.5 : 0.75)
    for (let z = 3.4; z < 110; z += 6) flat(context, -0.08, 0.08, z, z + 3)
    if (stage.pick('crossing', [true, false]))
      for (let x = -kind.kerb + 0.5; x < kind.kerb - 0.4; x += 1.1) flat(context, x, x + 0.55, 7, 10)
  })
  return (moment) => stage.drawAt(layer, { x: left, y: horizon, depth: 0.1, rowEnd: height }, moment)
}

/** Lamps that glow. */
function paintLights(stage: Stage, kind: StreetKind, strength: number): Painter | undefined {
  if (strength < 0.5) return undefined
  const { compositor, geometry } = stage
  const project = projection(stage)
  const warm = lightYuv(hex('#ffb45c'))
  const lamps = lampsOf(kind, { near: 3, far: farthest }).map(({ side, z }) => ({
    head: project(side * (kind.kerb - 0.2), lampHeight, z),
    z,
  }))
  return (moment) => {
    for (const { head, z } of lamps) {
      const at = stage.project(head.x, head.y, 0.03 + 0.12 / (1 + z / 14), moment)
      const size = (geometry.unit * focalUnits) / z
      const near = Math.exp(-z / 90) * strength
      const spread = Math.min(geometry.unit * 0.2, size * (kind.kerb < 2 ? 2.4 : 1.5))
      compositor.addSpot(at.x, at.y, spread, [warm[0] * 0.32 * near, warm[1] * 0.32 * near, warm[2] * 0.32 * near])
      compositor.addSpot(at.x, at.y, Math.max(1.4, size * 0.2), [warm[0] * near, warm[1] * near, warm[2] * near])
    }
  }
}

/** Head lamps that come nearer on one side, tail lamps that go away on the other, with their streaks on the road. */
function paintTraffic(stage: Stage, kind: StreetKind, strength: number): Painter | undefined {
  if (kind.kerb < 3 || strength < 0.6) return undefined
  const { compositor, geometry } = stage
  const project = projection(stage)
  const random = stage.random('street traffic')
  const [head, tail] = [lightYuv(hex('#fff0d0')), lightYuv(hex('#ff3020'))]
  const cars = Array.from({ length: 9 }, (_, index) => ({
    phase: random(),
    side: index % 2 ? 1 : -1,
    pace: 0.05 + 0.03 * random(),
  }))
  return (moment) => {
    for (const { phase, side, pace } of cars) {
      const way = (phase + moment.seconds * pace) % 1
      const z = side < 0 ? 120 - 104 * way : 18 + 104 * way
      const size = (geometry.unit * focalUnits) / z
      const light = side < 0 ? head : tail
      const near = Math.min(1, way * 6, (1 - way) * 6) * strength
      for (const lamp of [-0.6, 0.6]) {
        const point = project(side * kind.kerb * 0.42 + lamp, 0.65, z)
        const at = stage.project(point.x, point.y, 0.06, moment)
        const ground = stage.project(point.x, project(0, 0, z).y, 0.06, moment)
        compositor.addSpot(at.x, at.y, Math.max(1.3, size * 0.3), [light[0] * near, light[1] * near, light[2] * near])
        for (const fall of [0.3, 0.7, 1.2]) {
          const dim = near * 0.16
          compositor.addSpot(ground.x, ground.y + size * fall, Math.max(1.4, size * 0.34), [
            light[0] * dim,
            light[1] * dim,
            light[2] * dim,
          ])
        }
      }
    }
  }
}
