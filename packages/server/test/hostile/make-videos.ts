/**
 * A video of at most a few kilobytes whose headers declare far more than the file contains.
 */
export interface HostileVideo {
  name: string
  make: () => Buffer
}

/** Number of entries that a table declares: 268 million. */
const announcedEntryCount = 0x0fff_ffff

const matrix = wordsOf(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)
const sizes = fullBox('stsz', 0, wordsOf(100, 10))
const times = fullBox('stts', 0, wordsOf(1, 10, 100))
const offsets = fullBox('stco', 0, wordsOf(1, 48))

interface Mp4Parts {
  sizes?: Buffer
  times?: Buffer
  offsets?: Buffer
  /** Bytes to append to the tables of the track. */
  extraTable?: Buffer
  /** Bytes to append after the track. */
  afterTrack?: Buffer
}

const mp4s: [name: string, parts: Mp4Parts][] = [
  [
    'sample sizes that are all the same',
    { sizes: fullBox('stsz', 0, wordsOf(100, 0xffff_ffff)), times: fullBox('stts', 0, wordsOf(1, 0xffff_ffff, 1)) },
  ],
  ['sample sizes', { sizes: fullBox('stsz', 0, wordsOf(0, announcedEntryCount)) }],
  ['compact sample sizes', { sizes: fullBox('stz2', 0, wordsOf(4, announcedEntryCount)) }],
  ['sample times', { times: fullBox('stts', 0, wordsOf(announcedEntryCount)) }],
  ['composition offsets', { extraTable: fullBox('ctts', 0, wordsOf(announcedEntryCount)) }],
  ['key frames', { extraTable: fullBox('stss', 0, wordsOf(announcedEntryCount)) }],
  ['chunk offsets', { offsets: fullBox('stco', 0, wordsOf(announcedEntryCount)) }],
  [
    'metadata keys',
    { afterTrack: boxOf('meta', handlerBox('mdta'), fullBox('keys', 0, wordsOf(announcedEntryCount)), boxOf('ilst')) },
  ],
  ['encryption keys', { afterTrack: fullBox('pssh', 0x0100_0000, Buffer.alloc(16), wordsOf(announcedEntryCount, 0)) }],
]

export const hostileVideos: HostileVideo[] = [
  ...mp4s.map(([table, parts]) => ({ name: `an MP4 that announces millions of ${table}`, make: () => mp4(parts) })),
  {
    name: 'a WebM whose codec description announces 8 GiB',
    make: () => webmOf(trackOf(bytesOfHex('63a20100000200000000'), Buffer.alloc(7))),
  },
  {
    name: 'a WebM whose cluster announces petabytes',
    make: () =>
      Buffer.concat([
        webmOf(
          trackOf(
            elementOf('86', latin1('V_VP8')),
            elementOf('e0', elementOf('b0', bytesOfHex('0140')), elementOf('ba', bytesOfHex('f0'))),
          ),
        ),
        bytesOfHex('1f43b6750180000000000000'),
        bytesOfHex('e78100'),
        Buffer.alloc(2000),
      ]),
  },
]

/** Creates an MP4 with one track of ten frames of 320 x 240 pixels. */
export function mp4(parts: Mp4Parts = {}): Buffer {
  const parameterSets = boxOf('avcC', bytesOfHex('0142001effe100046742001e01000268ce'))
  const sampleEntry = boxOf(
    'avc1',
    bytesOfHex('0000000000000001'),
    Buffer.alloc(16),
    bytesOfHex('014000f0'),
    wordsOf(0x480000, 0x480000, 0),
    bytesOfHex('0001'),
    Buffer.alloc(32),
    bytesOfHex('0018ffff'),
    parameterSets,
  )
  const tables = boxOf(
    'stbl',
    fullBox('stsd', 0, wordsOf(1), sampleEntry),
    parts.times ?? times,
    fullBox('stsc', 0, wordsOf(1, 1, 10, 1)),
    parts.sizes ?? sizes,
    parts.offsets ?? offsets,
    parts.extraTable ?? Buffer.alloc(0),
  )
  const media = boxOf(
    'mdia',
    fullBox('mdhd', 0, wordsOf(0, 0, 1000, 1000, 0x55c40000)),
    handlerBox('vide'),
    boxOf('minf', fullBox('vmhd', 1, Buffer.alloc(8)), tables),
  )
  const trackHeader = fullBox('tkhd', 3, wordsOf(0, 0, 1, 0, 1000), Buffer.alloc(16), matrix, wordsOf(320 << 16, 240 << 16))
  const movieHeader = fullBox(
    'mvhd',
    0,
    wordsOf(0, 0, 1000, 1000, 0x10000, 0x1000000, 0, 0),
    matrix,
    Buffer.alloc(24),
    wordsOf(2),
  )
  const movie = boxOf('moov', movieHeader, boxOf('trak', trackHeader, media), parts.afterTrack ?? Buffer.alloc(0))
  return Buffer.concat([boxOf('ftyp', latin1('isom'), wordsOf(0), latin1('isommp41')), movie, boxOf('mdat', Buffer.alloc(1000))])
}

function handlerBox(kind: string): Buffer {
  return fullBox('hdlr', 0, wordsOf(0), latin1(kind), Buffer.alloc(13))
}

function fullBox(type: string, versionAndFlags: number, ...contents: Buffer[]): Buffer {
  return boxOf(type, wordsOf(versionAndFlags), ...contents)
}

function boxOf(type: string, ...contents: Buffer[]): Buffer {
  const body = Buffer.concat(contents)
  return Buffer.concat([wordsOf(8 + body.byteLength), latin1(type), body])
}

function webmOf(tracks: Buffer): Buffer {
  const header = bytesOfHex('4286810142f7810142f2810442f381084282847765626d4287810442858102')
  const information = Buffer.concat([elementOf('2ad7b1', bytesOfHex('0f4240')), elementOf('4489', bytesOfHex('40af4000'))])
  const unknownSizeHeader = bytesOfHex('1853806701ffffffffffffff')
  return Buffer.concat([
    elementOf('1a45dfa3', header),
    unknownSizeHeader,
    elementOf('1549a966', information),
    elementOf('1654ae6b', tracks),
  ])
}

function trackOf(...contents: Buffer[]): Buffer {
  return elementOf('ae', bytesOfHex('d7810173c58101838101'), ...contents)
}

/** Creates an EBML element with at most 126 bytes of contents. */
function elementOf(id: string, ...contents: Buffer[]): Buffer {
  const body = Buffer.concat(contents)
  return Buffer.concat([bytesOfHex(id), Buffer.from([0x80 | body.byteLength]), body])
}

function wordsOf(...values: number[]): Buffer {
  const buffer = Buffer.alloc(4 * values.length)
  for (const [index, value] of values.entries()) buffer.writeUInt32BE(value >>> 0, 4 * index)
  return buffer
}

function latin1(text: string): Buffer {
  return Buffer.from(text, 'latin1')
}

function bytesOfHex(text: string): Buffer {
  return Buffer.from(text, 'hex')
}
