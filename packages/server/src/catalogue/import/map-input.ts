import { capitalize } from '../../lib/capitalized.ts'
import { unreachable } from '../../lib/unreachable.ts'
import { isPropertyName } from '../definitions/read-parameter-schema.ts'
import { reservedFields } from '../definitions/read-parameters.ts'
import { isSharedName } from '../generation-parameters.ts'
import { resultsMax } from '@framegate/contract'
import { matchesSchema } from '../definitions/matches-schema.ts'
import type { ParameterSchema } from '../model.ts'
import { titleFromName } from './foreign-text.ts'
import type { ImportNote, RouteInputField } from './imported-model.ts'
import { ImportError } from './import-error.ts'
import { mapNamedRatios, mapShared } from './map-shared.ts'
import { shortName } from './resolve-schema.ts'
import { neutralMeaningsOf, sharedMeaningsOf, hiddenReason, type NeutralName } from './vocabulary.ts'

/** One input field of a provider's model. */
export interface ForeignField {
  name: string
  schema: ParameterSchema
  isRequired: boolean
  isSecret?: boolean
}

/** The input of one provider's model, mapped to the vocabulary of this service. */
export interface MappedInput {
  object: 'image' | 'video'
  parameters: Record<string, ParameterSchema>
  required: string[]
  input: Record<string, RouteInputField>
  /** Fields that the route sends with every request. */
  extra: Record<string, unknown>
  notes: ImportNote[]
  /**
   * Converts a request body of the provider to parameter names of this service. Leaves out values
   * that the parameters do not accept.
   */
  exampleOf(body: Readonly<Record<string, unknown>>): Record<string, unknown>
}

/**
 * Names that a parameter of a model cannot have, because they have other meanings in requests and
 * in route inputs.
 */
const reservedNames = new Set([...reservedFields, 'size', 'width', 'height', 'frames'])
/** Parameters that most requests set. Every other optional parameter is marked as advanced. */
const commonNamePattern =
  /^(prompt|aspect_ratio|resolution|seconds|audio|seed|first_frame|last_frame|reference_\w+|input_\w+|mask|text|lyrics)$/

/** Maps the fields. Their order is the order in which the parameters are shown. */
export function mapInput(fields: readonly ForeignField[], object: 'image' | 'video'): MappedInput {
  const mapping = new InputMapping(object)
  for (const field of fields) mapping.add(field, fields)
  return mapping.finish()
}

interface MappedField {
  parameter: string
  providerField: string
  field: RouteInputField
  schema: ParameterSchema
}

class InputMapping {
  readonly #object: 'image' | 'video'
  readonly #parameters: Record<string, ParameterSchema> = {}
  readonly #required: string[] = []
  readonly #input: Record<string, RouteInputField> = {}
  readonly #extra: Record<string, unknown> = {}
  readonly #notes: ImportNote[] = []
  readonly #entries: MappedField[] = []

  constructor(object: 'image' | 'video') {
    this.#object = object
  }

