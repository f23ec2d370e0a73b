import { isDeepStrictEqual } from 'node:util'
import { DefinitionReader } from '../definitions/definition-reader.ts'
import { findExampleViolation, readParameters } from '../definitions/read-parameters.ts'
import type { ParameterSchema } from '../model.ts'
import { notesMax } from './import-limits.ts'
import { ImportError } from './import-error.ts'
import type { ImportedModel, ImportedRoute, ImportNote } from './imported-model.ts'
import type { MappedInput } from './map-input.ts'

/** One model of a provider, mapped to the vocabulary of this service. */
export interface MappedEndpoint {
  upstreamModel: string
  /** Distinguishes this endpoint in notes and in names of routes. */
  label: string
  title: string
  description: string
  cover?: string | undefined
  mapped: MappedInput
  /** Request bodies with the provider's field names. */
  examples: readonly Readonly<Record<string, unknown>>[]
}

/**
 * Assembles one model from one or several endpoints. If some endpoint does not accept a parameter,
 * the parameter is optional. It also has no default, unless it is one of `parametersWithDefault`,
 * so that any route can serve a request without it.
 */
export function assembleModel(endpoints: readonly MappedEndpoint[], suggestedId: string): ImportedModel {
  const [firstEndpoint] = endpoints
  if (firstEndpoint === undefined) throw new ImportError('An import needs at least one model of the provider.')
  const { object } = firstEndpoint.mapped
  const conflict = endpoints.find(({ mapped }) => mapped.object !== object)
  if (conflict !== undefined) {
    throw new ImportError(
      `${conflict.upstreamModel} makes ${conflict.mapped.object}s and ${firstEndpoint.upstreamModel} ${object}s; import them as two models.`,
    )
  }
  const notes: ImportNote[] = []
  for (const { label, mapped } of endpoints) {
    for (const note of mapped.notes) notes.push(endpoints.length === 1 ? note : { ...note, field: `${label}: ${note.field}` })
  }
  const parameters = mergeParameters(endpoints, notes)
  const requiredNames = Object.keys(parameters).filter((name) => endpoints.every(({ mapped }) => mapped.required.includes(name)))
  const schemas = readParameters(parameters, object, new DefinitionReader())
  return {
    suggestedId,
    object,
    title: firstEndpoint.title,
    description: firstEndpoint.description,
    parameters,
    required: requiredNames,
    examples: endpoints.flatMap(({ mapped, examples }) =>
      examples.slice(0, 1).flatMap((providerExample) => {
        const example = mapped.exampleOf(providerExample)
        return findExampleViolation(example, schemas, mapped.required) === null ? [example] : []
      }),
    ),
    routes: endpoints.map(({ label, upstreamModel, mapped }): ImportedRoute => ({
      label,
      upstreamModel,
      input: mapped.input,
      ...(Object.keys(mapped.extra).length > 0 && { extra: mapped.extra }),
    })),
    notes:
      notes.length <= notesMax
        ? notes
        : [...notes.slice(0, notesMax), { field: '…', message: `${notes.length - notesMax} more.` }],
    priceHint: null,
    cover: firstEndpoint.cover ?? null,
  }
}

function mergeParameters(endpoints: readonly MappedEndpoint[], notes: ImportNote[]): Record<string, ParameterSchema> {
  const joinedParameters: Record<string, ParameterSchema> = {}
  for (const { label, mapped } of endpoints) {
    for (const [name, schema] of Object.entries(mapped.parameters)) {
      const existing = joinedParameters[name]
      const union = existing === undefined ? schema : unionOf(existing, schema)
      if (union !== null) joinedParameters[name] = union
      else {
        delete mapped.input[name]
        const message = 'It was left out of this endpoint: its values cannot be combined with those of the previous endpoints.'
        if (mapped.required.includes(name))
          throw new ImportError(
            `${label} requires ${name}, whose values cannot be combined with those of the previous endpoints.`,
          )
        notes.push({ field: `${label}: ${name}`, message })
      }
    }
  }
  if (endpoints.length === 1) return joinedParameters
  for (const name of parametersWithDefault) if (name in joinedParameters) shareDefault(name, joinedParameters, endpoints, notes)
  for (const [name, schema] of Object.entries(joinedParameters)) {
    const isEverywhere = endpoints.every(({ mapped }) => name in mapped.input)
    const keepsDefault = isEverywhere || schema.default === undefined || parametersWithDefault.includes(name)
    if (keepsDefault) continue
    const { default: _default, ...schemaWithoutDefault } = schema
    joinedParameters[name] = schemaWithoutDefault
    notes.push({ field: name, message: 'Its default was left out, because not every endpoint has this parameter.' })
  }
  return joinedParameters
}

