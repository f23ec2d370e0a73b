/**
 * Boxes that contain a creation and a modification time (`timedBoxes`), and boxes that contain
 * timed boxes.
 */
const timedBoxes = new Set(['mvhd', 'tkhd', 'mdhd'])
const outerBoxes = new Set(['moov', 'trak', 'mdia'])

const headerBytes = 8

/**
 * Sets all creation and modification times of an MP4 to zero ("unknown"), so that equal videos have
 * equal bytes.
 */
export function clearTimes(mp4: Uint8Array, start = 0, end = mp4.byteLength): void {
  const view = new DataView(mp4.buffer, mp4.byteOffset, mp4.byteLength)
  let offset = start
  while (offset + headerBytes <= end) {
    const sizeBytes = boxSize(view, offset, end)
    const type = String.fromCharCode(...mp4.subarray(offset + 4, offset + headerBytes))
    if (outerBoxes.has(type)) clearTimes(mp4, offset + headerBytes, offset + sizeBytes)
    if (timedBoxes.has(type)) {
      // Version 1 has 64-bit times, version 0 has 32-bit times. Both follow one byte of version and
      // three bytes of flags.
      const timeBytes = mp4[offset + headerBytes] === 1 ? 8 : 4
      mp4.fill(0, offset + headerBytes + 4, offset + headerBytes + 4 + 2 * timeBytes)
    }
    offset += sizeBytes
  }
}

function boxSize(view: DataView, offset: number, end: number): number {
  const size = view.getUint32(offset)
  if (size === 0) return end - offset
  const sizeBytes = size === 1 ? Number(view.getBigUint64(offset + headerBytes)) : size
  if (sizeBytes < headerBytes || offset + sizeBytes > end)
    throw new Error(`the video has a box with a wrong size at byte ${offset}`)
  return sizeBytes
}
