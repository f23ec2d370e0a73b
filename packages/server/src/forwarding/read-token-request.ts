import { hash } from 'node:crypto'
import type { Model, TokenObject } from '../catalogue/model.ts'
import { chatChoicesMax, tokenObjectOf } from '../catalogue/token-model.ts'
import type { ForwardPath } from '../drivers/forwarding.ts'
import { AppError } from '../lib/app-error.ts'
import { isObject } from '../lib/is-object.ts'
import { pointerTo } from '../lib/json-pointer.ts'
import { estimateInput, type InputEstimate } from './estimate-input.ts'

/** A validated request for a chat, embedding or moderation model. */
export interface TokenRequest {
  path: ForwardPath
  /** The body for the upstream: the client's, with changes to `stream_options` and `store` only. */
  body: Readonly<Record<string, unknown>>
  isStreamed: boolean
  /**
   * Whether the client requests the usage in a stream. Responses that are not streams always
   * contain it.
   */
  requestsUsage: boolean
  input: InputEstimate
  /** Approximate memory of the body in bytes. */
  bytes: number
  /** Digest of the path and the body, which is the same for equal requests. */
  digest: string
  /** Maximum number of output tokens, over all choices. */
  outputTokensMax: number
}

/** The kind of model that each path serves. */
const objectOfPath: Readonly<Record<ForwardPath, TokenObject>> = {
  '/chat/completions': 'chat',
  '/responses': 'chat',
  '/embeddings': 'embedding',
  '/moderations': 'moderation',
}

/** Validates a client's request. Throws an `AppError` that names the field. */
export function readTokenRequest(path: ForwardPath, model: Model, body: Readonly<Record<string, unknown>>): TokenRequest {
  const object = objectOfPath[path]
  const { tokens } = model
  if (tokenObjectOf(model) !== object || tokens === undefined) {
    throw invalidField(
      'model',
      `${JSON.stringify(model.id)} is not a model for this path: its kind is ${model.object}, and this path serves ${object} models`,
    )
  }
  if (path === '/chat/completions') requireMessages(body['messages'])
  else if (body['input'] === undefined) throw invalidField('input', 'input is required: a string or a list')
  if (path === '/responses') requireStateless(body)
  const isStreamed = object === 'chat' && readFlag(body, 'stream')
  const tokensPerChoiceMax = object === 'chat' ? readOutputTokensMax(path, body, tokens.outputMax) : 0
  const text = JSON.stringify(body)
  const input = estimateInput(body, Buffer.byteLength(text), tokens.inputMax)
  const { isUsageRequested, streamOptions } = readStreamOptions(body, isStreamed)
  return {
    path,
    body: {
      ...body,
      // The usage is always requested, because it determines the charge.
      ...(path === '/chat/completions' && isStreamed && { stream_options: { ...streamOptions, include_usage: true } }),
      ...(path === '/responses' && { store: false }),
    },
    isStreamed,
    requestsUsage: path !== '/chat/completions' || isUsageRequested,
    input,
    bytes: text.length,
    digest: hash('sha256', `${path}\n${text}`),
    outputTokensMax: tokensPerChoiceMax * (path === '/chat/completions' ? readChoices(body['n']) : 1),
  }
}

function requireMessages(raw: unknown): void {
  if (Array.isArray(raw) && raw.length > 0 && raw.every(isObject)) return
  throw invalidField('messages', 'messages must be a list of at least one message, such as {"role": "user", "content": "Hello!"}')
}

function readFlag(body: Readonly<Record<string, unknown>>, name: string): boolean {
  const raw = body[name]
  if (raw === undefined || raw === null) return false
  if (typeof raw === 'boolean') return raw
  throw invalidField(name, `${name} must be true or false`)
}

function readStreamOptions(body: Readonly<Record<string, unknown>>, isStreamed: boolean) {
  const raw = body['stream_options']
  if (raw === undefined || raw === null || !isStreamed) return { isUsageRequested: false, streamOptions: {} }
  if (!isObject(raw)) throw invalidField('stream_options', 'stream_options must be an object such as {"include_usage": true}')
  return { isUsageRequested: raw['include_usage'] === true, streamOptions: raw }
}

function readOutputTokensMax(path: ForwardPath, body: Readonly<Record<string, unknown>>, max: number): number {
  const names = path === '/responses' ? ['max_output_tokens'] : ['max_completion_tokens', 'max_tokens']
  const requestedMaxima = names.flatMap((name) => {
    const value = body[name]
    if (value === undefined || value === null) return []
    if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max) return [value]
    throw invalidField(name, `${name} must be a whole number from 1 to ${max} for this model`)
  })
  return requestedMaxima.length === 0 ? max : Math.max(...requestedMaxima)
}

function readChoices(raw: unknown): number {
  if (raw === undefined || raw === null) return 1
  if (typeof raw === 'number' && Number.isInteger(raw) && raw >= 1 && raw <= chatChoicesMax) return raw
  throw invalidField('n', `n must be a whole number from 1 to ${chatChoicesMax}`)
}

/**
 * Fields that require a response stored by a provider. They cannot be supported, because each
 * request may be sent to another provider.
 */
const statefulFields = ['store', 'background', 'previous_response_id', 'conversation'] as const

function requireStateless(body: Readonly<Record<string, unknown>>): void {
  for (const name of statefulFields) {
    const raw = body[name]
    if (raw === undefined || raw === null || raw === false) continue
    const advice =
      name === 'store' || name === 'background'
        ? 'must be false, because responses are not stored'
        : 'must be omitted, because responses are not stored; send the whole conversation as input'
    throw invalidField(name, `${name} ${advice}`)
  }
}

function invalidField(param: string, message: string): AppError {
  return new AppError('invalid_parameter', message, {
    param,
    errors: [{ pointer: pointerTo(param), code: 'invalid_parameter', message }],
  })
}
