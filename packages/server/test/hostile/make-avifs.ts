import sharp from 'sharp'
import { damaged, latin1, noise, patched, quarters, uint32, upright, type ImageRow, type Refusal } from './image-row.ts'

const avifImage = () => quarters().avif({ quality: 90, chromaSubsampling: '4:4:4' }).toBuffer()

/**
 * Returns the AVIF with bytes replaced, at an offset from the type field of the first box of this
 * type.
 */
async function withBox(type: string, offset: number, replacement: Uint8Array | readonly number[]): Promise<Buffer> {
  const bytes = await avifImage()
  const boxOffset = bytes.indexOf(type, 0, 'latin1')
  if (boxOffset === -1) throw new Error(`the AVIF has no ${type}`)
  return patched(bytes, boxOffset + offset, replacement)
}

const tooLargeForAvif: Refusal = { code: 'too_large', messageText: 'at most 20 megapixels' }

/** Encodes the AVIF that is most expensive to decode at this size: 12 bits, full color, alpha. */
export const singleColor = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: '#20406080' } })
    .avif({ effort: 0, chromaSubsampling: '4:4:4', bitdepth: 12 })
    .toBuffer()

const withSize = (width: number, height: number) => withBox('ispe', 8, Buffer.concat([uint32(width), uint32(height)]))

const cutAt = (share: number) => async () => {
  const bytes = await avifImage()
  return bytes.subarray(0, Math.floor(bytes.byteLength * share))
}

export const avifRows: ImageRow[] = [
  { name: 'AVIF', make: avifImage, expected: upright },
  ...[0.05, 0.3, 0.6, 0.9].map((share) => ({ name: `AVIF, cut at ${share * 100} %`, make: cutAt(share), expected: damaged })),
  { name: 'AVIF, announces 100000 x 100000', make: () => withSize(100_000, 100_000), expected: tooLargeForAvif },
  { name: 'AVIF, announces 4294967295 x 4294967295', make: () => withSize(0xffffffff, 0xffffffff), expected: damaged },
  // At this size, the library prints warnings on stderr.
  { name: 'AVIF, announces 64 x 2139062143', make: () => withSize(64, 0x7f7f7f7f), expected: tooLargeForAvif },
  { name: 'AVIF, announces 0 x 0', make: () => withSize(0, 0), expected: damaged },
  { name: 'AVIF, small, but announces 5000 x 4000', make: () => withSize(5000, 4000), expected: damaged },
  // A file of a few hundred bytes.
  { name: 'AVIF, 5000 x 4001 in one color', make: () => singleColor(5000, 4001), expected: tooLargeForAvif },
  { name: 'AVIF, larger than the announced 8 x 8', make: () => withSize(8, 8), expected: damaged },
  { name: 'AVIF, box of length 0', make: () => withBox('meta', -4, uint32(0)), expected: upright },
  { name: 'AVIF, box longer than the file', make: () => withBox('meta', -4, uint32(0x7fffffff)), expected: damaged },
  { name: 'AVIF, box shorter than its own head', make: () => withBox('meta', -4, uint32(4)), expected: damaged },
  { name: 'AVIF, pixels at an offset outside the file', make: () => withBox('iloc', 14, uint32(0x7fffffff)), expected: damaged },
  { name: 'AVIF, announces HEVC as its codec', make: () => withBox('av01', 0, latin1('hvc1')), expected: damaged },
  { name: 'AVIF, noise for pixels', make: () => withBox('mdat', 4, noise(20)), expected: damaged },
  {
    name: 'AVIF, brand and nothing else',
    make: () => Buffer.concat([uint32(16), latin1('ftypavif\0\0\0\0')]),
    expected: damaged,
  },
  {
    name: 'AVIF, brand before an SVG image',
    make: () =>
      Buffer.concat([uint32(20), latin1('ftypxxxx\0\0\0\0avif<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')]),
    expected: damaged,
  },
]
