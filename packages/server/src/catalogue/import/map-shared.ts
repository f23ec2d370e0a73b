import { aspectRatios, imageResolutions, videoResolutions } from '@framegate/contract'
import { isPrototypeName } from '../../lib/prototype-names.ts'
import { sharedDefinition } from '../definitions/shared-definitions.ts'
import type { RouteInputField } from './imported-model.ts'
import type { ParameterSchema } from '../model.ts'
import type { SharedName } from './vocabulary.ts'

/** The mapping of a provider's field to a shared parameter. */
export interface SharedMapping {
  /** Keywords that narrow the shared definition. */
  narrowing: ParameterSchema
  /** How the route sends the parameter to the provider. */
  field: RouteInputField
  /**
   * A sentence without its period, about values that clients cannot request, or that only this
   * model has.
   */
  note?: string
}

const promptCharactersMax = 50_000
const seedMax = 2 ** 32 - 1
const secondsMax = 3_600
const sharedSecondsMax = sharedDefinition('video', 'seconds')?.maximum ?? secondsMax
const referencesMax = 50

/**
 * Maps a field to a shared parameter. Null if the type or the values of the field do not fit the
 * parameter.
 */
export function mapShared(
  parameter: SharedName,
  schema: ParameterSchema,
  object: 'image' | 'video',
  hasDefault: boolean,
): SharedMapping | null {
  switch (parameter) {
    case 'prompt':
    case 'negative_prompt':
      return schema.type === 'string' && schema.enum === undefined ? mapText(schema) : null
    case 'aspect_ratio':
      return schema.type === 'string' ? mapRatio(schema) : null
    case 'resolution':
      return mapResolution(schema, object === 'image' ? imageResolutions : videoResolutions)
    case 'seconds':
      return object === 'video' ? mapSeconds(schema, hasDefault) : null
    case 'audio':
      return schema.type === 'boolean' && object === 'video'
        ? { narrowing: typeof schema.default === 'boolean' ? { default: schema.default } : {}, field: {} }
        : null
    case 'seed':
      return schema.type === 'integer' ? mapSeed(schema) : null
    case 'first_frame':
    case 'last_frame':
    case 'input_video':
    case 'input_audio':
      return isText(schema) && object === 'video' ? { narrowing: {}, field: {} } : null
    case 'mask':
      return isText(schema) ? { narrowing: {}, field: {} } : null
    case 'keep_audio':
      return schema.type === 'boolean' && object === 'video' ? { narrowing: {}, field: {} } : null
    case 'reference_videos':
    case 'reference_audios':
      return object === 'video' ? mapReferences(schema) : null
    default:
      return mapReferences(schema)
  }
}

function isText({ type, enum: choices }: ParameterSchema): boolean {
  return type === 'string' && choices === undefined
}

function mapText({ minLength, maxLength }: ParameterSchema): SharedMapping {
  const max = maxLength === undefined ? undefined : Math.min(maxLength, promptCharactersMax)
  return {
    narrowing: { ...(minLength !== undefined && minLength > 1 && { minLength }), ...(max !== undefined && { maxLength: max }) },
    field: max === undefined ? {} : { maxLength: max },
  }
}

function mapRatio({ enum: choices, default: defaultValue }: ParameterSchema): SharedMapping | null {
  if (choices === undefined) return { narrowing: {}, field: {} }
  const sharedRatios = aspectRatios.filter((ratio) => choices.includes(ratio))
  if (sharedRatios.length === 0) return mapNamedRatios(choices, defaultValue)
  const ownChoices = ownNames(choices, sharedRatios)
  const offeredRatios = [...sharedRatios, ...ownChoices]
  return {
    narrowing: { enum: offeredRatios, ...defaultAmong(offeredRatios, defaultValue) },
    field: { enum: offeredRatios },
    ...notesOf(choices, offeredRatios, ownChoices),
  }
}

/**
 * Returns the values outside the shared lists that clients may still use, such as `5:4`, `auto` or
 * `4K`. These values keep the provider's name.
 */
export function ownNames(choices: readonly unknown[], takenNames: readonly unknown[]): string[] {
  return choices.filter(
    (choice): choice is string => typeof choice === 'string' && isOwnName(choice) && !takenNames.includes(choice),
  )
}

function isOwnName(text: string): boolean {
  return /^[A-Za-z0-9][\w.:*+ -]{0,39}$/.test(text) && !isPrototypeName(text)
}

