import type { Canvas, SKRSContext2D } from '@napi-rs/canvas'
import type { FrameRegion } from '../frame-source.ts'
import { Arena } from './arena.ts'
import type { Yuv } from './color.ts'
import { clamp } from './curves.ts'
import { createDitherTile, createProfiles, type Profile, type Profiles } from './fixed-tables.ts'
import { frameGeometry, type FrameGeometry } from './frame-geometry.ts'
import { reuseCanvas } from './reuse-canvas.ts'
import { instantiateKernels, type Kernels } from './kernels.ts'
import type { Level } from './level.ts'

const fullOpacity = 32_767
const rowCacheBytes = 8256
const tableBlocks = 512
/**
 * Log2 of the side of a tile, in luma samples. Each tile of a layer is marked as empty, mixed or
 * solid. In the half-size planes, the side is half as long.
 */
const tileShift = 4
/**
 * Minimum size of the scratch memory. Layers are converted in it during set-up, and it becomes the
 * memory of the working planes and output slots.
 */
const scratchBytesMin = 6 * 1024 * 1024

/** A drawing with alpha as premultiplied planes: full-size Y and A, half-size U, V and A. */
export interface Layer {
  width: number
  height: number
  planes: { y: number; a: number; u: number; v: number; halfA: number }
  /** Address of the map that marks tiles as empty, mixed or solid. */
  tiles: number
}

/** A small image of 16-bit samples: Y, U and V, or one plane of coverage. */
export interface Texture {
  width: number
  height: number
  planes: number[]
}

/** A drawing before it becomes a layer: premultiplied RGBA. */
export interface LayerPixels {
  width: number
  height: number
  rgba: Uint8Array
}

export interface LayerPlacement {
  /** Position of the layer's top left corner, in frame pixels. */
  x: number
  y: number
  /** Frame pixels per layer pixel. Must be more than 0.5. */
  scale: number
  opacity?: number
  /**
   * Only luma is composed, which takes a third less time. It is intended for thin layers that are
   * nearly gray.
   */
  isColorless?: boolean
  /**
   * Range of frame rows that are drawn, from `rowFirst` up to but not including `rowEnd`. Below the
   * layer's last row, that row is repeated down to `rowEnd`.
   */
  rowFirst?: number
  rowEnd?: number
}

export interface TexturePlacement {
  x: number
  y: number
  width: number
  height: number
  rowFirst?: number
  rowEnd?: number
}

/**
 * Operation that combines a texture with the frame. `replace` stores the texture, and `add` adds it
 * as light. `cover` blends in a color, and `reveal` blends in other working planes. Both use the
 * texture as coverage.
 */
export type TextureBlend =
  | { mode: 'replace' }
  | { mode: 'add'; gain: number }
  | { mode: 'cover'; gain: number; color: Yuv }
  | { mode: 'reveal'; planes: WorkingPlanes }

export interface WorkingPlanes {
  y: number
  u: number
  v: number
}

interface PlaneView {
  address: number
  strideBytes: number
  blocks: number
  rows: number
  /** Factor by which the plane is smaller than the frame: 1 for luma, 2 for chroma. */
  reduction: number
}

interface SamplingTable {
  offsets: number
  positions: number
  weights: number
}

/**
 * Owns the memory of one plan: working planes, output slots, layers and textures. Layers and
 * textures are created during set-up. For each frame, they are composed onto the working planes,
 * and one of the `store` methods writes the result.
 */
export class Compositor {
  readonly geometry: FrameGeometry
  readonly arena: Arena
  readonly kernels: Kernels
  readonly planes: WorkingPlanes
  readonly bytes: Uint8Array
  readonly words: Int32Array
  readonly shorts: Int16Array
  readonly floats: Float32Array
  readonly #slots: readonly [number, number]
  readonly #scratch: number
  readonly #scratchBytes: number
  readonly #span: number
  readonly #rowCache: number
  readonly #runs: number
  readonly #tables: { luma: SamplingTable; chroma: SamplingTable }
  readonly #profiles: Profiles
  readonly #ditherTile: number
  readonly #falloff: { lumaColumns: number; lumaRows: number; chromaColumns: number; chromaRows: number }
  readonly #finishes: { luma: number; chroma: number }

