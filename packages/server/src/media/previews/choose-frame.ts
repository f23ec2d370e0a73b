/**
 * Chooses the thumbnail of a video among frames from its beginning. Starts with the first frame,
 * and chooses a later frame instead if its contrast is more than 10% higher. Plain black or white
 * frames have no contrast, and a frame during a fade-in has less contrast than the frames after it.
 *
 * `frames` has packed RGB frames of `frameBytes` each. Returns the index of the frame.
 */
export function chooseFrame(frames: Uint8Array, frameBytes: number): number {
  let [chosenIndex, contrast] = [0, -1]
  for (let index = 0; (index + 1) * frameBytes <= frames.length; index++) {
    const frameContrast = contrastOf(frames.subarray(index * frameBytes, (index + 1) * frameBytes))
    if (frameContrast > contrast * contrastRatioMin || contrast < 0) [chosenIndex, contrast] = [index, frameContrast]
  }
  return chosenIndex
}

const contrastRatioMin = 1.1
/** Approximate number of pixels that are measured, evenly spread. */
const measuredPixels = 4_096

/** Standard deviation of the luma, 0 to 127.5. */
function contrastOf(rgb: Uint8Array): number {
  const pixelCount = rgb.length / 3
  const step = Math.max(1, Math.floor(pixelCount / measuredPixels))
  let [count, sum, squares] = [0, 0, 0]
  for (let pixel = 0; pixel < pixelCount; pixel += step) {
    const offset = 3 * pixel
    const luma = 0.2126 * (rgb[offset] ?? 0) + 0.7152 * (rgb[offset + 1] ?? 0) + 0.0722 * (rgb[offset + 2] ?? 0)
    count++
    sum += luma
    squares += luma * luma
  }
  const mean = sum / count
  return Math.sqrt(Math.max(0, squares / count - mean * mean))
}
