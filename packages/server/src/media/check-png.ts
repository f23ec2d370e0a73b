import { crc32, inflateSync } from 'node:zlib'
import type { PixelSize } from '@framegate/contract'

/**
 * A complete check of small PNG files. It takes a fraction of the CPU time that the image library
 * (sharp) needs.
 *
 *   signature, IHDR, other chunks, IDAT ..., other chunks, IEND
 *
 * Each chunk has a length, a type, contents, and the CRC of type and contents. The contents of all
 * IDAT chunks together are a zlib stream with the rows of the image. Each row begins with the
 * number of its filter (PNG specification, sections 5, 7 and 9).
 */

const signatureBytes = 8
/** Size of a chunk without its contents: length, type and CRC. */
const chunkOverheadBytes = 12
const typeBytes = 4
const headerBytes = 13
/** Encoders write rows in chunks of 8 kB or more, so a small file has far fewer chunks. */
const chunksMax = 10_000
const filterMax = 4
/**
 * Maximum size of the uncompressed rows, such as those of 590 x 590 pixels in color. For larger
 * images, this check would take more CPU time than the library.
 */
const rowsBytesMax = 1024 * 1024
/** Minimum size of a buffer of the zlib library. */
const bufferBytesMin = 64
/** Number of samples of a pixel, by color type. Images with a palette are not checked. */
const samplesByColorType: Partial<Record<number, number>> = { 0: 1, 2: 3, 4: 2, 6: 4 }
const bitDepthsByColorType: Partial<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  4: [8, 16],
  6: [8, 16],
}
/**
 * Optional chunks that the library parses, or that change the displayed size. The library skips all
 * other optional chunks.
 */
const parsedChunks = new Set(['eXIf', 'tEXt', 'zTXt', 'iTXt', 'iCCP'])

/**
 * Returns the size of the image if the file is certainly complete and undamaged. Returns null if
 * the image library must decide, because the file is unusual, large or damaged.
 */
export function checkPng(file: Buffer): PixelSize | null {
  const parsedImage = parseImage(file)
  if (parsedImage === null) return null
  const { width, height, rowBytes, compressedRows } = parsedImage
  const rowsBytes = rowBytes * height
  if (rowsBytes > rowsBytesMax) return null
  try {
    // The checksum at the end of the zlib stream covers the rows.
    const rows = inflateSync(compressedRows, { maxOutputLength: rowsBytes, chunkSize: Math.max(bufferBytesMin, rowsBytes) })
    return rows.byteLength === rowsBytes && areFiltersKnown(rows, rowBytes) ? { width, height } : null
  } catch {
    return null
  }
}

interface PngHeader extends PixelSize {
  /** Size of an uncompressed row, with the number of its filter. */
  rowBytes: number
}

function parseImage(file: Buffer): (PngHeader & { compressedRows: Buffer }) | null {
  const chunks = readChunks(file)
  if (chunks === null || chunks[0]?.type !== 'IHDR' || chunks.at(-1)?.type !== 'IEND') return null
  const header = readHeader(chunks[0].contents)
  const start = chunks.findIndex(({ type }) => type === 'IDAT')
  const end = chunks.findLastIndex(({ type }) => type === 'IDAT') + 1
  const rowChunks = chunks.slice(start, end)
  const otherChunks = [...chunks.slice(1, start), ...chunks.slice(end, -1)]
  if (header === null || start === -1) return null
  if (rowChunks.some(({ type }) => type !== 'IDAT') || !otherChunks.every(canBeSkipped)) return null
  return { ...header, compressedRows: Buffer.concat(rowChunks.map(({ contents }) => contents)) }
}

interface Chunk {
  type: string
  contents: Buffer
}

/** Returns the chunks of a file that consists of undamaged chunks only. */
function readChunks(file: Buffer): Chunk[] | null {
  const chunks: Chunk[] = []
  let start = signatureBytes
  while (start + chunkOverheadBytes <= file.byteLength) {
    const end = start + chunkOverheadBytes + file.readUInt32BE(start)
    if (end > file.byteLength || chunks.length === chunksMax) return null
    const checkedBytes = file.subarray(start + 4, end - 4)
    if (crc32(checkedBytes) !== file.readUInt32BE(end - 4)) return null
    chunks.push({ type: checkedBytes.toString('latin1', 0, typeBytes), contents: checkedBytes.subarray(typeBytes) })
    start = end
  }
  return start === file.byteLength ? chunks : null
}

/** The lower-case first letter of a type marks a chunk that decoders may skip. */
function canBeSkipped({ type }: Chunk): boolean {
  return /^[a-z][A-Za-z]{3}$/.test(type) && !parsedChunks.has(type)
}

function readHeader(contents: Buffer): PngHeader | null {
  if (contents.byteLength !== headerBytes) return null
  const [width, height] = [contents.readUInt32BE(0), contents.readUInt32BE(4)]
  const [bitDepth = 0, colorType = 0, compression, filter, interlace] = contents.subarray(8)
  const samplesPerPixel = samplesByColorType[colorType] ?? 0
  const isPlain = compression === 0 && filter === 0 && interlace === 0
  if (!isPlain || bitDepthsByColorType[colorType]?.includes(bitDepth) !== true || width === 0 || height === 0) return null
  return { width, height, rowBytes: 1 + Math.ceil((width * samplesPerPixel * bitDepth) / 8) }
}

function areFiltersKnown(rows: Buffer, rowBytes: number): boolean {
  for (let start = 0; start < rows.byteLength; start += rowBytes) if (Number(rows[start]) > filterMax) return false
  return true
}
