import { mixRgb } from '../../picture/color.ts'
import { createCloudSheet, paintCloudSheet, type CloudSheet } from './cloud-sheet.ts'
import { drawDeck, type DeckLook } from './deck.ts'
import { drawHeaps, type Heap, type HeapColors } from './heaps.ts'
import { drawStorm, paintRainCurtains } from './storm.ts'
import { drawStreaks } from './streaks.ts'
import { combinePainters } from '../combine-painters.ts'
import type { Painter, Stage } from '../stage.ts'

/** Paints the drifting clouds of the scene's composition. */
export function paintClouds(stage: Stage, rowEnd = stage.horizon): Painter | undefined {
  const { clouds, cover } = stage.composition
  if (clouds === 'none') return undefined
  const sheet = createCloudSheet(stage)
  switch (clouds) {
    case 'streaks':
      drawStreaks(stage, sheet, cover)
      break
    case 'heaps':
      drawHeaps(stage, sheet, placeFairClouds(stage, sheet, cover), heapColors(stage), stage.random('heaps'))
      break
    case 'towers':
      drawHeaps(stage, sheet, placeThunderheads(stage, sheet), heapColors(stage), stage.random('heaps'))
      break
    case 'rolls':
    case 'ripples':
    case 'veil':
      drawDeck(stage, sheet, deckLook(clouds, cover))
      break
    case 'storm':
      drawStorm(stage, sheet)
      break
    default:
      return clouds satisfies never
  }
  const isHigh = clouds === 'streaks' || clouds === 'ripples'
  const painter = paintCloudSheet(stage, sheet, { rowEnd, drift: isHigh ? 3.4 : 5.4, depth: 0.015 })
  return clouds === 'storm' ? combinePainters([painter, paintRainCurtains(stage, rowEnd)]) : painter
}

function deckLook(kind: 'rolls' | 'ripples' | 'veil', cover: number): DeckLook {
  switch (kind) {
    case 'rolls':
      return {
        columnsPerUnit: 1.1,
        rowsPerUnit: 2.3,
        shape: 'soft',
        curl: 1,
        from: 0.1 - cover * 0.3,
        full: 0.34 - cover * 0.2,
        strength: 0.94,
        relief: 2.4,
      }
    case 'ripples':
      return {
        columnsPerUnit: 4.2,
        rowsPerUnit: 7,
        shape: 'soft',
        curl: 2.2,
        from: 0.06 - cover * 0.2,
        full: 0.4,
        strength: 0.72,
        relief: 2,
      }
    case 'veil':
      return { columnsPerUnit: 1.3, rowsPerUnit: 2, shape: 'soft', curl: 1.4, from: -0.5, full: 0.1, strength: 0.86, relief: 1.3 }
    default:
      return kind satisfies never
  }
}

/**
 * Returns the colors of heaped clouds and the direction of their light. A low sun lights them from
 * the side and from below, and a high sun from above and from the front.
 */
export function heapColors({ palette, sun, geometry, composition }: Stage): HeapColors {
  const sideOffset = (sun.x / geometry.width - 0.5) * 2
  const isLow = palette.sunHeight < 0.2
  const light = isLow ? { x: sideOffset * 0.9, y: 0.4, z: 0.16 } : { x: Math.sign(sideOffset) * 0.55, y: -0.72, z: 0.42 }
  const length = Math.hypot(light.x, light.y, light.z)
  return {
    litColor: palette.cloudLit,
    shade: palette.cloudShade,
    haze: composition.clouds === 'storm' ? palette.cloudShade : palette.haze,
    rim: mixRgb(palette.cloudLit, palette.rim, 0.6),
    light: { x: light.x / length, y: light.y / length, z: light.z / length },
  }
}

/**
 * Returns fair-weather clouds: many small clouds toward the horizon, and a few large clouds
 * overhead.
 */
function placeFairClouds(stage: Stage, { columns, scale, left, top }: CloudSheet, cover: number): Heap[] {
  const { geometry, horizon } = stage
  const { unit } = geometry
  const random = stage.random('scattered')
  const sky = horizon / unit
  const count = Math.round((9 + 15 * cover) * ((columns * scale) / (unit * 2.2)))
  const heaps: Heap[] = []
  for (let index = 0; index < count; index++) {
    // Most clouds are far away, and their bases are low.
    const nearness = (index + 0.5) / count
    const elevation = sky * (0.04 + 0.74 * nearness ** 1.9)
    const size = unit * (0.035 + 0.32 * elevation) * (0.55 + 0.9 * random())
    heaps.push({
      x: columns * ((index * 0.618 + 0.3 * random()) % 1),
      base: (horizon - elevation * unit - top) / scale,
      width: (size * (2 + 1.6 * random())) / scale,
      height: (size * (0.5 + 0.35 * random())) / scale,
      hazeShare: 0.62 * (1 - nearness) ** 1.4,
    })
  }
  return heaps.filter(({ x }) => Math.abs(x * scale + left - stage.sun.x) > unit * 0.1 || random() < 0.6)
}

/**
 * Returns thunderheads above a bank of small clouds, with the tallest on the side away from the
 * sun.
 */
function placeThunderheads(stage: Stage, { columns, scale, top }: CloudSheet): Heap[] {
  const { geometry, horizon, sun } = stage
  const { unit, width } = geometry
  const random = stage.random('towering')
  const side = sun.x < width / 2 ? 0.7 : 0.3
  const sky = Math.min(horizon / unit, 0.75)
  const rowAt = (elevation: number): number => (horizon - elevation * unit - top) / scale
  const heaps: Heap[] = []
  const addHeap = (x: number, elevation: number, widthUnits: number, heightUnits: number, hazeShare: number): void => {
    heaps.push({
      x: columns * x,
      base: rowAt(elevation),
      width: (widthUnits * unit) / scale,
      height: (heightUnits * unit) / scale,
      hazeShare,
    })
  }
  const bankCount = Math.round((columns * scale) / unit / 0.13)
  for (let index = 0; index < bankCount; index++)
    addHeap(random(), 0.02 + 0.05 * random(), 0.2 + 0.25 * random(), 0.05 + 0.06 * random(), 0.5)
  addHeap(side, 0.05, 0.75 + 0.3 * random(), sky * (0.72 + 0.16 * random()), 0.2)
  addHeap(side + 0.22 * (random() < 0.5 ? -1 : 1), 0.03, 0.6, sky * (0.36 + 0.2 * random()), 0.28)
  addHeap(1 - side + 0.1 * random(), 0.03, 0.55, sky * (0.2 + 0.16 * random()), 0.34)
  for (let index = 0; index < bankCount / 2; index++)
    addHeap(random(), 0.01 + 0.02 * random(), 0.24 + 0.3 * random(), 0.05 + 0.05 * random(), 0.36)
  return heaps
}