  add(field: ForeignField, allFields: readonly ForeignField[]): void {
    const { name, schema, isRequired } = field
    const reason = hiddenReason(name, schema.type, field.isSecret ?? false)
    if (reason !== undefined) return this.#leaveOut(field, reason)
    if (this.#addSize(field, allFields) || this.#addWatermarkOrCount(field)) return
    for (const parameter of sharedMeaningsOf(name)) {
      // An image model has no frames: an input image is the image that the model changes.
      const target = this.#object === 'image' && parameter === 'first_frame' ? 'reference_images' : parameter
      if (target in this.#input) continue
      const sharedMapping = mapShared(target, schema, this.#object, schema.default !== undefined)
      if (sharedMapping === null) continue
      const needsItems = target === 'reference_images' && isRequired && sharedMapping.narrowing.minItems === undefined
      this.#addParameter(
        target,
        field,
        sharedMapping.field,
        needsItems ? { ...sharedMapping.narrowing, minItems: 1 } : sharedMapping.narrowing,
      )
      if (sharedMapping.note !== undefined) this.#addNote(name, `${sharedMapping.note}.`)
      return
    }
    this.#addOwn(field)
  }

  /**
   * Adds an own parameter of this model. It gets the neutral name for its meaning, if there is one.
   */
  #addOwn(field: ForeignField): void {
    const { name, schema, isRequired } = field
    const neutralName = neutralMeaningsOf(name).find(
      (parameter) => fitsMeaning(parameter, schema) && !(parameter in this.#parameters),
    )
    let parameter: string = neutralName ?? name
    if (isSharedName(parameter) || reservedNames.has(parameter)) parameter = `provider_${parameter}`
    if (!isPropertyName(parameter) || parameter in this.#parameters) {
      return this.#leaveOut(field, 'its name cannot be the name of a parameter')
    }
    const title = schema.title ?? titleFromName(parameter)
    const isAdvanced = !isRequired && !commonNamePattern.test(parameter)
    const ownSchema: ParameterSchema = { ...schema, title, ...(isAdvanced && { 'x-advanced': true }) }
    this.#addParameter(parameter, field, {}, ownSchema)
  }

  /**
   * Maps a field for the size of the result. If the field takes pixels, the service sends a size
   * that it derives from `aspect_ratio` and `resolution`. If the field takes presets, it becomes
   * `aspect_ratio`. The field is left out if another field determines the size. Returns false for a
   * field that does not set the size.
   */
  #addSize(field: ForeignField, allFields: readonly ForeignField[]): boolean {
    const { name, schema, isRequired } = field
    const isSize = name === 'image_size' || name === 'video_size' || name === 'size'
    const hasRatio = allFields.some((field) => sharedMeaningsOf(field.name).includes('aspect_ratio'))
    if (isSize && schema.anyOf?.some(isPixelSize) === true) {
      if (hasRatio && !isRequired) this.#leaveOut(field, 'aspect_ratio determines the size')
      else this.#sendPixels('size', field)
      return true
    }
    if (
      isSize &&
      schema.enum !== undefined &&
      !('aspect_ratio' in this.#input) &&
      !allFields.some((field) => field.name === 'aspect_ratio')
    ) {
      const sharedMapping = mapNamedRatios(schema.enum, schema.default)
      if (sharedMapping === null) return false
      this.#addParameter('aspect_ratio', field, sharedMapping.field, sharedMapping.narrowing)
      if (sharedMapping.note !== undefined) this.#addNote(name, `${sharedMapping.note}.`)
      return true
    }
    if ((name !== 'width' && name !== 'height') || schema.type !== 'integer') return false
    const hasBoth = ['width', 'height'].every((side) =>
      allFields.some((field) => field.name === side && field.schema.type === 'integer'),
    )
    if (hasBoth && !hasRatio && schema.enum === undefined) this.#sendPixels(name, field)
    else if (hasRatio) this.#leaveOut(field, 'aspect_ratio determines the size')
    else this.#leaveOut(field, 'a size can be sent only as a width and a height that accept any number in a range')
    return true
  }

  #sendPixels(slot: 'size' | 'width' | 'height', { name, schema }: ForeignField): void {
    this.#input[slot] = name === slot ? {} : { field: name }
    if ('aspect_ratio' in this.#parameters) return
    this.#parameters['aspect_ratio'] = {}
    this.#input['aspect_ratio'] = {}
    const sides = [schema, ...(schema.anyOf ?? []).map((alternative) => alternative.properties?.['width'] ?? {})]
    const largestSide = Math.max(0, ...sides.map((side) => side.maximum ?? 0))
    const resolutions =
      this.#object === 'image'
        ? largestSide >= 2048
          ? ['1K', '2K']
          : ['1K']
        : largestSide >= 1920
          ? ['720p', '1080p']
          : ['480p', '720p']
    this.#parameters['resolution'] = { enum: resolutions }
    this.#input['resolution'] = { enum: resolutions }
    this.#addNote(name, `It is sent in pixels, from aspect_ratio and resolution (${resolutions.join(', ')}).`)
  }

  /**
   * Maps a watermark field to false, and a number of results to the parameter `n`, or to 1 if the
   * schema allows no more. Returns whether the field is one of these.
   */
  #addWatermarkOrCount(field: ForeignField): boolean {
    const { name, schema } = field
    if (schema.type === 'boolean' && /^(add_|enable_)?watermark$/.test(name)) {
      this.#extra[name] = false
      this.#addNote(name, 'It is always false; if a request has watermark: true, the service draws the watermark of the brand.')
      return true
    }
    if (!neutralMeaningsOf(name).includes('n') || schema.type !== 'integer' || 'n' in this.#input) return false
    const maximum = Math.min(schema.maximum ?? 1, resultsMax)
    if (maximum > 1) this.#addParameter('n', field, { maximum }, { maximum })
    else {
      this.#extra[name] = 1
      this.#addNote(name, 'It is always 1, because the schema allows no larger number.')
    }
    return true
  }

  #addParameter(parameter: string, { name, isRequired }: ForeignField, field: RouteInputField, schema: ParameterSchema): void {
    this.#parameters[parameter] = schema
    this.#input[parameter] = { ...(name !== parameter && { field: name }), ...(isRequired && { required: true }), ...field }
    if (isRequired) this.#required.push(parameter)
    this.#entries.push({ parameter, providerField: name, field, schema })
  }

  #leaveOut({ name, isRequired }: ForeignField, reason: string): void {
    if (isRequired) throw new ImportError(`The model requires the field ${shortName(name)}, which cannot be offered: ${reason}.`)
    this.#addNote(name, `It was left out: ${reason}.`)
  }

