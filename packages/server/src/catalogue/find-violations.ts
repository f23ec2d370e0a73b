import type { Violation } from '@framegate/contract'
import type { ErrorObject } from 'ajv'
import { describeAllowed, describeGiven, readableNumber } from './describe-schema.ts'
import { explainUnknownParameter } from './explain-unknown-parameter.ts'
import { pointerTo } from '../lib/json-pointer.ts'
import type { Model, ParameterSchema } from './model.ts'
import { findReferenceViolations, type IsAllowedHost } from './reference-violations.ts'

/**
 * More violations than a person reads. Also keeps a hostile list from producing millions of
 * messages.
 */
const violationsMax = 100

/**
 * All violations of a body, each once, with a message that says what was wrong and what would be
 * valid. Never throws.
 */
export function findViolations(model: Model, body: Readonly<Record<string, unknown>>, isAllowedHost: IsAllowedHost): Violation[] {
  const checked = boundedCopy(body)
  const byPointer = new Map<string, Violation>()
  for (const violation of findReferenceViolations(model, checked, isAllowedHost)) byPointer.set(violation.pointer, violation)
  for (const error of model.findErrors(checked)) {
    const violation = violationOf(error, model, body)
    if (!byPointer.has(violation.pointer)) byPointer.set(violation.pointer, violation)
  }
  return [...byPointer.values()].slice(0, violationsMax)
}

function boundedCopy(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const copy: Record<string, unknown> = {}
  for (const name of Object.keys(body)) {
    if (name === 'model') continue
    const value = body[name]
    // Defined, not assigned: `__proto__` is an ordinary name in JSON.
    Object.defineProperty(copy, name, {
      value: Array.isArray(value) ? value.slice(0, violationsMax) : value,
      enumerable: true,
    })
  }
  return copy
}

function violationOf(error: ErrorObject, model: Model, body: Readonly<Record<string, unknown>>): Violation {
  switch (error.keyword) {
    case 'additionalProperties': {
      const name = String(error.params['additionalProperty'])
      return { pointer: pointerTo(name), code: 'unknown_parameter', message: explainUnknownParameter(name, model) }
    }
    case 'required': {
      const name = String(error.params['missingProperty'])
      return invalid(`/${name}`, `${name} is required for ${model.id}: it must be ${describeAllowed(schemaOf(model, name))}`)
    }
    case 'dependentRequired': {
      const { property, missingProperty } = error.params as { property: string; missingProperty: string }
      return invalid(`/${missingProperty}`, `${missingProperty} is required when ${property} is given`)
    }
    default: {
      const [, name = '', index] = error.instancePath.split('/')
      const schema = schemaOf(model, name)
      const value = body[name]
      if (index === undefined)
        return invalid(`/${name}`, `${name} must be ${describeAllowed(schema)}; got ${describeGiven(value, schema)}`)
      const item = Array.isArray(value) ? (value[Number(index)] as unknown) : undefined
      const itemSchema = schema.items ?? schema
      return invalid(
        error.instancePath,
        `${name}[${readableNumber(Number(index))}] must be ${describeAllowed(itemSchema)}; got ${describeGiven(item, itemSchema)}`,
      )
    }
  }
}

function invalid(pointer: string, message: string): Violation {
  return { pointer, code: 'invalid_parameter', message }
}

function schemaOf(model: Model, name: string): ParameterSchema {
  const properties: Readonly<Record<string, ParameterSchema>> = model.parameters.properties
  const schema = properties[name]
  if (!schema) throw new Error(`the schema of ${model.id} has a rule for '${name}' but no such parameter`)
  return schema
}
