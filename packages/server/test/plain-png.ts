import { crc32, deflateSync } from 'node:zlib'

export const pngSignature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

/**
 * Creates a black and white PNG of this size. It is uncompressed, so its bytes are the same on
 * every machine. Different values of `shade` give different files.
 */
export function plainPng(width: number, height: number, shade = 0): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([1, 0, 0, 0, 0], 8)
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(Math.ceil(width / 8), shade)])
  const rows = Buffer.concat(Array.from({ length: height }, () => row))
  return Buffer.concat([
    pngSignature,
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows, { level: 0 })),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** Creates a chunk of a PNG file: its length, its type, its contents and their checksum. */
export function pngChunk(type: string, contents: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), contents])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(contents.byteLength)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
