import type { ShownPrice } from './model.ts'

/** Texts for the parts of a price that concern inputs, and for the minimum per task. */
export function describeInputPrice(price: ShownPrice): string[] {
  const { input_second_credits: rates = {}, video_factor: factor } = price
  const { input_image_credits: ofImage, input_images_free: free = 0, minimum_task_credits: minimum = 0 } = price
  const seconds = Object.entries(rates).map(([resolution, amount]) => `${amount} (${resolution})`)
  return [
    ...(seconds.length === 0 ? [] : [`${seconds.join(', ')} per second of given videos`]),
    ...(factor === undefined ? [] : [`times ${factor} with a given video`]),
    ...(ofImage === undefined ? [] : [`${ofImage} per given image${free > 0 ? ` after the first ${free}` : ''}`]),
    ...(minimum > 0 ? [`at least ${minimum} per task`] : []),
  ]
}
