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
  let peak = 0
  for (let index = reach; index < samples.length - reach; index++) {
    if (Math.max(Math.abs(samples[index] ?? 0), Math.abs(samples[index + 1] ?? 0)) < amplitudeMin) continue
    for (let step = 0; step < stepsPerSample; step++)
      peak = Math.max(peak, Math.abs(sampleBetween(samples, index, step / stepsPerSample)))
  }
  return 20 * Math.log10(peak)
}

/** Interpolates with a windowed sinc. */
function sampleBetween(samples: Float32Array, index: number, fraction: number): number {
  let sum = 0
  for (let tap = 1 - reach; tap <= reach; tap++) {
    const distance = Math.PI * (tap - fraction)
    const window = Math.cos(distance / (2 * reach)) ** 2
    sum += (samples[index + tap] ?? 0) * window * (distance === 0 ? 1 : Math.sin(distance) / distance)
  }
  return sum
}
