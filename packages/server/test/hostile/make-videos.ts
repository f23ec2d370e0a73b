/**
 * Videos whose headers declare far more than the file contains. Each is at most a few kilobytes.
 */
export interface HostileVideo {
  name: string
  make: () => Buffer
}

/** Number of entries that a table declares: 268 million. */
const announced = 0x0fff_ffff

const matrix = words(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)
const sizes = fullBox('stsz', 0, words(100, 10))
const times = fullBox('stts', 0, words(1, 10, 100))
const offsets = fullBox('stco', 0, words(1, 48))

interface Mp4Parts {
  sizes?: Buffer
  times?: Buffer
  offsets?: Buffer
  /** Bytes to append to the tables of the track. */
  table?: Buffer
  /** Bytes to append after the track. */
  behind?: Buffer
}

const mp4s: [name: string, parts: Mp4Parts][] = [
  [
    'sample sizes that are all the same',
    { sizes: fullBox('stsz', 0, words(100, 0xffff_ffff)), times: fullBox('stts', 0, words(1, 0xffff_ffff, 1)) },
  ],
  ['sample sizes', { sizes: fullBox('stsz', 0, words(0, announced)) }],
  ['compact sample sizes', { sizes: fullBox('stz2', 0, words(4, announced)) }],
  ['sample times', { times: fullBox('stts', 0, words(announced)) }],
  ['composition offsets', { table: fullBox('ctts', 0, words(announced)) }],
  ['key frames', { table: fullBox('stss', 0, words(announced)) }],
  ['chunk offsets', { offsets: fullBox('stco', 0, words(announced)) }],
  ['metadata keys', { behind: box('meta', handler('mdta'), fullBox('keys', 0, words(announced)), box('ilst')) }],
  ['encryption keys', { behind: fullBox('pssh', 0x0100_0000, Buffer.alloc(16), words(announced, 0)) }],
]

export const hostileVideos: HostileVideo[] = [
  ...mp4s.map(([table, parts]) => ({ name: `an MP4 that announces millions of ${table}`, make: () => mp4(parts) })),
  {
    name: 'a WebM whose codec description announces 8 GiB',
    make: () => webm(track(hex('63a20100000200000000'), Buffer.alloc(7))),
  },
  {
    name: 'a WebM whose cluster announces petabytes',
    make: () =>
      Buffer.concat([
        webm(track(element('86', latin1('V_VP8')), element('e0', element('b0', hex('0140')), element('ba', hex('f0'))))),
        hex('1f43b6750180000000000000'),
        hex('e78100'),
        Buffer.alloc(2000),
      ]),
  },
]

/** Creates a track with ten frames of 320 x 240 pixels. */
export function mp4(parts: Mp4Parts = {}): Buffer {
  const parameterSets = box('avcC', hex('0142001effe100046742001e01000268ce'))
  const sampleEntry = box(
    'avc1',
    hex('0000000000000001'),
    Buffer.alloc(16),
    hex('014000f0'),
    words(0x480000, 0x480000, 0),
    hex('0001'),
    Buffer.alloc(32),
    hex('0018ffff'),
    parameterSets,
  )
  const tables = box(
    'stbl',
    fullBox('stsd', 0, words(1), sampleEntry),
    parts.times ?? times,
    fullBox('stsc', 0, words(1, 1, 10, 1)),
    parts.sizes ?? sizes,
    parts.offsets ?? offsets,
    parts.table ?? Buffer.alloc(0),
  )
  const media = box(
    'mdia',
    fullBox('mdhd', 0, words(0, 0, 1000, 1000, 0x55c40000)),
    handler('vide'),
    box('minf', fullBox('vmhd', 1, Buffer.alloc(8)), tables),
  )
  const trackHeader = fullBox('tkhd', 3, words(0, 0, 1, 0, 1000), Buffer.alloc(16), matrix, words(320 << 16, 240 << 16))
  const movieHeader = fullBox('mvhd', 0, words(0, 0, 1000, 1000, 0x10000, 0x1000000, 0, 0), matrix, Buffer.alloc(24), words(2))
  const movie = box('moov', movieHeader, box('trak', trackHeader, media), parts.behind ?? Buffer.alloc(0))
  return Buffer.concat([box('ftyp', latin1('isom'), words(0), latin1('isommp41')), movie, box('mdat', Buffer.alloc(1000))])
}

function handler(kind: string): Buffer {
  return fullBox('hdlr', 0, words(0), latin1(kind), Buffer.alloc(13))
}

function fullBox(type: string, versionAndFlags: number, ...contents: Buffer[]): Buffer {
  return box(type, words(versionAndFlags), ...contents)
}

function box(type: string, ...contents: Buffer[]): Buffer {
  const body = Buffer.concat(contents)
  return Buffer.concat([words(8 + body.byteLength), latin1(type), body])
}

function webm(tracks: Buffer): Buffer {
  const header = hex('4286810142f7810142f2810442f381084282847765626d4287810442858102')
  const information = Buffer.concat([element('2ad7b1', hex('0f4240')), element('4489', hex('40af4000'))])
  const ofUnknownSize = hex('1853806701ffffffffffffff')
  return Buffer.concat([
    element('1a45dfa3', header),
    ofUnknownSize,
    element('1549a966', information),
    element('1654ae6b', tracks),
  ])
}

function track(...contents: Buffer[]): Buffer {
  return element('ae', hex('d7810173c58101838101'), ...contents)
}

/** Creates an EBML element of at most 126 bytes. */
function element(id: string, ...contents: Buffer[]): Buffer {
  const body = Buffer.concat(contents)
  return Buffer.concat([hex(id), Buffer.from([0x80 | body.byteLength]), body])
}

function words(...values: number[]): Buffer {
  const buffer = Buffer.alloc(4 * values.length)
  for (const [index, value] of values.entries()) buffer.writeUInt32BE(value >>> 0, 4 * index)
  return buffer
}

function latin1(text: string): Buffer {
  return Buffer.from(text, 'latin1')
}

function hex(text: string): Buffer {
  return Buffer.from(text, 'hex')
}
