import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, hex, mixRgb, scaleRgb, type Rgb } from '../../picture/color.ts'
import type { Random } from '../../picture/random.ts'
import { drawFoliage, drawNeedles } from './foliage.ts'
import type { ForestKind, ForestLook } from '../forest/forest-look.ts'
import type { Sprites } from '../forest/sprites.ts'

/** Position of a tree's foot. */
export interface Tree {
  x: number
  y: number
  /** Pixels per meter at the foot. */
  meter: number
  /** Distance in meters. */
  z: number
}

/** Form of a kind of tree. Lengths are in meters. */
interface Habit {
  /** Range of the trunk's diameter. */
  diameter: readonly [number, number]
  /** Range of the height. */
  height: readonly [number, number]
  /** Height at which boughs begin. */
  boughsFrom: number
  boughCount: number
  boughLength: number
  /** Rise of a bough per unit of its length. */
  rise: number
  /** Size of a leaf. */
  leaf: number
  /** Radius of a mass of leaves. */
  mass: number
  /** Widening of the trunk at the ground, as a share of its diameter. */
  flare: number
}

const habits: Record<ForestKind, Habit> = {
  beeches: {
    diameter: [0.42, 0.95],
    height: [16, 24],
    boughsFrom: 3.6,
    boughCount: 9,
    boughLength: 3,
    rise: 0.55,
    leaf: 0.13,
    mass: 0.85,
    flare: 0.9,
  },
  conifers: {
    diameter: [0.34, 0.66],
    height: [16, 26],
    boughsFrom: 1.7,
    boughCount: 30,
    boughLength: 2.3,
    rise: -0.32,
    leaf: 0.1,
    mass: 0.5,
    flare: 0.5,
  },
  birches: {
    diameter: [0.2, 0.36],
    height: [12, 18],
    boughsFrom: 3.4,
    boughCount: 9,
    boughLength: 1.8,
    rise: 0.7,
    leaf: 0.085,
    mass: 0.7,
    flare: 0.4,
  },
  bamboo: {
    diameter: [0.11, 0.17],
    height: [13, 19],
    boughsFrom: 3.2,
    boughCount: 7,
    boughLength: 1.3,
    rise: 0.25,
    leaf: 0.17,
    mass: 0.62,
    flare: 0,
  },
  jungle: {
    diameter: [0.4, 1.3],
    height: [18, 28],
    boughsFrom: 4.2,
    boughCount: 8,
    boughLength: 3.2,
    rise: 0.35,
    leaf: 0.26,
    mass: 1.1,
    flare: 1.9,
  },
  redwoods: {
    diameter: [1.5, 3],
    height: [50, 60],
    boughsFrom: 6,
    boughCount: 12,
    boughLength: 2.6,
    rise: -0.1,
    leaf: 0.1,
    mass: 0.7,
    flare: 0.6,
  },
}

/** Distance in meters up to which bark, lianas and all boughs are drawn. */
const detailDistance = 22

export function drawTree(context: SKRSContext2D, sprites: Sprites, tree: Tree, look: ForestLook, random: Random): void {
  const habit = habits[look.kind]
  const randomBetween = ([min, max]: readonly [number, number]): number => min + (max - min) * random()
  const diameter = randomBetween(habit.diameter) * tree.meter
  const height = Math.min(randomBetween(habit.height) * tree.meter, tree.y + tree.meter * 2)
  const lean = (random() - 0.5) * (look.kind === 'bamboo' ? 0.16 : 0.07)
  const stemXAt = (elevation: number): number =>
    tree.x + lean * elevation + lean * elevation * (elevation / (14 * tree.meter)) * (look.kind === 'bamboo' ? 1.6 : 0.4)
  if (look.kind === 'bamboo') drawCulm(context, tree, look, { diameter, height, stemXAt })
  else drawTrunk(context, tree, look, { diameter, height, stemXAt, flare: habit.flare }, random)
  drawBoughs(context, sprites, tree, look, habit, { diameter, height, stemXAt }, random)
  if (look.kind === 'jungle' && tree.z < detailDistance) drawLianas(context, tree, look, { height, stemXAt }, random)
}

