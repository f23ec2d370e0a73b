// Memory layout of the encoder for one video: planes, and an entry for each macroblock. A picture
// consists of whole macroblocks. Planes of reference pictures have a border of repeated samples, 32
// around luma and 16 around chroma, for motion that points outside.

export const LUMA_BORDER: i32 = 32
export const CHROMA_BORDER: i32 = 16

/**
 * Offsets of fields in a macroblock's entry of 32 bytes. There are also entries of kind 0 above the
 * picture and on both sides of it.
 */
export const MOTION_X: usize = 0 // quarter samples
export const MOTION_Y: usize = 2
export const KIND: usize = 4
export const QUANTIZER: usize = 5
export const CODED_BLOCKS: usize = 6 // one bit for each luma block that has coefficients, row by row
export const COEFFICIENT_COUNTS: usize = 8 // numbers of coefficients of 16 luma blocks, row by row, then of 4 U and 4 V blocks
const ENTRY_BYTES: i32 = 32
export const KIND_INTER: u8 = 1
export const KIND_INTRA: u8 = 2

export let widthMbs: i32 = 0
export let heightMbs: i32 = 0
export let sourceY: usize = 0
export let sourceU: usize = 0
export let sourceV: usize = 0
/** Strides in bytes. */
export let sourceStride: i32 = 0
export let sourceChromaStride: i32 = 0
export let stride: i32 = 0
export let chromaStride: i32 = 0
/** The picture under construction, as a decoder will reconstruct it. */
export let reconY: usize = 0
export let reconU: usize = 0
export let reconV: usize = 0
/**
 * The reference picture, its luma interpolated half a sample to the right (`halfRight`), and half a
 * sample below (`halfBelow`).
 */
export let referenceY: usize = 0
export let referenceU: usize = 0
export let referenceV: usize = 0
export let halfRight: usize = 0
export let halfBelow: usize = 0
/** Number of bytes from one macroblock's entry to the entry below it. */
export let entryStride: i32 = 0
let entries: usize = 0
let previousEntries: usize = 0
/** Address of the slice without escaping. */
export let sliceBuffer: usize = 0
export let output: usize = 0

let memoryEnd: usize = 0

function take(bytes: i32): usize {
  const start = memoryEnd
  memoryEnd = (memoryEnd + bytes + 127) & ~63
  return start
}

function takePlane(strideBytes: i32, rows: i32, border: i32): usize {
  return take(strideBytes * (rows + 2 * border)) + strideBytes * border + border
}

/** Lays out the planes and grows the memory to hold them. */
export function layOut(width: i32, height: i32): void {
  memoryEnd = (__heap_base + 63) & ~63
  widthMbs = (width + 15) >> 4
  heightMbs = (height + 15) >> 4
  sourceStride = widthMbs << 4
  sourceChromaStride = widthMbs << 3
  sourceY = take(sourceStride * heightMbs * 16)
  sourceU = take(sourceChromaStride * heightMbs * 8)
  sourceV = take(sourceChromaStride * heightMbs * 8)
  stride = sourceStride + 2 * LUMA_BORDER
  chromaStride = sourceChromaStride + 2 * CHROMA_BORDER
  const rows = heightMbs << 4, chromaRows = heightMbs << 3
  reconY = takePlane(stride, rows, LUMA_BORDER)
  reconU = takePlane(chromaStride, chromaRows, CHROMA_BORDER)
  reconV = takePlane(chromaStride, chromaRows, CHROMA_BORDER)
  referenceY = takePlane(stride, rows, LUMA_BORDER)
  referenceU = takePlane(chromaStride, chromaRows, CHROMA_BORDER)
  referenceV = takePlane(chromaStride, chromaRows, CHROMA_BORDER)
  halfRight = takePlane(stride, rows, LUMA_BORDER)
  halfBelow = takePlane(stride, rows, LUMA_BORDER)
  entryStride = (widthMbs + 2) * ENTRY_BYTES
  const entryBytes = entryStride * (heightMbs + 1)
  entries = take(entryBytes)
  previousEntries = take(entryBytes)
  // For each macroblock: 384 coefficients of at most 28 bits (1,344 bytes), and 64 bytes for
  // everything else.
  const bitBytes = widthMbs * heightMbs * 1408 + 4096
  sliceBuffer = take(bitBytes)
  output = take(bitBytes + (bitBytes >> 1))
  const pages = <i32>((memoryEnd + 0xffff) >> 16) - memory.size()
  if (pages > 0 && memory.grow(pages) < 0) unreachable()
  memory.fill(entries, 0, entryBytes)
  memory.fill(previousEntries, 0, entryBytes)
}

@inline
export function entryAt(column: i32, row: i32): usize {
  return entries + (row + 1) * entryStride + (column + 1) * ENTRY_BYTES
}

/** Returns the entry of the same macroblock in the previous picture. */
@inline
export function previousEntry(entry: usize): usize {
  return entry - entries + previousEntries
}

@inline
export function leftOf(entry: usize): usize {
  return entry - ENTRY_BYTES
}

@inline
export function above(entry: usize): usize {
  return entry - entryStride
}

@inline
export function rightOf(entry: usize): usize {
  return entry + ENTRY_BYTES
}

export function exchangeEntries(): void {
  const before = previousEntries
  previousEntries = entries
  entries = before
}

/** Makes the picture under construction the reference. */
export function exchangePictures(): void {
  const y = referenceY, u = referenceU, v = referenceV
  referenceY = reconY
  referenceU = reconU
  referenceV = reconV
  reconY = y
  reconU = u
  reconV = v
}

/** Fills the source up to whole macroblocks with its last column and row. */
export function fillSource(width: i32, height: i32): void {
  fillPlane(sourceY, sourceStride, width, height, heightMbs << 4)
  fillPlane(sourceU, sourceChromaStride, width >> 1, height >> 1, heightMbs << 3)
  fillPlane(sourceV, sourceChromaStride, width >> 1, height >> 1, heightMbs << 3)
}

function fillPlane(plane: usize, strideBytes: i32, width: i32, height: i32, rows: i32): void {
  if (width < strideBytes) {
    for (let y = 0; y < height; y++) {
      const row: usize = plane + y * strideBytes
      memory.fill(row + width, load<u8>(row + width - 1), strideBytes - width)
    }
  }
  for (let y = height; y < rows; y++) memory.copy(plane + y * strideBytes, plane + (height - 1) * strideBytes, strideBytes)
}
