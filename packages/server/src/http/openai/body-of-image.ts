import type { EffectiveModel } from '../../catalogue/effective/effective-model.ts'
import { digestOfRequest } from '../../tasks/repeated-submits.ts'

type Body = Readonly<Record<string, unknown>>

/**
 * Returns the body of one of several equal tasks. The seed makes the images of the tasks differ.
 *
 * If the request has a seed, each further task increments it. If the request has no seed, providers
 * choose a seed for each task. The embedded driver would derive the same seed from the prompt, so
 * that its tasks get a seed here. Equal requests produce equal seeds.
 */
export function bodyOfImage(
  { displayed, routes }: Pick<EffectiveModel, 'displayed' | 'routes'>,
  body: Body,
  index: number,
): Body {
  const { seed: schema } = displayed.parameters.properties
  if (index === 0 || schema === undefined) return body
  const { maximum = 0 } = schema
  const { seed } = body
  if (typeof seed === 'number') return { ...body, seed: (seed + index) % (maximum + 1) }
  if (seed !== undefined || routes.length > 0) return body
  const firstSeed = Buffer.from(digestOfRequest(body), 'base64url').readUInt32BE()
  return { ...body, seed: (firstSeed + index) % (maximum + 1) }
}
