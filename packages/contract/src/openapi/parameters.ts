import { idempotencyKeyHeader, waitParameter, type WireParameter } from '../parameters.ts'
import { exampleIds } from './examples.ts'
import { reference, type Parameter, type Reference } from './document-types.ts'

/**
 * Parameters that several operations share, by component name. Optional ones have no example,
 * because documentation pages that send requests would fill it in.
 */
export const sharedParameters = {
  IdempotencyKey: parameter('header', 'Idempotency-Key', idempotencyKeyHeader),
  Wait: parameter('query', 'wait', waitParameter),
  Prefer: {
    name: 'Prefer',
    in: 'header',
    description:
      '`wait=30` (RFC 7240) has the effect of `?wait`, up to 60; `Preference-Applied` has the applied value. Other ' +
      'preferences are ignored.',
    schema: { type: 'string' },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description:
      'The `ETag` of an earlier response. If nothing has changed since, the response is 304 without a body. Together with ' +
      '`wait`, the response is held until something changes.',
    schema: { type: 'string' },
  },
  TaskId: {
    name: 'id',
    in: 'path',
    required: true,
    description: 'The `id` of the task, as returned by submit.',
    schema: { type: 'string' },
    example: exampleIds.image,
  },
  VideoTaskId: {
    name: 'task_id',
    in: 'path',
    required: true,
    description: 'The `id` of the task, as returned by create.',
    schema: { type: 'string' },
    example: exampleIds.v1,
  },
} as const satisfies Record<string, Parameter>

export function shared(...names: (keyof typeof sharedParameters)[]): Reference[] {
  return names.map((name) => reference('parameters', name))
}

/** The query parameters of a list. `required` names the mandatory ones. */
export function queryParameters(schemas: Record<string, WireParameter>, required: readonly string[] = []): Parameter[] {
  return Object.entries(schemas).map(([name, schema]) =>
    Object.assign(parameter('query', name, schema), required.includes(name) && { required: true }),
  )
}

function parameter(place: Parameter['in'], name: string, { description, ...schema }: WireParameter): Parameter {
  const { means: _means, ...shown } = { means: '', ...schema }
  return { name, in: place, description, schema: shown }
}
