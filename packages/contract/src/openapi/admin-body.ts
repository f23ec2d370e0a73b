import type { RequestBodySchema } from '../request-body.ts'
import { reference, type Parameter, type Schema } from './document-types.ts'
import type { OperationPlan } from './operation.ts'

/** Properties that all operations of the operator's API share. */
export const common = { tag: 'Operation', source: 'an addition of Framegate.', key: 'admin' } as const

/**
 * The schema of a request body for the document, without `means`, which only error messages use.
 */
export function bodyParameters(schema: RequestBodySchema, overrides: Record<string, Schema> = {}): Schema {
  const properties = Object.entries(schema.properties).map(([name, { means: _means, ...field }]) => [name, field])
  return { ...schema, properties: { ...Object.fromEntries(properties), ...overrides } }
}

export function body(name: string, example?: object): NonNullable<OperationPlan['body']> {
  const requestExamples =
    example === undefined ? {} : { [`${name[0]?.toLowerCase()}${name.slice(1)}`]: { summary: 'A request', value: example } }
  return { schema: reference('schemas', name), examples: requestExamples }
}

/** Errors of a request that changes an object. */
export const changeErrors = ['BadAdminBody', 'ResourceNotFound', 'BodyTooLarge', 'UnsupportedMediaType'] as const

/** The id of an object, as a part of the path. */
export function idOf(resource: 'account' | 'brand' | 'key', example?: string): Parameter {
  return {
    name: 'id',
    in: 'path',
    required: true,
    description: `The id of the ${resource}.`,
    schema: { type: 'string' },
    ...(example !== undefined && { example }),
  }
}
