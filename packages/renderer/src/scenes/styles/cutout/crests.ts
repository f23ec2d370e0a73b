import type { SKRSContext2D } from '@napi-rs/canvas'
import { mix, smoothstep } from '../../../picture/curves.ts'
import type { Random } from '../../../picture/random.ts'
import type { Stage } from '../../stage.ts'
import type { Sheet, SheetSpace } from './sheet.ts'

/** Height in units above the foot, at a distance in units from the middle of the frame. */
export type Crest = (across: number) => number

type Trace = Sheet['trace']

/** Traces the ground below a crest; `foot` is in pixels below the sheet's top. */
export function under({ geometry }: Stage, crest: Crest, foot: number): Trace {
  return (context, { width, height, across }) => {
    context.moveTo(0, height + 4)
    for (let x = 0; x <= width; x += 2) context.lineTo(x, foot - crest(across(x)) * geometry.unit)
    context.lineTo(width, height + 4)
    context.closePath()
  }
}

/** Sharp folded peaks: straight lines between random points, each side with a fold. */
export function peaks(random: Random, relief: number, spread: number): Crest {
  const points: { at: number; high: number }[] = []
  for (let at = -1.6, isHigh = true; at < 1.6; isHigh = !isHigh) {
    points.push({ at, high: relief * (isHigh ? 0.55 + 0.45 * random() : 0.08 + 0.3 * random()) })
    const step = spread * (0.3 + 0.5 * random())
    const last = points.at(-1)
    // Fold on the way down or up.
    if (random() < 0.7 && last) points.push({ at: at + step * (0.35 + 0.2 * random()), high: relief * (0.3 + 0.25 * random()) })
    at += step
  }
  return (across) => {
    const next = points.findIndex(({ at }) => at > across)
    const [from, to] = [points[next - 1] ?? points[0], points[next] ?? points.at(-1)]
    if (!from || !to) return 0
    return mix(from.high, to.high, to.at > from.at ? (across - from.at) / (to.at - from.at) : 0)
  }
}

/** Long round hills: the sum of a few waves. */
export function hills(random: Random, relief: number, frequency: number): Crest {
  const waves = [1, 1.7, 2.9].map((factor, order) => ({
    pace: frequency * factor * 3.1 * (0.85 + 0.3 * random()),
    phase: random() * 6.28,
    share: [0.6, 0.28, 0.12][order] ?? 0,
  }))
  return (across) =>
    relief * (0.5 + 0.5 * waves.reduce((sum, { pace, phase, share }) => sum + share * Math.sin(across * pace + phase), 0))
}

/** Dunes with a long rise, a short fall and a sharp crest. */
export function dunes(random: Random, relief: number, length: number): Crest {
  const shift = random() * 9
  const heights = Array.from({ length: 16 }, () => 0.45 + 0.55 * random())
  return (across) => {
    const position = across / length + shift
    const index = Math.floor(position)
    const within = position - index
    const rise = within < 0.68 ? smoothstep(0, 1, within / 0.68) ** 1.3 : 1 - smoothstep(0, 1, (within - 0.68) / 0.32)
    const [own, next] = [heights[index & 15] ?? 1, heights[(index + 1) & 15] ?? 1]
    return relief * rise * mix(own, next, within * 0.3)
  }
}

/** Scalloped waves. */
export function waves(random: Random, relief: number, length: number): Crest {
  const phase = random() * 3
  return (across) => relief * (1 - Math.abs(Math.sin((across / length + phase) * Math.PI)) ** 0.8)
}

/** A row of houses and towers as one crest. */
export function towers(random: Random, relief: number, wide: number): Crest {
  const blocks: { until: number; high: number; roof: number }[] = []
  for (let at = -1.6; at < 1.6;) {
    const width = wide * (0.6 + 0.8 * random())
    at += width
    blocks.push({ until: at, high: relief * (0.22 + 0.78 * random() ** 1.3), roof: random() < 0.25 ? width * 0.5 : 0 })
  }
  return (across) => {
    const index = blocks.findIndex(({ until }) => until > across)
    const block = blocks[index] ?? blocks[0]
    const from = blocks[index - 1]?.until ?? -1.6
    if (!block) return 0
    const within = (across - from) / Math.max(0.001, block.until - from)
    return block.high + block.roof * (1 - Math.abs(within - 0.5) * 2)
  }
}

