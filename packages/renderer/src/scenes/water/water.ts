import { toYuv, type Rgb } from '../../picture/color.ts'
import { clamp } from '../../picture/curves.ts'
import type { Painter, Stage } from '../stage.ts'

const tileSide = 256

export interface WaterLook {
  /** Displacement of the reflection by ripples at the horizon, in pixels at 1080 rows. */
  rippleFar: number
  /** Displacement at the lower edge of the frame. */
  rippleNear: number
  /** Share of the reflection at the horizon. The rest is the tint. */
  clarityFar: number
  /** Share of the reflection at the lower edge of the frame. */
  clarityNear: number
  /** Frequency of the ripples. 1 is that of a lake, and smaller values give a longer swell. */
  frequency: number
  /** Color of deep water. Default: the palette's. */
  tint?: Rgb
}

/** Paints water below the horizon. It mirrors everything that is already painted above the horizon. */
export function paintWater(stage: Stage, look: WaterLook): Painter {
  const { compositor, geometry, palette, horizon } = stage
  const { arena, kernels, words } = compositor
  const { paddedWidth, height } = geometry
  // The mirror image and the surface of the water have half the resolution of the frame.
  const halfLumaWidth = paddedWidth >> 1
  const halfChromaWidth = paddedWidth >> 2
  const mirrorRows = horizon >> 1
  const surfaceRows = Math.ceil((height - horizon) / 2)
  const surfaceChromaRows = Math.ceil(surfaceRows / 2)
  const mirror = {
    y: arena.allocate(halfLumaWidth * (mirrorRows + 1) * 2),
    u: arena.allocate(halfChromaWidth * ((mirrorRows >> 1) + 1) * 2),
    v: arena.allocate(halfChromaWidth * ((mirrorRows >> 1) + 1) * 2),
  }
  const surface = {
    y: arena.allocate(halfLumaWidth * (surfaceRows + 1) * 2),
    u: arena.allocate(halfChromaWidth * (surfaceChromaRows + 1) * 2),
    v: arena.allocate(halfChromaWidth * (surfaceChromaRows + 1) * 2),
  }
  const tile = createRippleTile(stage)
  const rowCache = arena.allocate(2048)
  const settings = arena.allocate(27 * 4)
  const floats = new Float32Array(arena.memory.buffer)
  const tint = toYuv(look.tint ?? palette.waterTint)

  const reflect = (planes: 'luma' | 'chroma', seconds: number): void => {
    const isLuma = planes === 'luma'
    words.set(
      [
        isLuma ? surface.y : surface.u,
        isLuma ? 0 : surface.v,
        (isLuma ? halfLumaWidth : halfChromaWidth) * 2,
        isLuma ? mirror.y : mirror.u,
        isLuma ? 0 : mirror.v,
        (isLuma ? halfLumaWidth : halfChromaWidth) * 2,
        isLuma ? mirrorRows : mirrorRows >> 1,
        isLuma ? halfLumaWidth : halfChromaWidth,
        isLuma ? surfaceRows : surfaceChromaRows,
        isLuma ? 1 : 2,
        tile,
        rowCache,
      ],
      settings >> 2,
    )
    floats.set(
      [
        stage.toPixels(60_000) * look.frequency,
        30 * look.frequency,
        seconds * 2.2,
        -seconds * 5 * look.frequency,
        -seconds * 1.6 + 90,
        -seconds * 7 * look.frequency + 40,
        stage.toPixels(12),
        stage.toPixels(look.rippleFar),
        stage.toPixels(look.rippleNear),
        surfaceRows,
        0.35,
      ],
      (settings >> 2) + 12,
    )
    words.set(
      [
        Math.round((isLuma ? tint[0] : tint[1]) * 128),
        Math.round(tint[2] * 128),
        Math.round(look.clarityFar * 32_767),
        Math.round(look.clarityNear * 32_767),
      ],
      (settings >> 2) + 23,
    )
    kernels.reflectWater(settings)
  }

  return ({ seconds }) => {
    const { y, u, v } = compositor.planes
    kernels.halvePlane(mirror.y, halfLumaWidth * 2, y, paddedWidth * 2, halfLumaWidth, mirrorRows)
    kernels.halvePlane(mirror.u, halfChromaWidth * 2, u, paddedWidth, halfChromaWidth, mirrorRows >> 1)
    kernels.halvePlane(mirror.v, halfChromaWidth * 2, v, paddedWidth, halfChromaWidth, mirrorRows >> 1)
    reflect('luma', seconds)
    reflect('chroma', seconds)
    compositor.drawHalfPlanes(surface, horizon)
  }
}

/**
 * Stores a tile of soft noise that repeats in both directions, and returns its address. Each column
 * and each row is a point on a circle. A sample reads the noise field at the sum of the points of
 * its column and its row. Circles are closed, so opposite edges of the tile join without a seam.
 */
function createRippleTile({ compositor, noise }: Stage): number {
  const tile = compositor.arena.allocate(tileSide * tileSide * 4 + 1024)
  const angles = Array.from({ length: tileSide }, (_, index) => (index / tileSide) * 2 * Math.PI)
  const [cosines, sines] = [angles.map((angle) => 3 * Math.cos(angle)), angles.map((angle) => 3 * Math.sin(angle))]
  const values = noise.cells({ shape: 'soft', octaves: 3, gain: 0.42 }, tileSide, tileSide, (column, row, point) => {
    point.x = 11 + (cosines[column] ?? 0) + (cosines[row] ?? 0)
    point.y = 22 + (sines[column] ?? 0) + (sines[row] ?? 0)
  })
  for (let index = 0; index < values.length; index++) {
    const pixel = (tile >> 1) + Math.floor(index / tileSide) * tileSide * 2 + (index % tileSide)
    const value = clamp((values[index] ?? 0) * 1.8, -1, 1) * 14_000
    compositor.shorts[pixel] = value
    compositor.shorts[pixel + tileSide] = value
  }
  return tile
}
