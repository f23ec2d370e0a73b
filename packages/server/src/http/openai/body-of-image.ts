import type { EffectiveModel } from '../../catalogue/effective/effective-model.ts'
import { digestOfRequest } from '../../tasks/retried-submits.ts'

type Body = Readonly<Record<string, unknown>>

/**
 * Returns the body of the task with this index, of a request for several images. The tasks of a
 * request differ only in their seeds.
 *
 * If the request has a seed, each further task increments it, and the highest seed of the model is
 * followed by the lowest. Otherwise, a provider chooses a seed for each task. The embedded driver,
 * which renders without a provider, would derive the same seed from the prompt each time, so its
 * further tasks get different seeds here. Equal requests get equal seeds.
 */
export function bodyOfImage(
  { displayed, routes }: Pick<EffectiveModel, 'displayed' | 'routes'>,
  body: Body,
  index: number,
): Body {
  const { seed: schema } = displayed.parameters.properties
  if (index === 0 || schema === undefined) return body
  const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = schema
  const seedAt = (offset: number): number => minimum + (offset % (maximum - minimum + 1))
  const { seed } = body
  if (typeof seed === 'number') return { ...body, seed: seedAt(seed - minimum + index) }
  if (seed !== undefined || routes.length > 0) return body
  const firstSeed = Buffer.from(digestOfRequest(body), 'base64url').readUInt32BE()
  return { ...body, seed: seedAt(firstSeed + index) }
}
