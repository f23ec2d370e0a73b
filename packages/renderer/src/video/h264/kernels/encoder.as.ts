// An H.264 encoder for the frames of this renderer, in AssemblyScript (not TypeScript).
// tools/build-kernels.ts compiles it to encoder.wasm. Constrained Baseline profile, one slice for
// each picture, CAVLC, one reference. Clauses and tables are those of ITU-T H.264 (ISO/IEC
// 14496-10).
import { copyEscaped, endBits, putBits, putSigned, putUnsigned, startBits } from './bits.as'
import { deblock } from './deblock.as'
import { endMacroblocks, putMacroblock, startMacroblocks } from './macroblock.as'
import { startMotion } from './motion.as'
import { exchangeEntries, exchangePictures, fillSource, heightMbs, layOut, output, sliceBuffer, sourceU, sourceV, sourceY, widthMbs } from './picture.as'
import { prepareQuantizers } from './quantizers.as'
import { prepareReference } from './reference.as'

const SLICE_P: u32 = 5
const SLICE_I: u32 = 7
const NAL_SLICE: u32 = 1
const NAL_SLICE_IDR: u32 = 5

let frameWidth: i32 = 0
let frameHeight: i32 = 0
/** Number of reference pictures since the last key picture. */
let references: u32 = 0
let keyPictures: u32 = 0
/** Distance of the previous picture from its reference, in pictures. 0 after a key picture. */
let previousDistance: i32 = 0
let distance: i32 = 0

export { sourceY, sourceU, sourceV, output, referenceY, referenceU, referenceV, stride, chromaStride } from './picture.as'

/**
 * Starts a video. Width and height must be even. Before each `encodeFrame`, the caller writes a
 * frame to `sourceY`, `sourceU` and `sourceV`, in rows of whole macroblocks.
 */
export function openVideo(width: i32, height: i32): void {
  prepareQuantizers()
  layOut(width, height)
  frameWidth = width
  frameHeight = height
  references = 0
  keyPictures = 0
  previousDistance = 0
  distance = 0
}

/**
 * Encodes the frame in the source planes as a NAL unit at `output`, and returns its size in bytes.
 * A key picture refers to no other picture. Any other picture refers to the last reference picture.
 */
export function encodeFrame(isKey: bool, isReference: bool, quantizer: i32): i32 {
  fillSource(frameWidth, frameHeight)
  distance = isKey ? 0 : distance + 1
  if (isKey) references = 0
  startBits(sliceBuffer)
  putHeader(isKey, isReference, quantizer)
  const scale = isKey ? 0 : previousDistance == 0 ? 2 : (2 * distance) / previousDistance
  startMacroblocks(quantizer, lambdaOf(quantizer), scale)
  startMotion()
  for (let row = 0; row < heightMbs; row++) {
    for (let column = 0; column < widthMbs; column++) putMacroblock(column, row)
  }
  endMacroblocks()
  const end = endBits()
  if (isReference) {
    deblock()
    exchangePictures()
    prepareReference()
    references++
  }
  exchangeEntries()
  previousDistance = distance
  if (isReference) distance = 0
  if (isKey) keyPictures++
  store<u8>(output, ((isKey ? 3 : isReference ? 2 : 0) << 5) | (isKey ? NAL_SLICE_IDR : NAL_SLICE))
  return <i32>(copyEscaped(output + 1, sliceBuffer, end) - output)
}

/**
 * Writes slice_header (clause 7.3.3) to match the parameter sets that `parameter-sets.ts` writes.
 */
function putHeader(isKey: bool, isReference: bool, quantizer: i32): void {
  putUnsigned(0) // first_mb_in_slice
  putUnsigned(isKey ? SLICE_I : SLICE_P)
  putUnsigned(0) // pic_parameter_set_id
  putBits(references & 0xff, 8) // frame_num
  if (isKey) putUnsigned(keyPictures & 0xff) // idr_pic_id
  if (!isKey) putBits(0, 2) // num_ref_idx_active_override_flag, ref_pic_list_modification_flag_l0
  if (isKey) putBits(0, 2) // no_output_of_prior_pics_flag, long_term_reference_flag
  else if (isReference) putBits(0, 1) // adaptive_ref_pic_marking_mode_flag
  putSigned(quantizer - 26) // slice_qp_delta
  putUnsigned(0) // disable_deblocking_filter_idc
  putUnsigned(0) // slice_alpha_c0_offset_div2: se(0)
  putUnsigned(0) // slice_beta_offset_div2: se(0)
}

/**
 * Returns the cost of one bit, in the unit of a sum of absolute differences. It doubles with every
 * sixth quantizer.
 */
function lambdaOf(quantizer: i32): i32 {
  let lambda: f32 = 1
  for (let i = 12; i < quantizer; i++) lambda *= 1.122462
  return <i32>(lambda + 0.5)
}
