import type { McpTaskRequest } from '@framegate/contract'
import { AppError } from '../../lib/app-error.ts'
import { isObject } from '../../lib/is-object.ts'
import { parseJsonBody } from '../bodies/parse-json-body.ts'
import { jsonLimits } from '../limits.ts'

/** Maximum length of `parameters` as JSON text, in characters. */
const textCharactersMax = 64 * 1024

/**
 * Parses `parameters` if it is JSON text, because some MCP hosts send an object that way. Leaves
 * other invalid values to the schema validation.
 */
export function withParsedParameters(args: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { parameters: text } = args
  if (typeof text !== 'string' || text.length > textCharactersMax) return args
  const parsed = parseJsonBody(Buffer.from(text), jsonLimits)
  return 'value' in parsed && isObject(parsed.value) ? { ...args, parameters: parsed.value } : args
}

/** Converts the arguments of a tool call to the body of a submit or a quote. */
export function taskBody({ model, prompt, parameters = {} }: McpTaskRequest): Readonly<Record<string, unknown>> {
  for (const name of ['model', 'prompt']) {
    if (!Object.hasOwn(parameters, name) || (name === 'prompt' && prompt === undefined)) continue
    throw new AppError('invalid_parameter', `parameters must not contain ${name}; pass ${name} as a separate argument.`, {
      param: 'parameters',
    })
  }
  return { ...parameters, model, ...(prompt !== undefined && { prompt }) }
}
