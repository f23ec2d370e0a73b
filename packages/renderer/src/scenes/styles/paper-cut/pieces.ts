import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, hex, mixRgb } from '../../../picture/color.ts'
import type { Random } from '../../../picture/random.ts'
import type { Place } from '../../prompt/place.ts'
import type { Painter } from '../../stage.ts'
import {
  cottageCrest,
  duneCrest,
  facadeCrest,
  hillCrest,
  gorgeCrest,
  peakCrest,
  puffCrest,
  towerCrest,
  traceFirs,
  traceFronds,
  traceRiver,
  traceRoundTrees,
  traceWeed,
  waveCrest,
  type Standing,
} from '../cutout/crests.ts'
import type { SheetStack, Piece } from '../cutout/sheet-stack.ts'
import { cut } from '../cutout/sheet.ts'

interface Placement {
  /** Nearness that selects the color: 0 is far, 1 is near. */
  nearness: number
  /** Position of the foot as a share of the ground. */
  foot: number
  depth: number
}

/**
 * Ends a sheet `units` below its foot, where nearer sheets hide it. The nearest sheets extend to
 * the lower edge.
 */
function hiddenEnd(stack: SheetStack, { nearness, foot }: Placement, units: number): Pick<Piece, 'bottomRow'> {
  return nearness === 1 ? {} : { bottomRow: stack.ground(foot) + stack.stage.geometry.unit * units }
}

function withPlants(stack: SheetStack, standing: NonNullable<Piece['standing']>): Pick<Piece, 'standing'> {
  return stack.stage.brief.omittedParts.has('plants') || standing.height <= 0 ? {} : { standing }
}

/** Adds a mountain with several peaks. */
export function addMountain(
  stack: SheetStack,
  random: Random,
  { relief, spread, ...placement }: Placement & { relief: number; spread: number },
): Painter {
  return stack.add({
    crest: peakCrest(random, relief, spread),
    color: stack.colors.land(placement.nearness),
    depth: placement.depth,
    foot: stack.ground(placement.foot),
    reach: relief + 0.02,
    ...hiddenEnd(stack, placement, 0.24),
  })
}

export function addFirHill(
  stack: SheetStack,
  random: Random,
  { relief, height, ...placement }: Placement & { relief: number; height: number },
): Painter {
  return stack.add({
    crest: hillCrest(random, relief, 1.2),
    color: stack.colors.land(placement.nearness),
    depth: placement.depth,
    foot: stack.ground(placement.foot),
    reach: relief + height * 1.1,
    ...hiddenEnd(stack, placement, 0.3),
    ...withPlants(stack, { trace: traceFirs, height, spacing: height * 0.62 }),
  })
}

/** Adds a hill. `height` is the height of its trees. With a height of 0, it has none. */
export function addHill(
  stack: SheetStack,
  random: Random,
  { relief, height = 0, ...placement }: Placement & { relief: number; height?: number },
): Painter {
  return stack.add({
    crest: hillCrest(random, relief, 0.9),
    color: stack.colors.land(placement.nearness),
    depth: placement.depth,
    foot: stack.ground(placement.foot),
    reach: relief + height * 1.1,
    ...hiddenEnd(stack, placement, 0.34),
    ...withPlants(stack, { trace: traceRoundTrees, height, spacing: height * 3.4 }),
  })
}

/** Adds a sheet of dunes. `land` selects the colors of another place. */
export function addDune(
  stack: SheetStack,
  random: Random,
  { relief, length, land, ...placement }: Placement & { relief: number; length: number; land?: Place },
): Painter {
  return stack.add({
    crest: duneCrest(random, relief, length),
    color: land ? stack.colors.landOf(land, placement.nearness) : stack.colors.land(placement.nearness),
    depth: placement.depth,
    foot: stack.ground(placement.foot),
    reach: relief + 0.02,
    ...hiddenEnd(stack, placement, 0.44),
  })
}