/** The presets of fal's field `image_size`. */
const ratioPresets: Readonly<Record<string, string>> = {
  '1:1': 'square_hd',
  '3:4': 'portrait_4_3',
  '9:16': 'portrait_16_9',
  '4:3': 'landscape_4_3',
  '16:9': 'landscape_16_9',
}

/** Maps each aspect ratio to a preset such as `landscape_16_9` or to a size such as `1280x720`. */
export function mapNamedRatios(choices: readonly unknown[], defaultValue: unknown): SharedMapping | null {
  const values: Record<string, string> = {}
  for (const ratio of aspectRatios) {
    const namedChoice = choices.find((choice) => choice === ratioPresets[ratio] || ratioOfSize(choice) === ratio)
    if (typeof namedChoice === 'string') values[ratio] = namedChoice
  }
  if (Object.keys(values).length === 0) return null
  // A second value for the same ratio, such as `square` in addition to `square_hd`, keeps the
  // provider's name.
  const ownChoices = ownNames(choices, Object.values(values)).filter((name) => !Object.hasOwn(values, name))
  for (const name of ownChoices) values[name] = name
  return mapNames(choices, values, ownChoices, defaultValue)
}

/** Maps values in client requests to values of the provider. */
function mapNames(
  choices: readonly unknown[],
  values: Readonly<Record<string, string | number>>,
  ownChoices: readonly string[],
  defaultValue: unknown,
): SharedMapping {
  const offeredChoices = Object.keys(values)
  const offeredDefault = offeredChoices.find((name) => values[name] === defaultValue)
  return {
    narrowing: { enum: offeredChoices, ...(offeredDefault !== undefined && { default: offeredDefault }) },
    field: offeredChoices.every((name) => values[name] === name) ? { enum: offeredChoices } : { values },
    ...notesOf(choices, Object.values(values), ownChoices),
  }
}

function ratioOfSize(choice: unknown): string | undefined {
  const [, width, height] = /^(\d{2,5})[x*:](\d{2,5})$/.exec(typeof choice === 'string' ? choice : '') ?? []
  if (width === undefined || height === undefined) return undefined
  return aspectRatios.find((ratio) => {
    const [ratioWidth = 1, ratioHeight = 1] = ratio.split(':').map(Number)
    return Math.abs((Number(width) * ratioHeight) / (Number(height) * ratioWidth) - 1) < 0.02
  })
}

const resolutionAliases: Readonly<Record<string, readonly string[]>> = { '1K': ['1', '1 mp'], '2K': ['4', '4 mp'] }

function mapResolution(schema: ParameterSchema, sharedValues: readonly string[]): SharedMapping | null {
  const { enum: choices, default: defaultValue } = schema
  if (choices === undefined) return null
  const values: Record<string, string | number> = {}
  for (const name of sharedValues) {
    const providerValue = choices.find((choice) => {
      const text = String(choice).toLowerCase()
      if (typeof choice === 'number') return `${choice}p` === name
      return text === name.toLowerCase() || resolutionAliases[name]?.includes(text) === true
    })
    if (providerValue !== undefined && typeof providerValue !== 'boolean') values[name] = providerValue
  }
  if (Object.keys(values).length === 0) return null
  const ownChoices: string[] = []
  for (const providerValue of choices) {
    const name = typeof providerValue === 'boolean' ? '' : clientName(providerValue)
    if (typeof providerValue === 'boolean' || !isOwnName(name) || Object.hasOwn(values, name)) continue
    if (Object.values(values).includes(providerValue)) continue
    values[name] = providerValue
    ownChoices.push(name)
  }
  return mapNames(choices, values, ownChoices, defaultValue)
}

/** Returns the value that clients send: `4K` for `4k`, and a number as text. */
function clientName(providerValue: string | number): string {
  return String(providerValue).replace(/^(\d{1,2})k$/, '$1K')
}

