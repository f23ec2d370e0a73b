import { toFixedSample, toFixedShare } from '../../picture/fixed-point.ts'
import { toYuv, type Rgb } from '../../picture/color.ts'
import { clamp } from '../../picture/curves.ts'
import { enlargeRows, enlargeLevels, forEachStripe, reduceInto, allocateHalves } from '../../picture/pyramid.ts'
import type { Level } from '../../picture/level.ts'
import type { Painter, Stage } from '../stage.ts'
import { createCurve } from './curve.ts'

export interface WashLook {
  /** Color of the paper. */
  paper: Rgb
  /** Maximum displacement of the drawing by long and by short waves, in pixels at 1080 rows. */
  displacement: { longWaves: number; shortWaves: number }
  /**
   * Darkening of areas that are darker than their surroundings: its strength, its maximum in code
   * values, and the number of times that the frame is halved to compute the surroundings.
   */
  edge: { strength: number; darkeningMax: number; reach: 2 | 3 | 4 | 5 }
  /** Whether small objects blur into each other. */
  isWet: boolean
  /** Maps light to light, both from 0 to 1, where 1 is bare paper. */
  tone: (light: number) => number
  /** Factor of the scene's saturation. */
  saturation: number
  /** U and V of gray paint, in code values. Default: neutral. */
  grey?: readonly [u: number, v: number]
  /**
   * Functions that return the value to add to U and to V at a pixel of the frame, in code values from
   * -15 to 15.
   */
  tint?: readonly [u: (x: number, y: number) => number, v: (x: number, y: number) => number]
  /**
   * Returns the amount of paint on the paper at a pixel of the frame. 0 is bare paper, 1 is
   * unchanged, and 2 is the limit.
   */
  coat: (x: number, y: number) => number
}

/**
 * Redraws the image as thinned paint on paper. The displacement is the same in all frames, so that
 * the drawing does not tremble.
 */
export function paintWash(stage: Stage, look: WashLook): Painter {
  const { compositor } = stage
  const { kernels, arena } = compositor
  const [frameY, frameU, frameV] = [compositor.level('y'), compositor.level('u'), compositor.level('v')]
  const halves = allocateHalves(compositor, frameY, look.edge.reach)
  const [halfLevel = frameY, ...smaller] = halves
  const [quarter = halfLevel] = smaller
  const surroundings: Level = { ...halfLevel, address: arena.allocate(halfLevel.strideBytes * halfLevel.rows) }
  const washedLevel: Level = { ...halfLevel, address: arena.allocate(halfLevel.strideBytes * halfLevel.rows) }
  const offsetTables = { luma: createOffsets(stage, look, halfLevel), chroma: createOffsets(stage, look, frameU) }
  const coats = createCoats(stage, look)
  const tints = ([0, 1] as const).map((index) => createTint(stage, frameU, look.tint?.[index] ?? (() => 0)))
  const paper = toYuv(look.paper)
  const bareLight = (paper[0] - 16) / 219
  const curve = createCurve(compositor, (light) => look.tone(light) * bareLight)
  const settings = arena.allocate(11 * 4)

  const wash = (source: Level, surroundingsAddress: number, target: Level, offsets: number): void => {
    const blocks = frameU.columns >> 3
    const edge = toFixedShare(look.edge.strength / 4)
    compositor.words.set(
      [
        target.address,
        target.strideBytes,
        source.address,
        source.strideBytes,
        surroundingsAddress,
        blocks,
        frameU.rows,
        offsets,
        edge,
        toFixedSample(look.edge.darkeningMax),
      ],
      settings >> 2,
    )
    kernels.washPlane(settings)
  }

  return () => {
    reduceInto(compositor, frameY, halves)
    if (look.isWet) enlargeLevels(compositor, [quarter, halfLevel])
    enlargeLevels(compositor, [...smaller.toReversed(), surroundings])
    wash(halfLevel, surroundings.address, washedLevel, offsetTables.luma)
    kernels.curveLuma(washedLevel.address, washedLevel.strideBytes, washedLevel.rows, curve)
    forEachStripe(frameY, (rowFirst, rowEnd) => {
      enlargeRows(compositor, washedLevel, frameY, rowFirst, rowEnd)
      coatRows(stage, frameY, frameY, coats.luma, paper[0], rowFirst, rowEnd)
    })
    for (const [plane, paperValue, grey, tint] of [
      [frameU, paper[1], look.grey?.[0] ?? 128, tints[0]],
      [frameV, paper[2], look.grey?.[1] ?? 128, tints[1]],
    ] as const) {
      wash(plane, 0, washedLevel, offsetTables.chroma)
      const { address, strideBytes, rows } = washedLevel
      kernels.tintChroma(
        address,
        strideBytes,
        plane.columns,
        rows,
        toFixedShare(look.saturation / 2),
        toFixedSample(grey),
        tint ?? 0,
      )
      coatRows(stage, plane, washedLevel, coats.chroma, paperValue, 0, plane.rows)
    }
  }
}

