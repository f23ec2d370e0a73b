import { deflateSync } from 'node:zlib'
import fc from 'fast-check'
import sharp, { type PngOptions } from 'sharp'
import { describe, expect, it } from 'vitest'
import { isLongRun } from '../db/store-under-test.ts'
import { plainPng, pngChunk, pngSignature } from '../../test/plain-png.ts'
import { checkPng } from './check-png.ts'

const [width, height] = [30, 20]
const noise = Buffer.from(Array.from({ length: width * height * 4 }, (_, i) => (i * 7919 + ((i * i) % 251)) % 256))
const runs = isLongRun ? 5_000 : 100

function encode(channels: 3 | 4 = 3, options: PngOptions = {}): Promise<Buffer> {
  const pixels = noise.subarray(0, width * height * channels)
  return sharp(pixels, { raw: { width, height, channels } }).png(options).toBuffer()
}

/** A file of eight gray pixels in two rows. */
function tinyPng({
  header = [8, 0, 0, 0, 0],
  rows = Buffer.alloc(10),
  chunks = [] as Buffer[],
  after = [] as Buffer[],
} = {}): Buffer {
  const ihdr = Buffer.alloc(13)
  ihdr.writeUInt32BE(4, 0)
  ihdr.writeUInt32BE(2, 4)
  ihdr.set(header, 8)
  const idat = pngChunk('IDAT', deflateSync(rows))
  return Buffer.concat([pngSignature, pngChunk('IHDR', ihdr), ...chunks, idat, ...after, pngChunk('IEND', Buffer.alloc(0))])
}

describe('the check of a PNG', () => {
  it.each([
    ['RGB', () => encode()],
    ['RGBA', () => encode(4)],
    ['many IDAT chunks', async () => plainPng(width, height)],
    [
      'gray',
      () =>
        sharp(noise.subarray(0, width * height), { raw: { width, height, channels: 1 } })
          .toColourspace('b-w')
          .png()
          .toBuffer(),
    ],
    [
      '16 bits',
      () =>
        sharp(noise.subarray(0, width * height * 3), { raw: { width, height, channels: 3 } })
          .toColourspace('rgb16')
          .png()
          .toBuffer(),
    ],
  ])('the check of a complete PNG (%s) finds its size', async (_, make) => {
    expect(checkPng(await make())).toEqual({ width, height })
  })

  it('the check accepts chunks that decoders skip, before and after the rows', async () => {
    const skipped = [pngChunk('caBX', Buffer.from('signed'))]
    expect(checkPng(tinyPng({ chunks: skipped, after: skipped }))).toEqual({ width: 4, height: 2 })
  })

  it.each([
    ['a palette', () => encode(3, { palette: true })],
    ['interlaced rows', () => encode(3, { progressive: true })],
    [
      'an orientation',
      () =>
        sharp(noise, { raw: { width, height, channels: 4 } })
          .withMetadata({ orientation: 6 })
          .png()
          .toBuffer(),
    ],
    ['an unknown critical chunk', () => tinyPng({ chunks: [pngChunk('ABCD', Buffer.alloc(1))] })],
    ['a text', () => tinyPng({ chunks: [pngChunk('tEXt', Buffer.from('Comment\0a kite'))] })],
    ['two groups of rows', () => tinyPng({ after: [pngChunk('caBX', Buffer.alloc(1)), pngChunk('IDAT', Buffer.alloc(1))] })],
    ['an invalid bit depth', () => tinyPng({ header: [3, 0, 0, 0, 0] })],
    ['an invalid color type', () => tinyPng({ header: [8, 5, 0, 0, 0] })],
    ['an unknown filter', () => tinyPng({ rows: Buffer.alloc(10, 5) })],
    ['too few rows', () => tinyPng({ rows: Buffer.alloc(5) })],
    ['too many rows', () => tinyPng({ rows: Buffer.alloc(15) })],
    ['data after the end', () => Buffer.concat([tinyPng(), Buffer.from('<script>')])],
    ['a size that the rows do not have', () => plainPng(width, height).fill(1, 16, 24)],
    ['rows larger than allowed', () => plainPng(8 * 1024, 1024)],
    ['nothing after the signature', () => pngSignature],
  ])('the check leaves a PNG with %s to the image library', async (_, make) => {
    expect(checkPng(await make())).toBeNull()
  })

  it('a damaged PNG never passes the check', async () => {
    const png = await encode()
    const damage = fc.record({ at: fc.integer({ min: 8, max: png.byteLength - 1 }), flip: fc.integer({ min: 1, max: 255 }) })
    await fc.assert(
      fc.asyncProperty(damage, async ({ at, flip }) => {
        const file = Buffer.from(png)
        file[at] = (file[at] ?? 0) ^ flip
        expect(checkPng(file)).toBeNull()
        expect(checkPng(png.subarray(0, at))).toBeNull()
      }),
      { numRuns: runs },
    )
  })
})
