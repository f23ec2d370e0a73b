/**
 * Returns whether a drawing is mostly opaque, unlike mist, rain and clouds. `rgba` is
 * premultiplied.
 */
export function hasBody(rgba: Uint8Array): boolean {
  let [visibleCount, opaqueCount] = [0, 0]
  for (let index = 3; index < rgba.length; index += 4 * 7) {
    const alpha = rgba[index] ?? 0
    if (alpha > 8) visibleCount++
    if (alpha > 250) opaqueCount++
  }
  return opaqueCount > visibleCount * 0.3
}
