import {
  damaged,
  exifOf,
  latin1,
  noise,
  orientations,
  orientationTag,
  patched,
  quarters,
  tooLarge,
  uint16,
  upright,
  type ImageRow,
} from './image-row.ts'

const bestQuality = { quality: 95, chromaSubsampling: '4:4:4' } as const
const baselineJpeg = () => quarters().jpeg(bestQuality).toBuffer()
const progressive = () =>
  quarters()
    .jpeg({ ...bestQuality, progressive: true })
    .toBuffer()

const marker = {
  sof0: 0xc0,
  sof2: 0xc2,
  huffman: 0xc4,
  scan: 0xda,
  quantization: 0xdb,
  app1: 0xe1,
  app2: 0xe2,
  app14: 0xee,
  comment: 0xfe,
}

function segmentOf(kind: number, contents: Uint8Array, length = contents.byteLength + 2): Buffer {
  return Buffer.concat([Buffer.from([0xff, kind]), uint16(length), contents])
}

/** Returns the position of the first marker of a type before the first scan. */
function positionOf(jpeg: Buffer, kind: number): number {
  for (let offset = 2; offset + 4 <= jpeg.byteLength; offset += 2 + jpeg.readUInt16BE(offset + 2)) {
    if (jpeg[offset + 1] === kind) return offset
    if (jpeg[offset + 1] === marker.scan) break
  }
  throw new Error(`the JPEG has no marker ${kind.toString(16)}`)
}

const afterStart = (jpeg: Buffer, ...segments: Buffer[]): Buffer =>
  Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)])

const exifSegment = (tiff: Buffer): Buffer => segmentOf(marker.app1, Buffer.concat([latin1('Exif\0\0'), tiff]))

const iccPart = (contents: Buffer, partNumber = 1, parts = 1): Buffer =>
  segmentOf(marker.app2, Buffer.concat([latin1('ICC_PROFILE\0'), Buffer.from([partNumber, parts]), contents]))

async function withoutSegment(jpeg: Promise<Buffer>, kind: number): Promise<Buffer> {
  const bytes = await jpeg
  const offset = positionOf(bytes, kind)
  return Buffer.concat([bytes.subarray(0, offset), bytes.subarray(offset + 2 + bytes.readUInt16BE(offset + 2))])
}

async function withSize(width: number, height: number): Promise<Buffer> {
  const bytes = await baselineJpeg()
  return patched(bytes, positionOf(bytes, marker.sof0) + 5, [...uint16(height), ...uint16(width)])
}

async function withFrameByte(offset: number, value: number): Promise<Buffer> {
  const bytes = await baselineJpeg()
  return patched(bytes, positionOf(bytes, marker.sof0) + offset, [value])
}

/** An EXIF directory whose only entry declares four billion values, far beyond the file. */
function exifWithHugeEntry(): Buffer {
  const tiff = exifOf([[orientationTag, 1]])
  tiff.writeUInt16LE(12, 12)
  tiff.writeUInt32LE(0xffffffff, 14)
  tiff.writeUInt32LE(0x7ffffff0, 18)
  return tiff
}

/**
 * Creates a valid progressive JPEG with many scans of a few hundred bytes, each of which costs a
 * pass over the whole image: every coefficient separately, refined bit by bit.
 */
function scanBomb(pixelsPerSide: number, scansMax: number): Buffer {
  const blocks = Math.ceil(pixelsPerSide / 8) ** 2
  const runs = Math.ceil(blocks / 2 ** 14)
  const scanOf = (from: number, to: number, bits: number, contents: Buffer) => [
    segmentOf(marker.scan, Buffer.from([1, 1, 0, from, to, bits])),
    contents,
  ]
  const emptyRuns = Buffer.alloc(Math.ceil((runs * 15) / 8))
  const scans: Buffer[] = scanOf(0, 0, 0, Buffer.alloc(Math.ceil(blocks / 8)))
  for (let coefficient = 1; coefficient < 64; coefficient++) {
    for (let low = 13; low >= 0 && scans.length < scansMax * 2; low--) {
      scans.push(...scanOf(coefficient, coefficient, ((low === 13 ? 0 : low + 1) << 4) | low, emptyRuns))
    }
  }
  const oneCode = (table: number, symbol: number) =>
    segmentOf(marker.huffman, Buffer.from([table, 1, ...Array<number>(15).fill(0), symbol]))
  return Buffer.concat([
    latin1('\xff\xd8'),
    segmentOf(marker.quantization, Buffer.alloc(65, 1).fill(0, 0, 1)),
    segmentOf(marker.sof2, Buffer.from([8, ...uint16(pixelsPerSide), ...uint16(pixelsPerSide), 1, 1, 0x11, 0])),
    oneCode(0x00, 0x00),
    oneCode(0x10, 0xe0),
    ...scans,
    latin1('\xff\xd9'),
  ])
}

