import { MkvOutputFormat, Mp4OutputFormat, WebMOutputFormat } from 'mediabunny'
import { mediaSample, wav } from '../media-samples.ts'
import { packetVideo } from '../packet-video.ts'
import { hostileVideos, mp4 } from './make-videos.ts'

/** A file that a client sends as video or audio, and text that the error must contain. */
export interface HostileInput {
  name: string
  make: () => Buffer | Promise<Buffer>
  expected: RegExp
}

const damaged =
  /format that the service does not read|damaged or incomplete|is incomplete|no video or audio track|cannot be probed|too much CPU time|nothing to play/
const unsupportedFormat = /file of unknown type|format that the service does not read/
const unsupportedCodec = /its (video|audio) is encoded as/

const cutShare = (bytes: Buffer, share: number) => bytes.subarray(0, Math.floor(bytes.byteLength * share))
const text = (words: string) => Buffer.from(words, 'latin1')
/** Changes the last occurrence of a word. The first may be a brand in the `ftyp` box. */
function patchWord(bytes: Buffer, word: string, change: (copy: Buffer, offset: number) => void): Buffer {
  const copy = Buffer.from(bytes)
  const offset = copy.lastIndexOf(word, undefined, 'latin1')
  if (offset === -1) throw new Error(`the sample has no ${word}`)
  change(copy, offset)
  return copy
}
const renamed = (bytes: Buffer, from: string, to: string) =>
  patchWord(bytes, from, (copy, offset) => copy.write(to, offset, 'latin1'))
const sample = { mp4: () => mediaSample('mp4'), mov: () => mediaSample('mov'), webm: () => mediaSample('webm') }

/** An MP4 with this many copies of its track. */
function withTracks(count: number): Buffer {
  const complete = mp4()
  const [movieAt, trackAt] = [complete.indexOf('moov') - 4, complete.indexOf('trak') - 4]
  const track = complete.subarray(trackAt, trackAt + complete.readUInt32BE(trackAt))
  const copies = Array.from({ length: count - 1 }, () => track)
  const movie = Buffer.concat([complete.subarray(movieAt, trackAt), track, ...copies])
  movie.writeUInt32BE(movie.byteLength, 0)
  return Buffer.concat([complete.subarray(0, movieAt), movie, complete.subarray(trackAt + track.byteLength)])
}

/** Creates nested boxes. */
function nestBoxes(type: string, depth: number): Buffer {
  const bytes = Buffer.alloc(8 * depth)
  for (let level = 0; level < depth; level++) {
    bytes.writeUInt32BE(8 * (depth - level), 8 * level)
    bytes.write(type, 8 * level + 4, 'latin1')
  }
  return Buffer.concat([text('\0\0\0\x10ftypisom\0\0\0\0'), bytes])
}

const cuts: HostileInput[] = (['mp4', 'mov', 'webm', 'm4a', 'ogg', 'flac'] as const).flatMap((name) =>
  [0.1, 0.6].map((share) => ({
    name: `${name}, cut at ${100 * share} %`,
    make: () => cutShare(mediaSample(name), share),
    expected: damaged,
  })),
)

