import sharp from 'sharp'
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
  upright,
  type ImageRow,
} from './image-row.ts'

const palette = Buffer.from([255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255])
const uint16Little = (value: number) => Buffer.from([value & 0xff, value >>> 8])

function screenOf(width: number, height: number, colors = palette): Buffer {
  const flags = colors.byteLength === 0 ? 0 : 0x81
  return Buffer.concat([latin1('GIF89a'), uint16Little(width), uint16Little(height), Buffer.from([flags, 0, 0]), colors])
}

/** Encodes LZW without compression: the codes are cleared before they would exceed three bits. */
function compressLzw(pixels: Iterable<number>): Buffer {
  const bytes: number[] = []
  let [pendingBits, pendingBitCount, codesSinceClear] = [0, 0, 0]
  const putCode = (code: number) => {
    pendingBits |= code << pendingBitCount
    for (pendingBitCount += 3; pendingBitCount >= 8; pendingBitCount -= 8) {
      bytes.push(pendingBits & 0xff)
      pendingBits >>= 8
    }
  }
  putCode(4)
  for (const pixel of pixels) {
    if (codesSinceClear++ === 2) {
      putCode(4)
      codesSinceClear = 1
    }
    putCode(pixel)
  }
  putCode(5)
  bytes.push(pendingBits & 0xff)
  return Buffer.from(bytes)
}

function blocksOf(contents: Uint8Array): Buffer {
  const parts: Uint8Array[] = []
  for (let offset = 0; offset < contents.byteLength; offset += 255) {
    const part = contents.subarray(offset, offset + 255)
    parts.push(Buffer.from([part.byteLength]), part)
  }
  return Buffer.concat([...parts, Buffer.alloc(1)])
}

function frameOf({ left = 0, top = 0, width = 64, height = 48, codeSize = 2, packed = quartersPacked() } = {}): Buffer {
  const frameArea = [left, top, width, height].map(uint16Little)
  return Buffer.concat([latin1(','), ...frameArea, Buffer.from([0, codeSize]), blocksOf(packed)])
}

function quartersPacked(): Buffer {
  const indexes = Array.from({ length: quartersSize.width * quartersSize.height }, (_, index) =>
    'rgbw'.indexOf(quarterAt(index % quartersSize.width, Math.floor(index / quartersSize.width))),
  )
  return compressLzw(indexes)
}

const commentOf = (contents: Uint8Array) => Buffer.concat([latin1('!\xfe'), blocksOf(contents)])
const end = latin1(';')
const gifOf = (...parts: Buffer[]): Buffer => Buffer.concat([...parts, end])
const dot = frameOf({ width: 1, height: 1, packed: compressLzw([1]) })

function riffOf(...chunks: Buffer[]): Buffer {
  const body = Buffer.concat([latin1('WEBP'), ...chunks])
  return Buffer.concat([latin1('RIFF'), uint32Little(body.byteLength), body])
}

