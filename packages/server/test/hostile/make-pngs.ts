import { crc32, deflateSync } from 'node:zlib'
import {
  damaged,
  exifOf,
  latin1,
  noise,
  orientationTag,
  patched,
  quarterAt,
  quarters,
  quartersSize,
  tooLarge,
  tooNarrow,
  uint32,
  upright,
  type ImageRow,
  type Pixels,
  type Refusal,
} from './image-row.ts'

const signature = latin1('\x89PNG\r\n\x1a\n')
const colorType = { gray: 0, rgb: 2, palette: 3, grayAlpha: 4, rgba: 6 }

function chunkOf(type: string, contents: Uint8Array = Buffer.alloc(0), faults: { length?: number; crc?: number } = {}): Buffer {
  const body = Buffer.concat([latin1(type), contents])
  return Buffer.concat([uint32(faults.length ?? contents.byteLength), body, uint32(faults.crc ?? crc32(body))])
}

function headerOf(width: number, height: number, depth = 8, color = colorType.rgb, interlace = 0): Buffer {
  return chunkOf('IHDR', Buffer.concat([uint32(width), uint32(height), Buffer.from([depth, color, 0, 0, interlace])]))
}

const pngOf = (...chunks: Buffer[]): Buffer => Buffer.concat([signature, ...chunks])
const end = chunkOf('IEND')
const pixelsChunk = (rows: Uint8Array): Buffer => chunkOf('IDAT', deflateSync(rows))

/** Returns the rows of the quarters, unfiltered. `sample` returns the bits of one pixel. */
function rowsOf(bitsPerPixel: number, sample: (letter: string) => readonly number[], letters = 'rgbw'): Buffer {
  const rowBytes = Math.ceil((quartersSize.width * bitsPerPixel) / 8) + 1
  const rows = Buffer.alloc(rowBytes * quartersSize.height)
  for (let y = 0; y < quartersSize.height; y++) {
    for (let x = 0; x < quartersSize.width; x++) {
      const values = sample(quarterAt(x, y, letters))
      if (bitsPerPixel >= 8) rows.set(values, y * rowBytes + 1 + (x * bitsPerPixel) / 8)
      else {
        const offset = y * rowBytes + 1 + Math.floor((x * bitsPerPixel) / 8)
        const shift = 8 - bitsPerPixel - ((x * bitsPerPixel) % 8)
        rows[offset] = (rows[offset] ?? 0) | ((values[0] ?? 0) << shift)
      }
    }
  }
  return rows
}

const grayLevel: Record<string, number> = { k: 0, d: 1 / 3, l: 2 / 3, w: 1 }

function grayPng(depth: number, letters: string): Buffer {
  const sample = (letter: string) => {
    const level = Math.round((grayLevel[letter] ?? 0) * (2 ** depth - 1))
    return depth === 16 ? [level >> 8, level & 0xff] : [level]
  }
  return pngOf(headerOf(64, 48, depth, colorType.gray), pixelsChunk(rowsOf(depth, sample, letters)), end)
}

const rgbLetters: Record<string, readonly number[]> = { r: [255, 0, 0], g: [0, 255, 0], b: [0, 0, 255], w: [255, 255, 255] }
const paletteOf = (letters: string): Buffer => Buffer.from(Array.from(letters, (letter) => rgbLetters[letter] ?? []).flat())

const palettePixels = (depth: number, shift = 0) => pixelsChunk(rowsOf(depth, (letter) => ['rgbw'.indexOf(letter) + shift]))
const palettePng = (depth: number) =>
  pngOf(headerOf(64, 48, depth, colorType.palette), chunkOf('PLTE', paletteOf('rgbw')), palettePixels(depth), end)

const rgbRows = () => rowsOf(24, (letter) => rgbLetters[letter] ?? [])
/** Creates an RGB image of the quarters with chunks before and after the pixels. */
const rgbPng = (chunksBefore: Buffer[] = [], chunksAfter: Buffer[] = []) =>
  pngOf(headerOf(64, 48), ...chunksBefore, pixelsChunk(rgbRows()), ...chunksAfter, end)

