// Height fields of terrain: rows of f32 heights, one row for each distance.

@inline
function widened(address: usize): v128 {
  return f64x2.promote_low_f32x4(v128.load64_zero(address))
}

/** Stores the weighted mean of each height of a row and of its neighbors in the rows around it, as f64. */
function averageRows(target: usize, before: usize, row: usize, behind: usize, rays: i32): void {
  const half = f64x2.splat(0.5), quarter = f64x2.splat(0.25), pairs: usize = (rays + 1) >> 1
  for (let pair: usize = 0; pair < pairs; pair++) {
    const at: usize = pair << 3
    const around = f64x2.add(widened(before + at), widened(behind + at))
    v128.store(target + (pair << 4), f64x2.add(f64x2.mul(widened(row + at), half), f64x2.mul(around, quarter)))
  }
}

/**
 * Averages heights over neighboring points along the line of sight and on both sides of it.
 * `sideWeight` is the weight of the points on each side. `means` is space for one row of f64. One
 * float after the end of `source` is read.
 */
export function softenHeights(target: usize, source: usize, rays: i32, steps: i32, sideWeight: f64, means: usize): void {
  const rowBytes: usize = rays << 2, middleWeight: f64 = 1 - 2 * sideWeight
  for (let step = 0; step < steps; step++) {
    const row: usize = source + step * rowBytes, to: usize = target + step * rowBytes
    averageRows(means, source + max(0, step - 1) * rowBytes, row, source + min(steps - 1, step + 1) * rowBytes, rays)
    for (let ray = 0; ray < rays; ray++) {
      const middle = load<f64>(means + (ray << 3))
      if (sideWeight == 0) {
        store<f32>(to + (ray << 2), <f32>middle)
        continue
      }
      const left = load<f64>(means + (max(ray - 1, 0) << 3)), right = load<f64>(means + (min(ray + 1, rays - 1) << 3))
      store<f32>(to + (ray << 2), <f32>(middle * middleWeight + (left + right) * sideWeight))
    }
  }
}

/**
 * Stores the screen row of each height of a row of the field. `eyeRow` is the screen row of the
 * eye's height, and `perLength` is the number of screen rows per unit of length at this distance.
 * Stores the least and the greatest screen row in `extent`, as f64.
 */
export function projectHeights(target: usize, heights: usize, rays: i32, eyeRow: f64, eyeHeight: f64, perLength: f64, extent: usize): void {
  let least: f64 = Infinity, greatest: f64 = -Infinity
  for (let at: usize = 0, end: usize = rays << 2; at < end; at += 4) {
    const row = eyeRow + (eyeHeight - <f64>load<f32>(heights + at)) * perLength
    store<f32>(target + at, <f32>row)
    least = min<f64>(least, row)
    greatest = max<f64>(greatest, row)
  }
  store<f64>(extent, least)
  store<f64>(extent, greatest, 8)
}
