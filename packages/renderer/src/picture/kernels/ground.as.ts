// Rasterizes the ground of a landscape: a fan of rays with steps from near to far.

/** Filled by the host. */
@unmanaged
export class Ground {
  target: usize // RGBA, cleared
  screen: usize // f32: screen row of every point
  heights: usize // f32
  colors: usize // RGB bytes
  columns: i32
  rows: i32
  rays: i32
  steps: i32
  isWaterland: i32
  isPremultiplied: i32
  top: f32 // screen row of the target's first row
  waterline: f32 // height of the water surface; far below every height of the ground if there is no water
  shallows: f32
  shallowCover: f32 // coverage of the shallowest ground under water
}

@inline
function byteBetween(bytes: usize, share: f32): f32 {
  const left: f32 = f32(load<u8>(bytes)), right: f32 = f32(load<u8>(bytes, 3))
  return left + (right - left) * share
}

@inline
function between(floats: usize, share: f32): f32 {
  const left = load<f32>(floats)
  return left + (load<f32>(floats, 4) - left) * share
}

@inline
function pack(red: f32, green: f32, blue: f32, cover: f32, isPremultiplied: i32): u32 {
  const share: f32 = isPremultiplied ? cover : 1
  return (<u32>(cover * 255) << 24) | (<u32>(blue * share) << 16) | (<u32>(green * share) << 8) | <u32>(red * share)
}

/**
 * Runs column by column from near to far. Each step fills from the highest row so far up to its own
 * row, so that every pixel is written once. A pixel on an edge is blended with the ground that is
 * visible behind the edge.
 */
export function rasterizeGround(ground: Ground): void {
  const columns = ground.columns, rows = ground.rows, rays = ground.rays, steps = ground.steps, top = ground.top
  const waterline = ground.waterline, target = ground.target, floatRow: usize = rays << 2, byteRow: usize = rays * 3
  const perShallowDepth: f32 = 1 / ground.shallows
  for (let column = 0; column < columns; column++) {
    const rayPosition: f32 = (f32(column) / f32(columns - 1)) * f32(rays - 1)
    const ray = min(rays - 2, i32(rayPosition))
    const share: f32 = rayPosition - f32(ray)
    let screen: usize = ground.screen + (ray << 2), heights: usize = ground.heights + (ray << 2), colors: usize = ground.colors + ray * 3
    let red: f32 = 0, green: f32 = 0, blue: f32 = 0, highestRow: f32 = f32(rows), lastRow: f32 = f32(rows), lastHeight: f32 = 0
    let edgeCover: f32 = 0, edgeRed: f32 = 0, edgeGreen: f32 = 0, edgeBlue: f32 = 0
    for (let step = 0; step < steps; step++, screen += floatRow, heights += floatRow, colors += byteRow) {
      const row: f32 = between(screen, share) - top, height = between(heights, share)
      const nextRed = byteBetween(colors, share), nextGreen = byteBetween(colors + 1, share), nextBlue = byteBetween(colors + 2, share)
      // The ground continues in front of the nearest step.
      if (step == 0) {
        lastHeight = height
        if (ground.isWaterland) highestRow = lastRow = min(f32(rows), row)
        red = nextRed
        green = nextGreen
        blue = nextBlue
      }
      if (row < highestRow) {
        const perRow: f32 = 1 / max(<f32>0.001, lastRow - row)
        const upper = max(0, i32(Mathf.ceil(row)))
        for (let y = i32(Mathf.ceil(highestRow)) - 1; y >= upper; y--) {
          const stepShare: f32 = min(<f32>1, max(<f32>0, (lastRow - f32(y) - 0.5) * perRow))
          let r: f32 = red + (nextRed - red) * stepShare, g: f32 = green + (nextGreen - green) * stepShare, b: f32 = blue + (nextBlue - blue) * stepShare
          const waterDepth: f32 = waterline - (lastHeight + (height - lastHeight) * stepShare)
          let cover: f32 = waterDepth <= 0 ? 1 : max(<f32>0, 1 - waterDepth * perShallowDepth) * ground.shallowCover
          if (edgeCover > 0) {
            const rest: f32 = cover * (1 - edgeCover), totalCover: f32 = edgeCover + rest
            r = (edgeRed * edgeCover + r * rest) / totalCover
            g = (edgeGreen * edgeCover + g * rest) / totalCover
            b = (edgeBlue * edgeCover + b * rest) / totalCover
            cover = totalCover
            edgeCover = 0
          }
          if (cover > 0) store<u32>(target + (<usize>(y * columns + column) << 2), pack(r, g, b, cover, ground.isPremultiplied))
        }
        const topCover: f32 = height < waterline ? 0 : Mathf.ceil(row) - row
        if (topCover > 0 && row >= 0) {
          const rest: f32 = max(<f32>0, topCover - edgeCover), totalCover: f32 = edgeCover + rest
          edgeRed = (edgeRed * edgeCover + nextRed * rest) / totalCover
          edgeGreen = (edgeGreen * edgeCover + nextGreen * rest) / totalCover
          edgeBlue = (edgeBlue * edgeCover + nextBlue * rest) / totalCover
          edgeCover = totalCover
        }
        highestRow = row
      }
      lastRow = row
      lastHeight = height
      red = nextRed
      green = nextGreen
      blue = nextBlue
    }
    const y = i32(Mathf.ceil(highestRow)) - 1
    if (edgeCover > 0 && y >= 0 && y < rows)
      store<u32>(target + (<usize>(y * columns + column) << 2), pack(edgeRed, edgeGreen, edgeBlue, edgeCover, ground.isPremultiplied))
  }
}
