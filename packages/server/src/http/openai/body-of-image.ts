import type { EffectiveModel } from '../../catalogue/effective/effective-model.ts'
import { digestOfRequest } from '../../tasks/retried-submits.ts'

type Body = Readonly<Record<string, unknown>>

/**
 * Returns the body of one of the tasks of a request. The tasks differ only in their seeds.
 *
 * If the request has a seed, each further task increments it, and the highest seed of the model is
 * followed by the lowest. If not, providers choose a seed for each task. The embedded driver,
 * however, derives the seed from the prompt and would produce equal images, so its further tasks
 * get different seeds here. Equal requests get equal seeds.
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
