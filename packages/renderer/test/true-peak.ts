const stepsBetween = 4
const reach = 16
/** Peaks between samples that are quieter than this are ignored. */
const loudEnough = 0.3

/**
 * The maximum of the curve through the samples, which may lie between two of them, in decibels of
 * full scale.
 */
export function truePeakDecibels(samples: Float32Array): number {
  let peak = 0
  for (let index = reach; index < samples.length - reach; index++) {
    if (Math.max(Math.abs(samples[index] ?? 0), Math.abs(samples[index + 1] ?? 0)) < loudEnough) continue
    for (let step = 0; step < stepsBetween; step++)
      peak = Math.max(peak, Math.abs(sampleBetween(samples, index, step / stepsBetween)))
  }
  return 20 * Math.log10(peak)
}

/** Interpolates with a windowed sinc. */
function sampleBetween(samples: Float32Array, index: number, share: number): number {
  let sum = 0
  for (let tap = 1 - reach; tap <= reach; tap++) {
    const distance = Math.PI * (tap - share)
    const window = Math.cos(distance / (2 * reach)) ** 2
    sum += (samples[index + tap] ?? 0) * window * (distance === 0 ? 1 : Math.sin(distance) / distance)
  }
  return sum
}