/** Gabled houses with gaps between them. */
export function cottages(random: Random, relief: number, wide: number): Crest {
  const plots: { from: number; to: number; high: number }[] = []
  for (let at = -1.6; at < 1.6;) {
    const width = wide * (0.8 + 0.5 * random())
    plots.push({ from: at, to: at + width, high: relief * (0.4 + 0.25 * random()) })
    at += width * (1.1 + (random() < 0.3 ? 0.9 : 0))
  }
  return (across) => {
    const plot = plots.find(({ from, to }) => across >= from && across < to)
    if (!plot) return 0
    const within = (across - plot.from) / (plot.to - plot.from)
    return plot.high + relief * 0.4 * (1 - Math.abs(within - 0.5) * 2)
  }
}

/** Two rows of houses seen along the street between them, rising to both sides. */
export function facades(random: Random, { at, rise, gap }: { at: number; rise: number; gap: number }): Crest {
  const steps = Array.from({ length: 32 }, () => 0.85 + 0.3 * random())
  return (across) => {
    const aside = Math.abs(across - at) - gap
    if (aside < 0) return 0.004
    const house = Math.floor(Math.log2(1 + aside * 9) * 2.4) * 2 + (across < at ? 1 : 0)
    return (gap + aside) * rise * (steps[house % steps.length] ?? 1)
  }
}

/** Arguments for tracing things that stand on a crest, as part of its outline. */
export interface Standing extends SheetSpace {
  crest: Crest
  /** Foot of the crest, in pixels below the sheet's top. */
  foot: number
  unit: number
  /** Height of the tallest, in pixels. */
  tall: number
  spacing: number
  random: Random
}

function each(
  { crest, foot, unit, tall, spacing, random, width, across }: Standing,
  draw: (x: number, y: number, tall: number) => void,
): void {
  for (let x = spacing * random(); x < width; x += spacing * (0.5 + random())) {
    draw(x, foot - crest(across(x)) * unit, tall * (0.55 + 0.45 * random()))
  }
}

/** Traces trees of three tiers. */
export function traceFirs(context: SKRSContext2D, standing: Standing): void {
  each(standing, (x, y, tall) => {
    for (const [from, to, wide] of [
      [0.06, 0.5, 0.24],
      [0.34, 0.76, 0.18],
      [0.6, 1, 0.12],
    ] as const) {
      context.moveTo(x - tall * wide, y - tall * from)
      context.lineTo(x, y - tall * to)
      context.lineTo(x + tall * wide, y - tall * from)
      context.closePath()
    }
    context.rect(x - tall * 0.025, y - tall * 0.1, tall * 0.05, tall * 0.14)
  })
}

/** Traces trees with round crowns. */
export function traceRoundTrees(context: SKRSContext2D, standing: Standing): void {
  each(standing, (x, y, tall) => {
    context.moveTo(x + tall * 0.3, y - tall * 0.66)
    context.ellipse(x, y - tall * 0.66, tall * 0.3, tall * 0.34, 0, 0, Math.PI * 2)
    context.rect(x - tall * 0.03, y - tall * 0.4, tall * 0.06, tall * 0.44)
  })
}

/** Traces trunks that leave the frame at its top. None grow where the crest is below its foot. */
export function traceTrunks(context: SKRSContext2D, standing: Standing): void {
  each(standing, (x, y, tall) => {
    if (y > standing.foot) return
    const wide = tall * 0.035
    context.moveTo(x - wide * 1.6, y + 6)
    context.lineTo(x - wide, -20)
    context.lineTo(x + wide, -20)
    context.lineTo(x + wide * 1.6, y + 6)
    context.closePath()
  })
}