/** Shared parameters that are present in every request, at least with their default. */
const parametersWithDefault = ['aspect_ratio', 'resolution', 'seconds', 'n']

/**
 * Chooses a default that all endpoints with this parameter accept, because the service adds the
 * default to a request without the parameter. Other endpoints do not receive the parameter.
 */
function shareDefault(
  name: string,
  joinedParameters: Record<string, ParameterSchema>,
  endpoints: readonly MappedEndpoint[],
  notes: ImportNote[],
): void {
  const schema = joinedParameters[name] ?? {}
  for (const { label, mapped } of endpoints) {
    if (name in mapped.input) continue
    mapped.input[name] = name === 'n' ? { sent: false, maximum: 1 } : { sent: false }
    if (name === 'n') continue
    notes.push({ field: `${label}: ${name}`, message: 'It is not sent to this endpoint; the provider uses its default.' })
  }
  const acceptingSchemas = endpoints.flatMap(({ mapped }) => mapped.parameters[name] ?? [])
  const candidates = [
    schema.default,
    ...acceptingSchemas.flatMap((acceptingSchema) => [
      acceptingSchema.default,
      ...(acceptingSchema.enum ?? []),
      acceptingSchema.minimum,
    ]),
  ]
  const isAccepted = (value: unknown): boolean =>
    acceptingSchemas.every(({ enum: choices, minimum, maximum }) =>
      choices === undefined
        ? typeof value !== 'number' || (value >= (minimum ?? value) && value <= (maximum ?? value))
        : choices.includes(value as string),
    )
  const commonValue = candidates.find((value) => value !== undefined && isAccepted(value))
  if (commonValue !== undefined) joinedParameters[name] = { ...schema, default: commonValue }
}

/**
 * Returns the union of two schemas of the same type: their choices together, or the looser of their
 * limits. All other keywords are those of `first`. Returns null if the types differ, if a schema
 * has alternatives, or if choices and limits cannot be combined.
 */
function unionOf(first: ParameterSchema, second: ParameterSchema): ParameterSchema | null {
  if (isDeepStrictEqual(first, second)) return first
  if (first.type !== second.type || first.anyOf !== undefined || second.anyOf !== undefined) return null
  const { enum: choices, minimum, maximum, maxItems, maxLength, minItems, minLength, default: defaultValue, ...rest } = first
  if (choices !== undefined && second.enum !== undefined) {
    return {
      ...rest,
      enum: [...new Set([...choices, ...second.enum])],
      ...(defaultValue !== undefined && { default: defaultValue }),
    }
  }
  if ((choices === undefined) !== (second.enum === undefined)) return rangeOfBoth(first, second, rest)
  return {
    ...rest,
    ...looserBound('minimum', minimum, second.minimum, Math.min),
    ...looserBound('maximum', maximum, second.maximum, Math.max),
    ...looserBound('minItems', minItems, second.minItems, Math.min),
    ...looserBound('maxItems', maxItems, second.maxItems, Math.max),
    ...looserBound('minLength', minLength, second.minLength, Math.min),
    ...looserBound('maxLength', maxLength, second.maxLength, Math.max),
    ...(defaultValue !== undefined && { default: defaultValue }),
  }
}

/**
 * Returns the union of choices and a range. For example, the lengths 5 and 10 at one endpoint and 3
 * to 15 at another become 3 to 15.
 */
function rangeOfBoth(first: ParameterSchema, second: ParameterSchema, rest: ParameterSchema): ParameterSchema | null {
  const numbers = [...(first.enum ?? []), ...(second.enum ?? [])].filter((choice) => typeof choice === 'number')
  const range = first.enum === undefined ? first : second
  if (numbers.length === 0 || range.minimum === undefined || range.maximum === undefined) return null
  const defaultValue = first.default ?? second.default
  return {
    ...rest,
    minimum: Math.min(range.minimum, ...numbers),
    maximum: Math.max(range.maximum, ...numbers),
    ...(defaultValue !== undefined && { default: defaultValue }),
  }
}

function looserBound(
  keyword: string,
  first: number | undefined,
  second: number | undefined,
  choose: (a: number, b: number) => number,
): Record<string, number> {
  return first === undefined || second === undefined ? {} : { [keyword]: choose(first, second) }
}