function mapSeconds(schema: ParameterSchema, hasDefault: boolean): SharedMapping | null {
  const { enum: choices, default: defaultValue } = schema
  if (choices !== undefined) return mapLengths(choices, defaultValue)
  if (schema.type !== 'integer' && schema.type !== 'number') return null
  const lowerBound = schema.exclusiveMinimum === undefined ? schema.minimum : Math.floor(schema.exclusiveMinimum) + 1
  const upperBound = schema.exclusiveMaximum === undefined ? schema.maximum : Math.ceil(schema.exclusiveMaximum) - 1
  const minimum = Math.max(1, Math.ceil(lowerBound ?? 1))
  const highestMaximum = Math.min(secondsMax, Math.floor(upperBound ?? secondsMax))
  if (highestMaximum < minimum) return null
  const isFitting =
    typeof defaultValue === 'number' &&
    Number.isInteger(defaultValue) &&
    defaultValue >= minimum &&
    defaultValue <= highestMaximum
  // Without a maximum of the provider, the shared maximum applies, unless it excludes every value
  // or the default.
  const lowestMaximum = isFitting ? defaultValue : minimum
  const maximum = upperBound !== undefined ? highestMaximum : lowestMaximum > sharedSecondsMax ? lowestMaximum : undefined
  return {
    narrowing: { minimum, ...(maximum !== undefined && { maximum }), ...(isFitting && { default: defaultValue }) },
    field: { minimum, ...(maximum !== undefined && { maximum }) },
    ...((lowerBound ?? 1) < 1 &&
      hasDefault && { note: 'values below 1, which stand for a length that the provider chooses, cannot be requested' }),
  }
}

/** Maps lengths in any of the forms `5`, `"5"`, `"5s"` and `"5 seconds"`. */
function mapLengths(choices: readonly unknown[], defaultValue: unknown): SharedMapping | null {
  const values: Record<string, string | number> = {}
  for (const choice of choices) {
    if (typeof choice !== 'string' && typeof choice !== 'number') continue
    const [, digits] = /^(\d{1,4})(?: ?s(?:ec(?:onds?)?)?)?$/.exec(String(choice)) ?? []
    const seconds = Number(digits)
    if (digits !== undefined && seconds >= 1 && seconds <= secondsMax) values[seconds] ??= choice
  }
  const offeredLengths = Object.keys(values).map(Number)
  if (offeredLengths.length === 0) return null
  const offeredDefault = offeredLengths.find((seconds) => values[seconds] === defaultValue)
  const isSame = offeredLengths.every((seconds) => values[seconds] === seconds)
  return {
    narrowing: { enum: offeredLengths, ...(offeredDefault !== undefined && { default: offeredDefault }) },
    field: isSame ? { enum: offeredLengths } : { values },
    ...notesOf(choices, Object.values(values)),
  }
}

function mapSeed({ minimum, maximum }: ParameterSchema): SharedMapping {
  const highest = maximum === undefined || maximum > seedMax ? undefined : Math.max(0, maximum)
  const lowest = minimum === undefined || minimum <= 0 ? undefined : Math.min(minimum, seedMax)
  const bounds = { ...(lowest !== undefined && { minimum: lowest }), ...(highest !== undefined && { maximum: highest }) }
  return { narrowing: bounds, field: bounds }
}

function mapReferences(schema: ParameterSchema): SharedMapping | null {
  if (isText(schema)) return { narrowing: { maxItems: 1 }, field: { as: 'first', maxItems: 1 } }
  if (schema.type !== 'array' || schema.items === undefined || !isText(schema.items)) return null
  const { minItems } = schema
  const maxItems = schema.maxItems === undefined ? undefined : Math.min(schema.maxItems, referencesMax)
  return {
    narrowing: { ...(minItems !== undefined && { minItems }), ...(maxItems !== undefined && { maxItems }) },
    field: maxItems === undefined ? {} : { maxItems },
  }
}

function defaultAmong(offered: readonly string[], defaultValue: unknown): ParameterSchema {
  const defaultChoice = offered.find((choice) => choice === defaultValue)
  return defaultChoice === undefined ? {} : { default: defaultChoice }
}

/** Returns a note on values that only this model has, and on values that clients cannot request. */
export function notesOf(
  choices: readonly unknown[],
  keptChoices: readonly unknown[],
  ownChoices: readonly string[] = [],
): { note?: string } {
  const droppedChoices = choices.filter((choice) => !keptChoices.includes(choice)).map(String)
  const notes = [
    ...(ownChoices.length > 0 ? [`values that only this model has can be requested too: ${shortList(ownChoices)}`] : []),
    ...(droppedChoices.length > 0 ? [`values that cannot be requested: ${shortList(droppedChoices)}`] : []),
  ]
  return notes.length > 0 ? { note: notes.join('; ') } : {}
}

function shortList(values: readonly string[]): string {
  const shownValues = values.slice(0, 8).map((value) => value.slice(0, 40))
  const suffix = values.length > shownValues.length ? ` and ${values.length - shownValues.length} more` : ''
  return `${shownValues.join(', ')}${suffix}`
}
