import { isSharedName, type GenerationParameters } from './generation-parameters.ts'
import { AppError } from '../lib/app-error.ts'
import { pointerTo } from '../lib/json-pointer.ts'
import { parametersMax } from './definitions/definition-limits.ts'
import { readableNumber } from './describe-schema.ts'
import { findViolations } from './find-violations.ts'
import type { Model, ParsedParameters } from './model.ts'
import { validationError } from './validation-error.ts'
import { findReferenceViolations, type IsAllowedHost } from './reference-violations.ts'

/**
 * Maximum number of fields of a body: `model` and the maximum number of parameters of a model. For
 * a body with more fields, the error does not list them.
 */
const fieldsMax = parametersMax + 1

/**
 * Checks a request body against the model that its `model` field has resolved to, and fills in the
 * defaults. Nothing is coerced and the body is not modified. Throws an AppError that lists all
 * violations.
 */
export function parseParameters(model: Model, body: unknown, isAllowedHost: IsAllowedHost): ParsedParameters {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new AppError('invalid_parameter', 'the request body must be a JSON object with model and the parameters of this model')
  }
  const fieldCount = Object.keys(body).length
  if (fieldCount > fieldsMax) {
    throw new AppError(
      'unknown_parameter',
      `a request body may have at most ${fieldsMax} fields; got ${readableNumber(fieldCount)}`,
    )
  }
  const { model: _model, ...parameters } = body as { model?: unknown } & GenerationParameters
  if (!model.accepts(parameters)) throw validationError(findViolations(model, body as Record<string, unknown>, isAllowedHost))

  if (model.versionNo !== null) requireSmallOwnParameters(model, parameters)
  const violations = findReferenceViolations(model, parameters, isAllowedHost)
  if (violations.length > 0) throw validationError(violations)
  return parameters
}

/**
 * Maximum number of characters, as JSON, of all parameters of a task outside the shared vocabulary.
 * They are stored in the task's row, and every query that lists tasks reads that row.
 */
const ownCharactersMax = 65_536

/**
 * Throws if the parameters outside the shared vocabulary are too large. The schema of an operator's
 * model alone may allow lists of long texts.
 */
function requireSmallOwnParameters({ id }: Model, parameters: ParsedParameters): void {
  const sizes = Object.entries(parameters)
    .filter(([name]) => !isSharedName(name))
    .map(([name, value]) => ({ name, characters: JSON.stringify(value).length }))
  const characters = sizes.reduce((sum, size) => sum + size.characters, 0)
  if (characters <= ownCharactersMax) return
  const [largest] = sizes.toSorted((left, right) => right.characters - left.characters)
  const name = largest?.name ?? ''
  const message =
    `${name} is too large: the parameters that only ${id} has may have at most ${readableNumber(ownCharactersMax)} characters ` +
    `together as JSON; got ${readableNumber(characters)}`
  throw validationError([{ pointer: pointerTo(name), code: 'invalid_parameter', message }])
}
