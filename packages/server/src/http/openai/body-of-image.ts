import type { EffectiveModel } from '../../catalogue/effective/effective-model.ts'
import { digestOfRequest } from '../../tasks/repeated-submits.ts'

type Body = Readonly<Record<string, unknown>>

/**
 * The body of one of several equal tasks, with a seed that makes its image differ from the others. A
 * seed of the request counts up. Without one, providers choose a seed for each task, but the embedded
 * driver takes it from the prompt; so the tasks of that driver get one. Equal requests give equal seeds.
 */
export function bodyOfImage({ shown, routes }: Pick<EffectiveModel, 'shown' | 'routes'>, body: Body, index: number): Body {
  const { seed: schema } = shown.parameters.properties
  if (index === 0 || schema === undefined) return body
  const { maximum = 0 } = schema
  const { seed } = body
  if (typeof seed === 'number') return { ...body, seed: (seed + index) % (maximum + 1) }
  if (seed !== undefined || routes.length > 0) return body
  return { ...body, seed: (Number.parseInt(digestOfRequest(body).slice(0, 8), 16) + index) % (maximum + 1) }
}
