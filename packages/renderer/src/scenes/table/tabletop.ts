import { css, hex, mixRgb, scaleRgb, type Rgb } from '../../picture/color.ts'
import { clamp } from '../../picture/curves.ts'
import type { Subject } from '../prompt/scene-brief.ts'
import type { Place } from '../prompt/place.ts'
import { overscan, type Painter, type Stage } from '../stage.ts'
import { presenceOf } from '../subjects/kinds.ts'
import { isDark } from '../subjects/light.ts'
import type { Model } from '../subjects/model.ts'
import { drawPoses, showPose } from '../subjects/poses.ts'

/** A table with more items would look like a market stall. */
const itemsMax = 5
/** Maximum share of the frame's width for all items on a table. */
const widthShareMax = 0.84
/** Height in units to which a single item is enlarged, by at most `singleItemScaleMax`. */
const singleItemHeight = 0.46
const singleItemScaleMax = 2.1
/** Scale of several items, if they fit. */
const severalItemsScale = 1.3
/**
 * Height of a single item in units, and position of the items as a share of the frame's width, if
 * the scene has other subjects.
 */
const sharedTable = { alone: 0.24, middle: 0.7 }

/** Places that show small objects without an additional table. */
const placesWithoutTableInFront: ReadonlySet<Place> = new Set(['table', 'podium', 'emblem'])

interface Item {
  subject: Subject
  model: Model
}

/** Returns the prompt's subjects that lie on a table, the most important first. */
export function itemsOf({ brief }: Stage): Item[] {
  return brief.subjects.flatMap((subject) => {
    const presence = presenceOf(subject)
    return presence.moves === 'lies' ? [{ subject, model: presence.model }] : []
  })
}

/** Whether a table stands in front of the prompt's place. */
export function hasTableInFront(stage: Stage): boolean {
  return itemsOf(stage).length > 0 && !placesWithoutTableInFront.has(stage.brief.place)
}

/**
 * Paints a table in front of another place if the prompt names something that belongs on a table.
 */
export function paintTableInFront(stage: Stage): Painter[] {
  const items = itemsOf(stage)
  if (!hasTableInFront(stage)) return []
  const { height } = stage.geometry
  const isShared = stage.brief.subjects.length > items.length
  const top = height * 0.77
  const tone = hex(stage.pick('table before', ['#8a5c38', '#6c452c', '#a2764c']))
  return [
    paintSurface(stage, { top, tone: mixRgb(tone, stage.palette.haze, 0.08), light: isDark(stage) ? 0.62 : 0.95 }),
    paintItems(stage, items, {
      ground: top + (height - top) * 0.42,
      depth: 0.22,
      heightMax: top * 0.82,
      ...(isShared && sharedTable),
    }),
  ]
}

/** Paints a wooden top from `top` down to the lower edge. */
export function paintSurface(stage: Stage, { top, tone, light }: { top: number; tone: Rgb; light: number }): Painter {
  const { geometry, compositor } = stage
  const { width, height, unit } = geometry
  const random = stage.random('table top')
  const layerWidth = Math.ceil((width * overscan) / 16) * 16
  const surfaceHeight = height - top
  const layer = compositor.layer(layerWidth, surfaceHeight * 1.12, (context, _width, layerHeight) => {
    const wood = scaleRgb(tone, light)
    const fill = context.createLinearGradient(0, 0, 0, layerHeight)
    fill.addColorStop(0, css(mixRgb(wood, [255, 240, 214], 0.26)))
    fill.addColorStop(0.12, css(mixRgb(wood, [255, 240, 214], 0.1)))
    fill.addColorStop(1, css(scaleRgb(wood, 0.62)))
    context.fillStyle = fill
    context.fillRect(0, 0, layerWidth, layerHeight)
    context.lineCap = 'round'
    for (let line = 0; line < 150; line++) {
      const nearness = random() ** 1.4
      const y = nearness * layerHeight
      const from = (random() - 0.2) * layerWidth
      const length = unit * (0.2 + 0.7 * random()) * (0.5 + nearness)
      context.strokeStyle = css(scaleRgb(wood, random() < 0.6 ? 0.62 : 1.16), 0.1 + 0.16 * random())
      context.lineWidth = Math.max(0.6, unit * 0.0022 * (0.4 + 1.6 * nearness))
      context.beginPath()
      context.moveTo(from, y)
      context.quadraticCurveTo(
        from + length / 2,
        y + unit * 0.008 * (random() - 0.5),
        from + length,
        y + unit * 0.004 * (random() - 0.5),
      )
      context.stroke()
    }
    for (const seam of [0.2, 0.48, 0.86]) {
      context.fillStyle = css(scaleRgb(wood, 0.42), 0.6)
      context.fillRect(0, seam * layerHeight, layerWidth, Math.max(1, unit * 0.0026 * (0.5 + seam)))
    }
    context.fillStyle = css(mixRgb(wood, [255, 246, 226], 0.5), 0.8)
    context.fillRect(0, 0, layerWidth, Math.max(1, unit * 0.004))
  })
  return (moment) => stage.drawAt(layer, { x: (width - layerWidth) / 2, y: top, depth: 0.2, rowEnd: height }, moment)
}

