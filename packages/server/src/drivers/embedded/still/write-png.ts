import { writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { constants, crc32, deflateRaw } from 'node:zlib'
import type { PixelSize } from '@framegate/contract'

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const bitDepth = 8
const colourTypeRgb = 2
const compress = promisify(deflateRaw)
/** Deflate, a window of 32 kB, the least effort (RFC 1950). */
const zlibHeader = Buffer.from([0x78, 0x01])

/**
 * Writes a PNG of 8-bit RGB from its filtered rows. Fine grain, which these pictures have everywhere, leaves nothing that repeats: codes
 * for single bytes alone are as small as what any search for longer matches finds, at a fraction of its time. Flat pictures have runs.
 */
export async function writePng(path: string, { width, height }: PixelSize, rows: Uint8Array): Promise<void> {
  const strategy = isFlat(rows) ? constants.Z_RLE : constants.Z_HUFFMAN_ONLY
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = bitDepth
  header[9] = colourTypeRgb
  const compressed = await compressInHalves(rows, strategy)
  await writeFile(path, [signature, ...chunk('IHDR', header), ...chunk('IDAT', compressed), ...chunk('IEND', Buffer.alloc(0))])
}

/** One zlib stream of which two threads make a half each. The first half ends on a whole byte, and not with the stream's last block. */
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

/** The largest prime below 65,536, and how many bytes can be summed before 32 bits are full (RFC 1950). */
const adlerBase = 65_521
const adlerBlock = 5552

function adler32(bytes: Uint8Array): number {
  let sum = 1
  let sumOfSums = 0
  for (let start = 0; start < bytes.byteLength; start += adlerBlock) {
    const end = Math.min(bytes.byteLength, start + adlerBlock)
    for (let at = start; at < end; at++) {
      sum += bytes[at] ?? 0
      sumOfSums += sum
    }
    sum %= adlerBase
    sumOfSums %= adlerBase
  }
  return sumOfSums * 65_536 + sum
}

function chunk(type: string, content: Buffer): Buffer[] {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.byteLength)
  const name = Buffer.from(type, 'latin1')
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(content, crc32(name)))
  return [length, name, content, checksum]
}

const sampleEvery = 61

/** Most of it is foretold exactly. */
function isFlat(rows: Uint8Array): boolean {
  let zeros = 0
  for (let at = 0; at < rows.byteLength; at += sampleEvery) if (rows[at] === 0) zeros++
  return zeros * sampleEvery * 2 > rows.byteLength
}
