import type { RequestBodySchema, Violation } from '@framegate/contract'
import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import type { FastifyRequest } from 'fastify'
import { validationError } from '../../../catalogue/validation-error.ts'
import { AppError } from '../../../lib/app-error.ts'
import { createAjv } from '../../../lib/create-ajv.ts'
import { pointerTo } from '../../../lib/json-pointer.ts'
import { nearestName } from '../../../lib/nearest-name.ts'
import { requireJsonObject, type JsonObject } from '../../bodies/json-body.ts'
import { truncate } from '../../../lib/truncate.ts'

/** Maximum edit distance of a name that an error message suggests. */
const suggestionEditsMax = 3
/**
 * Maximum number of fields of a body, several times the number that any valid body has. A body with
 * more fields is rejected without checking each field.
 */
const fieldsMax = 100
const validators = new WeakMap<RequestBodySchema, ValidateFunction>()
let ajv: Ajv2020 | undefined

/** Reads the JSON body of a request. Throws one `AppError` with all violations of the schema. */
export function readBody<Body>(request: FastifyRequest, schema: RequestBodySchema<Body>): Body {
  return readFields(requireJsonObject(request), schema)
}

/**
 * Checks the fields of a JSON object. Throws one `AppError` with all violations. The advice is added
 * to the error about a field that resembles no known field.
 */
export function readFields<Body>(body: JsonObject, schema: RequestBodySchema<Body>, advice = ''): Body {
  if (Object.keys(body).length > fieldsMax) throw tooManyFields()
  const validate = validatorOf(schema)
  if (!validate(body)) throw validationError(violationsOf(validate.errors ?? [], schema, advice))
  return body as Body
}

function tooManyFields(): AppError {
  return new AppError('unknown_parameter', `A request body may have at most ${fieldsMax} fields.`)
}

/** Compiles a validator on first use, because most processes never need one. */
function validatorOf(schema: RequestBodySchema): ValidateFunction {
  const cachedValidator = validators.get(schema)
  if (cachedValidator !== undefined) return cachedValidator
  ajv ??= createAjv({ strict: true, allowUnionTypes: true, allErrors: true, coerceTypes: false, keywords: ['means'] })
  const validator = ajv.compile(schema)
  validators.set(schema, validator)
  return validator
}

function violationsOf(errors: readonly ErrorObject[], { properties }: RequestBodySchema, advice: string): Violation[] {
  const violationByField = new Map<string, Violation>()
  for (const error of errors) {
    const [field, violation] = violationOf(error, properties, advice)
    if (!violationByField.has(field)) violationByField.set(field, violation)
  }
  return [...violationByField.values()]
}

function violationOf(
  error: ErrorObject,
  properties: RequestBodySchema['properties'],
  advice: string,
): [field: string, Violation] {
  if (error.keyword === 'additionalProperties') {
    const name = String(error.params['additionalProperty'])
    const suggestion = nearestName(name, Object.keys(properties), suggestionEditsMax)
    const hint =
      suggestion === undefined ? `the fields are ${Object.keys(properties).join(', ')}${advice}` : `did you mean '${suggestion}'?`
    const message = `There is no field '${truncate(name, 64)}'; ${hint}`
    return [name, { pointer: pointerTo(name), code: 'unknown_parameter', message }]
  }
  const field = error.keyword === 'required' ? String(error.params['missingProperty']) : (error.instancePath.split('/')[1] ?? '')
  const message = `${field} must be ${properties[field]?.means ?? 'as documented'}.`
  return [field, { pointer: `/${field}`, code: 'invalid_parameter', message }]
}
