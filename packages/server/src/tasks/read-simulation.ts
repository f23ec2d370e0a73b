import { simulationSchema, type Simulation, type Violation } from '@framegate/contract'
import { describeAllowed, describeActual, listOf, quote } from '../catalogue/describe-schema.ts'
import type { ParameterSchema } from '../catalogue/model.ts'
import { validationError } from '../catalogue/validation-error.ts'
import { pointerTo } from '../lib/json-pointer.ts'
import { nearestName } from '../lib/nearest-name.ts'

const simulationProperties: Readonly<Record<string, ParameterSchema>> = simulationSchema.properties
const simulationFieldNames = Object.keys(simulationProperties)
const editsMax = 4
/** Maximum number of fields, several times the number of known fields. */
const fieldsMax = 50

/** Reads the field `simulate` of a request. Throws an `AppError` with all violations. */
export function readSimulation(value: unknown, isAllowed: boolean): Simulation {
  if (!isAllowed) {
    throw validationError([
      {
        pointer: '/simulate',
        code: 'invalid_parameter',
        message: 'simulate is available only in development mode, and this server runs in production mode; omit it',
      },
    ])
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value) || Object.keys(value).length > fieldsMax) {
    const message = `simulate must be an object with any of ${listOf(simulationFieldNames, 'and')}`
    throw validationError([{ pointer: '/simulate', code: 'invalid_parameter', message }])
  }
  const violations = Object.entries(value).flatMap(([name, raw]) => findViolation(name, raw) ?? [])
  if (violations.length > 0) throw validationError(violations)
  return value
}

function findViolation(name: string, raw: unknown): Violation | undefined {
  const schema = Object.hasOwn(simulationProperties, name) ? simulationProperties[name] : undefined
  const pointer = pointerTo('simulate', name)
  if (schema === undefined) {
    const suggestion = nearestName(name, simulationFieldNames, editsMax)
    const remedy =
      suggestion === undefined ? `it accepts ${listOf(simulationFieldNames, 'and')}` : `did you mean '${suggestion}'?`
    return { pointer, code: 'unknown_parameter', message: `unknown field ${quote(name)} in simulate; ${remedy}` }
  }
  if (isValid(raw, schema)) return undefined
  const message = `simulate.${name} must be ${describeAllowed(schema)}; got ${describeActual(raw, schema)}`
  return { pointer, code: 'invalid_parameter', message }
}

function isValid(raw: unknown, { type, enum: choices, minimum = -Infinity, maximum = Infinity }: ParameterSchema): boolean {
  if (type === 'boolean') return typeof raw === 'boolean'
  if (type === 'string') return typeof raw === 'string' && choices?.includes(raw) === true
  return Number.isInteger(raw) && Number(raw) >= minimum && Number(raw) <= maximum
}