const deflatedZeros = (megabytes: number) => deflateSync(Buffer.alloc(megabytes * 1_000_000), { level: 9 })
const profileChunk = (deflated: Uint8Array) => chunkOf('iCCP', Buffer.concat([latin1('x\0\0'), deflated]))
const packedText = (deflated: Uint8Array) => chunkOf('zTXt', Buffer.concat([latin1('x\0\0'), deflated]))

export const pngRows: ImageRow[] = [
  { name: 'PNG, gray of 1 bit', make: () => grayPng(1, 'kwwk'), expected: { size: '64x48', quarters: 'kwwk' } },
  ...[2, 4, 8, 16].map((depth) => ({
    name: `PNG, gray of ${depth} bits`,
    make: () => grayPng(depth, 'kdlw'),
    expected: { size: '64x48', quarters: 'kdlw' },
  })),
  ...[2, 4, 8].map((depth) => ({ name: `PNG, palette of ${depth} bits`, make: () => palettePng(depth), expected: upright })),
  {
    name: 'PNG, RGB of 16 bits',
    make: () =>
      pngOf(
        headerOf(64, 48, 16),
        pixelsChunk(rowsOf(48, (letter) => (rgbLetters[letter] ?? []).flatMap((value) => [value, value]))),
        end,
      ),
    expected: upright,
  },
  {
    name: 'PNG, palette with a transparent color',
    make: () =>
      pngOf(
        headerOf(64, 48, 8, colorType.palette),
        chunkOf('PLTE', paletteOf('rgbw')),
        chunkOf('tRNS', Buffer.from([255, 0])),
        palettePixels(8),
        end,
      ),
    expected: { size: '64x48', quarters: 'rtbw' },
  },
  {
    name: 'PNG, palette that is missing',
    make: () => pngOf(headerOf(64, 48, 8, colorType.palette), palettePixels(8), end),
    expected: damaged,
  },
  {
    name: 'PNG, colors beyond the palette',
    make: () => pngOf(headerOf(64, 48, 8, colorType.palette), chunkOf('PLTE', paletteOf('rgbw')), palettePixels(8, 200), end),
    expected: { size: '64x48' },
  },
  {
    name: 'PNG, palette with an incomplete color',
    make: () => pngOf(headerOf(64, 48, 8, colorType.palette), chunkOf('PLTE', noise(10)), palettePixels(8), end),
    expected: damaged,
  },
  {
    name: 'PNG, palette of 300 colors',
    make: () => pngOf(headerOf(64, 48, 8, colorType.palette), chunkOf('PLTE', noise(900)), palettePixels(8), end),
    expected: damaged,
  },
  { name: 'PNG, interlaced', make: () => quarters().png({ progressive: true }).toBuffer(), expected: upright },
  {
    name: 'PNG, interlaced, cut at 60 %',
    make: async () => {
      const bytes = await quarters().png({ progressive: true, compressionLevel: 0 }).toBuffer()
      return bytes.subarray(0, bytes.byteLength * 0.6)
    },
    expected: damaged,
  },
  {
    name: 'PNG, interlace method 7',
    make: () => pngOf(headerOf(64, 48, 8, 2, 7), pixelsChunk(rgbRows()), end),
    expected: damaged,
  },
  { name: 'PNG, 3 bits deep', make: () => pngOf(headerOf(64, 48, 3, 0), pixelsChunk(rgbRows()), end), expected: damaged },
  { name: 'PNG, color type 5', make: () => pngOf(headerOf(64, 48, 8, 5), pixelsChunk(rgbRows()), end), expected: damaged },
  { name: 'PNG, wrong checksum of its header', make: () => patched(rgbPng(), 29, [0, 0, 0, 0]), expected: damaged },
  {
    name: 'PNG, wrong checksum of its pixels',
    make: () => pngOf(headerOf(64, 48), chunkOf('IDAT', deflateSync(rgbRows()), { crc: 1 }), end),
    expected: damaged,
  },
  {
    name: 'PNG, wrong checksum of a comment',
    make: () => rgbPng([chunkOf('tEXt', latin1('a\0b'), { crc: 1 })]),
    expected: upright,
  },
  { name: 'PNG, unknown chunk that must be understood', make: () => rgbPng([chunkOf('ABCD', noise(10))]), expected: damaged },
  { name: 'PNG, unknown chunk that need not be understood', make: () => rgbPng([chunkOf('abCd', noise(10))]), expected: upright },
  {
    name: 'PNG, 100000 x 100000',
    make: () => pngOf(headerOf(100_000, 100_000), pixelsChunk(Buffer.alloc(1000)), end),
    expected: tooLarge,
  },
  {
    name: 'PNG, 2147483647 x 2147483647',
    make: () => pngOf(headerOf(0x7fffffff, 0x7fffffff), pixelsChunk(Buffer.alloc(9)), end),
    expected: damaged,
  },
  {
    name: 'PNG, 4294967295 x 1',
    make: () => pngOf(headerOf(0xffffffff, 1), pixelsChunk(Buffer.alloc(9)), end),
    expected: damaged,
  },
  { name: 'PNG, 0 x 0', make: () => pngOf(headerOf(0, 0), pixelsChunk(Buffer.alloc(9)), end), expected: damaged },
  {
    name: 'PNG, 50 megapixels and nothing in it',
    make: () => pngOf(headerOf(10_000, 5_000), pixelsChunk(Buffer.alloc(9)), end),
    expected: damaged,
  },
  {
    name: 'PNG, 50 megapixels interlaced in 16 bits, and nothing in it',
    make: () => pngOf(headerOf(10_000, 5_000, 16, colorType.rgba, 1), pixelsChunk(Buffer.alloc(9)), end),
    expected: damaged,
  },
  {
    name: 'PNG, 1 x 49999999',
    make: () => pngOf(headerOf(1, 49_999_999, 1, colorType.gray), chunkOf('IDAT', deflatedZeros(100)), end),
    expected: tooNarrow,
  },
  ...(
    [
      ['101 x 1', 101, 1, tooNarrow],
      ['1 x 65535', 1, 65_535, tooNarrow],
      ['1 x 100', 1, 100, { size: '1x100', quarters: 'kkkk' }],
      ['1 x 1', 1, 1, { size: '1x1', quarters: 'kkkk' }],
    ] satisfies [string, number, number, Pixels | Refusal][]
  ).map(([size, width, height, expected]) => ({
    name: `PNG, ${size}`,
    make: () => pngOf(headerOf(width, height, 8, colorType.gray), pixelsChunk(Buffer.alloc((width + 1) * height)), end),
    expected,
  })),
  {
    name: 'PNG, 200 megabytes of pixels where ten kilobytes belong',
    make: () => pngOf(headerOf(64, 48), chunkOf('IDAT', deflateSync(Buffer.concat([rgbRows(), Buffer.alloc(200_000_000)]))), end),
    expected: upright,
  },
  {
    name: 'PNG, color profile that expands to 200 megabytes',
    make: () => rgbPng([profileChunk(deflatedZeros(200))]),
    expected: upright,
  },
  { name: 'PNG, color profile of noise', make: () => rgbPng([profileChunk(deflateSync(noise(5000)))]), expected: upright },
  {
    name: 'PNG, packed comment that expands to 200 megabytes',
    make: () => rgbPng([packedText(deflatedZeros(200))]),
    expected: upright,
  },
  {
    name: 'PNG, 500 packed comments that expand to 4 megabytes each',
    make: () => rgbPng(Array<Buffer>(500).fill(packedText(deflatedZeros(4)))),
    expected: upright,
  },
  {
    name: 'PNG, 100000 comments',
    make: () => rgbPng(Array<Buffer>(100_000).fill(chunkOf('tEXt', latin1('key\0value')))),
    expected: upright,
  },
  {
    name: 'PNG, packed international comment that expands to 200 megabytes',
    make: () => rgbPng([], [chunkOf('iTXt', Buffer.concat([latin1('x\0\x01\0\0\0'), deflatedZeros(200)]))]),
    expected: upright,
  },
  ...[0x7fffffff, 0xffffffff].map((length) => ({
    name: `PNG, pixels with an announced length of ${length} bytes`,
    make: () => pngOf(headerOf(64, 48), chunkOf('IDAT', deflateSync(rgbRows()), { length }), end),
    expected: damaged,
  })),
  {
    name: 'PNG, comment with an announced length beyond the file',
    make: () => rgbPng([chunkOf('tEXt', latin1('a\0b'), { length: 100_000 })]),
    expected: damaged,
  },
  {
    name: 'PNG, animated',
    make: () => {
      const controlChunk = (sequence: number) =>
        chunkOf('fcTL', Buffer.concat([...[sequence, 64, 48, 0, 0].map(uint32), Buffer.from([0, 1, 0, 10, 0, 0])]))
      const secondFrame = chunkOf('fdAT', Buffer.concat([uint32(2), deflateSync(Buffer.alloc(rgbRows().byteLength))]))
      return rgbPng([chunkOf('acTL', Buffer.concat([uint32(2), uint32(0)])), controlChunk(0)], [controlChunk(1), secondFrame])
    },
    expected: upright,
  },
  {
    name: 'PNG, animated in four billion frames',
    make: () => rgbPng([chunkOf('acTL', Buffer.concat([uint32(0xffffffff), uint32(0)]))]),
    expected: upright,
  },
  { name: 'PNG, without pixels', make: () => pngOf(headerOf(64, 48), end), expected: damaged },
  { name: 'PNG, without its end', make: () => pngOf(headerOf(64, 48), pixelsChunk(rgbRows())), expected: upright },
  { name: 'PNG, two headers', make: () => rgbPng([headerOf(5, 5)]), expected: damaged },
  { name: 'PNG, header after the pixels', make: () => pngOf(pixelsChunk(rgbRows()), headerOf(64, 48), end), expected: damaged },
  {
    name: 'PNG, filter 9 in its rows',
    make: () => pngOf(headerOf(64, 48), pixelsChunk(patched(rgbRows(), 0, [9])), end),
    expected: damaged,
  },
  {
    name: 'PNG, pixels that are not deflated',
    make: () => pngOf(headerOf(64, 48), chunkOf('IDAT', rgbRows()), end),
    expected: damaged,
  },
  { name: 'PNG, gamma 0', make: () => rgbPng([chunkOf('gAMA', uint32(0))]), expected: upright },
  { name: 'PNG, primaries of 0', make: () => rgbPng([chunkOf('cHRM', Buffer.alloc(32))]), expected: upright },
  {
    name: 'PNG, EXIF orientation 6',
    make: () => rgbPng([chunkOf('eXIf', exifOf([[orientationTag, 6]]))]),
    expected: { size: '48x64', quarters: 'brwg' },
  },
  {
    name: 'PNG, with a web page in it and after it',
    make: () => {
      const page = latin1('<html><script>alert(1)</script></html>')
      return Buffer.concat([rgbPng([chunkOf('tEXt', Buffer.concat([latin1('Title\0'), page]))]), page])
    },
    expected: upright,
  },
  {
    name: 'PNG, one zero byte before it',
    make: () => Buffer.concat([Buffer.alloc(1), rgbPng()]),
    expected: { code: 'not_an_image' },
  },
  {
    name: 'PNG, with converted line ends',
    make: () => Buffer.concat([latin1('\x89PNG\n\x1a\n'), rgbPng().subarray(8)]),
    expected: { code: 'not_an_image' },
  },
]