  /** Changes the pixels of each new layer that is not final, for styles. Default: none. */
  treatLayer: ((pixels: LayerPixels) => void) | undefined

  /**
   * Offset of the luma in the noise tile of `setFinish`. A different offset in each frame makes the
   * grain move.
   */
  grainOffset = { x: 0, y: 0 }

  constructor(size: { width: number; height: number }, memory: WebAssembly.Memory) {
    this.geometry = frameGeometry(size)
    this.kernels = instantiateKernels(memory)
    this.arena = new Arena(memory)
    this.bytes = new Uint8Array(memory.buffer)
    this.words = new Int32Array(memory.buffer)
    this.shorts = new Int16Array(memory.buffer)
    this.floats = new Float32Array(memory.buffer)

    const { width, height, paddedWidth } = this.geometry
    const scratchStart = this.arena.nextAddress
    this.planes = this.allocatePlanes()
    this.#slots = [this.arena.allocate(width * height * 1.5), this.arena.allocate(width * height * 1.5)]
    this.arena.allocate(Math.max(0, scratchBytesMin - (this.arena.nextAddress - scratchStart)))
    this.#scratch = scratchStart
    this.#scratchBytes = this.arena.nextAddress - scratchStart

    this.#span = this.arena.allocate(12 * 4)
    this.#rowCache = this.arena.allocate(4 * rowCacheBytes)
    this.#runs = this.arena.allocate(tableBlocks * 8)
    this.#tables = { luma: this.#allocateTable(), chroma: this.#allocateTable() }
    this.#profiles = createProfiles(this.arena)
    this.#ditherTile = createDitherTile(this.arena, this.kernels)
    this.#falloff = {
      lumaColumns: this.#allocateZeroed(paddedWidth * 2),
      lumaRows: this.#allocateZeroed(height * 2),
      chromaColumns: this.#allocateZeroed(paddedWidth),
      chromaRows: this.#allocateZeroed(height),
    }
    this.#finishes = { luma: this.arena.allocate(28), chroma: this.arena.allocate(28) }
    this.setFinish({ vignette: 0, dither: 1 })
  }

  /** Allocates a set of working planes with the layout of `planes`. */
  allocatePlanes(): WorkingPlanes {
    const { paddedWidth, height } = this.geometry
    const y = this.arena.allocate(paddedWidth * height * 2)
    return { y, u: this.arena.allocate((paddedWidth * height) / 2), v: this.arena.allocate((paddedWidth * height) / 2) }
  }

  // --- set-up ---

  /**
   * Draws a layer. Its size is rounded up to even numbers, at least 32 x 4. A final layer stays as
   * drawn, even if `treatLayer` is set.
   */
  layer(
    width: number,
    height: number,
    draw: (context: SKRSContext2D, width: number, height: number) => void,
    { isFinal = false } = {},
  ): Layer {
    const evenWidth = evenAtLeast(width, 32)
    const evenHeight = evenAtLeast(height, 4)
    const canvas = reuseCanvas(evenWidth, evenHeight)
    const context = canvas.getContext('2d')
    context.reset()
    context.beginPath()
    context.rect(0, 0, evenWidth, evenHeight)
    context.clip()
    draw(context, evenWidth, evenHeight)
    if (evenWidth * evenHeight * 4 > this.#scratchBytes) throw this.#tooLarge()
    this.#copyCorner(canvas, evenWidth, evenHeight, this.#scratch)
    return this.layerAt(evenWidth, evenHeight, this.#scratch, { isFinal })
  }

  /**
   * Replaces the colors of a layer with those of a canvas that has the same alpha. `address` is the
   * start of temporary memory with four bytes for each pixel.
   */
  recolorLayer({ width, height, planes }: Layer, canvas: Canvas, address: number): void {
    this.#copyCorner(canvas, width, height, address)
    this.kernels.splitPremultiplied(address, width, height, planes.y, planes.a, planes.u, planes.v, planes.halfA)
  }

  /**
   * Creates a layer from premultiplied RGBA. Both sides must be even, and the width at least 32.
   */
  layerFromPixels(width: number, height: number, rgba: Uint8Array, { isFinal = false } = {}): Layer {
    return this.layerAt(width, height, this.copyToScratch(rgba), { isFinal })
  }

  /** Like `layerFromPixels`, for pixels at the address `source` of the memory. */
  layerAt(width: number, height: number, source: number, { isFinal = false } = {}): Layer {
    const pixels = width * height
    if (!isFinal) this.treatLayer?.({ width, height, rgba: this.bytes.subarray(source, source + pixels * 4) })
    const planes = {
      y: this.arena.allocate(pixels),
      a: this.arena.allocate(pixels),
      u: this.arena.allocate(pixels / 4),
      v: this.arena.allocate(pixels / 4),
      halfA: this.arena.allocate(pixels / 4),
    }
    this.kernels.splitPremultiplied(source, width, height, planes.y, planes.a, planes.u, planes.v, planes.halfA)
    const tiles = this.arena.allocate(tilesAcross(width) * tilesAcross(height))
    this.kernels.mapTiles(tiles, planes.a, width, height)
    return { width, height, planes, tiles }
  }

  /**
   * Address of scratch memory of at least six bytes per pixel. The first frame overwrites it,
   * because it is the memory of the working planes and slots. A call that creates a layer may
   * overwrite it earlier.
   */
  get scratch(): number {
    return this.#scratch
  }

  /** An arena over the same memory as `scratch`. */
  workspace(): Arena {
    return new Arena(this.arena.memory, this.#scratch, this.#scratch + this.#scratchBytes)
  }

  /** Copies the content to the start of `scratch`, and returns its address. */
  copyToScratch(content: ArrayBufferView): number {
    return this.copyAllToScratch([content])[0] ?? this.#scratch
  }

  /**
   * Copies the pieces to `scratch` one after the other. A piece that is a number stands for that
   * many zero bytes. Returns the address of each piece.
   */
  copyAllToScratch(pieces: readonly (ArrayBufferView | number)[]): number[] {
    let next = this.#scratch
    return pieces.map((piece) => {
      const start = next
      const length = typeof piece === 'number' ? piece : piece.byteLength
      if (start + length > this.#scratch + this.#scratchBytes) throw this.#tooLarge()
      if (typeof piece === 'number') this.bytes.fill(0, start, start + length)
      else this.bytes.set(new Uint8Array(piece.buffer, piece.byteOffset, length), start)
      next = start + Math.ceil(length / 16) * 16
      return start
    })
  }

  /** Copies the top left corner of a canvas, of this width and height, to an address. */
  #copyCorner(canvas: Canvas, width: number, height: number, address: number): void {
    const pixels = canvas.data()
    const [stride, rowBytes] = [canvas.width * 4, width * 4]
    for (let row = 0; row < height; row++) {
      this.bytes.set(pixels.subarray(row * stride, row * stride + rowBytes), address + row * rowBytes)
    }
  }

  #tooLarge(): RangeError {
    return new RangeError(`a layer is too large for the ${this.#scratchBytes} bytes of scratch memory`)
  }

  /**
   * Creates a texture. `paint` sets the Y, U and V code values of the texel at the position `u`,
   * `v`, each from 0 to 1.
   */
  texture(width: number, height: number, paint: (u: number, v: number, yuv: [number, number, number]) => void): Texture {
    const texture = this.emptyTexture(width, height)
    const [y = 0, u = 0, v = 0] = texture.planes
    const yuv: [number, number, number] = [0, 0, 0]
    for (let row = 0, index = 0; row < height; row++) {
      for (let column = 0; column < width; column++, index++) {
        paint(column / (width - 1), row / (height - 1), yuv)
        this.shorts[(y >> 1) + index] = clamp(yuv[0] * 128, -32_640, 32_640)
        this.shorts[(u >> 1) + index] = clamp(yuv[1] * 128, -32_640, 32_640)
        this.shorts[(v >> 1) + index] = clamp(yuv[2] * 128, -32_640, 32_640)
      }
    }
    return texture
  }

  /** Creates a texture of Y, U and V, or of one plane of coverage. Its samples are 0. */
  emptyTexture(width: number, height: number, planeCount: 1 | 3 = 3): Texture {
    const planes = Array.from({ length: planeCount }, () => this.#allocateZeroed(width * height * 2))
    return { width, height, planes }
  }

  /** Creates a texture of one plane. `cover` returns the coverage of a texel, from 0 to 1. */
  coverTexture(width: number, height: number, cover: (u: number, v: number, index: number) => number): Texture {
    const texture = this.emptyTexture(width, height, 1)
    this.repaintCover(texture, cover)
    return texture
  }

  repaintCover(texture: Texture, cover: (u: number, v: number, index: number) => number): void {
    const start = (texture.planes[0] ?? 0) >> 1
    for (let row = 0, index = 0; row < texture.height; row++) {
      for (let column = 0; column < texture.width; column++, index++) {
        const value = cover(column / (texture.width - 1), row / (texture.height - 1), index)
        this.shorts[start + index] = clamp(value) * 32_767
      }
    }
  }

  /** Returns a working plane as a `Level`. */
  level(name: 'y' | 'u' | 'v'): Level {
    const { address, strideBytes, rows, reduction } = this.#view(name)
    return { address, strideBytes, columns: this.geometry.paddedWidth / reduction, rows }
  }

  /**
   * Sets the vignette and the dithering of all later frames. `vignette` is the share by which the
   * middle of the left and right edges is darkened. Corners are darkened more. `dither` is the
   * strength of the noise in `tile`, in code values.
   */
  setFinish({ vignette, dither, tile = this.#ditherTile }: { vignette: number; dither: number; tile?: number }): void {
    const { width, height, paddedWidth } = this.geometry
    const { lumaColumns, lumaRows, chromaColumns, chromaRows } = this.#falloff
    for (let x = 0; x < paddedWidth; x++) {
      const squaredDistance = ((x / width - 0.5) * 2) ** 2
      const falloff = Math.min(fullOpacity / 2, fullOpacity * vignette * squaredDistance * (0.5 + 0.5 * squaredDistance))
      this.shorts[(lumaColumns >> 1) + x] = falloff
      this.shorts[(chromaColumns >> 1) + (x >> 1)] = falloff * 0.6
    }
    for (let y = 0; y < height; y++) {
      const falloff = fullOpacity * vignette * 0.8 * ((y / height - 0.5) * 2) ** 2
      this.shorts[(lumaRows >> 1) + y] = falloff
      this.shorts[(chromaRows >> 1) + (y >> 1)] = falloff * 0.6
    }
    this.words.set([lumaColumns, lumaRows, tile, Math.round(dither * 128), 16 * 128, 16, 235], this.#finishes.luma >> 2)
    this.words.set(
      [chromaColumns, chromaRows, tile, Math.round(Math.min(dither, 1) * 64), 128 * 128, 16, 240],
      this.#finishes.chroma >> 2,
    )
  }

  // --- one frame ---

  drawLayer(layer: Layer, placement: LayerPlacement): void {
    const { paddedWidth, height } = this.geometry
    const { x, y, scale } = placement
    const step = 1 / scale
    // Sampling reaches half a sample beyond the layer's edge.
    const rowFirst = Math.max(0, Math.floor(y - scale), placement.rowFirst ?? 0) & ~1
    const rowEnd = Math.min(height, placement.rowEnd ?? Math.ceil(y + layer.height * scale))
    const columnFirst = Math.max(0, Math.floor((x - scale) / 16) * 16)
    const columnEnd = Math.min(paddedWidth, Math.ceil((x + (layer.width + 1) * scale) / 16) * 16)
    const opacity = Math.round((placement.opacity ?? 1) * fullOpacity)
    if (rowFirst >= rowEnd || columnFirst >= columnEnd || opacity <= 0) return
    const { planes } = layer
    this.#buildSamplingTable('luma', x - columnFirst, step, (columnEnd - columnFirst) >> 3, layer.width, 1)
    this.#buildSamplingTable('chroma', (x - columnFirst) / 2, step, (columnEnd - columnFirst) >> 4, layer.width >> 1, 1)
    for (const [view, color] of [
      [this.#view('y'), planes.y],
      [this.#view('u'), planes.u],
      [this.#view('v'), planes.v],
    ] as const) {
      const { reduction } = view
      if (reduction === 2 && placement.isColorless) continue
      this.#setSpan(
        view,
        columnFirst / reduction,
        (columnEnd - columnFirst) / reduction,
        Math.floor(rowFirst / reduction),
        Math.ceil(rowEnd / reduction),
        y / reduction,
        step,
      )
      this.kernels.composeLayer(
        this.#span,
        color,
        reduction === 1 ? planes.a : planes.halfA,
        layer.width / reduction,
        layer.height / reduction,
        layer.tiles,
        tilesAcross(layer.width),
        tileShift - (reduction - 1),
        opacity,
      )
    }
  }

  drawTexture(texture: Texture, placement: TexturePlacement, blend: TextureBlend): void {
    const { paddedWidth, height } = this.geometry
    const rowFirst = Math.max(0, placement.rowFirst ?? 0)
    const rowEnd = Math.min(height, placement.rowEnd ?? height)
    if (rowFirst >= rowEnd) return
    const stepX = texture.width / placement.width
    const stepY = texture.height / placement.height
    this.#buildSamplingTable('luma', placement.x, stepX, paddedWidth >> 3, texture.width, 2)
    this.#buildSamplingTable('chroma', placement.x / 2, stepX * 2, paddedWidth >> 4, texture.width, 2)
    const mode = { replace: 0, add: 1, cover: 2, reveal: 3 }[blend.mode]
    const gain = blend.mode === 'add' || blend.mode === 'cover' ? Math.round(clamp(blend.gain) * fullOpacity) : fullOpacity
    for (const [index, name] of (['y', 'u', 'v'] as const).entries()) {
      const view = this.#view(name)
      const { reduction } = view
      const texels = texture.planes[texture.planes.length === 1 ? 0 : index] ?? 0
      this.#setSpan(
        view,
        0,
        view.blocks * 8,
        Math.floor(rowFirst / reduction),
        Math.ceil(rowEnd / reduction),
        placement.y / reduction,
        stepY * reduction,
      )
      const operand =
        blend.mode === 'cover'
          ? Math.round((blend.color[index] ?? 0) * 128)
          : blend.mode === 'reveal'
            ? blend.planes[name] - this.planes[name]
            : 0
      this.kernels.composeTexture(this.#span, texels, texture.width * 2, texture.height, mode, gain, operand)
    }
  }

  /**
   * Enlarges planes of half the padded frame's width (chroma: a quarter) by two, and stores them in
   * the rows from `rowFirst` on.
   */
  drawHalfPlanes(source: WorkingPlanes, rowFirst: number): void {
    const { paddedWidth, height } = this.geometry
    this.#buildSamplingTable('luma', 0, 0.5, paddedWidth >> 3, paddedWidth >> 1, 2)
    this.#buildSamplingTable('chroma', 0, 0.5, paddedWidth >> 4, paddedWidth >> 2, 2)
    for (const name of ['y', 'u', 'v'] as const) {
      const view = this.#view(name)
      const planeRowFirst = rowFirst / view.reduction
      const sourceRows = Math.ceil((height - rowFirst) / 2 / view.reduction)
      this.#setSpan(view, 0, view.blocks * 8, planeRowFirst, view.rows, planeRowFirst, 0.5)
      this.kernels.composeTexture(this.#span, source[name], paddedWidth / view.reduction, sourceRows, 0, 0, 0)
    }
  }

  /** Adds a round spot of `light`, which is in code values. Negative light darkens. */
  addSpot(x: number, y: number, radius: number, light: Yuv, profile: Profile = 'glow'): void {
    const { paddedWidth, width, height } = this.geometry
    const table = this.#profiles[profile]
    const { kernels, planes } = this
    kernels.addSplat(planes.y, paddedWidth * 2, width, height, x, y, radius, Math.round(light[0] * 128), table)
    if (light[1] === 0 && light[2] === 0) return
    const [halfWidth, halfHeight] = [width >> 1, height >> 1]
    kernels.addSplat(planes.u, paddedWidth, halfWidth, halfHeight, x / 2, y / 2, radius / 2, Math.round(light[1] * 128), table)
    kernels.addSplat(planes.v, paddedWidth, halfWidth, halfHeight, x / 2, y / 2, radius / 2, Math.round(light[2] * 128), table)
  }

  storeI420(slot: 0 | 1): FrameRegion {
    const { width, height, paddedWidth } = this.geometry
    const { kernels, planes } = this
    const chromaWidth = width >> 1
    const chromaHeight = height >> 1
    const start = this.#slots[slot]
    const { luma, chroma } = this.#finishes
    const u = start + width * height
    const v = u + chromaWidth * chromaHeight
    // The order of these calls matters: vectors of a plane's last row may overwrite the start of
    // the next plane.
    const { x, y } = this.grainOffset
    kernels.storePlane(start, planes.y, paddedWidth * 2, width, height, luma, x, y)
    kernels.storePlane(u, planes.u, paddedWidth, chromaWidth, chromaHeight, chroma, 77, 31)
    kernels.storePlane(v, planes.v, paddedWidth, chromaWidth, chromaHeight, chroma, 177, 131)
    return { byteOffset: start, byteLength: width * height * 1.5 }
  }

  /** Stores packed RGB in the memory of both slots. */
  storeRgb(): FrameRegion {
    const { width, height, paddedWidth } = this.geometry
    const { y, u, v } = this.planes
    this.kernels.storeRgb(this.#slots[0], y, u, v, width, height, paddedWidth, this.#finishes.luma)
    return { byteOffset: this.#slots[0], byteLength: width * height * 3 }
  }

  /**
   * Stores the frame's RGB as filtered PNG rows. The PNG rows overwrite the working planes first,
   * and then rows of RGB that have already been filtered.
   */
  storePngRows(): FrameRegion {
    const { width, height } = this.geometry
    const { byteOffset } = this.storeRgb()
    this.kernels.filterRows(this.planes.y, byteOffset, width, height)
    return { byteOffset: this.planes.y, byteLength: (width * 3 + 1) * height }
  }

  // --- addresses and tables ---

  #allocateZeroed(bytes: number): number {
    const start = this.arena.allocate(bytes)
    this.bytes.fill(0, start, this.arena.nextAddress)
    return start
  }

  #allocateTable(): SamplingTable {
    return {
      offsets: this.arena.allocate(tableBlocks * 4),
      positions: this.arena.allocate(tableBlocks * 16),
      weights: this.arena.allocate(tableBlocks * 16),
    }
  }

  #view(name: 'y' | 'u' | 'v'): PlaneView {
    const { paddedWidth, height } = this.geometry
    return name === 'y'
      ? { address: this.planes.y, strideBytes: paddedWidth * 2, blocks: paddedWidth >> 3, rows: height, reduction: 1 }
      : { address: this.planes[name], strideBytes: paddedWidth, blocks: paddedWidth >> 4, rows: height >> 1, reduction: 2 }
  }

  #buildSamplingTable(
    plane: 'luma' | 'chroma',
    origin: number,
    step: number,
    blocks: number,
    sourceWidth: number,
    sampleBytes: 1 | 2,
  ): void {
    const { offsets, positions, weights } = this.#tables[plane]
    // A position is the center of a sample. The center of the first sample is half a sample to the
    // right of the frame's left edge.
    const start = (0.5 - origin) * step - 0.5
    this.kernels.buildSamplingTable(
      offsets,
      positions,
      weights,
      blocks,
      toFixedPoint(start),
      toFixedPoint(step),
      sourceWidth,
      sampleBytes,
    )
  }

  #setSpan(
    view: PlaneView,
    columnFirst: number,
    columns: number,
    rowFirst: number,
    rowEnd: number,
    originY: number,
    stepY: number,
  ): void {
    const { offsets, positions, weights } = this.#tables[view.reduction === 1 ? 'luma' : 'chroma']
    const start = (0.5 - originY) * stepY - 0.5
    const target = view.address + columnFirst * 2
    const rows = Math.min(view.rows, rowEnd)
    this.words.set(
      [
        target,
        view.strideBytes,
        rowFirst,
        rows,
        columns >> 3,
        toFixedPoint(start),
        toFixedPoint(stepY),
        offsets,
        positions,
        weights,
        this.#rowCache,
        this.#runs,
      ],
      this.#span >> 2,
    )
  }
}

function toFixedPoint(value: number): number {
  return Math.round(value * 65_536)
}

function tilesAcross(side: number): number {
  return Math.ceil(side / (1 << tileShift))
}

function evenAtLeast(value: number, minimum: number): number {
  return Math.max(minimum, Math.ceil(value / 2) * 2)
}
