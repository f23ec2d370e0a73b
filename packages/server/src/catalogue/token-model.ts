import { tokenObjects } from '@framegate/contract'
import { AppError } from '../lib/app-error.ts'
import { quote } from './describe-schema.ts'
import type { ModelDefinition, RequestSchema, TaskObject, TokenLimits, TokenObject } from './model.ts'

/** The path that serves each kind of token model, relative to the base URL. */
const pathByObject: Readonly<Record<TokenObject, string>> = {
  chat: '/v1/chat/completions',
  embedding: '/v1/embeddings',
  moderation: '/v1/moderations',
}

/** Returns the kind of a token model, or undefined for any other model. */
export function tokenObjectOf({ object }: Pick<ModelDefinition, 'object'>): TokenObject | undefined {
  return tokenObjects.find((tokenObject) => tokenObject === object)
}

export function pathOf(object: TokenObject): string {
  return pathByObject[object]
}

/**
 * Returns the kind of results of a model's tasks. For a token model, throws an AppError that names
 * the path for its requests.
 */
export function taskObjectOf({ id, object }: Pick<ModelDefinition, 'id' | 'object'>): TaskObject {
  const tokenObject = tokenObjectOf({ object })
  if (tokenObject === undefined) return object as TaskObject
  const message = `${quote(id)} is a ${tokenObject} model and has no tasks; send the request to POST ${pathOf(tokenObject)}`
  throw new AppError('invalid_parameter', message, {
    param: 'model',
    errors: [{ pointer: '/model', code: 'invalid_parameter', message }],
  })
}

/**
 * Returns the schema of the request fields that the service reads. The service passes every other
 * field on to the upstream, and the upstream validates it.
 */
export function tokenRequestSchema(id: string, object: TokenObject, { outputMax }: TokenLimits): RequestSchema {
  const model = { type: 'string', const: id, description: 'The Model ID.' } as const
  if (object !== 'chat') {
    const input = { description: 'A text, or a list of texts.' }
    return { type: 'object', properties: { model, input }, required: ['model', 'input'], additionalProperties: true }
  }
  const output = { type: 'integer', minimum: 1, maximum: outputMax } as const
  return {
    type: 'object',
    properties: {
      model,
      messages: { type: 'array', items: { type: 'object' }, description: "The conversation, as in OpenAI's API." },
      max_completion_tokens: { ...output, description: 'Maximum number of tokens of the response.' },
      max_tokens: { ...output, description: 'The older name of `max_completion_tokens`.' },
      n: { type: 'integer', minimum: 1, maximum: chatChoicesMax, default: 1, description: 'Number of choices. Each is charged.' },
      stream: { type: 'boolean', default: false, description: 'Whether the response is a stream of events.' },
      stream_options: { type: 'object', description: '`{"include_usage": true}` adds an event with the usage.' },
    },
    required: ['model', 'messages'],
    additionalProperties: true,
  }
}

/** Maximum value of `n`, the number of alternative responses of one request. */
export const chatChoicesMax = 16
