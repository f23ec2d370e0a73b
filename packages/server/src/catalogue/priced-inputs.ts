import type { PricedInputs } from './generation-parameters.ts'
import type { ProbedInput } from '../lib/input-limits.ts'
import { mediaReferences } from './media-references.ts'
import type { ParsedParameters, PriceRule } from './model.ts'

export const noInputs: PricedInputs = { seconds: 0, images: 0 }

/**
 * Returns the seconds and images of a request that determine its price. Returns null if the price
 * does not depend on files, or if the request has no image and `probed` has no video.
 */
export function pricedInputs(
  { inputs: price }: PriceRule,
  parameters: ParsedParameters,
  probed: readonly ProbedInput[],
): PricedInputs | null {
  if (price === undefined) return null
  const milliseconds = probed.map(({ facts }) => (facts.kind === 'video' ? Math.round(1000 * (facts.seconds ?? 0)) : 0))
  const seconds = milliseconds.reduce((sum, each) => sum + each, 0) / 1000
  const images = mediaReferences(parameters).filter(({ kind }) => kind === 'image').length
  return seconds === 0 && images === 0 ? null : { seconds, images }
}
