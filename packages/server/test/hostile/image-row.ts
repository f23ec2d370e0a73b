import sharp, { type Sharp } from 'sharp'
import type { ImageErrorCode } from '../../src/media/invalid-image.ts'

/** A file that a client might send as an image, and the expected outcome of reading it. */
export interface ImageRow {
  name: string
  make: () => Uint8Array | Promise<Uint8Array>
  expected: Pixels | Refusal
}

/**
 * Expected size, and the letter of the color in the middle of each quarter: top left, top right,
 * bottom left, bottom right. `?` matches any color. Without quarters, the pixels are not checked.
 */
export interface Pixels {
  size: string
  quarters?: string
}

export interface Refusal {
  code: ImageErrorCode
  /** Text that the error message must contain after the position. */
  messageText?: string
}

export const colors: Record<string, readonly [red: number, green: number, blue: number, alpha: number]> = {
  r: [255, 0, 0, 255],
  g: [0, 255, 0, 255],
  b: [0, 0, 255, 255],
  k: [0, 0, 0, 255],
  d: [85, 85, 85, 255],
  l: [170, 170, 170, 255],
  w: [255, 255, 255, 255],
  '-': [0, 0, 0, 0],
  // Transparent green, and red as printing inks produce it.
  t: [0, 255, 0, 0],
  e: [232, 0, 0, 255],
}

export const upright: Pixels = { size: '64x48', quarters: 'rgbw' }
export const damaged: Refusal = { code: 'damaged' }
export const tooLarge: Refusal = { code: 'too_large', messageText: 'at most 50 megapixels' }
export const tooNarrow: Refusal = { code: 'too_narrow', messageText: 'at most 100 times the shorter' }
export const notAnImage = (messageText: string): Refusal => ({ code: 'not_an_image', messageText })

export const quartersSize = { width: 64, height: 48 }

/** Image of red, green, blue and white quarters, which looks different in every orientation. */
export function quarters(): Sharp {
  const pixels = Buffer.alloc(quartersSize.width * quartersSize.height * 3)
  for (let y = 0; y < quartersSize.height; y++) {
    for (let x = 0; x < quartersSize.width; x++) {
      pixels.set((colors[quarterAt(x, y)] ?? []).slice(0, 3), (y * quartersSize.width + x) * 3)
    }
  }
  return sharp(pixels, { raw: { ...quartersSize, channels: 3 } })
}

export function quarterAt(x: number, y: number, letters = 'rgbw'): string {
  return letters[(y < quartersSize.height / 2 ? 0 : 2) + (x < quartersSize.width / 2 ? 0 : 1)] ?? ''
}

export const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')

export function uint16(value: number): Buffer {
  return Buffer.from([value >>> 8, value & 0xff])
}

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** Returns a copy of the bytes with some of them replaced. */
export function patched(bytes: Uint8Array, offset: number, replacement: Uint8Array | readonly number[]): Buffer {
  const copy = Buffer.from(bytes)
  copy.set(replacement, offset)
  return copy
}

/**
 * Returns a source of pseudorandom numbers in [0, 1) (xorshift). The seed determines the numbers.
 */
export function createRandom(seed: number): () => number {
  let state = seed | 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}

export function noise(length: number, seed = 7): Buffer {
  const random = createRandom(seed)
  const bytes = Buffer.alloc(length)
  // Some images have tens of megabytes, and `Uint8Array.from` would take several times as long.
  for (let index = 0; index < length; index++) bytes[index] = random() * 256
  return bytes
}

/** Creates a TIFF structure as in EXIF: one directory of short values. */
export function exifOf(entries: readonly (readonly [tag: number, value: number])[], nextOffset = 0): Buffer {
  const directory = entries.map(([tag, value]) => {
    const entry = Buffer.alloc(12)
    entry.writeUInt16LE(tag, 0)
    entry.writeUInt16LE(3, 2)
    entry.writeUInt32LE(1, 4)
    entry.writeUInt16LE(value, 8)
    return entry
  })
  const head = Buffer.alloc(10)
  head.set(latin1('II*\0\x08\0\0\0'))
  head.writeUInt16LE(entries.length, 8)
  const next = Buffer.alloc(4)
  next.writeUInt32LE(nextOffset)
  return Buffer.concat([head, ...directory, next])
}

export const orientationTag = 0x0112

/** Expected pixels of the quarters for each EXIF orientation, after they are turned upright. */
export const orientations: readonly (readonly [orientation: number, Pixels])[] = [
  [1, { size: '64x48', quarters: 'rgbw' }],
  [2, { size: '64x48', quarters: 'grwb' }],
  [3, { size: '64x48', quarters: 'wbgr' }],
  [4, { size: '64x48', quarters: 'bwrg' }],
  [5, { size: '48x64', quarters: 'rbgw' }],
  [6, { size: '48x64', quarters: 'brwg' }],
  [7, { size: '48x64', quarters: 'wgbr' }],
  [8, { size: '48x64', quarters: 'gwrb' }],
]
