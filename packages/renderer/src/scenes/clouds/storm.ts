import { mixRgb, scaleRgb, toYuv } from '../../picture/color.ts'
import { clamp, smoothstep } from '../../picture/curves.ts'
import type { Painter, Stage } from '../stage.ts'
import type { CloudSheet } from './cloud-sheet.ts'
import { drawDeck } from './deck.ts'
import { drawHeaps, type Heap } from './heaps.ts'

/**
 * Draws a dark ceiling of clouds with a rolling front edge. It is lit from below, through the gap
 * above the horizon.
 */
export function drawStorm(stage: Stage, sheet: CloudSheet): void {
  const { palette, geometry, horizon, sun } = stage
  const { unit, width } = geometry
  drawDeck(stage, sheet, {
    columnsPerUnit: 1,
    rowsPerUnit: 1.7,
    shape: 'soft',
    curl: 1.6,
    from: -0.8,
    full: -0.35,
    strength: 1,
    relief: 3.2,
  })
  const random = stage.random('shelf')
  const wordRandom = stage.wordRandom('shelf')
  const [baseHeight, bow] = [0.13 + 0.1 * wordRandom(), 0.1 + 0.14 * wordRandom()]
  const lean = (wordRandom() - 0.5) * 0.3
  const heaps: Heap[] = []
  const widthUnits = (sheet.columns * sheet.scale) / unit
  for (const [row, size] of [0.3, 0.22, 0.15].entries()) {
    const count = Math.round(widthUnits * (5 + 3 * row))
    for (let index = 0; index < count; index++) {
      const position = (index + random()) / count
      const sideOffset = (position - 0.5) * 2
      const elevation = baseHeight + bow * (1 - sideOffset * sideOffset) + lean * sideOffset + 0.15 * (2 - row)
      const heapWidth = (unit * size * (1.2 + random())) / sheet.scale
      heaps.push({
        x: position * sheet.columns,
        base: (horizon - elevation * unit - sheet.top) / sheet.scale,
        width: heapWidth,
        height: heapWidth * (0.42 + 0.2 * random()),
        hazeShare: 0.02,
        isRound: true,
      })
    }
  }
  const side = sun.x < width / 2 ? -1 : 1
  drawHeaps(
    stage,
    sheet,
    heaps,
    {
      litColor: mixRgb(palette.cloudShade, palette.cloudLit, 0.52),
      shade: scaleRgb(palette.cloudShade, 0.8),
      haze: palette.cloudShade,
      rim: mixRgb(palette.cloudShade, palette.rim, 0.34),
      light: { x: side * 0.42, y: 0.72, z: 0.55 },
    },
    random,
  )
}

/** Paints slanted streaks of distant rain below the clouds. */
export function paintRainCurtains(stage: Stage, rowEnd: number): Painter {
  const { compositor, geometry, palette, horizon, noise } = stage
  const { unit, width } = geometry
  const [columns, rows] = [224, 48]
  const strands = noise.grid({ shape: 'soft', octaves: 4, gain: 0.6 }, columns, rows, (u, v, point) => {
    point.x = (u - v * 0.12) * 26
    point.y = v * 0.7
  })
  const veils = noise.grid({ shape: 'soft', octaves: 2, gain: 0.5 }, columns, rows, (u, v, point) => {
    point.x = (u - v * 0.1) * 3.4 + 9
    point.y = 3
  })
  const texture = compositor.coverTexture(columns, rows, (u, v, index) => {
    const edge = smoothstep(0, 0.1, u) * (1 - smoothstep(0.9, 1, u)) * smoothstep(0, 0.25, v)
    return edge * smoothstep(-0.02, 0.34, veils[index] ?? 0) * clamp(0.7 + (strands[index] ?? 0) * 1.1)
  })
  const color = toYuv(mixRgb(palette.cloudShade, palette.mist, 0.4))
  const span = Math.max(width, unit * 1.6) * 1.5
  const top = horizon - unit * 0.34
  return ({ seconds }) =>
    compositor.drawTexture(
      texture,
      {
        x: -span * 0.2 - seconds * unit * 0.006,
        y: top,
        width: span,
        height: horizon + unit * 0.01 - top,
        rowFirst: Math.floor(top) & ~3,
        rowEnd,
      },
      { mode: 'cover', gain: 0.86, color },
    )
}