/** Traces stems with pairs of leaves, tall at both ends of the sheet and low in the middle. */
export function traceFronds(context: SKRSContext2D, standing: Standing): void {
  each(standing, (x, y, tall) => {
    const aside = standing.across(x)
    const size = tall * Math.min(1, 0.16 + (Math.abs(aside) / 0.85) ** 2.4)
    const lean = -Math.sign(aside) * size * 0.35 * standing.random()
    context.moveTo(x - size * 0.014, y + 4)
    context.quadraticCurveTo(x, y - size * 0.6, x + lean, y - size)
    context.quadraticCurveTo(x + size * 0.02, y - size * 0.6, x + size * 0.014, y + 4)
    context.closePath()
    for (let pair = 1; pair <= 6; pair++) {
      const up = pair / 6.4
      const [px, py] = [x + lean * up * up, y - size * up]
      for (const side of [-1, 1]) {
        const reach = size * 0.19 * (1.15 - up * 0.75)
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
  each(standing, (x, y, tall) => {
    const sway = tall * 0.12 * (standing.random() - 0.5)
    const wide = tall * 0.05
    context.moveTo(x - wide, y + 6)
    context.bezierCurveTo(x - wide + sway * 3, y - tall * 0.35, x - wide - sway * 3, y - tall * 0.65, x + sway, y - tall)
    context.bezierCurveTo(x + wide - sway * 3, y - tall * 0.65, x + wide + sway * 3, y - tall * 0.35, x + wide, y + 6)
    context.closePath()
  })
}

/** One mountain with a notched top. */
export function volcano(random: Random, relief: number, wide: number): Crest {
  const at = (random() - 0.5) * 0.4
  return (across) => {
    const aside = Math.abs(across - at) / wide
    const side = relief * Math.max(0, 1 - aside) ** 1.5
    const mouth = relief * (0.7 + 0.04 * Math.cos(aside * 60))
    return Math.min(side, mouth) - 0.01
  }
}

/** Walls to the left and right of a gap with its middle at `at`. */
export function gorge(random: Random, relief: number, { at, gap }: { at: number; gap: number }): Crest {
  const rough = hills(random, 0.07, 4)
  return (across) => {
    const aside = Math.abs(across - at) - gap / 2
    return aside < 0 ? relief * 0.78 : relief * (0.86 + 0.2 * Math.min(1, aside * 2)) + rough(across)
  }
}

/** Round puffs side by side. */
export function puffs(random: Random, relief: number, length: number): Crest {
  const phase = random() * 3
  return (across) => relief * Math.abs(Math.sin((across / length + phase) * Math.PI)) ** 0.6
}

/** Traces a widening band that winds from a point in the distance to the lower edge. */
export function traceRiver(context: SKRSContext2D, { foot, unit, width, height, crest, across }: Standing, wide: number): void {
  const steps = 40
  const top = foot - crest(across(width / 2)) * unit
  const side = (step: number, edge: -1 | 1): [number, number] => {
    const share = step / steps
    const swing = Math.sin(share * 7.4 + 0.6) * unit * 0.34 * (0.15 + share)
    return [width / 2 + swing + edge * unit * wide * (0.04 + share ** 1.6), top + (height - top + 8) * share ** 1.25]
  }
  context.moveTo(...side(0, -1))
  for (let step = 1; step <= steps; step++) context.lineTo(...side(step, -1))
  for (let step = steps; step >= 0; step--) context.lineTo(...side(step, 1))
  context.closePath()
}

/** Traces a window cut out of a wall, with bars across it. It is centered in the sheet. */
export function traceWindow(context: SKRSContext2D, { foot, unit, width, tall }: Standing): void {
  const [high, wide] = [tall * 0.74, unit * 0.96]
  const [left, top] = [width / 2 - wide / 2, foot - tall * 1.06]
  const [columns, rows, bar] = [3, 2, unit * 0.012]
  for (let column = 0; column < columns; column++) {
    for (let row = 0; row < rows; row++) {
      const [x, y] = [left + (wide / columns) * column + bar, top + (high / rows) * row + bar]
      const [right, bottom] = [x + wide / columns - bar * 2, y + high / rows - bar * 2]
      // Traced in the opposite direction to the wall, which makes a hole.
      context.moveTo(x, y)
      context.lineTo(x, bottom)
      context.lineTo(right, bottom)
      context.lineTo(right, y)
      context.closePath()
    }
  }
}