  #addNote(field: string, message: string): void {
    this.#notes.push({ field: shortName(field), message: capitalize(message) })
  }

  finish(): MappedInput {
    const entries = this.#entries
    const parameters = this.#parameters
    return {
      object: this.#object,
      parameters,
      required: this.#required,
      input: this.#input,
      extra: this.#extra,
      notes: this.#notes,
      exampleOf(body) {
        const example: Record<string, unknown> = {}
        for (const { parameter, providerField: name, field, schema } of entries) {
          const value = Object.hasOwn(body, name) ? toParameterValue(body[name], field) : undefined
          if (value !== undefined && value !== null && isUsableExample(parameter, value, schema)) example[parameter] = value
        }
        return example
      },
    }
  }
}

/** Whether a value of an example may be kept. A file must be a public URL. */
function isUsableExample(parameter: string, value: unknown, schema: ParameterSchema): boolean {
  if (/^(first_frame|last_frame)$/.test(parameter)) return isPublicAddress(value)
  if (parameter === 'reference_images') {
    return Array.isArray(value) && value.length <= (schema.maxItems ?? 10) && value.every(isPublicAddress)
  }
  if (parameter === 'prompt' || parameter === 'negative_prompt') {
    return typeof value === 'string' && value !== '' && value.length <= (schema.maxLength ?? 5_000)
  }
  if (parameter === 'audio') return typeof value === 'boolean'
  if (parameter === 'seconds' || parameter === 'seed' || parameter === 'n')
    return Number.isInteger(value) && matchesSchema(value, { type: 'integer', ...schema })
  if (parameter === 'aspect_ratio' || parameter === 'resolution') return schema.enum?.includes(value as string) ?? false
  return matchesSchema(value, schema)
}

function isPublicAddress(value: unknown): boolean {
  return typeof value === 'string' && /^https:\/\/[^\s"'<>\\]{1,2000}$/.test(value)
}

function toParameterValue(providerValue: unknown, { values, as }: RouteInputField): unknown {
  if (as === 'first') return typeof providerValue === 'string' ? [providerValue] : undefined
  if (values === undefined) return providerValue
  const [name] = Object.entries(values).find(([, value]) => value === providerValue) ?? []
  return name !== undefined && /^\d+$/.test(name) ? Number(name) : name
}

function isPixelSize({ type, properties }: ParameterSchema): boolean {
  return type === 'object' && properties?.['width'] !== undefined && properties['height'] !== undefined
}

/** Whether the type of a provider's field fits a meaning. */
function fitsMeaning(meaning: NeutralName, { type }: ParameterSchema): boolean {
  switch (meaning) {
    case 'guidance':
    case 'strength':
    case 'fps':
      return type === 'number' || type === 'integer'
    case 'steps':
    case 'n':
      return type === 'integer'
    case 'enhance_prompt':
    case 'camera_fixed':
      return type === 'boolean'
    case 'style':
    case 'output_format':
      return type === 'string'
    default:
      return unreachable(meaning)
  }
}
