import { idempotencyKeyHeader, waitParameter, type WireParameter } from '../parameters.ts'
import { exampleIds } from './examples.ts'
import { reference, type Parameter, type Reference } from './document-types.ts'

/**
 * Parameters that several operations share, by component name. Optional parameters have no
 * examples, because API browsers fill examples into the requests that they send.
 */
export const sharedParameters = {
  IdempotencyKey: parameterOf('header', 'Idempotency-Key', idempotencyKeyHeader),
  Wait: parameterOf('query', 'wait', waitParameter),
  Prefer: {
    name: 'Prefer',
    in: 'header',
    description:
      '`wait=30` (RFC 7240) has the same effect as `?wait=30`; the maximum is 60. `Preference-Applied` has the applied value. Other ' +
      'preferences are ignored.',
    schema: { type: 'string' },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description:
      'The `ETag` of an earlier response. If nothing has changed since then, the response is 304 without a body. Together with ' +
      '`wait`, the response is delayed until `status` or `progress` changes.',
    schema: { type: 'string' },
  },
  TaskId: {
    name: 'id',
    in: 'path',
    required: true,
    description: 'The `id` of the task, from the response to the submit.',
    schema: { type: 'string' },
    example: exampleIds.image,
  },
  VideoTaskId: {
    name: 'task_id',
    in: 'path',
    required: true,
    description: 'The `id` of the task, from the response to the submit.',
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
    Object.assign(parameterOf('query', name, schema), required.includes(name) && { required: true }),
  )
}

function parameterOf(location: Parameter['in'], name: string, { description, ...schema }: WireParameter): Parameter {
  const { means: _means, ...shownSchema } = { means: '', ...schema }
  return { name, in: location, description, schema: shownSchema }
}
