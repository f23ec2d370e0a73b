/** Boxes that contain a creation and a modification time. */
const timedBoxes = new Set(['mvhd', 'tkhd', 'mdhd'])
/** Boxes in which timed boxes are nested. */
const outerBoxes = new Set(['moov', 'trak', 'mdia'])

const headerBytes = 8

/**
 * Sets all creation and modification times of the boxes from byte `start` to `end` of an MP4 to
 * zero ("unknown"), so that equal videos have equal bytes.
 */
export function clearTimes(mp4: Uint8Array, start = 0, end = mp4.byteLength): void {
  const view = new DataView(mp4.buffer, mp4.byteOffset, mp4.byteLength)
  let offset = start
  while (offset + headerBytes <= end) {
    const sizeBytes = boxSize(view, offset, end)
    const type = String.fromCharCode(...mp4.subarray(offset + 4, offset + headerBytes))
    if (outerBoxes.has(type)) clearTimes(mp4, offset + headerBytes, offset + sizeBytes)
    if (timedBoxes.has(type)) {
      // Times have 64 bits in version 1 and 32 bits in version 0. They follow the version, which is
      // one byte, and three bytes of flags.
      const timeBytes = mp4[offset + headerBytes] === 1 ? 8 : 4
      mp4.fill(0, offset + headerBytes + 4, offset + headerBytes + 4 + 2 * timeBytes)
    }
    offset += sizeBytes
  }
}

function boxSize(view: DataView, offset: number, end: number): number {
  const sizeField = view.getUint32(offset)
  if (sizeField === 0) return end - offset
  const sizeBytes = sizeField === 1 ? Number(view.getBigUint64(offset + headerBytes)) : sizeField
  if (sizeBytes < headerBytes || offset + sizeBytes > end)
    throw new Error(`the video has a box with a wrong size at byte ${offset}`)
  return sizeBytes
}