interface Stem {
  diameter: number
  height: number
  /** Returns the horizontal position of the stem at a height above the foot, in pixels. */
  stemXAt: (elevation: number) => number
}

function traceStem(
  context: SKRSContext2D,
  { y, meter }: Tree,
  { diameter, height, stemXAt, flare }: Stem & { flare: number },
): void {
  const steps = 14
  const halfWidthAt = (elevation: number): number =>
    diameter * 0.5 * (1 - 0.45 * (elevation / (20 * meter))) * (1 + flare * Math.exp((-elevation / meter) * 2.6))
  context.beginPath()
  for (let step = 0; step <= steps; step++) {
    const elevation = height * (step / steps) ** 1.8
    if (step === 0) context.moveTo(stemXAt(elevation) - halfWidthAt(elevation), y)
    else context.lineTo(stemXAt(elevation) - halfWidthAt(elevation), y - elevation)
  }
  for (let step = steps; step >= 0; step--) {
    const elevation = height * (step / steps) ** 1.8
    context.lineTo(stemXAt(elevation) + halfWidthAt(elevation), y - elevation)
  }
  context.closePath()
}

function drawTrunk(context: SKRSContext2D, tree: Tree, look: ForestLook, stem: Stem & { flare: number }, random: Random): void {
  const { x, y, meter, z } = tree
  const { diameter, height, stemXAt, flare } = stem
  const width = diameter * (0.6 + 0.3 * flare)
  traceStem(context, tree, stem)
  const side = look.facing
  const fill = context.createLinearGradient(x - width * side, 0, x + width * side, 0)
  fill.addColorStop(0, css(look.tone(scaleRgb(look.bark, 0.5), 0.05, z)))
  fill.addColorStop(0.55, css(look.tone(scaleRgb(look.bark, 0.85), 0.22, z)))
  fill.addColorStop(0.86, css(look.tone(look.bark, 0.7, z)))
  fill.addColorStop(1, css(look.tone(scaleRgb(look.bark, 0.9), 0.5, z)))
  context.fillStyle = fill
  context.fill()
  if (diameter < 5 || z > detailDistance) return
  context.save()
  context.clip()
  const isBirch = look.kind === 'birches'
  const markCount = Math.round(Math.min(60, diameter * (isBirch ? 0.7 : 0.6) + 10))
  for (let mark = 0; mark < markCount; mark++) {
    const elevation = random() ** 1.2 * Math.min(height, meter * 12)
    const barkOffset = (random() - 0.5) * diameter * (1 + flare * Math.exp((-elevation / meter) * 2.6))
    const markX = stemXAt(elevation) + barkOffset
    const isDark = random() < 0.6
    context.strokeStyle = css(
      look.tone(isBirch ? hex('#2c2a2a') : scaleRgb(look.bark, isDark ? 0.42 : 1.3), isDark ? 0.1 : 0.5, z),
      isBirch ? 0.75 : 0.32,
    )
    context.lineWidth = Math.max(0.7, diameter * (isBirch ? 0.035 : 0.022) * (0.5 + random()))
    context.beginPath()
    if (isBirch) {
      const reach = diameter * (0.1 + 0.3 * random() ** 2)
      context.moveTo(markX - reach, y - elevation)
      context.quadraticCurveTo(markX, y - elevation + diameter * 0.03, markX + reach, y - elevation - diameter * 0.02)
    } else {
      const length = meter * (0.3 + 1.1 * random()) * (look.kind === 'redwoods' ? 2 : 1)
      const sway = diameter * 0.03
      context.moveTo(markX, y - elevation)
      context.bezierCurveTo(
        markX + sway,
        y - elevation - length * 0.3,
        markX - sway,
        y - elevation - length * 0.6,
        markX * 0.98 + stemXAt(elevation + length) * 0.02,
        y - elevation - length,
      )
    }
    context.stroke()
  }
  const moss = context.createLinearGradient(0, y - meter * 1.3, 0, y)
  const tone = look.isWinter ? look.snow : hex('#5f7a30')
  moss.addColorStop(0, css(look.tone(tone, 0.3, z), 0))
  moss.addColorStop(1, css(look.tone(tone, 0.35, z), look.isWinter ? 0.7 : 0.55))
  context.fillStyle = moss
  context.fillRect(x - width * 2, y - meter * 1.3, width * 4, meter * 1.3)
  if (look.isWinter) {
    // Snow that the wind has blown against one side.
    context.strokeStyle = css(look.tone(look.snow, 0.6, z), 0.7)
    context.lineWidth = diameter * 0.14
    context.beginPath()
    context.moveTo(stemXAt(0) - look.facing * diameter * 0.46, y)
    context.lineTo(stemXAt(height) - look.facing * diameter * 0.3, y - height)
    context.stroke()
  }
  context.restore()
}

