/**
 * Whether a drawing has an outline of its own, unlike mist, rain and clouds. Takes premultiplied
 * RGBA.
 */
export function hasBody(rgba: Uint8Array): boolean {
  let [seen, solid] = [0, 0]
  for (let at = 3; at < rgba.length; at += 4 * 7) {
    const alpha = rgba[at] ?? 0
    if (alpha > 8) seen++
    if (alpha > 250) solid++
  }
  return solid > seen * 0.3
}
