const markerStart = 0xff
const endOfImage = 0xd9
const startOfScan = 0xda

/**
 * Counts the scans in a JPEG, up to `scansMax`. For each scan of a progressive JPEG, the decoder
 * processes the whole image and cannot be interrupted. An empty scan has only a few dozen bytes, so
 * a small file may have many.
 */
export function countJpegScans(jpeg: Buffer, scansMax: number): number {
  let scanCount = 0
  let offset = 2
  while (scanCount < scansMax) {
    offset = jpeg.indexOf(markerStart, offset)
    if (offset === -1 || offset + 4 > jpeg.byteLength) break
    const kind = jpeg.readUInt8(offset + 1)
    if (kind === endOfImage) break
    // Repeated bytes before a marker are padding.
    if (kind === markerStart) offset += 1
    else if (hasNoLength(kind)) offset += 2
    else {
      if (kind === startOfScan) scanCount += 1
      // A length includes its own two bytes, which decoders consume even if the length is smaller
      // than 2.
      offset += 2 + Math.max(2, jpeg.readUInt16BE(offset + 2))
    }
  }
  return scanCount
}

/**
 * Whether a marker has no length field: an escaped byte of pixel data, a restart marker, the start
 * of the image, or TEM.
 */
function hasNoLength(kind: number): boolean {
  return kind === 0x00 || kind === 0x01 || (kind >= 0xd0 && kind <= 0xd8)
}
