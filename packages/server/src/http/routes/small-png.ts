import { crc32, deflateSync } from 'node:zlib'

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const [bitDepth, colorTypeRgba] = [8, 6]

/**
 * Encodes RGBA pixels with straight alpha as a PNG. Only for small images, because the encoding is
 * synchronous.
 */
export function smallPng({ width, height, rgba }: { width: number; height: number; rgba: Uint8Array }): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = bitDepth
  header[9] = colorTypeRgba
  const rowBytes = width * 4
  // Each row begins with its filter type. 0: no filter.
  const rows = Buffer.alloc((rowBytes + 1) * height)
  for (let y = 0; y < height; y++) rows.set(rgba.subarray(y * rowBytes, (y + 1) * rowBytes), y * (rowBytes + 1) + 1)
  return Buffer.concat([
    pngSignature,
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

function pngChunk(type: string, content: Buffer): Buffer {
  const chunkBody = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.byteLength)
  checksum.writeUInt32BE(crc32(chunkBody))
  return Buffer.concat([length, chunkBody, checksum])
}