const cutAt =
  (share: number, make = baselineJpeg) =>
  async () => {
    const bytes = await make()
    return bytes.subarray(0, Math.floor(bytes.byteLength * share))
  }

export const jpegRows: ImageRow[] = [
  { name: 'JPEG, baseline', make: baselineJpeg, expected: upright },
  { name: 'JPEG, progressive', make: progressive, expected: upright },
  {
    name: 'JPEG, CMYK, inverted as Adobe does',
    make: () => quarters().toColorspace('cmyk').jpeg(bestQuality).toBuffer(),
    expected: { size: '64x48', quarters: 'e??w' },
  },
  {
    name: 'JPEG, CMYK, without the Adobe marker',
    make: () => withoutSegment(quarters().toColorspace('cmyk').jpeg(bestQuality).toBuffer(), marker.app14),
    expected: { size: '64x48', quarters: 'e??w' },
  },
  { name: 'JPEG, 12 bits in its header', make: () => withFrameByte(4, 12), expected: damaged },
  { name: 'JPEG, 255 components', make: () => withFrameByte(9, 255), expected: damaged },
  { name: 'JPEG, no components', make: () => withFrameByte(9, 0), expected: damaged },
  { name: 'JPEG, sampling factors of 15', make: () => withFrameByte(11, 0xff), expected: damaged },
  { name: 'JPEG, quantization table that is not there', make: () => withFrameByte(12, 3), expected: damaged },
  { name: 'JPEG, announces lossless coding', make: () => withFrameByte(1, 0xc3), expected: damaged },
  { name: 'JPEG, announces arithmetic coding', make: () => withFrameByte(1, 0xc9), expected: { size: '64x48' } },
  { name: 'JPEG, baseline, but announces progressive coding', make: () => withFrameByte(1, marker.sof2), expected: damaged },
  ...[0.02, 0.1, 0.3, 0.5, 0.8, 0.9, 0.97].map((share) => ({
    name: `JPEG, cut at ${share * 100} %`,
    make: cutAt(share),
    expected: damaged,
  })),
  { name: 'JPEG, progressive, cut in its second scan', make: cutAt(0.7, progressive), expected: damaged },
  { name: 'JPEG, without its end marker', make: async () => (await baselineJpeg()).subarray(0, -2), expected: damaged },
  { name: 'JPEG, width 0', make: () => withSize(0, 48), expected: damaged },
  { name: 'JPEG, height 0', make: () => withSize(64, 0), expected: damaged },
  { name: 'JPEG, 65500 x 65500', make: () => withSize(65_500, 65_500), expected: tooLarge },
  // The pixel data ends early, but at a valid position. Browsers show such a file with gray in
  // place of the missing data.
  { name: 'JPEG, 65500 x 700 that ends after the first rows', make: () => withSize(65_500, 700), expected: { size: '1000x11' } },
  {
    name: 'JPEG, followed by a megabyte of noise',
    make: async () => Buffer.concat([await baselineJpeg(), noise(1 << 20)]),
    expected: upright,
  },
  {
    name: 'JPEG, followed by a second JPEG',
    make: async () => Buffer.concat([await baselineJpeg(), await quarters().negate().jpeg().toBuffer()]),
    expected: upright,
  },
  {
    name: 'JPEG, followed by a ZIP',
    make: async () => Buffer.concat([await baselineJpeg(), latin1('PK\x03\x04\x14\0\0\0\0\0'), noise(200)]),
    expected: upright,
  },
  ...orientations.map(([orientation, expected]) => ({
    name: `JPEG, EXIF orientation ${orientation}`,
    make: async () => afterStart(await baselineJpeg(), exifSegment(exifOf([[orientationTag, orientation]]))),
    expected,
  })),
  ...[0, 9, 65_535].map((orientation) => ({
    name: `JPEG, EXIF orientation ${orientation}, which is undefined`,
    make: async () => afterStart(await baselineJpeg(), exifSegment(exifOf([[orientationTag, orientation]]))),
    expected: upright,
  })),
  {
    name: 'JPEG, EXIF of five thousand entries',
    make: async () =>
      afterStart(await baselineJpeg(), exifSegment(exifOf(Array.from({ length: 5000 }, (_, index) => [index, index] as const)))),
    expected: upright,
  },
  {
    name: 'JPEG, EXIF directory that links to itself',
    make: async () => afterStart(await baselineJpeg(), exifSegment(exifOf([[orientationTag, 1]], 8))),
    expected: upright,
  },
  {
    name: 'JPEG, EXIF sub-directory that is its own parent',
    make: async () =>
      afterStart(
        await baselineJpeg(),
        exifSegment(
          exifOf([
            [0x8769, 8],
            [orientationTag, 1],
          ]),
        ),
      ),
    expected: upright,
  },
  {
    name: 'JPEG, EXIF entry of four billion values',
    make: async () => afterStart(await baselineJpeg(), exifSegment(exifWithHugeEntry())),
    expected: upright,
  },
  {
    name: 'JPEG, EXIF of noise',
    make: async () => afterStart(await baselineJpeg(), exifSegment(noise(60_000))),
    expected: upright,
  },
  {
    name: 'JPEG, color profile of noise',
    make: async () => afterStart(await baselineJpeg(), iccPart(noise(60_000))),
    expected: upright,
  },
  {
    name: 'JPEG, color profile of which 254 parts are missing',
    make: async () => afterStart(await baselineJpeg(), iccPart(noise(1000), 1, 255)),
    expected: upright,
  },
  {
    name: 'JPEG, color profile parts numbered 0 of 0',
    make: async () => afterStart(await baselineJpeg(), iccPart(noise(1000), 0, 0)),
    expected: upright,
  },
  {
    name: 'JPEG, ten megabytes of color profile',
    make: async () =>
      afterStart(await baselineJpeg(), ...Array.from({ length: 160 }, (_, index) => iccPart(noise(65_000), index + 1, 160))),
    expected: upright,
  },
  {
    name: 'JPEG, ten megabytes of comments',
    make: async () =>
      afterStart(await baselineJpeg(), ...Array.from({ length: 160 }, () => segmentOf(marker.comment, noise(65_000)))),
    expected: upright,
  },
  {
    name: 'JPEG, application segment longer than the file',
    make: async () => afterStart(await baselineJpeg(), segmentOf(marker.app1, latin1('Exif\0\0'), 65_535)),
    expected: damaged,
  },
  ...[0, 1].map((length) => ({
    name: `JPEG, application segment of length ${length}`,
    make: async () => afterStart(await baselineJpeg(), segmentOf(marker.app1, noise(100), length)),
    expected: upright,
  })),
  {
    name: 'JPEG, application segment longer than its announced length',
    make: async () => afterStart(await baselineJpeg(), segmentOf(marker.app1, Buffer.alloc(500, 0x20), 10)),
    expected: { size: '64x48' },
  },
  {
    name: 'JPEG, 49 megapixels in 800 scans',
    make: () => scanBomb(7000, 800),
    expected: { code: 'too_large', messageText: 'more than 100 scans' },
  },
  {
    name: 'JPEG, 101 scans after its end',
    make: async () =>
      Buffer.concat([await baselineJpeg(), Buffer.concat(Array<Buffer>(101).fill(segmentOf(marker.scan, noise(6))))]),
    expected: upright,
  },
  {
    name: 'JPEG, 101 scans in a comment',
    make: async () =>
      afterStart(
        await baselineJpeg(),
        segmentOf(marker.comment, Buffer.concat(Array<Buffer>(101).fill(segmentOf(marker.scan, noise(6))))),
      ),
    expected: upright,
  },
  {
    name: 'JPEG, 800 scans with padding before their markers',
    make: () => Buffer.from(scanBomb(640, 800).toString('latin1').replaceAll('\xff\xda', '\xff\xff\xff\xda'), 'latin1'),
    expected: { code: 'too_large', messageText: 'more than 100 scans' },
  },
  { name: 'JPEG, 49 megapixels in 64 scans', make: () => scanBomb(7000, 64), expected: { size: '1000x1000' } },
]