/** Draws a bamboo stem with rings. */
function drawCulm(context: SKRSContext2D, tree: Tree, look: ForestLook, { diameter, height, stemXAt }: Stem): void {
  const { y, meter, z } = tree
  const joint = meter * 0.62
  for (let elevation = 0; elevation < height; elevation += joint) {
    const [from, to] = [stemXAt(elevation), stemXAt(Math.min(height, elevation + joint))]
    const fill = context.createLinearGradient(from - diameter * 0.5 * look.facing, 0, from + diameter * 0.5 * look.facing, 0)
    fill.addColorStop(0, css(look.tone(scaleRgb(look.bark, 0.45), 0.1, z)))
    fill.addColorStop(0.6, css(look.tone(look.bark, 0.45, z)))
    fill.addColorStop(1, css(look.tone(mixRgb(look.bark, [240, 240, 180], 0.3), 0.8, z)))
    context.fillStyle = fill
    context.beginPath()
    context.moveTo(from - diameter * 0.5, y - elevation)
    context.lineTo(to - diameter * 0.47, y - elevation - joint * 0.98)
    context.lineTo(to + diameter * 0.47, y - elevation - joint * 0.98)
    context.lineTo(from + diameter * 0.5, y - elevation)
    context.fill()
    if (diameter < 3) continue
    context.fillStyle = css(look.tone(scaleRgb(look.bark, 0.4), 0.2, z))
    context.fillRect(to - diameter * 0.56, y - elevation - joint, diameter * 1.12, Math.max(1, diameter * 0.1))
    context.fillStyle = css(look.tone(mixRgb(look.bark, [250, 250, 230], 0.5), 0.5, z), 0.6)
    context.fillRect(to - diameter * 0.5, y - elevation - joint + diameter * 0.12, diameter, Math.max(0.8, diameter * 0.14))
  }
}

function drawBoughs(
  context: SKRSContext2D,
  sprites: Sprites,
  tree: Tree,
  look: ForestLook,
  habit: Habit,
  { diameter, height, stemXAt }: Stem,
  random: Random,
): void {
  const { y, meter, z } = tree
  const count = Math.round(habit.boughCount * (z > detailDistance ? 0.8 : 1))
  const snow = look.isWinter ? look.tone(look.snow, 0.7, z) : undefined
  context.lineCap = 'round'
  for (let bough = 0; bough < count; bough++) {
    // Boughs are drawn from the top down, because lower boughs hang in front of upper boughs.
    const elevation = habit.boughsFrom * meter + (height - habit.boughsFrom * meter) * (1 - (bough + random()) / count)
    if (y - elevation < -meter * 1.5 || elevation <= 0) continue
    const side = bough % 2 ? 1 : -1
    const reach =
      habit.boughLength *
      meter *
      (0.5 + 0.6 * random()) *
      (look.kind === 'conifers' ? 1 - 0.75 * (elevation / Math.max(height, 16 * meter)) : 1)
    const root = { x: stemXAt(elevation), y: y - elevation }
    const tip = { x: root.x + side * reach, y: root.y - reach * habit.rise * (0.7 + 0.6 * random()) }
    const bend = { x: root.x + side * reach * 0.5, y: (root.y + tip.y) / 2 - reach * (habit.rise > 0 ? -0.06 : 0.12) }
    const thickness = Math.max(0.8, Math.min(diameter * 0.3, meter * 0.12))
    context.strokeStyle = css(look.tone(scaleRgb(look.bark, look.kind === 'birches' ? 0.35 : 0.7), 0.2, z))
    context.lineWidth = thickness
    context.beginPath()
    context.moveTo(root.x, root.y)
    context.quadraticCurveTo(bend.x, bend.y, tip.x, tip.y)
    context.stroke()
    if (!look.isLeafy) {
      drawTwigs(context, { root, tip, thickness, snow, tone: look.tone(scaleRgb(look.bark, 0.6), 0.2, z) }, random)
      continue
    }
    if (look.kind === 'conifers' || look.kind === 'redwoods') {
      const slope = Math.atan2(tip.y - root.y, reach)
      drawNeedles(context, sprites, look, { x: root.x, y: root.y, reach, slope, side, z }, random)
      continue
    }
    const massCount = z < detailDistance ? 2 : 1
    for (let mass = 0; mass < massCount; mass++) {
      const lengthShare = 0.42 + (0.66 * (mass + random())) / massCount
      const radius = habit.mass * meter * (0.8 + 0.5 * random())
      const position = {
        x: root.x + (tip.x - root.x) * lengthShare,
        y: root.y + (tip.y - root.y) * lengthShare + (random() - 0.5) * radius * 0.6,
      }
      if (position.y > -radius)
        drawFoliage(context, sprites, look, { ...position, radius, leafShare: habit.leaf / habit.mass, z }, random)
    }
  }
}

