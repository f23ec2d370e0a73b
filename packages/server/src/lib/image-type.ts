/** The supported image formats. File names and declared types are ignored. */
export type ImageType = 'image/jpeg' | 'image/png' | 'image/webp' | 'image/avif' | 'image/gif'

/** Accept header for fetching images. */
export const imageAcceptHeader = 'image/avif,image/webp,image/png,image/jpeg,image/gif,*/*;q=0.1'

/** Number of bytes from the start of a file that `imageTypeOf` and `describeFormat` need. */
export const signatureBytes = 64

/**
 * Returns the image format, from the first bytes of a file. Undefined: the file is not a supported
 * image.
 */
export function imageTypeOf(start: Uint8Array): ImageType | undefined {
  const text = latin1(start)
  if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (text.startsWith('RIFF') && text.startsWith('WEBP', 8)) return 'image/webp'
  if (text.startsWith('GIF87a') || text.startsWith('GIF89a')) return 'image/gif'
  if (brandsOf(text).some((brand) => brand === 'avif' || brand === 'avis')) return 'image/avif'
  return undefined
}

/**
 * Describes the apparent format of a file that is not a supported image, for a message to the
 * client.
 */
export function describeFormat(start: Uint8Array): string {
  const text = latin1(start)
  const trimmed = text
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart()
    .toLowerCase()
  const brands = brandsOf(text)
  if (text.length === 0) return 'an empty file'
  if (trimmed.startsWith('<svg')) return 'an SVG image'
  if (trimmed.startsWith('<?xml')) return 'an XML or SVG document'
  if (trimmed.startsWith('<')) return 'a web page'
  if (trimmed.startsWith('{') || trimmed.startsWith('[')) return 'a JSON text'
  if (brands.some((brand) => /^(hei[cxms]|hev[cxms]|mif1|msf1)$/.test(brand))) return 'a HEIC photo'
  if (brands.length > 0 || text.startsWith('\x1a\x45\xdf\xa3')) return 'a video'
  if (text.startsWith('II*\0') || text.startsWith('MM\0*')) return 'a TIFF file'
  if (text.startsWith('BM')) return 'a BMP file'
  if (text.startsWith('%PDF')) return 'a PDF document'
  return 'a file of unknown type'
}

function latin1(start: Uint8Array): string {
  return Buffer.from(start.subarray(0, signatureBytes)).toString('latin1')
}

/**
 * Returns the brands of an ISO base media file. Its first box has the length, `ftyp`, the major
 * brand, the version and the compatible brands.
 */
function brandsOf(text: string): string[] {
  if (!text.startsWith('ftyp', 4)) return []
  const end = Math.min(text.length, Buffer.from(text, 'latin1').readUInt32BE(0))
  const brands = [text.slice(8, 12)]
  for (let offset = 16; offset + 4 <= end; offset += 4) brands.push(text.slice(offset, offset + 4))
  return brands
}
