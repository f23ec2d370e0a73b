import type { SKRSContext2D } from '@napi-rs/canvas'
import { mix, smoothstep } from '../../../picture/curves.ts'
import type { Random } from '../../../picture/random.ts'
import type { Stage } from '../../stage.ts'
import type { Sheet, SheetSpace } from './sheet.ts'

/**
 * Returns the height in units above the foot at a distance in units from the middle of the frame.
 */
export type Crest = (centerOffset: number) => number

type Trace = Sheet['trace']

/**
 * Returns a function that traces the ground below a crest. `foot` is in pixels below the sheet's
 * top.
 */
export function traceGround({ geometry }: Stage, crest: Crest, foot: number): Trace {
  return (context, { width, height, unitsFromMiddle }) => {
    context.moveTo(0, height + 4)
    for (let x = 0; x <= width; x += 2) context.lineTo(x, foot - crest(unitsFromMiddle(x)) * geometry.unit)
    context.lineTo(width, height + 4)
    context.closePath()
  }
}

/** Sharp folded peaks: straight lines between random points. Most sides have a fold. */
export function peakCrest(random: Random, relief: number, spread: number): Crest {
  const points: { position: number; height: number }[] = []
  for (let position = -1.6, isHigh = true; position < 1.6; isHigh = !isHigh) {
    points.push({ position, height: relief * (isHigh ? 0.55 + 0.45 * random() : 0.08 + 0.3 * random()) })
    const step = spread * (0.3 + 0.5 * random())
    if (random() < 0.7)
      points.push({ position: position + step * (0.35 + 0.2 * random()), height: relief * (0.3 + 0.25 * random()) })
    position += step
  }
  return (centerOffset) => {
    const next = points.findIndex(({ position }) => position > centerOffset)
    const [from, to] = [points[next - 1] ?? points[0], points[next] ?? points.at(-1)]
    if (!from || !to) return 0
    return mix(
      from.height,
      to.height,
      to.position > from.position ? (centerOffset - from.position) / (to.position - from.position) : 0,
    )
  }
}

/** Long round hills: the sum of a few waves. */
export function hillCrest(random: Random, relief: number, frequency: number): Crest {
  const waves = [1, 1.7, 2.9].map((factor, order) => ({
    pace: frequency * factor * 3.1 * (0.85 + 0.3 * random()),
    phase: random() * 6.28,
    share: [0.6, 0.28, 0.12][order] ?? 0,
  }))
  return (centerOffset) =>
    relief * (0.5 + 0.5 * waves.reduce((sum, { pace, phase, share }) => sum + share * Math.sin(centerOffset * pace + phase), 0))
}

/** Dunes with a long rise, a short fall and a sharp crest. */
export function duneCrest(random: Random, relief: number, length: number): Crest {
  const shift = random() * 9
  const heights = Array.from({ length: 16 }, () => 0.45 + 0.55 * random())
  return (centerOffset) => {
    const position = centerOffset / length + shift
    const index = Math.floor(position)
    const share = position - index
    const rise = share < 0.68 ? smoothstep(0, 1, share / 0.68) ** 1.3 : 1 - smoothstep(0, 1, (share - 0.68) / 0.32)
    const [heightHere, next] = [heights[index & 15] ?? 1, heights[(index + 1) & 15] ?? 1]
    return relief * rise * mix(heightHere, next, share * 0.3)
  }
}

/** Scalloped waves. */
export function waveCrest(random: Random, relief: number, length: number): Crest {
  const phase = random() * 3
  return (centerOffset) => relief * (1 - Math.abs(Math.sin((centerOffset / length + phase) * Math.PI)) ** 0.8)
}

/** A row of houses and towers as one crest. */
export function towerCrest(random: Random, relief: number, buildingWidth: number): Crest {
  const blocks: { end: number; height: number; roof: number }[] = []
  for (let position = -1.6; position < 1.6;) {
    const width = buildingWidth * (0.6 + 0.8 * random())
    position += width
    blocks.push({ end: position, height: relief * (0.22 + 0.78 * random() ** 1.3), roof: random() < 0.25 ? width * 0.5 : 0 })
  }
  return (centerOffset) => {
    const index = blocks.findIndex(({ end }) => end > centerOffset)
    const block = blocks[index] ?? blocks[0]
    const from = blocks[index - 1]?.end ?? -1.6
    if (!block) return 0
    const share = (centerOffset - from) / Math.max(0.001, block.end - from)
    return block.height + block.roof * (1 - Math.abs(share - 0.5) * 2)
  }
}

