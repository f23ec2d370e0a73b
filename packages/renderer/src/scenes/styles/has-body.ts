/**
 * Returns whether a drawing has an outline, unlike mist, rain and clouds. `rgba` is premultiplied.
 */
export function hasBody(rgba: Uint8Array): boolean {
  let [sampledPixels, solid] = [0, 0]
  for (let index = 3; index < rgba.length; index += 4 * 7) {
    const alpha = rgba[index] ?? 0
    if (alpha > 8) sampledPixels++
    if (alpha > 250) solid++
  }
  return solid > sampledPixels * 0.3
}
