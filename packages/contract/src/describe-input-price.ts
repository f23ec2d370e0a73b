import type { ShownPrice } from './model.ts'

/** Describes the parts of a price that depend on inputs, and the minimum per task, for people. */
export function describeInputPrice(price: ShownPrice): string[] {
  const { input_second_credits: rates = {}, video_factor: factor } = price
  const { input_image_credits: imageRate, input_images_free: freeImages = 0, minimum_task_credits: minimum = 0 } = price
  const seconds = Object.entries(rates).map(([resolution, amount]) => `${amount} (${resolution})`)
  return [
    ...(seconds.length === 0 ? [] : [`${seconds.join(', ')} per second of input video`]),
    ...(factor === undefined ? [] : [`times ${factor} with an input video`]),
    ...(imageRate === undefined ? [] : [`${imageRate} per input image${freeImages > 0 ? ` after the first ${freeImages}` : ''}`]),
    ...(minimum > 0 ? [`at least ${minimum} per task`] : []),
  ]
}