/** Gabled houses with gaps between them. */
export function cottageCrest(random: Random, relief: number, houseWidth: number): Crest {
  const plots: { from: number; to: number; height: number }[] = []
  for (let position = -1.6; position < 1.6;) {
    const width = houseWidth * (0.8 + 0.5 * random())
    plots.push({ from: position, to: position + width, height: relief * (0.4 + 0.25 * random()) })
    position += width * (1.1 + (random() < 0.3 ? 0.9 : 0))
  }
  return (centerOffset) => {
    const plot = plots.find(({ from, to }) => centerOffset >= from && centerOffset < to)
    if (!plot) return 0
    const share = (centerOffset - plot.from) / (plot.to - plot.from)
    return plot.height + relief * 0.4 * (1 - Math.abs(share - 0.5) * 2)
  }
}

/** Two rows of houses seen along the street between them, rising to both sides. */
export function facadeCrest(random: Random, { position, rise, gap }: { position: number; rise: number; gap: number }): Crest {
  const steps = Array.from({ length: 32 }, () => 0.85 + 0.3 * random())
  return (centerOffset) => {
    const sideDistance = Math.abs(centerOffset - position) - gap
    if (sideDistance < 0) return 0.004
    const house = Math.floor(Math.log2(1 + sideDistance * 9) * 2.4) * 2 + (centerOffset < position ? 1 : 0)
    return (gap + sideDistance) * rise * (steps[house % steps.length] ?? 1)
  }
}

/** Arguments for tracing the objects that stand on a crest, as part of its outline. */
export interface Standing extends SheetSpace {
  crest: Crest
  /** Foot of the crest, in pixels below the sheet's top. */
  foot: number
  unit: number
  /** Height of the tallest object, in pixels. */
  heightMax: number
  spacing: number
  random: Random
}

function forEachObject(
  { crest, foot, unit, heightMax, spacing, random, width, unitsFromMiddle }: Standing,
  draw: (x: number, y: number, height: number) => void,
): void {
  for (let x = spacing * random(); x < width; x += spacing * (0.5 + random())) {
    draw(x, foot - crest(unitsFromMiddle(x)) * unit, heightMax * (0.55 + 0.45 * random()))
  }
}

/** Traces trees of three tiers. */
export function traceFirs(context: SKRSContext2D, standing: Standing): void {
  forEachObject(standing, (x, y, height) => {
    for (const [from, to, width] of [
      [0.06, 0.5, 0.24],
      [0.34, 0.76, 0.18],
      [0.6, 1, 0.12],
    ] as const) {
      context.moveTo(x - height * width, y - height * from)
      context.lineTo(x, y - height * to)
      context.lineTo(x + height * width, y - height * from)
      context.closePath()
    }
    context.rect(x - height * 0.025, y - height * 0.1, height * 0.05, height * 0.14)
  })
}

/** Traces trees with round crowns. */
export function traceRoundTrees(context: SKRSContext2D, standing: Standing): void {
  forEachObject(standing, (x, y, height) => {
    context.moveTo(x + height * 0.3, y - height * 0.66)
    context.ellipse(x, y - height * 0.66, height * 0.3, height * 0.34, 0, 0, Math.PI * 2)
    context.rect(x - height * 0.03, y - height * 0.4, height * 0.06, height * 0.44)
  })
}

/**
 * Traces trunks that extend beyond the top of the frame. No trunk grows where the crest is below
 * its foot.
 */
export function traceTrunks(context: SKRSContext2D, standing: Standing): void {
  forEachObject(standing, (x, y, height) => {
    if (y > standing.foot) return
    const width = height * 0.035
    context.moveTo(x - width * 1.6, y + 6)
    context.lineTo(x - width, -20)
    context.lineTo(x + width, -20)
    context.lineTo(x + width * 1.6, y + 6)
    context.closePath()
  })
}

/** Traces stems with pairs of leaves, tall at both ends of the sheet and low in the middle. */
export function traceFronds(context: SKRSContext2D, standing: Standing): void {
  forEachObject(standing, (x, y, height) => {
    const sideDistance = standing.unitsFromMiddle(x)
    const size = height * Math.min(1, 0.16 + (Math.abs(sideDistance) / 0.85) ** 2.4)
    const lean = -Math.sign(sideDistance) * size * 0.35 * standing.random()
    context.moveTo(x - size * 0.014, y + 4)
    context.quadraticCurveTo(x, y - size * 0.6, x + lean, y - size)
    context.quadraticCurveTo(x + size * 0.02, y - size * 0.6, x + size * 0.014, y + 4)
    context.closePath()
    for (let pair = 1; pair <= 6; pair++) {
      const pairShare = pair / 6.4
      const [px, py] = [x + lean * pairShare * pairShare, y - size * pairShare]
      for (const side of [-1, 1]) {
        const reach = size * 0.19 * (1.15 - pairShare * 0.75)
        context.moveTo(px, py)
        context.quadraticCurveTo(px + side * reach * 0.5, py - reach * 0.75, px + side * reach, py - reach * 0.62)
        context.quadraticCurveTo(px + side * reach * 0.62, py + reach * 0.04, px, py)
        context.closePath()
      }
    }
  })
}