export const hostileInputs: HostileInput[] = [
  ...hostileVideos.map(({ name, make }) => ({ name, make, expected: /./ })),
  // A cut Ogg or FLAC file is a valid, shorter file unless it lacks a complete frame.
  ...cuts.filter(({ name }) => !/^(ogg|flac), cut at 60/.test(name)),
  { name: 'an MP4 without its index', make: () => renamed(sample.mp4(), 'moov', 'free'), expected: damaged },
  { name: 'an MP4 whose tables are another box', make: () => renamed(sample.mp4(), 'stbl', 'free'), expected: damaged },
  { name: 'an MP4 whose sizes are missing', make: () => renamed(sample.mp4(), 'stsz', 'free'), expected: damaged },
  { name: 'an MP4 with 17 tracks', make: () => withTracks(17), expected: /at most 16 are allowed/ },
  {
    name: 'an MP4 with 5,000 tracks',
    make: () => withTracks(5_000),
    expected: /at most 16 are allowed|cannot be probed|too much CPU/,
  },
  { name: 'an MP4 with boxes 100,000 deep', make: () => nestBoxes('moov', 100_000), expected: damaged },
  {
    name: 'an MP4 of 100,000 empty boxes',
    make: () => Buffer.concat([cutShare(sample.mp4(), 0.01), ...Array<Buffer>(100_000).fill(text('\0\0\0\x08free'))]),
    expected: damaged,
  },
  {
    name: 'an MP4 box longer than any file',
    make: () => text('\0\0\0\x10ftypisom\0\0\0\0\0\0\0\x01moov\xff\xff\xff\xff\xff\xff\xff\xff'),
    expected: damaged,
  },
  { name: 'an MP4 box of a negative length', make: () => text('\0\0\0\x10ftypisom\0\0\0\0\0\0\0\x04moov'), expected: damaged },
  { name: 'an MP4 of encrypted video', make: () => renamed(sample.mp4(), 'avc1', 'encv'), expected: unsupportedCodec },
  { name: 'an MP4 of MPEG-4 Part 2 video', make: () => renamed(sample.mp4(), 'avc1', 'mp4v'), expected: unsupportedCodec },
  { name: 'a MOV of ProRes video', make: () => renamed(sample.mov(), 'avc1', 'apch'), expected: unsupportedCodec },
  { name: 'a MOV of an unknown codec', make: () => renamed(sample.mov(), 'avc1', 'zzzz'), expected: unsupportedCodec },
  { name: 'a WebM of an unknown codec', make: () => renamed(sample.webm(), 'V_VP8', 'V_XYZ'), expected: unsupportedCodec },
  {
    name: 'an MP4 of 11 minutes',
    make: () => packetVideo({ frames: 660, framesPerSecond: 1 }),
    expected: /660 seconds long; at most 600/,
  },
  {
    name: 'a fragmented MP4 of 11 minutes',
    make: () => packetVideo({ format: new Mp4OutputFormat({ fastStart: 'fragmented' }), frames: 660, framesPerSecond: 1 }),
    expected: /660 seconds long/,
  },
  {
    name: 'a WebM of 11 minutes',
    make: () => packetVideo({ format: new WebMOutputFormat(), frames: 660, framesPerSecond: 1 }),
    expected: /seconds long; at most 600/,
  },
  { name: 'a WAV of 11 minutes', make: () => wav(660), expected: /660 seconds long/ },
  {
    name: 'a video of 240 frames per second',
    make: () => packetVideo({ frames: 240, framesPerSecond: 240 }),
    expected: /240 frames per second; at most 120/,
  },
  {
    name: 'a video of 32768 x 240 pixels',
    // The width is 28 bytes after the type of the sample entry.
    make: () => patchWord(mp4(), 'avc1', (copy, offset) => copy.writeUInt16BE(32_768, offset + 28)),
    expected: /pixels; each side must have 1 to 8192|damaged/,
  },
  {
    name: 'a video of 0 x 240 pixels',
    make: () => patchWord(mp4(), 'avc1', (copy, offset) => copy.writeUInt16BE(0, offset + 28)),
    expected: /pixels; each side|damaged/,
  },
  { name: 'a video without frames', make: () => packetVideo({ frames: 0 }), expected: damaged },
  { name: 'a WAV without samples', make: () => wav(0), expected: damaged },
  { name: 'a WAV of an unknown encoding', make: () => wav(1, { format: 0x7777 }), expected: damaged },
  { name: 'a WAV of a header alone', make: () => wav(1).subarray(0, 30), expected: damaged },
  { name: 'an MP3 tag without a frame', make: () => text(`ID3\x04\0\0\x7f\x7f\x7f\x7f${'\0'.repeat(500)}`), expected: damaged },
  { name: 'an MP3 of one half frame', make: () => mediaSample('mp3').subarray(0, 20), expected: damaged },
  { name: 'a FLAC header alone', make: () => mediaSample('flac').subarray(0, 42), expected: /damaged or incomplete/ },
  { name: 'an Ogg page of zeros', make: () => text(`OggS${'\0'.repeat(2_000)}`), expected: damaged },
  { name: 'a Matroska file', make: () => packetVideo({ format: new MkvOutputFormat() }), expected: unsupportedFormat },
  {
    name: 'an MP4 of zeros',
    make: () => Buffer.concat([text('\0\0\0\x10ftypisom\0\0\0\0'), Buffer.alloc(1_000_000)]),
    expected: damaged,
  },
  { name: 'an EBML header alone', make: () => text('\x1a\x45\xdf\xa3'), expected: /./ },
  { name: 'an AVI', make: () => text(`RIFF\0\0\0\0AVI LIST${'\0'.repeat(200)}`), expected: unsupportedFormat },
  { name: 'an MPEG transport stream', make: () => Buffer.alloc(188 * 10, '\x47\x40'), expected: unsupportedFormat },
  {
    name: 'a playlist',
    make: () => text('#EXTM3U\n#EXT-X-TARGETDURATION:10\nhttp://127.0.0.1/secret.ts\n'),
    expected: unsupportedFormat,
  },
  { name: 'a web page', make: () => text('<html><video src="http://127.0.0.1/">'), expected: /a web page/ },
]
