import { framesPerSecond, type PixelSize } from '@framegate/contract'
import type { VideoConfig } from '../encoded-track.ts'
import { BitWriter } from './bit-writer.ts'

/** Constrained Baseline (annex A.2.1.1 of ITU-T H.264), which every player can decode. */
const profile = 66
const constraints = 0b1100_0000
/** Levels, each with the maximum number of macroblocks per picture and per second (table A-1). */
const levels = [
  { level: 30, perPicture: 1620, perSecond: 40_500 },
  { level: 31, perPicture: 3600, perSecond: 108_000 },
  { level: 32, perPicture: 5120, perSecond: 216_000 },
  { level: 40, perPicture: 8192, perSecond: 245_760 },
  { level: 42, perPicture: 8704, perSecond: 522_240 },
  { level: 50, perPicture: 22_080, perSecond: 589_824 },
  { level: 51, perPicture: 36_864, perSecond: 983_040 },
]
const bt709 = 1
/** First bytes of the NAL units of parameter sets. */
const sequenceUnitHeader = 0x67
const pictureUnitHeader = 0x68

/**
 * Configuration that a decoder needs before the first frame of a video of this size: parameter sets
 * in an avcC box (ISO/IEC 14496-15, 5.3.3.1). Throws a `RangeError` if no level allows the size.
 */
export function describeVideo({ width, height }: PixelSize): VideoConfig {
  const columns = Math.ceil(width / 16)
  const rows = Math.ceil(height / 16)
  const macroblocks = columns * rows
  const level = levels.find(
    ({ perPicture, perSecond }) => macroblocks <= perPicture && macroblocks * framesPerSecond <= perSecond,
  )?.level
  if (level === undefined) throw new RangeError(`a video of ${width}x${height} is too large for H.264`)
  const sequence = sequenceParameters({ width, height, columns, rows, level })
  const picture = pictureParameters()
  const description = Uint8Array.from([
    1,
    profile,
    constraints,
    level,
    0b1111_1100 | (unitLengthBytes - 1),
    0b1110_0000 | 1,
    ...withLength(sequence),
    1,
    ...withLength(picture),
  ])
  const hex = [profile, constraints, level].map((byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join('')
  return { codec: `avc1.${hex}`, description, width, height }
}

/** Each NAL unit of a packet is preceded by its length in this many bytes. */
export const unitLengthBytes = 4

/** Returns the bytes of a NAL unit after its length in two bytes. */
function withLength(unit: Uint8Array): number[] {
  return [unit.length >> 8, unit.length & 0xff, ...unit]
}

interface SequenceSize extends PixelSize {
  columns: number
  rows: number
  level: number
}

/**
 * Writes seq_parameter_set_rbsp (clause 7.3.2.1) with vui_parameters (annex E.1.1). The syntax of
 * slice headers depends on it: see `putHeader` in encoder.as.ts.
 */
function sequenceParameters({ width, height, columns, rows, level }: SequenceSize): Uint8Array {
  const bits = new BitWriter()
  bits.put(profile, 8).put(constraints, 8).put(level, 8)
  bits.putUnsigned(0) // seq_parameter_set_id
  bits.putUnsigned(4) // log2_max_frame_num_minus4: 8 bits
  bits.putUnsigned(2) // pic_order_cnt_type: frames are displayed in decoding order
  bits.putUnsigned(1).put(0, 1) // one reference frame, no gaps
  bits.putUnsigned(columns - 1).putUnsigned(rows - 1)
  bits.put(1, 1).put(1, 1) // frame_mbs_only_flag, direct_8x8_inference_flag
  const cropRight = (columns * 16 - width) / 2
  const cropBelow = (rows * 16 - height) / 2
  bits.put(1, 1).putUnsigned(0).putUnsigned(cropRight).putUnsigned(0).putUnsigned(cropBelow)
  bits.put(1, 1) // vui_parameters_present_flag
  bits.put(0, 1).put(0, 1) // no aspect ratio, no overscan
  bits.put(1, 1).put(5, 3).put(0, 1) // video_signal_type: unspecified format, limited range
  bits.put(1, 1).put(bt709, 8).put(bt709, 8).put(bt709, 8) // primaries, transfer, matrix
  bits.put(0, 1) // chroma_loc_info_present_flag
  bits
    .put(1, 1)
    .put(1, 32)
    .put(2 * framesPerSecond, 32)
    .put(1, 1) // timing, counted in fields; fixed
  bits.put(0, 1).put(0, 1).put(0, 1) // no HRD, pic_struct_present_flag
  bits.put(1, 1).put(1, 1) // bitstream_restriction: motion may point outside the picture
  bits.putUnsigned(0).putUnsigned(0).putUnsigned(12).putUnsigned(10) // no limits of bytes and bits; limits of motion vectors
  bits.putUnsigned(0).putUnsigned(1) // max_num_reorder_frames, max_dec_frame_buffering
  return Uint8Array.from([sequenceUnitHeader, ...bits.toBytes()])
}

/** Writes pic_parameter_set_rbsp (clause 7.3.2.2). */
function pictureParameters(): Uint8Array {
  const bits = new BitWriter()
  bits.putUnsigned(0).putUnsigned(0) // ids
  bits.put(0, 1).put(0, 1) // CAVLC, no bottom-field order
  bits.putUnsigned(0) // one slice group
  bits.putUnsigned(0).putUnsigned(0) // one reference in each list
  bits.put(0, 1).put(0, 2) // no weighted prediction
  bits.putUnsigned(0).putUnsigned(0).putUnsigned(0) // pic_init_qp 26, pic_init_qs 26, chroma_qp_index_offset 0
  bits.put(1, 1).put(0, 1).put(0, 1) // deblocking control in slices, unconstrained intra, no redundant pictures
  return Uint8Array.from([pictureUnitHeader, ...bits.toBytes()])
}