/** Traces blades of weed that wind upward. */
export function traceWeed(context: SKRSContext2D, standing: Standing): void {
  forEachObject(standing, (x, y, height) => {
    const sway = height * 0.12 * (standing.random() - 0.5)
    const width = height * 0.05
    context.moveTo(x - width, y + 6)
    context.bezierCurveTo(x - width + sway * 3, y - height * 0.35, x - width - sway * 3, y - height * 0.65, x + sway, y - height)
    context.bezierCurveTo(x + width - sway * 3, y - height * 0.65, x + width + sway * 3, y - height * 0.35, x + width, y + 6)
    context.closePath()
  })
}

/** One mountain with a notch in its top. */
export function volcanoCrest(random: Random, relief: number, width: number): Crest {
  const position = (random() - 0.5) * 0.4
  return (centerOffset) => {
    const sideDistance = Math.abs(centerOffset - position) / width
    const side = relief * Math.max(0, 1 - sideDistance) ** 1.5
    const mouth = relief * (0.7 + 0.04 * Math.cos(sideDistance * 60))
    return Math.min(side, mouth) - 0.01
  }
}

/** Walls to the left and right of a gap. The middle of the gap is at `position`. */
export function gorgeCrest(random: Random, relief: number, { position, gap }: { position: number; gap: number }): Crest {
  const roughNoise = hillCrest(random, 0.07, 4)
  return (centerOffset) => {
    const sideDistance = Math.abs(centerOffset - position) - gap / 2
    return sideDistance < 0 ? relief * 0.78 : relief * (0.86 + 0.2 * Math.min(1, sideDistance * 2)) + roughNoise(centerOffset)
  }
}

/** Round puffs side by side. */
export function puffCrest(random: Random, relief: number, length: number): Crest {
  const phase = random() * 3
  return (centerOffset) => relief * Math.abs(Math.sin((centerOffset / length + phase) * Math.PI)) ** 0.6
}

/** Traces a widening band that winds from a point in the distance to the lower edge. */
export function traceRiver(
  context: SKRSContext2D,
  { foot, unit, width, height, crest, unitsFromMiddle }: Standing,
  relativeWidth: number,
): void {
  const steps = 40
  const top = foot - crest(unitsFromMiddle(width / 2)) * unit
  const side = (step: number, edge: -1 | 1): [number, number] => {
    const share = step / steps
    const swing = Math.sin(share * 7.4 + 0.6) * unit * 0.34 * (0.15 + share)
    return [width / 2 + swing + edge * unit * relativeWidth * (0.04 + share ** 1.6), top + (height - top + 8) * share ** 1.25]
  }
  context.moveTo(...side(0, -1))
  for (let step = 1; step <= steps; step++) context.lineTo(...side(step, -1))
  for (let step = steps; step >= 0; step--) context.lineTo(...side(step, 1))
  context.closePath()
}

/** Traces a window cut out of a wall, with bars across it. It is centered in the sheet. */
export function traceWindow(context: SKRSContext2D, { foot, unit, width, heightMax }: Standing): void {
  const [windowHeight, windowWidth] = [heightMax * 0.74, unit * 0.96]
  const [left, top] = [width / 2 - windowWidth / 2, foot - heightMax * 1.06]
  const [columns, rows, bar] = [3, 2, unit * 0.012]
  for (let column = 0; column < columns; column++) {
    for (let row = 0; row < rows; row++) {
      const [x, y] = [left + (windowWidth / columns) * column + bar, top + (windowHeight / rows) * row + bar]
      const [right, bottom] = [x + windowWidth / columns - bar * 2, y + windowHeight / rows - bar * 2]
      // This outline runs in the opposite direction to the wall's, which makes a hole.
      context.moveTo(x, y)
      context.lineTo(x, bottom)
      context.lineTo(right, bottom)
      context.lineTo(right, y)
      context.closePath()
    }
  }
}
