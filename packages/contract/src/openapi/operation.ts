import type { Example, MediaType, Operation, Parameter, Reference, Response, Schema } from './document-types.ts'
import { errorResponsesOf, type ErrorSetName } from './error-responses.ts'
import { headerReferences } from './json-response.ts'
import type { TagName } from './tags.ts'

export interface OperationPlan {
  id: string
  tag: TagName
  summary: string
  description: string
  /** Origin of the operation: the specification, or an addition by Framegate. */
  source: string
  /** The scope that the API key needs, `any` for any valid key, or `none` for no key at all. */
  key: 'tasks:write' | 'tasks:read' | 'webhooks:write' | 'admin' | 'any' | 'none'
  parameters?: (Parameter | Reference)[]
  body?: { schema: Schema; examples: Record<string, Example | Reference> }
  /** Whether the request may omit its body. */
  isBodyOptional?: true
  /** Schema of a form body. */
  form?: Schema
  /** Content type of a binary body. */
  bytesType?: string
  responses: Record<string, Response>
  /** Errors of this operation, without those that every operation can return. */
  errors?: ErrorSetName[]
}

export function operation(plan: OperationPlan): Operation {
  const {
    id,
    tag,
    summary,
    description,
    source,
    key,
    parameters,
    body,
    isBodyOptional,
    form,
    bytesType,
    responses,
    errors = [],
  } = plan
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: [description, keySentences[key], sourceLine(source)].join('\n\n'),
    ...(key === 'none' && { security: [] }),
    ...(parameters && { parameters }),
    ...(body && {
      requestBody: { required: isBodyOptional !== true, content: { 'application/json': body satisfies MediaType } },
    }),
    ...(form && { requestBody: { required: true, content: { 'multipart/form-data': { schema: form } } } }),
    ...(bytesType !== undefined && {
      requestBody: { required: true, content: { [bytesType]: { schema: { type: 'string', format: 'binary' } } } },
    }),
    // Responses of the operation replace common responses with the same status.
    responses: {
      ...(key === 'none' ? responses : withRateLimit(responses)),
      ...errorResponsesOf([...keyErrors(key), 'BadRequest', 'InternalError', ...errors]),
    },
  }
}

const sourceStart = '_Source: '

function sourceLine(source: string): string {
  return `${sourceStart}${source}_`
}

/** The description of an operation without the line that names its source. */
export function withoutSource(description: string): string {
  return description
    .split('\n\n')
    .filter((paragraph) => !paragraph.startsWith(sourceStart))
    .join('\n\n')
}

const keySentences = {
  'tasks:write': 'Needs a key with the scope `tasks:write`.',
  'tasks:read': 'Needs a key with the scope `tasks:read`.',
  'webhooks:write': 'Needs a key with the scope `webhooks:write`.',
  admin: 'Needs a key with the scope `admin`.',
  any: 'Needs any valid key.',
  none: 'Needs no key.',
} as const

/** Adds the headers of the request rate limit that a key may have. */
function withRateLimit(responses: Record<string, Response>): Record<string, Response> {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      const headers = { ...response.headers, ...headerReferences(['RateLimit', 'RateLimit-Policy']) }
      return [status, Object.assign({}, response, { headers })]
    }),
  )
}

function keyErrors(key: OperationPlan['key']): ErrorSetName[] {
  if (key === 'none') return []
  return ['Unauthenticated', key === 'any' ? 'Suspended' : 'Forbidden', 'NotAcceptable', 'RateLimited', 'Overloaded']
}
