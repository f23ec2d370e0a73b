// The texture of mist.

@inline
function clamp(value: f64): f64 {
  return max<f64>(0, min<f64>(1, value))
}

/**
 * Stores a row of coverage from noise `values`. `edges` has a factor for each column, as f64, and
 * `rise` is the factor of the row.
 */
export function coverMistRow(target: usize, values: usize, edges: usize, columns: i32, rise: f64): void {
  for (let column = 0; column < columns; column++) {
    const density = rise * clamp(0.42 + <f64>load<f32>(values + (column << 2)) * 1.3)
    store<i16>(target + (column << 1), <i16><i32>(clamp(density * load<f64>(edges + (column << 3))) * 32767))
  }
}
