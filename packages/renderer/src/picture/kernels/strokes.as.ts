// Repaints a picture in brush strokes with fixed positions. The top stroke at each sample never
// changes. Each row is therefore a list of runs, and only the colors of the strokes are computed
// for each frame.

const NO_STROKE: u16 = 0xffff
/** Thickness at which level paint keeps its brightness: 0.9 * 4,096. */
const NEUTRAL_HEIGHT = 3686
/** A stroke has 64 bristles, which have the indexes 0 to 63 across the stroke. */
const MIDDLE_BRISTLE: f32 = 31.5, BRISTLE_TABLE_BYTES: usize = 64 * 4

/** One stroke and its target. Filled by the host. Lengths are in samples. */
@unmanaged
export class Stroke {
  owners: usize // u16 for each sample: the stroke on top
  heights: usize // i16 for each sample: thickness of the paint * 4,096
  width: i32
  rows: i32
  index: i32
  /**
   * Two tables of BRISTLE_TABLE_BYTES, each with an f32 from 0 to 1 per bristle. The first shortens
   * the traces of the bristles. The second is their amount of paint.
   */
  bristles: usize
  x: f32
  y: f32
  cos: f32
  sin: f32
  bend: f32
  halfLength: f32
  halfWidth: f32
  thickness: f32
}

/**
 * Draws one stroke over the earlier ones: ridges of paint at its sides, furrows of the bristles,
 * and less paint toward its end.
 */
export function drawStroke(stroke: Stroke): void {
  const cos = stroke.cos, sin = stroke.sin, bend = stroke.bend, halfLength = stroke.halfLength, halfWidth = stroke.halfWidth, width = stroke.width
  const reachAcross: f32 = halfWidth + Mathf.abs(bend) * halfLength * halfLength
  const reachX: f32 = Mathf.abs(cos) * halfLength + Mathf.abs(sin) * reachAcross, reachY: f32 = Mathf.abs(sin) * halfLength + Mathf.abs(cos) * reachAcross
  const perHalfWidth: f32 = 1 / halfWidth, perHalfLength: f32 = 1 / halfLength, thickness = stroke.thickness, bristles = stroke.bristles, index = <u16>stroke.index
  const owners = stroke.owners, heightsOffset = stroke.heights - owners
  const bottom = min(stroke.rows - 1, i32(Mathf.floor(stroke.y + reachY)))
  for (let row = max(0, i32(Mathf.ceil(stroke.y - reachY))); row <= bottom; row++) {
    const dy = f32(row) - stroke.y
    let from = -reachX, to = reachX
    if (Mathf.abs(cos) > 0.01) {
      const center = (-dy * sin) / cos, half = Mathf.abs(halfLength / cos)
      from = max(from, center - half)
      to = min(to, center + half)
    }
    if (Mathf.abs(sin) > 0.01) {
      const center = (dy * cos) / sin, half = Mathf.abs(reachAcross / sin)
      from = max(from, center - half)
      to = min(to, center + half)
    }
    const right = min(width - 1, i32(Mathf.floor(stroke.x + to)))
    const left = max(0, i32(Mathf.ceil(stroke.x + from)))
    let dx: f32 = f32(left) - stroke.x, ownerAddress: usize = owners + ((row * width + left) << 1)
    for (let column = left; column <= right; column++, dx += 1, ownerAddress += 2) {
      const along = dx * cos + dy * sin
      const across = (dy * cos - dx * sin - bend * along * along) * perHalfWidth
      if (Mathf.abs(across) > 1) continue
      const bristle = bristles + (<usize>i32(across * MIDDLE_BRISTLE + MIDDLE_BRISTLE) << 2)
      const end: f32 = 1 - load<f32>(bristle) * 0.3 - across * across * 0.25, position = along * perHalfLength
      if (Mathf.abs(position) > end) continue
      store<u16>(ownerAddress, index)
      const height: f32 = thickness + across * across * 0.5 + load<f32>(bristle + BRISTLE_TABLE_BYTES) * 0.55 - position * 0.25
      store<i16>(ownerAddress + heightsOffset, <i16>i32(height * 4096))
    }
  }
}

/**
 * Closes the gaps between strokes: a sample without a stroke gets the stroke of the sample before
 * it.
 */
export function closeStrokes(owners: usize, samples: i32): void {
  let last: u16 = 0
  for (let at: usize = owners, end: usize = owners + (samples << 1); at < end; at += 2) {
    const owner = load<u16>(at)
    if (owner == NO_STROKE) store<u16>(at, last)
    else last = owner
  }
}

