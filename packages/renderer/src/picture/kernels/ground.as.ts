// Rasterizes terrain: a height field that is sampled along a fan of rays, each from near to far.

/** Arguments of `rasterizeGround`. The host writes them into memory. */
@unmanaged
export class Ground {
  target: usize // RGBA, cleared
  screen: usize // f32: screen row of every point
  heights: usize // f32
  colors: usize // RGB bytes
  columns: i32
  rows: i32
  rayCount: i32
  stepCount: i32
  hasWater: i32
  isPremultiplied: i32
  top: f32 // screen row at which the target begins
  waterline: f32 // height of the water surface, or a height far below the ground if there is no water
  shallowDepth: f32 // depth of water at which the ground becomes invisible
  shallowAlpha: f32 // alpha of the ground just below the water surface
}

@inline
function lerpByte(bytes: usize, share: f32): f32 {
  const left: f32 = f32(load<u8>(bytes)), right: f32 = f32(load<u8>(bytes, 3))
  return left + (right - left) * share
}

@inline
function lerp(floats: usize, share: f32): f32 {
  const left = load<f32>(floats)
  return left + (load<f32>(floats, 4) - left) * share
}

@inline
function pack(red: f32, green: f32, blue: f32, alpha: f32, isPremultiplied: i32): u32 {
  const share: f32 = isPremultiplied ? alpha : 1
  return (<u32>(alpha * 255) << 24) | (<u32>(blue * share) << 16) | (<u32>(green * share) << 8) | <u32>(red * share)
}

/**
 * Processes each column from near to far. Each step fills the rows between the highest filled row
 * and its own row. A pixel on an edge is blended with the ground that is visible behind the edge.
 */
export function rasterizeGround(ground: Ground): void {
  const columns = ground.columns, rows = ground.rows, rayCount = ground.rayCount, stepCount = ground.stepCount, top = ground.top
  const waterline = ground.waterline, target = ground.target, floatRow: usize = rayCount << 2, byteRow: usize = rayCount * 3
  const perShallowDepth: f32 = 1 / ground.shallowDepth
  for (let column = 0; column < columns; column++) {
    const rayPosition: f32 = (f32(column) / f32(columns - 1)) * f32(rayCount - 1)
    const ray = min(rayCount - 2, i32(rayPosition))
    const share: f32 = rayPosition - f32(ray)
    let screen: usize = ground.screen + (ray << 2), heights: usize = ground.heights + (ray << 2), colors: usize = ground.colors + ray * 3
    let red: f32 = 0, green: f32 = 0, blue: f32 = 0, highestRow: f32 = f32(rows), lastRow: f32 = f32(rows), lastHeight: f32 = 0
    let edgeAlpha: f32 = 0, edgeRed: f32 = 0, edgeGreen: f32 = 0, edgeBlue: f32 = 0
    for (let step = 0; step < stepCount; step++, screen += floatRow, heights += floatRow, colors += byteRow) {
      const row: f32 = lerp(screen, share) - top, height = lerp(heights, share)
      const nextRed = lerpByte(colors, share), nextGreen = lerpByte(colors + 1, share), nextBlue = lerpByte(colors + 2, share)
      // Without water, the nearest sample extends down to the bottom edge. With water, nothing is
      // drawn below it.
      if (step == 0) {
        lastHeight = height
        if (ground.hasWater) highestRow = lastRow = min(f32(rows), row)
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
          let alpha: f32 = waterDepth <= 0 ? 1 : max(<f32>0, 1 - waterDepth * perShallowDepth) * ground.shallowAlpha
          if (edgeAlpha > 0) {
            const rest: f32 = alpha * (1 - edgeAlpha), totalAlpha: f32 = edgeAlpha + rest
            r = (edgeRed * edgeAlpha + r * rest) / totalAlpha
            g = (edgeGreen * edgeAlpha + g * rest) / totalAlpha
            b = (edgeBlue * edgeAlpha + b * rest) / totalAlpha
            alpha = totalAlpha
            edgeAlpha = 0
          }
          if (alpha > 0) store<u32>(target + (<usize>(y * columns + column) << 2), pack(r, g, b, alpha, ground.isPremultiplied))
        }
        const topAlpha: f32 = height < waterline ? 0 : Mathf.ceil(row) - row
        if (topAlpha > 0 && row >= 0) {
          const rest: f32 = max(<f32>0, topAlpha - edgeAlpha), totalAlpha: f32 = edgeAlpha + rest
          edgeRed = (edgeRed * edgeAlpha + nextRed * rest) / totalAlpha
          edgeGreen = (edgeGreen * edgeAlpha + nextGreen * rest) / totalAlpha
          edgeBlue = (edgeBlue * edgeAlpha + nextBlue * rest) / totalAlpha
          edgeAlpha = totalAlpha
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
    if (edgeAlpha > 0 && y >= 0 && y < rows)
      store<u32>(target + (<usize>(y * columns + column) << 2), pack(edgeRed, edgeGreen, edgeBlue, edgeAlpha, ground.isPremultiplied))
  }
}