/** Adds rows of scalloped waves that slide to both sides, out of step with each other. */
export function addWater(
  stack: SheetStack,
  random: Random,
  { rows, from, endShare = 0.82 }: { rows: number; from: number; endShare?: number },
): Painter[] {
  const { unit } = stack.stage.geometry
  const footOf = (row: number): number => stack.ground(from + (endShare - from) * (row / (rows - 1)) ** 1.25)
  return Array.from({ length: rows }, (_, row) => {
    const nearness = row / (rows - 1)
    return stack.add({
      crest: waveCrest(random, 0.014 + 0.026 * nearness, 0.1 + 0.16 * nearness),
      color: stack.colors.water(nearness),
      depth: 0.08 + 0.16 * nearness,
      foot: footOf(row),
      reach: 0.05,
      slide: { reach: unit * (0.012 + 0.02 * nearness), pace: 0.7 - 0.2 * nearness, phase: row * 2.4 },
      ...(row === rows - 1 ? {} : { bottomRow: footOf(row + 1) + unit * 0.04 }),
    })
  })
}

export function addCloudBank(
  stack: SheetStack,
  random: Random,
  { relief, ...placement }: Placement & { relief: number },
): Painter {
  const heads = puffCrest(random, relief, 0.16 + 0.2 * placement.nearness)
  const swell = hillCrest(random, relief, 1.1)
  return stack.add({
    crest: (centerOffset) => heads(centerOffset) + swell(centerOffset),
    color: mixRgb(stack.colors.sky(0.75 - placement.nearness * 0.5), stack.colors.cloud, 0.35 + 0.5 * placement.nearness),
    depth: placement.depth,
    foot: stack.ground(placement.foot),
    reach: relief * 2.2,
    slide: { reach: stack.stage.geometry.unit * (0.03 + 0.03 * placement.nearness), pace: 0.25, phase: placement.nearness * 4 },
  })
}

/** Adds a plain with a river that winds through it to the lower edge. */
export function addRiver(stack: SheetStack, random: Random, { relief, ...placement }: Placement & { relief: number }): Painter {
  const { stage, material, colors } = stack
  return stack.add({
    crest: hillCrest(random, relief, 0.7),
    color: colors.land(placement.nearness),
    depth: placement.depth,
    foot: stack.ground(placement.foot),
    reach: relief + 0.02,
    decorate: (context, standing) => {
      cut(stage, context, material, mixRgb(colors.land(placement.nearness), [0, 0, 0], 0.14), () =>
        traceRiver(context, standing, 0.25),
      )
      cut(stage, context, material, colors.water(0.35), () => traceRiver(context, standing, 0.21))
    },
  })
}

/** Adds a gorge with strips of falling water in its gap. */
export function addWaterfall(
  stack: SheetStack,
  random: Random,
  { relief, ...placement }: Placement & { relief: number },
): Painter {
  const { stage, material, colors } = stack
  const position = (random() - 0.5) * 0.5
  const gap = 0.17
  return stack.add({
    crest: gorgeCrest(random, relief, { position, gap }),
    color: colors.land(placement.nearness),
    depth: placement.depth,
    foot: stack.ground(placement.foot),
    reach: relief * 1.3,
    ...hiddenEnd(stack, placement, 0.2),
    decorate: (context, { crest, foot, unit, width }) => {
      const top = foot - crest(position) * unit
      for (const [sideOffset, relativeWidth, color] of [
        [0, 1, colors.water(0.25)],
        [-0.22, 0.34, colors.water(0)],
        [0.24, 0.28, mixRgb(colors.water(0), [255, 255, 255], 0.5)],
        [0.02, 0.14, mixRgb(colors.water(0), [255, 255, 255], 0.75)],
      ] as const) {
        const x = width / 2 + (position + gap * sideOffset) * unit
        cut(stage, context, material, color, () =>
          context.roundRect(
            x - (relativeWidth * gap * unit) / 2,
            top,
            relativeWidth * gap * unit,
            foot + unit * 0.3 - top,
            unit * 0.012,
          ),
        )
      }
    },
  })
}