/**
 * Lights the relief that the paint's heights form, with light from the upper left. Stores a factor
 * of 8 bits for each sample. 128 leaves the sample's brightness unchanged.
 */
export function lightRelief(factors: usize, heights: usize, width: i32, rows: i32): void {
  memory.fill(factors, 128, width * rows)
  for (let y = 1; y < rows - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const at: usize = y * width + x, heightAddress: usize = heights + (at << 1), step: usize = (width + 1) << 1
      const slope = <i32>load<i16>(heightAddress + step) - <i32>load<i16>(heightAddress - step), excess = <i32>load<i16>(heightAddress) - NEUTRAL_HEIGHT
      store<u8>(factors + at, max(92, min(176, 128 + ((slope * 17 + excess * 7) >> 12))))
    }
  }
}

/**
 * Lists the owners of every `step`-th sample as the runs that `fillStrokes` reads. Returns the
 * number of runs. If `target` is 0, the runs are only counted.
 */
export function listRuns(target: usize, owners: usize, width: i32, rows: i32, step: i32): i32 {
  let count = 0
  for (let y = 0; y < rows; y += step) {
    const row: usize = owners + ((y * width) << 1)
    for (let x = 0; x < width; x += step) {
      const owner = load<u16>(row + (x << 1))
      if (x + step < width && load<u16>(row + ((x + step) << 1)) == owner) continue
      if (target) {
        store<u16>(target + (count << 2), x / step + 1)
        store<u16>(target + (count << 2), owner, 2)
      }
      count++
    }
  }
  return count
}

/**
 * Computes the color of each stroke: the mean of a plane at four points, plus the stroke's own
 * deviation. Each of `points` is u16 x, u16 y.
 */
export function sampleStrokes(colors: usize, deviations: usize, points: usize, count: i32, plane: usize, strideBytes: i32): void {
  for (let stroke = 0; stroke < count; stroke++, colors += 2, deviations += 2, points += 16) {
    let sum = 2
    for (let point: usize = 0; point < 16; point += 4) {
      sum += <i32>load<i16>(plane + (<usize>load<u16>(points + point) << 1) + <i32>load<u16>(points + point, 2) * strideBytes)
    }
    store<i16>(colors, <i16>max(0, min(32640, (sum >> 2) + <i32>load<i16>(deviations))))
  }
}

/**
 * Draws all rows. `runs` holds the end column (u16) and the stroke (u16) of each run. The last run
 * of a row ends at `width`. Samples that are stored past the end of a run are overwritten by the
 * next run. If `light` is not 0, it is the address of the factors of `lightRelief`.
 */
export function fillStrokes(target: usize, strideBytes: i32, width: i32, rows: i32, runs: usize, colors: usize, light: usize): void {
  let row: usize = target
  for (let y = 0; y < rows; y++, row += strideBytes) {
    for (let x = 0; x < width; runs += 4) {
      const end = <i32>load<u16>(runs), color = i16x8.splat(load<i16>(colors + (<usize>load<u16>(runs, 2) << 1)))
      for (; x < end; x += 8) v128.store(row + (x << 1), color)
      x = end
    }
    // A row is lit after the row below it was drawn, because it is blended with that row.
    if (light && y > 0) lightRow(row - strideBytes, strideBytes, width, light + (y - 1) * width)
  }
  if (light) lightRow(row - strideBytes, 0, width, light + (rows - 1) * width)
}

@inline
function lightRow(row: usize, offsetBelow: usize, width: i32, factors: usize): void {
  const black = i16x8.splat(16 << 7)
  for (let x = 0, at = row; x < width; x += 8, at += 16) {
    const own = i16x8.avgr_u(v128.load(at), v128.load(at + offsetBelow))
    const right = x + 8 < width ? i16x8.avgr_u(v128.load(at, 2), v128.load(at + offsetBelow, 2)) : v128.shuffle<i16>(own, own, 1, 2, 3, 4, 5, 6, 7, 7)
    const paint = i16x8.sub(i16x8.avgr_u(own, right), black)
    const half = i16x8.q15mulr_sat_s(paint, i16x8.shl(i16x8.extend_low_i8x16_u(v128.load64_zero(factors + x)), 7))
    v128.store(at, i16x8.add_sat_s(black, i16x8.add_sat_s(half, half)))
  }
}