interface Point {
  x: number
  y: number
}

/** Draws the bare twigs of a bough. If `snow` is set, a line of snow lies on bough and twigs. */
function drawTwigs(
  context: SKRSContext2D,
  { root, tip, thickness, snow, tone }: { root: Point; tip: Point; thickness: number; snow: Rgb | undefined; tone: Rgb },
  random: Random,
): void {
  const [dx, dy] = [tip.x - root.x, tip.y - root.y]
  for (let twig = 0; twig < 7; twig++) {
    const pathShare = 0.25 + 0.7 * random()
    const from = { x: root.x + dx * pathShare, y: root.y + dy * pathShare }
    const turn = (random() - 0.5) * 1.7
    const length = (0.2 + 0.35 * random()) * (1.1 - pathShare * 0.6)
    const to = {
      x: from.x + (dx * Math.cos(turn) - dy * Math.sin(turn)) * length,
      y: from.y + (dx * Math.sin(turn) + dy * Math.cos(turn)) * length - Math.abs(dx) * 0.06,
    }
    for (const [color, width, lift] of [
      [tone, thickness * 0.45, 0],
      [snow, thickness * 0.36, -thickness * 0.34],
    ] as const) {
      if (!color) continue
      context.strokeStyle = css(color)
      context.lineWidth = Math.max(0.6, width)
      context.beginPath()
      context.moveTo(from.x, from.y + lift)
      context.lineTo(to.x, to.y + lift)
      context.stroke()
    }
  }
  if (!snow) return
  context.strokeStyle = css(snow)
  context.lineWidth = Math.max(0.8, thickness * 0.5)
  context.beginPath()
  context.moveTo(root.x + dx * 0.1, root.y + dy * 0.1 - thickness * 0.45)
  context.lineTo(tip.x, tip.y - thickness * 0.3)
  context.stroke()
}

function drawLianas(
  context: SKRSContext2D,
  { y, meter, z }: Tree,
  look: ForestLook,
  { height, stemXAt }: { height: number; stemXAt: (elevation: number) => number },
  random: Random,
): void {
  context.strokeStyle = css(look.tone(mixRgb(look.leaf, look.bark, 0.5), 0.15, z))
  for (let liana = 0; liana < 2; liana++) {
    const [from, to] = [height * (0.5 + 0.5 * random()), height * (0.4 + 0.5 * random())]
    const side = random() < 0.5 ? -1 : 1
    context.lineWidth = Math.max(0.8, meter * 0.05)
    context.beginPath()
    context.moveTo(stemXAt(from), y - from)
    context.quadraticCurveTo(
      stemXAt(from) + side * meter * 1.2,
      y - from * 0.35,
      stemXAt(to) + side * meter * (1.6 + 1.4 * random()),
      y - to,
    )
    context.stroke()
  }
}
