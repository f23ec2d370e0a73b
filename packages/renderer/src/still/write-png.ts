import { writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { constants, crc32, deflateRaw } from 'node:zlib'
import type { PixelSize } from '@framegate/contract'

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const bitDepth = 8
const colorTypeRgb = 2
const compress = promisify(deflateRaw)
/**
 * Header of a zlib stream (RFC 1950): Deflate with a window of 32 KiB, compressed at the lowest
 * level.
 */
const zlibHeader = Buffer.from([0x78, 0x01])

/**
 * Writes an 8-bit RGB PNG from its filtered rows. Most images have fine grain everywhere and no
 * repeated sequences. For these, Huffman codes of single bytes are as compact as a search for
 * repetitions, and take a fraction of the time. Flat images have runs of equal bytes, so run-length
 * encoding is used for them.
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
 * Builds one zlib stream from halves that two threads compress. `Z_SYNC_FLUSH` ends the first half
 * at a byte boundary, without the mark of the stream's last block.
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

/** The largest prime below 65,536. */
const adlerBase = 65_521
/** Number of bytes that can be summed before 32 bits overflow (RFC 1950). */
const adlerBlockBytes = 5552

function adler32(bytes: Uint8Array): number {
  let sum = 1
  let sumOfSums = 0
  for (let start = 0; start < bytes.byteLength; start += adlerBlockBytes) {
    const end = Math.min(bytes.byteLength, start + adlerBlockBytes)
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

/** Distance between two inspected bytes. */
const inspectedInterval = 61

/** Returns whether more than half of the inspected bytes are zero, that is, predicted exactly. */
function isFlat(rows: Uint8Array): boolean {
  let zeros = 0
  for (let index = 0; index < rows.byteLength; index += inspectedInterval) if (rows[index] === 0) zeros++
  return zeros * inspectedInterval * 2 > rows.byteLength
}