function coatRows(
  { compositor }: Stage,
  target: Level,
  source: Level,
  coat: number,
  paper: number,
  rowFirst: number,
  rowEnd: number,
): void {
  compositor.kernels.coatPlane(
    target.address + rowFirst * target.strideBytes,
    target.strideBytes,
    source.address + rowFirst * source.strideBytes,
    source.strideBytes,
    coat + rowFirst * target.columns,
    target.columns,
    rowEnd - rowFirst,
    toFixedSample(paper),
  )
}

/**
 * Stores the tint of each sample of a chroma plane, in eighths of a code value. Returns its
 * address.
 */
function createTint({ compositor }: Stage, { columns, rows }: Level, tint: (x: number, y: number) => number): number {
  const address = compositor.arena.allocate(columns * rows)
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) compositor.bytes[address + y * columns + x] = clamp(tint(x * 2, y * 2) * 8, -127, 127)
  }
  return address
}

/**
 * Stores the byte offset from each block to the samples that replace it, for each row of half the
 * frame, and returns the address. Each row has one extra entry.
 */
function createOffsets(stage: Stage, { displacement }: WashLook, { strideBytes, rows }: Level): number {
  const { compositor, geometry, noise } = stage
  const columns = geometry.paddedWidth >> 4
  const count = (columns + 1) * rows
  const table = compositor.arena.allocate(count * 4)
  const field = (shape: number, size: number): Float32Array =>
    noise.sample({ shape: 'soft', octaves: 2, gain: 0.5 }, count, (index, point) => {
      point.x = ((index % (columns + 1)) * 16) / size + shape * 37
      point.y = (Math.floor(index / (columns + 1)) * 2) / size + shape * 11
    })
  const [longLength, shortLength] = [stage.toPixels(120), stage.toPixels(26)]
  const fields = [field(1, longLength), field(2, longLength), field(3, shortLength), field(4, shortLength)] as const
  for (let index = 0; index < count; index++) {
    const [column, row] = [(index % (columns + 1)) * 8, Math.floor(index / (columns + 1))]
    const offsetFrom = (longField: Float32Array, shortField: Float32Array): number =>
      Math.round(
        (stage.toPixels(displacement.longWaves) * (longField[index] ?? 0) +
          stage.toPixels(displacement.shortWaves) * (shortField[index] ?? 0)) *
          0.8,
      )
    const x = clamp(column + offsetFrom(fields[0], fields[2]), 0, columns * 8 - 8)
    const y = clamp(row + offsetFrom(fields[1], fields[3]), 0, rows - 1)
    // The last entry covers only the right half of the last block.
    const from = column === columns * 8 ? column - 8 : column
    compositor.words[(table >> 2) + index] = (y - row) * strideBytes + (Math.min(x, columns * 8 - 8) - from) * 2
  }
  return table
}

function createCoats({ compositor }: Stage, { coat }: WashLook): { luma: number; chroma: number } {
  const { paddedWidth, height } = compositor.geometry
  const { bytes, arena } = compositor
  const luma = arena.allocate(paddedWidth * height)
  const chroma = arena.allocate((paddedWidth * height) / 4)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < paddedWidth; x++) bytes[luma + y * paddedWidth + x] = clamp(coat(x, y) * 128, 0, 255)
  }
  const halfRowWidth = paddedWidth >> 1
  for (let y = 0; y < height >> 1; y++) {
    for (let x = 0; x < halfRowWidth; x++) {
      const index = luma + y * 2 * paddedWidth + x * 2
      const [a = 0, b = 0] = [bytes[index], bytes[index + 1]]
      const [c = 0, d = 0] = [bytes[index + paddedWidth], bytes[index + paddedWidth + 1]]
      bytes[chroma + y * halfRowWidth + x] = (a + b + c + d + 2) >> 2
    }
  }
  return { luma, chroma }
}