function uint32Little(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

const uint24 = (value: number) => uint32Little(value).subarray(0, 3)

function webpChunk(type: string, contents: Uint8Array, length = contents.byteLength): Buffer {
  return Buffer.concat([latin1(type), uint32Little(length), contents, Buffer.alloc(contents.byteLength % 2)])
}

const flag = { animation: 2, exif: 8, alpha: 16, profile: 32 }

const extendedHeader = (flags: number, width: number, height: number) =>
  webpChunk('VP8X', Buffer.concat([Buffer.from([flags, 0, 0, 0]), uint24(width - 1), uint24(height - 1)]))

const lossless = () => quarters().webp({ lossless: true }).toBuffer()
/** Returns the only chunk of a simple file. It contains the pixels. */
const losslessChunk = async () => (await lossless()).subarray(12)

const cutShare = (make: () => Promise<Buffer>, share: number) => async () => {
  const bytes = await make()
  return bytes.subarray(0, Math.floor(bytes.byteLength * share))
}

const animationFrame = (pixels: Buffer, left = 0) =>
  webpChunk('ANMF', Buffer.concat([uint24(left), uint24(0), uint24(63), uint24(47), uint24(100), Buffer.alloc(1), pixels]))
const loop = webpChunk('ANIM', Buffer.alloc(6))

export const gifRows: ImageRow[] = [
  { name: 'GIF', make: () => gifOf(screenOf(64, 48), frameOf()), expected: upright },
  {
    name: 'GIF, 5000 frames',
    make: () => gifOf(screenOf(64, 48), frameOf(), ...Array<Buffer>(5000).fill(dot)),
    expected: upright,
  },
  {
    name: 'GIF, a million frames',
    make: () => gifOf(screenOf(64, 48), frameOf(), Buffer.concat(Array<Buffer>(1_000_000).fill(dot))),
    expected: upright,
  },
  { name: 'GIF, no frames', make: () => gifOf(screenOf(64, 48)), expected: damaged },
  // An implausible screen size is ignored, and the frame determines the size.
  {
    name: 'GIF, screen of 65535 x 65535 around one dot',
    make: () => gifOf(screenOf(65_535, 65_535), dot),
    expected: { size: '1x1' },
  },
  { name: 'GIF, screen of 0 x 0', make: () => gifOf(screenOf(0, 0), frameOf()), expected: upright },
  {
    name: 'GIF, frame of 65535 x 65535 on a small screen',
    make: () => gifOf(screenOf(64, 48), frameOf({ width: 65_535, height: 65_535 })),
    expected: tooLarge,
  },
  {
    name: 'GIF, frame beside the screen',
    make: () => gifOf(screenOf(64, 48), frameOf({ left: 65_000, top: 65_000 })),
    expected: tooLarge,
  },
  {
    name: 'GIF, frame of 0 x 0',
    make: () => gifOf(screenOf(64, 48), frameOf({ width: 0, height: 0 })),
    expected: { size: '64x48' },
  },
  { name: 'GIF, code size of 12', make: () => gifOf(screenOf(64, 48), frameOf({ codeSize: 12 })), expected: damaged },
  { name: 'GIF, code size of 0', make: () => gifOf(screenOf(64, 48), frameOf({ codeSize: 0 })), expected: { size: '64x48' } },
  { name: 'GIF, codes of noise', make: () => gifOf(screenOf(64, 48), frameOf({ packed: noise(500) })), expected: damaged },
  { name: 'GIF, no palette', make: () => gifOf(screenOf(64, 48, Buffer.alloc(0)), frameOf()), expected: { size: '64x48' } },
  {
    name: 'GIF, ten megabytes of comments',
    make: () => gifOf(screenOf(64, 48), ...Array<Buffer>(10).fill(commentOf(noise(1_000_000))), frameOf()),
    expected: upright,
  },
  { name: 'GIF, cut at half', make: () => gifCutInHalf(), expected: damaged },
  { name: 'GIF, without its end', make: () => Buffer.concat([screenOf(64, 48), frameOf()]), expected: upright },
  {
    name: 'GIF, also a script, whose comment begins in the size',
    make: () => Buffer.concat([patched(gifOf(screenOf(64, 48), frameOf()), 6, latin1('/*')), latin1('*/=1;alert(1)')]),
    expected: upright,
  },
  {
    name: 'GIF, followed by a script',
    make: () => Buffer.concat([gifOf(screenOf(64, 48), frameOf()), latin1('/*<script>alert(1)</script>*/')]),
    expected: upright,
  },
]

function gifCutInHalf(): Buffer {
  const complete = gifOf(screenOf(64, 48), frameOf())
  return complete.subarray(0, complete.byteLength / 2)
}

export const webpRows: ImageRow[] = [
  { name: 'WebP, lossy', make: () => quarters().webp({ quality: 95, smartSubsample: true }).toBuffer(), expected: upright },
  { name: 'WebP, lossless', make: lossless, expected: upright },
  {
    name: 'WebP, transparent',
    make: () =>
      sharp({ create: { ...quartersSize, channels: 4, background: '#00000000' } })
        .webp({ lossless: true })
        .toBuffer(),
    expected: { size: '64x48', quarters: '----' },
  },
  {
    name: 'WebP, animated',
    make: async () => {
      const frames = [await quarters().png().toBuffer(), await quarters().negate().png().toBuffer()]
      return await sharp(frames, { join: { animated: true } })
        .webp({ lossless: true })
        .toBuffer()
    },
    expected: upright,
  },
  {
    name: 'WebP, animated in 5000 frames',
    make: async () => {
      const pixels = await losslessChunk()
      return riffOf(extendedHeader(flag.animation, 64, 48), loop, ...Array<Buffer>(5000).fill(animationFrame(pixels)))
    },
    expected: upright,
  },
  {
    name: 'WebP, animation without frames',
    make: () => riffOf(extendedHeader(flag.animation, 64, 48), loop),
    expected: damaged,
  },
  {
    name: 'WebP, animation frame outside its canvas',
    make: async () => riffOf(extendedHeader(flag.animation, 64, 48), loop, animationFrame(await losslessChunk(), 5000)),
    expected: damaged,
  },
  ...[0.1, 0.5, 0.9].map((share) => ({
    name: `WebP, cut at ${share * 100} %`,
    make: cutShare(() => quarters().webp({ quality: 95 }).toBuffer(), share),
    expected: damaged,
  })),
  { name: 'WebP, lossless, cut at 80 %', make: cutShare(lossless, 0.8), expected: damaged },
  {
    name: 'WebP, canvas of 16383 x 16383 around a small image',
    make: async () => riffOf(extendedHeader(0, 16_383, 16_383), await losslessChunk()),
    expected: damaged,
  },
  {
    name: 'WebP, animation canvas of 16383 x 16383',
    make: async () => riffOf(extendedHeader(flag.animation, 16_383, 16_383), loop, animationFrame(await losslessChunk())),
    expected: tooLarge,
  },
  {
    name: 'WebP, animation canvas of 7000 x 7000 around a small frame',
    make: async () => riffOf(extendedHeader(flag.animation, 7000, 7000), loop, animationFrame(await losslessChunk())),
    expected: { size: '1000x1000' },
  },
  {
    name: 'WebP, announces an animation but has none',
    make: async () => riffOf(extendedHeader(flag.animation, 64, 48), await losslessChunk()),
    expected: damaged,
  },
  {
    name: 'WebP, lossless header of 16384 x 16384',
    make: async () => patched(await lossless(), 21, [0xff, 0xff, 0xff, 0x0f]),
    expected: damaged,
  },
  {
    name: 'WebP, lossy header of 16383 x 16383',
    make: async () => patched(await quarters().webp().toBuffer(), 26, [0xff, 0x3f, 0xff, 0x3f]),
    expected: tooLarge,
  },
  {
    name: 'WebP, length of four billion',
    make: async () => patched(await lossless(), 4, [255, 255, 255, 255]),
    expected: damaged,
  },
  { name: 'WebP, length of zero', make: async () => patched(await lossless(), 4, [0, 0, 0, 0]), expected: damaged },
  {
    name: 'WebP, pixels with an announced length beyond the file',
    make: async () => riffOf(webpChunk('VP8L', noise(50), 1_000_000)),
    expected: damaged,
  },
  {
    name: 'WebP, color profile of noise',
    make: async () => riffOf(extendedHeader(flag.profile, 64, 48), webpChunk('ICCP', noise(3000)), await losslessChunk()),
    expected: upright,
  },
  {
    name: 'WebP, EXIF orientation 8',
    make: async () =>
      riffOf(extendedHeader(flag.exif, 64, 48), await losslessChunk(), webpChunk('EXIF', exifOf([[orientationTag, 8]]))),
    expected: { size: '48x64', quarters: 'gwrb' },
  },
  { name: 'WebP, noise for pixels', make: () => riffOf(webpChunk('VP8 ', noise(2000))), expected: damaged },
]
