import { gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { damaged, latin1, noise, notAnImage, quarters, uint32, type ImageRow } from './image-row.ts'

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="48"><rect width="64" height="48" fill="red"/></svg>'

/** The "billion laughs" attack. */
const entityBomb = (): string => {
  const entities = Array.from({ length: 9 }, (_, index) => `<!ENTITY l${index + 1} "${`&l${index};`.repeat(10)}">`)
  return `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY l0 "lol">${entities.join('')}]><svg xmlns="http://www.w3.org/2000/svg"><text>&l9;</text></svg>`
}

const fileReader = `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>
<svg xmlns="http://www.w3.org/2000/svg"><text>&x;</text><image href="http://127.0.0.1/"/></svg>`

const rowOf = (name: string, contents: string | Uint8Array, expected: string): ImageRow => ({
  name,
  make: () => (typeof contents === 'string' ? latin1(contents) : contents),
  expected: notAnImage(expected),
})

const isoFile = (brand: string, compatible = brand) =>
  Buffer.concat([uint32(20), latin1(`ftyp${brand}\0\0\0\0${compatible}`), uint32(8), latin1('mdat')])

const unknown = 'a file of unknown type'

export const otherRows: ImageRow[] = [
  rowOf('an empty file', '', 'an empty file'),
  rowOf('one byte', '\xff', unknown),
  rowOf('two bytes of a JPEG', '\xff\xd8', unknown),
  { name: 'only the magic bytes of JPEG', make: () => latin1('\xff\xd8\xff'), expected: damaged },
  { name: 'only the magic bytes of PNG', make: () => latin1('\x89PNG\r\n\x1a\n'), expected: damaged },
  { name: 'only the magic bytes of GIF', make: () => latin1('GIF89a'), expected: damaged },
  { name: 'only the magic bytes of WebP', make: () => latin1('RIFF\x04\0\0\0WEBP'), expected: damaged },
  {
    name: 'the magic bytes of JPEG before noise',
    make: () => Buffer.concat([latin1('\xff\xd8\xff'), noise(5000)]),
    expected: damaged,
  },
  {
    name: 'the magic bytes of PNG before noise',
    make: () => Buffer.concat([latin1('\x89PNG\r\n\x1a\n'), noise(5000)]),
    expected: damaged,
  },
  { name: 'the magic bytes of GIF before noise', make: () => Buffer.concat([latin1('GIF89a'), noise(5000)]), expected: damaged },
  rowOf('an SVG image', svg, 'an SVG image'),
  rowOf('an SVG image with a byte order mark', `\xef\xbb\xbf${svg}`, 'an SVG image'),
  rowOf('an SVG image behind spaces', ` \r\n\t ${svg}`, 'an SVG image'),
  rowOf('an SVG image behind a comment', `<!-- PNG -->${svg}`, 'a web page'),
  rowOf('an SVG image, gzipped', gzipSync(svg), unknown),
  rowOf('an SVG image in UTF-16', Buffer.concat([latin1('\xff\xfe'), Buffer.from(svg, 'utf16le')]), unknown),
  rowOf('an SVG image that expands to a billion words', entityBomb(), 'an XML or SVG document'),
  rowOf('an SVG image that reads a file', fileReader, 'an XML or SVG document'),
  rowOf('a web page', '<!DOCTYPE html><title>login</title>', 'a web page'),
  rowOf('a JSON text', '{"error":"not found"}', 'a JSON text'),
  rowOf('a text', 'GIF is how I pronounce it', unknown),
  rowOf('a text in UTF-16', Buffer.from('\ufeffhello', 'utf16le'), unknown),
  rowOf('a ZIP', 'PK\x03\x04\x14\0\0\0', unknown),
  rowOf('a RAR', 'Rar!\x1a\x07\x01\0', unknown),
  rowOf('a PDF', '%PDF-1.7\n%\xe2\xe3\xcf\xd3', 'a PDF document'),
  rowOf('a program for Windows', Buffer.concat([latin1('MZ\x90\0'), noise(500)]), unknown),
  rowOf('a program for Linux', Buffer.concat([latin1('\x7fELF\x02\x01\x01\0'), noise(500)]), unknown),
  rowOf('a shell script', '#!/bin/sh\nrm -rf /', unknown),
  rowOf('a TIFF, little-endian', 'II*\0\x08\0\0\0', 'a TIFF file'),
  rowOf('a TIFF, big-endian', 'MM\0*\0\0\0\x08', 'a TIFF file'),
  { name: 'a TIFF that could be decoded', make: () => quarters().tiff().toBuffer(), expected: notAnImage('a TIFF file') },
  rowOf('a BMP', 'BM\x36\0\0\0\0\0\0\0', 'a BMP file'),
  rowOf('an icon', Buffer.from([0, 0, 1, 0, 1, 0, 16, 16, 0, 0]), unknown),
  rowOf('a HEIC photo', isoFile('heic', 'mif1'), 'a HEIC photo'),
  rowOf('a video', isoFile('isom', 'mp42'), 'a video'),
  rowOf('a WebM video', '\x1a\x45\xdf\xa3\x01\0\0\0', 'a video'),
  rowOf('a JPEG XL', '\xff\x0a\0\0', unknown),
  rowOf('a JPEG 2000', '\0\0\0\x0cjP  \r\n\x87\n', unknown),
  rowOf('a Photoshop file', '8BPS\0\x01', unknown),
  rowOf('a PPM', 'P6\n1 1\n255\n\xff\0\0', unknown),
  rowOf('a Radiance image', '#?RADIANCE\n', unknown),
  rowOf('a sound', 'RIFF\x24\0\0\0WAVEfmt ', unknown),
  { name: 'an image in the format of libvips', make: vipsFile, expected: notAnImage(unknown) },
  rowOf('twenty megabytes of noise', noise(20 * 1024 * 1024, 99).fill(0, 0, 1), unknown),
]

/** A file in the format of libvips, which declares 2147483647 x 2147483647 pixels. */
async function vipsFile(): Promise<Buffer> {
  const head = Buffer.alloc(64)
  head.set([0x08, 0xf2, 0xa6, 0xb6])
  head.writeUInt32BE(0x7fffffff, 4)
  head.writeUInt32BE(0x7fffffff, 8)
  return Buffer.concat([
    head,
    await sharp(noise(300), { raw: { width: 10, height: 10, channels: 3 } })
      .raw()
      .toBuffer(),
  ])
}