/** Returns the width of an item in units at scale 1. */
function widthOf({ model }: { model: Model }): number {
  return model.height * model.reach.side * 1.72
}

/**
 * Paints items side by side on a surface. `heightMax` is the maximum height in pixels, and `alone`
 * the height in units to which a single item is enlarged.
 */
export function paintItems(
  stage: Stage,
  items: readonly Item[],
  {
    ground,
    depth,
    heightMax,
    alone = singleItemHeight,
    middle = 0.5,
  }: { ground: number; depth: number; heightMax: number; alone?: number; middle?: number },
): Painter {
  const { width, unit } = stage.geometry
  const random = stage.random('on the table')
  const slots = items
    .flatMap(({ subject, model }, order) =>
      Array.from({ length: Math.min(itemsMax, subject.count) }, (_, member) => ({ order, member, model })),
    )
    .slice(0, itemsMax)
  const onlySlot = slots.length === 1 ? slots[0] : undefined
  const wantedScale = onlySlot
    ? clamp(alone / (onlySlot.model.height * Math.min(onlySlot.model.reach.up, 1.15)), 1, singleItemScaleMax)
    : severalItemsScale
  const totalWidth = slots.reduce((sum, slot) => sum + widthOf(slot), 0)
  const tallest = Math.max(...slots.map(({ model }) => model.height * Math.min(model.reach.up, 1.3)))
  const size = Math.min(wantedScale, (width * widthShareMax) / (totalWidth * unit), heightMax / (tallest * unit))
  // The first item is in the middle. The others alternate to its right and left.
  const row = [
    ...slots.filter((_, index) => index > 0 && index % 2 === 0).toReversed(),
    ...slots.slice(0, 1),
    ...slots.filter((_, index) => index % 2 === 1),
  ]
  const halfWidth = (totalWidth * unit * size) / 2
  let left = clamp(width * middle, halfWidth + unit * 0.02, Math.max(halfWidth, width - halfWidth - unit * 0.02)) - halfWidth
  const placedItems = row.map((slot) => {
    const itemWidth = widthOf(slot) * unit * size
    const x = left + itemWidth / 2
    left += itemWidth
    const isFirst = slot === slots[0]
    const y = ground - (isFirst ? 0 : unit * (0.012 + 0.03 * random()))
    const { order, member, model } = slot
    return { order, member, model, x, y, scale: isFirst ? 1 : 0.9 + 0.08 * random() }
  })
  const posesOfItems = items.map(({ subject, model }, order) => {
    const members = placedItems.filter((slot) => slot.order === order)
    const stillPhase = stage.moment(0).seconds * (model.cycle?.pace ?? 0)
    return drawPoses(stage, subject, model, {
      height: model.height * unit * size,
      x: members[0]?.x ?? width / 2,
      ground,
      distance: 0.05,
      hasShadow: true,
      stillPhases: members.map(({ member }) => (stillPhase + member * 0.31) % 1),
    })
  })
  const backToFront = placedItems.toSorted((a, b) => a.y - b.y)
  return (moment) => {
    for (const { order, member, model, x, y, scale } of backToFront) {
      const poses = posesOfItems[order]
      const phase = moment.seconds * (model.cycle?.pace ?? 0) + member * 0.31
      if (poses) showPose(stage, poses, { x, y, depth, phase, member, size: scale }, moment)
    }
  }
}