/** Draws lava that flows down from the crater. */
export function drawLava(
  { stage, material }: SheetStack,
  context: SKRSContext2D,
  { crest, unitsFromMiddle, foot, unit, width }: Standing,
): void {
  const heights = Array.from({ length: Math.floor(width / 2) }, (_, index) => crest(unitsFromMiddle(index * 2)))
  const top = Math.max(...heights)
  const rim = heights.flatMap((height, index) => (height > top * 0.93 ? [index * 2] : []))
  const left = rim[0] ?? 0
  const right = rim.at(-1) ?? left
  for (const [index, color] of [hex('#e8502c'), hex('#ffb03c')].entries()) {
    const inset = ((right - left) * (0.06 + index * 0.16)) / 2
    cut(stage, context, material, color, () => {
      const y = foot - top * unit
      context.moveTo(left + inset, y)
      const streams = 5
      for (let stream = 0; stream < streams; stream++) {
        const step = (right - left - inset * 2) / streams
        const from = left + inset + step * stream
        const [middle, to] = [from + step / 2, from + step]
        const length = unit * (0.06 + 0.11 * Math.abs(Math.sin(stream * 2.3 + 1))) * (1 - index * 0.4)
        context.bezierCurveTo(from, y + length * 0.6, middle, y + length * 1.5, middle, y + length)
        context.bezierCurveTo(middle, y + length * 1.2, to, y + length * 0.5, to, y + unit * 0.03)
      }
      context.lineTo(right - inset, y)
      context.closePath()
    })
  }
}

/** Adds leaves in both lower corners, which frame the image. */
export function addFronds(stack: SheetStack, height: number): Painter {
  return stack.add({
    crest: (centerOffset) => -0.02 + 0.05 * Math.min(1, Math.abs(centerOffset)) ** 2,
    color: mixRgb(stack.colors.land(0.92), hex('#0c0a1c'), 0.2),
    depth: 0.34,
    foot: stack.stage.geometry.height + 2,
    reach: height * 1.2 + 0.06,
    ...withPlants(stack, { trace: traceFronds, height, spacing: 0.05 }),
  })
}

/** Adds a sea floor with seaweed. */
export function addWeed(stack: SheetStack, random: Random, { height, ...placement }: Placement & { height: number }): Painter {
  return stack.add({
    crest: hillCrest(random, 0.1, 1.4),
    color: stack.colors.land(placement.nearness),
    depth: placement.depth,
    foot: stack.ground(placement.foot),
    reach: 0.1 + height,
    ...withPlants(stack, { trace: traceWeed, height, spacing: height * 0.6 }),
  })
}

/** Adds the towers of a city, with windows. */
export function addSkyline(
  stack: SheetStack,
  random: Random,
  { nearness, relief, width, depth }: { nearness: number; relief: number; width: number; depth: number },
): Painter {
  const { stage, colors } = stack
  const isDark = stage.brief.time === 'night' || stage.brief.time === 'dusk'
  const light = isDark ? hex('#ffdf9a') : mixRgb(colors.land(nearness), [255, 255, 255], 0.5)
  return stack.add({
    crest: towerCrest(random, relief, width),
    color: colors.land(nearness),
    depth,
    foot: stage.horizon + 2,
    reach: relief * 1.4,
    bottomRow: stack.ground(0.12),
    decorate: (context, standing) => drawWindows(context, standing, css(light), width),
  })
}

/** Adds both sides of a street that runs into the distance. */
export function addStreet(
  stack: SheetStack,
  random: Random,
  { nearness, rise, gap, depth }: { nearness: number; rise: number; gap: number; depth: number },
): Painter {
  const { stage, colors } = stack
  const isDark = stage.brief.time === 'night' || stage.brief.time === 'dusk'
  const color = colors.landOf('city', nearness)
  const light = isDark ? hex('#ffdf9a') : mixRgb(color, [255, 255, 255], 0.5)
  return stack.add({
    crest: facadeCrest(random, { position: 0, rise, gap }),
    color,
    depth,
    foot: stage.horizon + 2,
    reach: 0.7,
    bottomRow: stack.ground(0.2),
    decorate: (context, standing) => drawWindows(context, standing, css(light), 0.1 + 0.1 * nearness),
  })
}

