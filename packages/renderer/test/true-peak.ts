const stepsPerSample = 4
/** Number of samples on each side from which a value between two samples is interpolated. */
const reach = 16
/** Peaks between two samples that are both smaller than this are ignored. */
const amplitudeMin = 0.3

/**
 * Returns the maximum of the curve through the samples, which may lie between two of them, in
 * decibels relative to full scale. The first and last 16 samples are ignored.
 */
export function truePeakDecibels(samples: Float32Array): number {
  const weightsOfSteps = Array.from({ length: stepsPerSample }, (_, step) => weightsAt(step / stepsPerSample))
  let peak = 0
  for (let index = reach; index < samples.length - reach; index++) {
    if (Math.max(Math.abs(samples[index] ?? 0), Math.abs(samples[index + 1] ?? 0)) < amplitudeMin) continue
    for (const weights of weightsOfSteps) peak = Math.max(peak, Math.abs(sampleBetween(samples, index, weights)))
  }
  return 20 * Math.log10(peak)
}

/** Interpolates with a windowed sinc. */
function sampleBetween(samples: Float32Array, index: number, weights: Float64Array): number {
  let sum = 0
  for (let tap = 0; tap < weights.length; tap++) sum += (samples[index + 1 - reach + tap] ?? 0) * (weights[tap] ?? 0)
  return sum
}

/** Returns the weights of the samples around a position this far behind a sample. */
function weightsAt(fraction: number): Float64Array {
  return Float64Array.from({ length: 2 * reach }, (_, index) => {
    const distance = Math.PI * (1 - reach + index - fraction)
    const window = Math.cos(distance / (2 * reach)) ** 2
    return window * (distance === 0 ? 1 : Math.sin(distance) / distance)
  })
}
