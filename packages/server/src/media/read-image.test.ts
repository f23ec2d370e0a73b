import { Readable } from 'node:stream'
import { deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'
import { afterAll, describe, expect, it } from 'vitest'
import { pngChunk } from '../../test/plain-png.ts'
import type { FetchUntrusted } from '../lib/guarded-fetch/fetch-untrusted.ts'
import { UntrustedFetchError } from '../lib/guarded-fetch/untrusted-fetch-error.ts'
import { DecoderPool } from './decoder/decoder-pool.ts'
import { defaultImageLimits } from './image-limits.ts'
import { createReadImage, type ReadImageOptions } from './read-image.ts'

const decoders = new DecoderPool({ log: { warn: () => {} } })
afterAll(() => decoders[Symbol.asyncDispose]())

// Returns a fetch function that returns the given bytes. The guarded fetch has tests of its own.
function respondWith(bytes: Uint8Array): FetchUntrusted {
  return async (url) => ({ stream: Readable.from([bytes]), contentType: 'image/png', finalUrl: url, status: 200 })
}
const fetchNothing: FetchUntrusted = async () => {
  throw new Error('must not be fetched')
}

const options: ReadImageOptions = {
  fit: 'inside',
  width: 1000,
  height: 1000,
  signal: new AbortController().signal,
  position: 'reference_images/2',
}

function readImageFrom(bytes: Uint8Array, overrides: Partial<ReadImageOptions> = {}, limits = defaultImageLimits) {
  return createReadImage({ fetchUntrusted: respondWith(bytes), decoders, limits })('https://films.example/a.png', {
    ...options,
    ...overrides,
  })
}

/** An image whose left half is red and whose right half is blue. */
const twoHalves = (width = 64, height = 32): Sharp =>
  sharp({ create: { width, height, channels: 3, background: '#0000ff' } }).composite([
    { input: { create: { width: width / 2, height, channels: 3, background: '#ff0000' } }, left: 0, top: 0 },
  ])

function pixelAt({ width, rgba }: { width: number; rgba: Uint8Array }, x: number, y: number): number[] {
  return [...rgba.subarray((y * width + x) * 4, (y * width + x) * 4 + 4)]
}

function expectColor(actual: number[], requested: number[], tolerance: number): void {
  expect(actual).toHaveLength(requested.length)
  actual.forEach((value, channel) => expect(Math.abs(value - (requested[channel] ?? -1000))).toBeLessThanOrEqual(tolerance))
}

const plain = (background: string) => sharp({ create: { width: 16, height: 16, channels: 3, background } })

describe('reading an image', () => {
  it.each([
    ['PNG', () => twoHalves().png()],
    ['PNG, interlaced', () => twoHalves().png({ progressive: true })],
    ['PNG, palette', () => twoHalves().png({ palette: true })],
    ['JPEG', () => twoHalves().jpeg({ quality: 95, chromaSubsampling: '4:4:4' })],
    ['JPEG, progressive', () => twoHalves().jpeg({ quality: 95, chromaSubsampling: '4:4:4', progressive: true })],
    ['WebP', () => twoHalves().webp({ lossless: true })],
    ['AVIF', () => twoHalves().avif({ quality: 90, chromaSubsampling: '4:4:4' })],
    ['GIF', () => twoHalves().gif()],
  ])('an image file (%s) is read as 8-bit sRGB with alpha', async (_, make) => {
    const image = await readImageFrom(await make().toBuffer())
    expect(image).toMatchObject({ width: 64, height: 32 })
    expect(image.rgba).toHaveLength(64 * 32 * 4)
    expectColor(pixelAt(image, 8, 16), [255, 0, 0, 255], 8)
    expectColor(pixelAt(image, 56, 16), [0, 0, 255, 255], 8)
  })

  it('a CMYK image is converted to the colors as displayed', async () => {
    const bytes = await twoHalves().toColourspace('cmyk').jpeg({ quality: 95, chromaSubsampling: '4:4:4' }).toBuffer()
    expect((await sharp(bytes).metadata()).space).toBe('cmyk')
    const [red = 0, green = 0, blue = 0, alpha] = pixelAt(await readImageFrom(bytes), 8, 16)
    expect(red).toBeGreaterThan(180)
    expect(Math.max(green, blue)).toBeLessThan(90)
    expect(alpha).toBe(255)
  })

  it('an image of 16 bits per channel is reduced to 8 bits per channel', async () => {
    const deepPixels = Uint16Array.from({ length: 16 * 16 * 3 }, (_, i) => [0xffff, 0x8080, 0x0101][i % 3] ?? 0)
    const bytes = await sharp(deepPixels, { raw: { width: 16, height: 16, channels: 3 } })
      .toColourspace('rgb16')
      .png()
      .toBuffer()
    expect((await sharp(bytes).metadata()).depth).toBe('ushort')
    expectColor(pixelAt(await readImageFrom(bytes), 8, 8), [255, 128, 1, 255], 1)
  })

  it('a gray image is read as three equal channels', async () => {
    const bytes = await plain('#808080').toColourspace('b-w').png().toBuffer()
    expect((await sharp(bytes).metadata()).channels).toBe(1)
    expectColor(pixelAt(await readImageFrom(bytes), 8, 8), [128, 128, 128, 255], 1)
  })

  it('the alpha of an image is not premultiplied', async () => {
    const bytes = await sharp({
      create: { width: 8, height: 8, channels: 4, background: { r: 200, g: 100, b: 50, alpha: 0.5 } },
    })
      .png()
      .toBuffer()
    expectColor(pixelAt(await readImageFrom(bytes), 4, 4), [200, 100, 50, 128], 1)
  })

  it('a photo is turned upright before it is resized', async () => {
    // Orientation 6: the stored left side is displayed on top.
    const bytes = await twoHalves().withMetadata({ orientation: 6 }).png().toBuffer()
    const image = await readImageFrom(bytes)
    expect(image).toMatchObject({ width: 32, height: 64 })
    expectColor(pixelAt(image, 16, 8), [255, 0, 0, 255], 2)
    expectColor(pixelAt(image, 16, 56), [0, 0, 255, 255], 2)
    expect(await readImageFrom(bytes, { width: 16, height: 1000 })).toMatchObject({ width: 16, height: 32 })
  })

  it('the first frame of an animation is read', async () => {
    const frames = await Promise.all(['#00ff00', '#ff0000'].map((color) => plain(color).png().toBuffer()))
    for (const format of ['gif', 'webp'] as const) {
      const bytes = await sharp(frames, { join: { animated: true } })
        .toFormat(format)
        .toBuffer()
      expect((await sharp(bytes).metadata()).pages).toBe(2)
      const image = await readImageFrom(bytes)
      expect(image).toMatchObject({ width: 16, height: 16 })
      expectColor(pixelAt(image, 8, 8), [0, 255, 0, 255], 8)
    }
  })

  it('an image covers exactly the requested size, or fits inside this size and is not enlarged', async () => {
    const bytes = await twoHalves().png().toBuffer()
    expect(await readImageFrom(bytes, { fit: 'cover', width: 100, height: 100 })).toMatchObject({ width: 100, height: 100 })
    expect(await readImageFrom(bytes, { fit: 'cover', width: 7, height: 90 })).toMatchObject({ width: 7, height: 90 })
    expect(await readImageFrom(bytes, { width: 32, height: 32 })).toMatchObject({ width: 32, height: 16 })
    expect(await readImageFrom(bytes, { width: 640, height: 640 })).toMatchObject({ width: 64, height: 32 })
  })

  it('the original size of an image is that of the upright image', async () => {
    const bytes = await twoHalves().jpeg().withMetadata({ orientation: 6 }).toBuffer()
    expect(await readImageFrom(bytes, { width: 8, height: 8 })).toMatchObject({
      width: 4,
      height: 8,
      originalSize: { width: 32, height: 64 },
    })
  })

  it('an asset is read from its file, and a missing asset is rejected', async () => {
    const asset = `asset_${'0'.repeat(12)}7${'0'.repeat(3)}8${'0'.repeat(15)}`
    const file = await twoHalves().png().toBuffer()
    const readAssetFile = async (id: string) => (id === asset ? file : undefined)
    const readImage = createReadImage({ fetchUntrusted: fetchNothing, decoders, readAssetFile })
    expect(await readImage(`asset:${asset}`, options)).toMatchObject({ width: 64, height: 32 })
    await expect(readImage(`asset:${asset.replace('_0', '_1')}`, options)).rejects.toMatchObject({
      name: 'InvalidImage',
      message: 'reference_images/2: this asset has been removed; upload it again',
    })
  })

  it('a data URI is read without a fetch', async () => {
    const base64 = (await twoHalves().png().toBuffer()).toString('base64')
    const readImage = createReadImage({ fetchUntrusted: fetchNothing, decoders })
    for (const start of ['data:image/png;base64,', 'DATA:;base64,', 'data:image/jpeg;x=y;BASE64,']) {
      expect(await readImage(start + base64, options)).toMatchObject({ width: 64, height: 32 })
    }
  })
})

/** A PNG that declares this size and has almost no content. */
function pngHeader(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(Buffer.alloc(1000))),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

const refusal = (code: string) => ({ name: 'InvalidImage', code, position: 'reference_images/2', isTransient: false })

describe('refusal of an image', () => {
  it.each([
    ['an empty file', ''],
    ['a web page', '<!DOCTYPE html><html></html>'],
    ['an SVG image', '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>'],
    ['an XML or SVG document', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['a TIFF file', 'II*\0\x08\0\0\0'],
    ['a BMP file', 'BM\0\0\0\0'],
    ['a PDF document', '%PDF-1.7'],
    ['a HEIC photo', '\0\0\0\x18ftypheic\0\0\0\0mif1heic'],
    ['a video', '\0\0\0\x18ftypisom\0\0\0\0isommp42'],
    ['a file of unknown type', 'VIPS'],
  ])('a response with the type image/png that contains %s is rejected', async (kind, text) => {
    const reading = readImageFrom(Buffer.from(text, 'latin1'))
    await expect(reading).rejects.toMatchObject(refusal('not_an_image'))
    await expect(reading).rejects.toThrow(`reference_images/2: this is ${kind}; send a JPEG, PNG, WebP, AVIF or GIF image`)
  })

  it.each(['jpeg', 'png', 'webp', 'avif', 'gif'] as const)('a truncated %s is rejected', async (format) => {
    const noise = Buffer.from(Array.from({ length: 80 * 60 * 3 }, (_, i) => (i * 7919 + ((i * i) % 251)) % 256))
    const bytes = await sharp(noise, { raw: { width: 80, height: 60, channels: 3 } })
      .toFormat(format)
      .toBuffer()
    for (const share of [0.95, 0.5, 0.05]) {
      await expect(readImageFrom(bytes.subarray(0, Math.floor(bytes.byteLength * share)))).rejects.toMatchObject(
        refusal('damaged'),
      )
    }
  })

  it('a truncated progressive JPEG is rejected', async () => {
    const bytes = await twoHalves(640, 640).jpeg({ progressive: true }).toBuffer()
    await expect(readImageFrom(bytes.subarray(0, bytes.byteLength - 100))).rejects.toMatchObject(refusal('damaged'))
  })

  it('an image whose header announces too many pixels is rejected before it is decoded', async () => {
    const reading = readImageFrom(pngHeader(100_000, 100_000))
    await expect(reading).rejects.toMatchObject(refusal('too_large'))
    await expect(reading).rejects.toThrow('100000 x 100000 pixels; send one of at most 50 megapixels')
    await expect(readImageFrom(pngHeader(5000, 10_001))).rejects.toMatchObject(refusal('too_large'))
    await expect(readImageFrom(pngHeader(5000, 10_000))).rejects.toMatchObject(refusal('damaged'))
  })

  it.each([
    ['data:image/png;base64', 'no comma'],
    [`data:${'x'.repeat(300)};base64,AAAA`, 'no comma'],
    ['data:image/png,%89PNG', 'not in base64'],
    ['data:image/png;base64,iVBO*w0K', 'is invalid'],
    ['data:image/png;base64,iVBOR', 'is invalid'],
    [`data:image/png;base64,${'A'.repeat(4000)}`, 'the file is larger than the 2000 bytes allowed'],
  ])('an invalid data URI is rejected (%#)', async (source, problem) => {
    const limits = { ...defaultImageLimits, bytesMax: 2000 }
    const readImage = createReadImage({ fetchUntrusted: fetchNothing, decoders, limits })
    await expect(readImage(source, options)).rejects.toThrow(problem)
    await expect(readImage(source, options)).rejects.toMatchObject({ name: 'InvalidImage' })
  })

  it('an image that cannot be fetched is rejected, and the error says whether a retry may succeed', async () => {
    for (const reason of ['forbidden_address', 'timed_out'] as const) {
      const fetchUntrusted: FetchUntrusted = async () => {
        throw new UntrustedFetchError(reason, 'the address is no good')
      }
      await expect(createReadImage({ fetchUntrusted, decoders })('https://films.example', options)).rejects.toMatchObject({
        name: 'InvalidImage',
        code: 'unreachable',
        isTransient: reason === 'timed_out',
        message: 'reference_images/2: the address is no good; send the public http or https address of an image, or a data URI',
      })
    }
  })

  it('reading an image for a cancelled task throws the reason of the signal, not an image error', async () => {
    const signal = AbortSignal.abort(new Error('cancelled by the client'))
    await expect(readImageFrom(await twoHalves().png().toBuffer(), { signal })).rejects.toThrow('cancelled by the client')
  })
})