/** Adds a road to the vanishing point between two sidewalks. */
export function addRoad(stack: SheetStack): Painter {
  const { stage, material, colors } = stack
  return stack.add({
    crest: () => 0,
    color: colors.landOf('city', 0.6),
    depth: 0.12,
    foot: stage.horizon + 4,
    reach: 0.01,
    decorate: (context, { foot, unit, width, height }) => {
      for (const [stripWidth, color] of [
        [1.5, colors.landOf('city', 0.85)],
        [0.05, hex('#f4ecd8')],
      ] as const) {
        cut(stage, context, material, color, () => {
          context.moveTo(width / 2 - stripWidth * 2, foot)
          context.lineTo(width / 2 + stripWidth * 2, foot)
          context.lineTo(width / 2 + (stripWidth * unit) / 1.7, height)
          context.lineTo(width / 2 - (stripWidth * unit) / 1.7, height)
          context.closePath()
        })
      }
    },
  })
}

/** Adds a row of cottages with windows. */
export function addHouses(
  stack: SheetStack,
  random: Random,
  { relief, width, ...placement }: Placement & { relief: number; width: number },
): Painter {
  const isDark = stack.stage.brief.time === 'night' || stack.stage.brief.time === 'dusk'
  const color = stack.colors.land(placement.nearness)
  const light = isDark ? hex('#ffdf9a') : mixRgb(color, [255, 255, 255], 0.5)
  return stack.add({
    crest: cottageCrest(random, relief, width),
    color,
    depth: placement.depth,
    foot: stack.ground(placement.foot),
    reach: relief * 1.5,
    ...hiddenEnd(stack, placement, 0.3),
    decorate: (context, standing) => drawWindows(context, standing, css(light), width),
  })
}

/** Draws windows in a grid, at positions that are well inside the outline. */
function drawWindows(
  context: SKRSContext2D,
  { crest, foot, unit, unitsFromMiddle, width, random }: Standing,
  color: string,
  houseWidth: number,
): void {
  const pitch = Math.max(3, unit * houseWidth * 0.26)
  context.fillStyle = color
  for (let x = pitch; x < width; x += pitch) {
    const top =
      foot -
      Math.min(crest(unitsFromMiddle(x)), crest(unitsFromMiddle(x - pitch * 0.5)), crest(unitsFromMiddle(x + pitch * 0.8))) * unit
    for (let y = foot - pitch * 1.2; y > top + pitch * 0.7; y -= pitch * 1.15) {
      if (random() < 0.42) context.fillRect(x, y, pitch * 0.42, pitch * 0.56)
    }
  }
}

/** Adds a disc in two tones with a ring around it. */
export function addPlanet({ stage, material, colors }: SheetStack, random: Random): Painter {
  const { compositor, geometry, sun } = stage
  const radius = geometry.unit * (0.12 + 0.07 * random())
  const size = radius * 4.6
  const body = mixRgb(hex('#f0a868'), colors.sky(0.5), 0.25)
  const layer = compositor.layer(
    size,
    size,
    (context) => {
      context.translate(size / 2, size / 2)
      context.rotate(-0.35)
      const drawRing = (isFront: boolean): void =>
        cut(stage, context, material, hex('#ffe2b4'), () => {
          const [from, to] = isFront ? [0, Math.PI] : [Math.PI, Math.PI * 2]
          context.ellipse(0, 0, radius * 1.85, radius * 0.5, 0, from, to)
          context.ellipse(0, 0, radius * 1.4, radius * 0.34, 0, to, from, true)
          context.closePath()
        })
      drawRing(false)
      cut(stage, context, material, body, () => context.arc(0, 0, radius, 0, Math.PI * 2))
      context.save()
      context.beginPath()
      context.arc(0, 0, radius, 0, Math.PI * 2)
      context.clip()
      for (const [y, height] of [
        [-0.5, 0.2],
        [-0.05, 0.16],
        [0.36, 0.3],
      ] as const) {
        cut(stage, context, { ...material, edge: 0 }, mixRgb(body, hex('#8a3c5c'), 0.4), () =>
          context.rect(-radius, y * radius, radius * 2, height * radius),
        )
      }
      context.restore()
      drawRing(true)
    },
    { isFinal: true },
  )
  const [x, y] = [geometry.width - sun.x, geometry.height * 0.34]
  return (moment) => stage.drawAt(layer, { x: x - layer.width / 2, y: y - layer.height / 2, depth: 0.03 }, moment)
}
