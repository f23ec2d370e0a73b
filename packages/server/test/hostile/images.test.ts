import { Readable } from 'node:stream'
import { afterAll, describe, expect, it } from 'vitest'
import type { DecodedImage } from '../../src/media/decoder/decode-image.ts'
import { DecoderPool } from '../../src/media/decoder/decoder-pool.ts'
import { InvalidImage } from '../../src/media/invalid-image.ts'
import { createReadImage, type ReadImageOptions } from '../../src/media/read-image.ts'
import { singleColor } from './make-avifs.ts'
import { imageRows } from './make-images.ts'
import { colors } from './image-row.ts'
import { watchMemory } from './watch-memory.ts'

const position = 'reference_images/2'
const colorTolerance = 12
const grownBytesMax = 300 * 1024 * 1024
const costliestBytesMax = 550 * 1024 * 1024

const decoders = new DecoderPool({ log: { warn: () => {} } })
afterAll(() => decoders[Symbol.asyncDispose]())

async function readAsReference(bytes: Uint8Array, size: Partial<ReadImageOptions> = {}): Promise<DecodedImage | InvalidImage> {
  const readImage = createReadImage({
    decoders,
    fetchUntrusted: async (url) => ({
      stream: Readable.from([bytes]),
      contentType: 'image/png',
      finalUrl: url,
      status: 200,
    }),
  })
  const { signal } = new AbortController()
  try {
    return await readImage('https://images.example/a.png', {
      fit: 'inside',
      width: 1000,
      height: 1000,
      signal,
      position,
      ...size,
    })
  } catch (error) {
    if (error instanceof InvalidImage) return error
    throw error
  }
}

/**
 * Returns the letters of the colors in the middle of the four quarters. Any other color is given in
 * numbers.
 */
function quartersOf({ width, height, rgba }: DecodedImage, expected: string): string {
  const centers = [0.25, 0.75].flatMap((down) => [0.25, 0.75].map((right) => [right, down] as const))
  const letters = centers.map(([right, down], index) => {
    if (expected[index] === '?') return '?'
    const offset = (Math.floor(down * height) * width + Math.floor(right * width)) * 4
    const pixel = [...rgba.subarray(offset, offset + 4)]
    const isNear = (value: number, channel: number) => Math.abs(value - (pixel[channel] ?? 0)) <= colorTolerance
    return Object.entries(colors).find(([, color]) => color.every(isNear))?.[0] ?? `(${pixel.join()})`
  })
  return letters.join('')
}

describe('hostile and odd image files', () => {
  it.each(imageRows)('a file is decoded correctly, or rejected with the name of the field: $name', async ({ make, expected }) => {
    const bytes = await make()
    const memory = watchMemory()
    const outcome = await readAsReference(bytes)
    expect(memory.grownBytes()).toBeLessThan(grownBytesMax)

    if ('code' in expected) {
      expect(outcome).toMatchObject({ name: 'InvalidImage', code: expected.code, position, isTransient: false })
      const { message } = outcome as InvalidImage
      expect(message).toMatch(/^reference_images\/2: .+; (?:send|save) /)
      if (expected.messageText !== undefined) expect(message).toContain(expected.messageText)
    } else {
      const image = outcome as DecodedImage
      expect(outcome).not.toBeInstanceOf(InvalidImage)
      expect(`${image.width}x${image.height}`).toBe(expected.size)
      expect(image.rgba).toHaveLength(image.width * image.height * 4)
      if (expected.quarters !== undefined) expect(quartersOf(image, expected.quarters)).toBe(expected.quarters)
    }
  })

  it('the table has more than 200 files with distinct names', () => {
    expect(imageRows.length).toBeGreaterThan(200)
    expect(new Set(imageRows.map(({ name }) => name)).size).toBe(imageRows.length)
  })
})

it('the narrowest allowed image is enlarged to cover 3840 x 2160 pixels', async () => {
  const narrowRow = imageRows.find(({ name }) => name === 'PNG, 1 x 100')
  const bytes = await narrowRow!.make()
  const memory = watchMemory()
  const image = await readAsReference(bytes, { fit: 'cover', width: 3840, height: 2160 })
  expect(image).toMatchObject({ width: 3840, height: 2160 })
  expect(memory.grownBytes()).toBeLessThan(grownBytesMax)
})

it('decoding the most expensive allowed image takes less than 550 MiB of memory', async () => {
  const bytes = await singleColor(5000, 4000)
  const memory = watchMemory()
  expect(await readAsReference(bytes)).toMatchObject({ width: 1000, height: 800 })
  expect(memory.grownBytes()).toBeLessThan(costliestBytesMax)
})
