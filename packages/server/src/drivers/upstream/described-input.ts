import { isMediaParameter, type MediaParameter } from '../../catalogue/generation-parameters.ts'
import { isObject } from '../../lib/is-object.ts'
import type { GenerationRequest, Json } from '../driver.ts'
import { joinWithOr } from './model-limits.ts'
import { mergeInto, nestedIn, type Body } from './renamed-parameters.ts'
import { requestedParameters } from './requested-parameters.ts'
import type { RouteInput, RouteInputField } from './route-input.ts'
import type { ParameterRefusal, UpstreamRequest, UpstreamTarget } from './upstream-driver.ts'

/** Inputs that are derived from the size of the result in pixels. */
const pixelInputs = ['size', 'width', 'height']
const shapeParameters = new Set(['aspect_ratio', 'resolution'])

/** Target for which the operator has set `input`. */
type DescribedTarget = UpstreamTarget & { input: RouteInput }

export function hasRouteInput(target: UpstreamTarget): target is DescribedTarget {
  // Routes that an earlier version of the service stored lack this field.
  return target.input !== undefined && target.input !== null
}

function takesPixels(input: RouteInput): boolean {
  return pixelInputs.some((name) => name in input)
}

/**
 * Refuses parameters that `input` does not list, missing parameters that it requires, and values
 * outside its limits.
 */
export function refuseByRouteInput(
  { parameters }: Pick<UpstreamRequest, 'parameters'>,
  input: RouteInput,
): ParameterRefusal | null {
  const values: Readonly<Record<string, unknown>> = { ...parameters }
  for (const name of requestedParameters(parameters)) {
    if (!Object.hasOwn(input, name) && !(takesPixels(input) && shapeParameters.has(name))) {
      return refuse(name, 'is not supported for this model; leave it out')
    }
  }
  for (const [name, field] of Object.entries(input)) {
    const value = values[name]
    const isMissing = value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
    if (isMissing) {
      if (field.required === true) return refuse(name, 'is required for this model')
      continue
    }
    const expected = describeExpected(value, field)
    if (expected !== null) return refuse(name, `must be ${expected} for this model`)
  }
  return null
}

function refuse(name: string, problem: string): ParameterRefusal {
  return { parameter: name, message: `${name} ${problem}` }
}

/**
 * Returns a description of the accepted values if the value is outside the field's limits, and null
 * otherwise.
 */
function describeExpected(value: unknown, field: RouteInputField): string | null {
  const { values, enum: allowedValues = values && Object.keys(values), minimum, maximum, maxItems, maxLength } = field
  if (allowedValues !== undefined && !Array.isArray(value) && !allowedValues.map(String).includes(String(value)))
    return joinWithOr(allowedValues)
  if (typeof value === 'number' && (value < (minimum ?? value) || value > (maximum ?? value))) {
    if (minimum === undefined) return `at most ${maximum}`
    return maximum === undefined ? `at least ${minimum}` : `${minimum} to ${maximum}`
  }
  if (Array.isArray(value) && maxItems !== undefined && value.length > maxItems) {
    return `at most ${maxItems} ${maxItems === 1 ? 'item' : 'items'}`
  }
  if (typeof value === 'string' && maxLength !== undefined && countCharacters(value) > maxLength)
    return `at most ${maxLength} characters`
  return null
}

/**
 * Returns the file at `source` as the provider accepts it, such as a URL or a data URI. Errors name
 * the file by its `position` in the parameters.
 */
export type SendFile = (source: string, name: MediaParameter, position: string) => Promise<string>

/** Creates the request body from `input`. The operator's `extra` overrides fields of the body. */
export async function bodyByRouteInput(
  request: GenerationRequest,
  { input, extra }: DescribedTarget,
  sendFile: SendFile,
): Promise<Body> {
  let body: Body = {}
  for (const [name, field] of Object.entries(input)) {
    if (field.sent === false || (takesPixels(input) && shapeParameters.has(name))) continue
    const value = derivedValue(name, request) ?? (await requestedValue(name, request, sendFile))
    const convertedValue = value === undefined ? undefined : convertValue(value, field)
    if (convertedValue !== undefined) body = mergeInto(body, nestedIn((field.field ?? name).split('.'), convertedValue))
  }
  return mergeInto(body, extra)
}

async function requestedValue(name: string, { parameters }: GenerationRequest, sendFile: SendFile): Promise<Json | undefined> {
  const value = (parameters as Readonly<Record<string, Json | undefined>>)[name]
  if (!isMediaParameter(name)) return value
  if (Array.isArray(value)) {
    const sources = value.filter((source) => typeof source === 'string')
    return Promise.all(sources.map((source, index) => sendFile(source, name, `${name}/${index}`)))
  }
  return typeof value === 'string' ? sendFile(value, name, name) : undefined
}

function derivedValue(name: string, { size }: GenerationRequest): Json | undefined {
  if (name === 'size') return { ...size }
  if (name === 'width') return size.width
  return name === 'height' ? size.height : undefined
}

function convertValue(value: Json, { values, as }: RouteInputField): Json | undefined {
  if (Array.isArray(value)) return as === 'first' ? value[0] : value.length === 0 ? undefined : value
  if (isObject(value)) return as === 'text' ? `${textOf(value['width'])}x${textOf(value['height'])}` : value
  const providerValue = values?.[textOf(value)] ?? value
  if (as === 'text') return textOf(providerValue)
  return as === 'seconds' ? `${textOf(providerValue)}s` : providerValue
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Counts characters as code points, as JSON Schema does. */
function countCharacters(text: string): number {
  return Array.from(text).length
}
