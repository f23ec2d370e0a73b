import { writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { constants, crc32, deflateRaw } from 'node:zlib'
import type { PixelSize } from '@framegate/contract'

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const bitDepth = 8
const colorTypeRgb = 2
const compress = promisify(deflateRaw)
/** Deflate with a window of 32 kB at the lowest effort (RFC 1950). */
const zlibHeader = Buffer.from([0x78, 0x01])

/**
 * Writes an 8-bit RGB PNG from its filtered rows. Most images have fine grain everywhere, so
 * nothing repeats. Huffman codes for single bytes are then as compact as the result of a search for
 * longer matches, and take a fraction of the time. Flat images have runs, so run-length encoding is
 * used for them.
 */
export async function writePng(path: string, { width, height }: PixelSize, rows: Uint8Array): Promise<void> {
  const strategy = isFlat(rows) ? constants.Z_RLE : constants.Z_HUFFMAN_ONLY
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = bitDepth
  header[9] = colorTypeRgb
  const compressed = await compressInHalves(rows, strategy)
  await writeFile(path, [
    signature,
    ...chunkParts('IHDR', header),
    ...chunkParts('IDAT', compressed),
    ...chunkParts('IEND', Buffer.alloc(0)),
  ])
}

/**
 * Builds one zlib stream from halves that two threads compress. The first half ends on a whole
 * byte, and its last block is not the final block of the stream.
 */
async function compressInHalves(rows: Uint8Array, strategy: number): Promise<Buffer> {
  const middle = rows.byteLength >> 1
  const options = { level: 1, strategy, chunkSize: rows.byteLength }
  const halves = Promise.all([
    compress(rows.subarray(0, middle), { ...options, finishFlush: constants.Z_SYNC_FLUSH }),
    compress(rows.subarray(middle), options),
  ])
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(adler32(rows))
  return Buffer.concat([zlibHeader, ...(await halves), checksum])
}

/**
 * The largest prime below 65,536, and the number of bytes that can be summed before 32 bits
 * overflow (RFC 1950).
 */
const adlerBase = 65_521
const adlerBlock = 5552

function adler32(bytes: Uint8Array): number {
  let sum = 1
  let sumOfSums = 0
  for (let start = 0; start < bytes.byteLength; start += adlerBlock) {
    const end = Math.min(bytes.byteLength, start + adlerBlock)
    for (let index = start; index < end; index++) {
      sum += bytes[index] ?? 0
      sumOfSums += sum
    }
    sum %= adlerBase
    sumOfSums %= adlerBase
  }
  return sumOfSums * 65_536 + sum
}

function chunkParts(type: string, content: Buffer): Buffer[] {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.byteLength)
  const name = Buffer.from(type, 'latin1')
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(content, crc32(name)))
  return [length, name, content, checksum]
}

const sampleEvery = 61

/** Returns whether most bytes are predicted exactly, that is, filtered to zero. */
function isFlat(rows: Uint8Array): boolean {
  let zeros = 0
  for (let index = 0; index < rows.byteLength; index += sampleEvery) if (rows[index] === 0) zeros++
  return zeros * sampleEvery * 2 > rows.byteLength
}
