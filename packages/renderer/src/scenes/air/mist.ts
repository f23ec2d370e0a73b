import { mixRgb, toYuv, type Rgb } from '../../picture/color.ts'
import type { Texture } from '../../picture/compositor.ts'
import { clamp, smoothstep } from '../../picture/curves.ts'
import type { Painter, Stage } from '../stage.ts'

const columns = 384
const rows = 96

/** Creates the noise texture that all mist banks of a scene share. */
export function createMistTexture({ noise, compositor }: Stage): Texture {
  const { kernels, floats, arena } = compositor
  const columnShares = Float64Array.from({ length: columns }, (_, column) => column / (columns - 1))
  const rowShares = Float64Array.from({ length: rows }, (_, row) => row / (rows - 1))
  const xs = Float32Array.from(columnShares, (u) => u * 7 + 31)
  const ys = Float32Array.from(rowShares, (v) => v * 5 + 20)
  const values = noise.sampleGrid({ shape: 'soft', octaves: 5, gain: 0.5 }, xs, ys)
  const edges = Float64Array.from(columnShares, (u) => smoothstep(0, 0.12, u) * (1 - smoothstep(0.88, 1, u)))
  const rises = Float64Array.from(rowShares, (v) => Math.sin(Math.PI * v) ** 1.4)
  const texture = compositor.emptyTexture(columns, rows, 1)
  const space = arena.remaining()
  const [valuesAddress, edgesAddress] = [space.allocate(values.byteLength), space.allocate(edges.byteLength)]
  floats.set(values, valuesAddress >> 2)
  new Float64Array(arena.memory.buffer).set(edges, edgesAddress >> 3)
  for (const [row, rise] of rises.entries()) {
    const target = (texture.planes[0] ?? 0) + row * columns * 2
    kernels.coverMistRow(target, valuesAddress + row * columns * 4, edgesAddress, columns, rise)
  }
  return texture
}

/**
 * Paints a bank of mist between two layers. `top` and `height` are in pixels, and `order` is a
 * number that varies the drift. The mist is thickest in fog, thicker in rain and snow than in clear
 * weather, and absent if the prompt excludes it.
 */
export function paintMist(
  stage: Stage,
  texture: Texture,
  bank: { top: number; height: number; gain: number; color?: Rgb; order: number; rowEnd?: number },
): Painter | undefined {
  const { compositor, geometry, palette, brief } = stage
  if (brief.omittedParts.has('mist')) return undefined
  const isFog = brief.weather === 'fog'
  const height = bank.height * (isFog ? 1.7 : 1)
  const top = bank.top - (height - bank.height) * 0.7
  const gain = clamp(bank.gain * (isFog ? 1.45 : brief.weather === 'clear' ? 1 : 1.15))
  const color = toYuv(bank.color ?? palette.mist)
  const span = Math.max(geometry.width, geometry.unit * 1.4)
  return ({ seconds }) => {
    const drift = (seconds % 60) * span * (0.006 + 0.004 * (bank.order % 4)) * (bank.order % 2 ? -1 : 1)
    compositor.drawTexture(
      texture,
      {
        x: -span * (0.42 + 0.06 * (bank.order % 3)) + drift,
        y: top,
        width: span * 1.95,
        height,
        rowFirst: Math.floor(top) & ~3,
        rowEnd: Math.min(bank.rowEnd ?? geometry.height, Math.ceil(top + height)),
      },
      { mode: 'cover', gain, color },
    )
  }
}

/** Paints fog in front of everything: two banks of mist around the horizon. */
export function paintFog(stage: Stage): (Painter | undefined)[] {
  const { geometry, horizon, palette } = stage
  const { unit } = geometry
  const texture = createMistTexture(stage)
  const color = mixRgb(palette.mist, [235, 240, 245], 0.18)
  return [
    paintMist(stage, texture, { top: horizon - unit * 0.3, height: unit * 0.34, gain: 0.42, color, order: 3 }),
    paintMist(stage, texture, { top: horizon - unit * 0.1, height: unit * 0.3, gain: 0.5, color, order: 6 }),
  ]
}
