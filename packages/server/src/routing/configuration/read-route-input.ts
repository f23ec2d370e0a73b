import { routeInputForms, type RouteInput } from '../../drivers/upstream/route-input.ts'
import { isObject } from '../../lib/is-object.ts'
import { isPrototypeName } from '../../lib/prototype-names.ts'
import { truncate } from '../../lib/truncate.ts'

const parametersMax = 200
const valuesMax = 1_000
const inputFieldNames = ['field', 'required', 'sent', 'values', 'as', 'enum', 'minimum', 'maximum', 'maxItems', 'maxLength']
const parameterPattern = /^[A-Za-z_][\w-]{0,63}$/
/** A path of one to eight names, separated by dots. */
const fieldPattern = /^[\w-]{1,64}(\.[\w-]{1,64}){0,7}$/

/**
 * Reads the `input` of a route. If the input is invalid, returns the rest of a sentence that begins
 * with `input`.
 */
export function readRouteInput(input: Readonly<Record<string, unknown>>): RouteInput | string {
  const entries = Object.entries(input)
  if (entries.length > parametersMax) return `must have at most ${parametersMax} parameters`
  for (const [name, entry] of entries) {
    const violation = violationOf(name, entry)
    if (violation !== null) return violation
  }
  return input as RouteInput
}

function violationOf(name: string, entry: unknown): string | null {
  if (!parameterPattern.test(name) || isPrototypeName(name)) {
    const allowedNames = 'letters, digits, - and _, at most 64, beginning with a letter or _'
    return `must name parameters of ${allowedNames}, not ${JSON.stringify(truncate(name, 64))}`
  }
  if (!isObject(entry)) return `must have a map for ${name}, such as { field: image_url }`
  const unknownField = Object.keys(entry).find((key) => !inputFieldNames.includes(key))
  if (unknownField !== undefined)
    return `must not have ${truncate(unknownField, 64)} for ${name}; the fields are ${inputFieldNames.join(', ')}`
  const { field, values, as, enum: allowedValues } = entry
  if (field !== undefined && (typeof field !== 'string' || !fieldPattern.test(field) || field.split('.').some(isPrototypeName))) {
    return `must have a field for ${name} such as image_url, or settings.image_url`
  }
  const invalidFlag = ['required', 'sent'].find((key) => entry[key] !== undefined && typeof entry[key] !== 'boolean')
  if (invalidFlag !== undefined) return `must have true or false as ${name}.${invalidFlag}`
  if (values !== undefined && (!isObject(values) || Object.keys(values).length > valuesMax)) {
    return `must have a map of at most ${valuesMax} values for ${name}`
  }
  if (as !== undefined && !routeInputForms.some((form) => form === as))
    return `must have ${name}.as one of ${routeInputForms.join(', ')}`
  if (
    allowedValues !== undefined &&
    !(
      Array.isArray(allowedValues) &&
      allowedValues.length > 0 &&
      allowedValues.length <= valuesMax &&
      allowedValues.every(isTextOrNumber)
    )
  ) {
    return `must have a list of at most ${valuesMax} texts or numbers as ${name}.enum`
  }
  const invalidBound = ['minimum', 'maximum', 'maxItems', 'maxLength'].find(
    (key) => entry[key] !== undefined && typeof entry[key] !== 'number',
  )
  return invalidBound === undefined ? null : `must have a number as ${name}.${invalidBound}`
}

function isTextOrNumber(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number'
}
