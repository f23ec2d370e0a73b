import type { Violation } from '@framegate/contract'
import type { ErrorObject } from 'ajv'
import { describeAllowed, describeActual, quote, readableNumber } from './describe-schema.ts'
import { explainUnknownParameter } from './explain-unknown-parameter.ts'
import { pointerTo } from '../lib/json-pointer.ts'
import type { Model, ParameterSchema } from './model.ts'
import { findReferenceViolations, type IsAllowedHost } from './reference-violations.ts'

/**
 * Maximum number of reported violations. Without a maximum, a hostile list would produce millions
 * of messages.
 */
const violationsMax = 100

/**
 * Finds the violations of a request body, at most `violationsMax`, and at most one for each field.
 */
export function findViolations(model: Model, body: Readonly<Record<string, unknown>>, isAllowedHost: IsAllowedHost): Violation[] {
  const boundedBody = boundedCopy(body, model)
  const byPointer = new Map<string, Violation>()
  for (const violation of findReferenceViolations(model, boundedBody, isAllowedHost)) byPointer.set(violation.pointer, violation)
  for (const error of model.findErrors(boundedBody)) {
    const violation = violationOf(error, model, body)
    if (!byPointer.has(violation.pointer)) byPointer.set(violation.pointer, violation)
  }
  return [...byPointer.values()].slice(0, violationsMax)
}

/**
 * Copies the parameters and shortens the lists among them. A shortened list still has more than
 * `maxItems` items, so its length is still a violation.
 */
function boundedCopy(body: Readonly<Record<string, unknown>>, { parameters }: Model): Record<string, unknown> {
  const copy: Record<string, unknown> = {}
  for (const name of Object.keys(body)) {
    if (name === 'model') continue
    const value = body[name]
    const { maxItems = 0 } = (Object.hasOwn(parameters.properties, name) && parameters.properties[name]) || {}
    // An assignment to `__proto__` would set the prototype. In JSON it is an ordinary name.
    Object.defineProperty(copy, name, {
      value: Array.isArray(value) ? value.slice(0, Math.max(violationsMax, maxItems + 1)) : value,
      enumerable: true,
    })
  }
  return copy
}

function violationOf(error: ErrorObject, model: Model, body: Readonly<Record<string, unknown>>): Violation {
  switch (error.keyword) {
    case 'additionalProperties': {
      const name = String(error.params['additionalProperty'])
      const parentSteps = stepsOf(error.instancePath)
      if (parentSteps.length > 0) {
        const { schema, steps } = findField(model, parentSteps)
        const message = `${nameOf(steps)} must be ${describeAllowed(schema)}; it has the unknown property ${quote(name)}`
        return { pointer: pointerTo(...parentSteps, name), code: 'unknown_parameter', message }
      }
      return { pointer: pointerTo(name), code: 'unknown_parameter', message: explainUnknownParameter(name, model) }
    }
    case 'required': {
      const name = String(error.params['missingProperty'])
      const fieldPath = [...stepsOf(error.instancePath), name]
      const { schema, steps } = findField(model, fieldPath)
      const subject = nameOf(steps)
      if (steps.length < fieldPath.length)
        return invalidParameter(pointerTo(...steps.map(String)), `${subject} must be ${describeAllowed(schema)}`)
      return invalidParameter(
        pointerTo(...fieldPath),
        `${subject} is required for ${model.id}: it must be ${describeAllowed(schema)}`,
      )
    }
    case 'dependentRequired': {
      const { property, missingProperty } = error.params as { property: string; missingProperty: string }
      return invalidParameter(`/${missingProperty}`, `${missingProperty} is required if ${property} is given`)
    }
    default: {
      const { schema, steps } = findField(model, stepsOf(error.instancePath))
      const actual = describeActual(valueAt(body, steps), schema)
      return invalidParameter(
        pointerTo(...steps.map(String)),
        `${nameOf(steps)} must be ${describeAllowed(schema)}; got ${actual}`,
      )
    }
  }
}

function stepsOf(instancePath: string): string[] {
  return instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

interface FieldSchema {
  schema: ParameterSchema
  steps: (string | number)[]
}

/**
 * Finds the schema of the request field with an error, and the path to the field. The path ends at
 * a schema with alternatives, because an error within one alternative does not apply to the others.
 */
function findField(model: Model, [name = '', ...rest]: readonly string[]): FieldSchema {
  const parameterSchema = model.parameters.properties[name]
  if (!parameterSchema) throw new Error(`the schema of ${model.id} has a rule for '${name}' but no such parameter`)
  let schema = parameterSchema
  const steps: (string | number)[] = [name]
  for (const step of rest) {
    const inner = schema.type === 'array' ? schema.items : schema.properties?.[step]
    if (inner === undefined) break
    steps.push(schema.type === 'array' ? Number(step) : step)
    schema = inner
  }
  return { schema, steps }
}

function valueAt(body: Readonly<Record<string, unknown>>, steps: readonly (string | number)[]): unknown {
  let value: unknown = body
  for (const step of steps)
    value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[step] : undefined
  return value
}

/** Formats a path, such as `loras[0].scale`. Long indexes have thousands separators. */
function nameOf(steps: readonly (string | number)[]): string {
  return steps
    .map((step) => (typeof step === 'number' ? `[${readableNumber(step)}]` : `.${step}`))
    .join('')
    .slice(1)
}

function invalidParameter(pointer: string, message: string): Violation {
  return { pointer, code: 'invalid_parameter', message }
}
