import type { RequestBodySchema, Violation } from '@framegate/contract'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import type { FastifyRequest } from 'fastify'
import { refusalOf } from '../../catalogue/refusal-of.ts'
import { nearestName } from '../../lib/nearest-name.ts'
import { requireJsonObject } from '../json-body.ts'

const editsMax = 3
const validators = new WeakMap<RequestBodySchema, ValidateFunction>()
let ajv: Ajv2020 | undefined

/** The body of an operator's request. A refusal names every fault at once. */
export function readBody<Body>(request: FastifyRequest, schema: RequestBodySchema<Body>): Body {
  const body = requireJsonObject(request)
  const validate = validatorOf(schema)
  if (!validate(body)) throw refusalOf(violationsOf(validate.errors ?? [], schema))
  return body as Body
}

/** Compiled when it is first asked: most processes never are. */
function validatorOf(schema: RequestBodySchema): ValidateFunction {
  const known = validators.get(schema)
  if (known !== undefined) return known
  ajv ??= new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true, coerceTypes: false, keywords: ['means'] })
  const compiled = ajv.compile(schema)
  validators.set(schema, compiled)
  return compiled
}

function violationsOf(errors: readonly ErrorObject[], { properties }: RequestBodySchema): Violation[] {
  const byField = new Map<string, Violation>()
  for (const error of errors) {
    const [field, violation] = violationOf(error, properties)
    if (!byField.has(field)) byField.set(field, violation)
  }
  return [...byField.values()]
}

function violationOf(error: ErrorObject, properties: RequestBodySchema['properties']): [field: string, Violation] {
  if (error.keyword === 'additionalProperties') {
    const name = String(error.params['additionalProperty'])
    const meant = nearestName(name, Object.keys(properties), editsMax)
    const hint = meant === undefined ? `known are ${Object.keys(properties).join(', ')}` : `did you mean '${meant}'?`
    const message = `There is no field '${name.slice(0, 64)}'; ${hint}`
    return [name, { pointer: `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, code: 'unknown_parameter', message }]
  }
  const field = error.keyword === 'required' ? String(error.params['missingProperty']) : (error.instancePath.split('/')[1] ?? '')
  const message = `${field} must be ${properties[field]?.means ?? 'as documented'}.`
  return [field, { pointer: `/${field}`, code: 'invalid_parameter', message }]
}
