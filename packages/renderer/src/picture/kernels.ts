import { readFileSync } from 'node:fs'

/**
 * Exports of kernels/kernels.wasm. All numbers are i32, f32 or f64, and addresses are in bytes. The
 * struct layouts are in kernels/*.as.ts.
 */
export interface Kernels {
  buildSamplingTable(
    offsets: number,
    positions: number,
    weights: number,
    blocks: number,
    start: number,
    step: number,
    sourceWidth: number,
    sampleBytes: 1 | 2,
  ): void
  composeLayer(
    span: number,
    color: number,
    alpha: number,
    stride: number,
    height: number,
    tiles: number,
    tileColumns: number,
    tileShift: number,
    opacity: number,
  ): void
  mapTiles(tiles: number, alpha: number, width: number, height: number): void
  composeTexture(
    span: number,
    texels: number,
    strideBytes: number,
    height: number,
    mode: number,
    gain: number,
    color: number,
  ): void
  addSplat(
    plane: number,
    strideBytes: number,
    width: number,
    height: number,
    centerX: number,
    centerY: number,
    radius: number,
    amplitude: number,
    profile: number,
  ): void
  halvePlane(target: number, targetStride: number, source: number, sourceStride: number, width: number, rows: number): void
  reflectWater(water: number): void
  warpPicture(warp: number): void
  reducePlane(
    target: number,
    targetStride: number,
    source: number,
    sourceStride: number,
    columns: number,
    rows: number,
    sourceRows: number,
  ): void
  enlargePlane(
    target: number,
    targetStride: number,
    source: number,
    sourceStride: number,
    columns: number,
    rows: number,
    rowFirst: number,
    rowEnd: number,
  ): void
  curveLuma(plane: number, strideBytes: number, rows: number, knots: number): void
  filterLuma(
    planeY: number,
    planeU: number,
    planeV: number,
    strideBytes: number,
    chromaRows: number,
    shareU: number,
    shareV: number,
  ): void
  washPlane(wash: number): void
  coatPlane(
    target: number,
    targetStride: number,
    source: number,
    sourceStride: number,
    coat: number,
    width: number,
    rows: number,
    paper: number,
  ): void
  drawStroke(stroke: number): void
  closeStrokes(owners: number, samples: number): void
  lightRelief(factors: number, heights: number, width: number, rows: number): void
  listRuns(target: number, owners: number, width: number, rows: number, step: number): number
  sampleStrokes(colors: number, deviations: number, points: number, count: number, plane: number, strideBytes: number): void
  fillStrokes(target: number, strideBytes: number, width: number, rows: number, runs: number, colors: number, light: number): void
  gradeChroma(plane: number, strideBytes: number, rows: number, halfSaturation: number, center: number): void
  toneChroma(
    plane: number,
    luma: number,
    lumaStride: number,
    rows: number,
    halfSaturation: number,
    shadows: number,
    lights: number,
  ): void
  tintChroma(
    plane: number,
    strideBytes: number,
    columns: number,
    rows: number,
    halfSaturation: number,
    center: number,
    tints: number,
  ): void
  weavePlane(
    plane: number,
    strideBytes: number,
    columns: number,
    rows: number,
    rowFirst: number,
    rowEnd: number,
    wholeX: number,
    wholeY: number,
    fractionX: number,
    fractionY: number,
  ): void
  passBright(pass: number): void
  reduceGlow(
    target: number,
    targetStride: number,
    source: number,
    sourceStride: number,
    columns: number,
    rows: number,
    sourceRows: number,
  ): void
  addGlow(
    target: number,
    targetStride: number,
    source: number,
    sourceStride: number,
    columns: number,
    rows: number,
    gain: number,
  ): void
  addLight(
    target: number,
    targetStride: number,
    source: number,
    sourceStride: number,
    columns: number,
    rows: number,
    gain: number,
  ): void
  drawPixels(pixels: number): void
  sampleNoise(
    ridged: number,
    xs: number,
    ys: number,
    target: number,
    count: number,
    octaves: number,
    gain: number,
    seed: number,
  ): void
  softenHeights(target: number, source: number, rays: number, steps: number, sideWeight: number, means: number): void
  projectHeights(
    target: number,
    heights: number,
    rays: number,
    eyeRow: number,
    eyeHeight: number,
    perLength: number,
    extent: number,
  ): void
  shadeGroundRow(light: number, row: number, before: number, behind: number, z: number, spacing: number, length: number): void
  colorGroundRow(light: number, row: number, hazeShare: number, fogNearness: number): void
  rasterizeGround(ground: number): void
  splitPremultiplied(
    source: number,
    width: number,
    height: number,
    planeY: number,
    planeA: number,
    planeU: number,
    planeV: number,
    halfA: number,
  ): void
  flattenStraight(
    source: number,
    width: number,
    height: number,
    planeY: number,
    planeU: number,
    planeV: number,
    stride: number,
  ): void
  coverMistRow(target: number, values: number, edges: number, columns: number, rise: number): void
  paintSkyRow(
    sky: number,
    planeY: number,
    planeU: number,
    planeV: number,
    dy: number,
    red: number,
    green: number,
    blue: number,
    sideShareMax: number,
  ): void
  drawDitherTile(tile: number, white: number): void
  storePlane(
    target: number,
    source: number,
    sourceStride: number,
    width: number,
    rows: number,
    finish: number,
    tileX: number,
    tileY: number,
  ): void
  storeRgb(
    target: number,
    planeY: number,
    planeU: number,
    planeV: number,
    width: number,
    height: number,
    stride: number,
    finish: number,
  ): void
  filterRows(target: number, source: number, width: number, rows: number): void
  findBox(box: number, pixels: number, width: number, rows: number): void
  clearBytes(start: number, bytes: number): void
  coverCells(
    cells: number,
    stride: number,
    pixels: number,
    pixelStride: number,
    width: number,
    rows: number,
    cell: number,
    pad: number,
    sums: number,
  ): void
  blurCells(cells: number, spare: number, columns: number, rows: number, stride: number, reach: number): void
  lightPart(part: number): void
  composePart(part: number): void
  drawShadowRow(
    shadow: number,
    target: number,
    width: number,
    startColumn: number,
    from: number,
    sharpShare: number,
    softShare: number,
    contactStrength: number,
  ): void
  reflectRow(target: number, width: number, source: number, sourceWidth: number, shift: number, fade: number): void
}

let compiled: WebAssembly.Module | undefined

export function instantiateKernels(memory: WebAssembly.Memory): Kernels {
  compiled ??= new WebAssembly.Module(readFileSync(new URL('kernels/kernels.wasm', import.meta.url)))
  // The module is part of this repository. kernels.test.ts compares it with its source, which has
  // these exports.
  return new WebAssembly.Instance(compiled, { env: { memory, exp: Math.exp } }).exports as unknown as Kernels
}
