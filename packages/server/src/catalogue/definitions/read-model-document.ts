import { definableTypes, modelCreateBody, resultsMax, type Capability, type MediaObject } from '@framegate/contract'
import type { FieldViolation } from '../../lib/field-violation.ts'
import { isObject } from '../../lib/is-object.ts'
import { limitsOf } from '../define-family.ts'
import type { ModelDefinition, ParameterSchema, RequestSchema } from '../model.ts'
import {
  customFamily,
  deadlineSecondsMax,
  descriptionCharactersMax,
  examplesMax,
  titleCharactersMax,
} from './definition-limits.ts'
import { DefinitionReader } from './definition-reader.ts'
import { exampleOf } from './example-of.ts'
import { findExcess } from './find-excess.ts'
import type { ModelDocument } from './model-document.ts'
import { findIdViolation } from './model-id.ts'
import { readInputLimits } from './read-input-limits.ts'
import { readRequired } from './read-parameter-schema.ts'
import { readPrice } from './read-price.ts'
import { readTokenModel, refuseTokenLimits, type ModelHead } from './read-token-model.ts'
import { tokenObjectOf } from '../token-model.ts'
import { findExampleViolation, readParameters } from './read-parameters.ts'

/** A definition and its document. Both are undefined if there are violations. */
export interface ModelResult {
  definition: ModelDefinition | undefined
  /** The document as the operator wrote it. */
  document: ModelDocument | undefined
  violations: readonly FieldViolation[]
}

const modelFields = Object.keys(modelCreateBody.properties)

/**
 * Cached results by document. A change of one model reads all models again, although the other
 * documents have not changed.
 */
const cachedResults = new WeakMap<object, ModelResult>()

/**
 * Reads one definition from parsed YAML or JSON. Reports all violations together. If `object` is
 * invalid, the fields whose rules depend on it are not checked. The caller must not modify the
 * document afterwards, because results are cached by document.
 */
export function readModelDocument(raw: unknown): ModelResult {
  if (!isObject(raw)) return readUncached(raw)
  const result = cachedResults.get(raw) ?? readUncached(raw)
  cachedResults.set(raw, result)
  return result
}

function readUncached(raw: unknown): ModelResult {
  const reader = new DefinitionReader()
  const refusedResult = { definition: undefined, document: undefined, violations: reader.violations }
  if (!isObject(raw)) {
    reader.addViolation([], 'must be a model with id, object and parameters')
    return refusedResult
  }
  const excess = findExcess(raw)
  if (excess !== null) {
    reader.addViolation([], excess)
    return refusedResult
  }
  reader.requireOnly(raw, modelFields, [], 'a field of a model')
  const id = readId(raw['id'], reader)
  const { object } = raw
  const type = definableTypes.find((definableType) => definableType === object)
  if (type === undefined) reader.addViolation(['object'], `must be one of ${definableTypes.join(', ')}`)
  const title = reader.readText(raw['title'], ['title'], titleCharactersMax) ?? id
  const description = reader.readText(raw['description'], ['description'], descriptionCharactersMax) ?? ''
  const deadlineSeconds = readDeadline(raw['deadline'], reader)
  if (raw['source'] !== undefined && !isObject(raw['source'])) reader.addViolation(['source'], 'must be a map')
  if (type === undefined) return refusedResult
  const tokenObject = tokenObjectOf({ object: type })
  if (tokenObject !== undefined) {
    const definition = readTokenModel(raw, { id, title, description, object: tokenObject, deadlineSeconds }, reader)
    if (reader.violations.length > 0) return refusedResult
    return { definition, document: raw as unknown as ModelDocument, violations: [] }
  }
  return readTaskModel(raw, { id, title, description, object: type as MediaObject, deadlineSeconds }, reader)
}

function readTaskModel(
  raw: Readonly<Record<string, unknown>>,
  { id, title, description, object, deadlineSeconds }: ModelHead<MediaObject>,
  reader: DefinitionReader,
): ModelResult {
  const refusedResult = { definition: undefined, document: undefined, violations: reader.violations }
  refuseTokenLimits(raw, reader)
  const parameters = readParameters(raw['parameters'], object, reader)
  const names = isObject(raw['parameters']) ? Object.keys(raw['parameters']) : []
  const inputLimits = readInputLimits(raw['inputs'], parameters, reader)
  const { required = [] } = readRequired(raw['required'], names, ['required'], reader)
  const examples = readExamples(raw['examples'], parameters, required, reader)
  if (examples.length === 0) examples.push(...exampleOf(parameters, required))

  const schema = requestSchema(id, parameters, required)
  const unpricedModel: Parameters<typeof readPrice>[1] = { id, object, parameters: schema, fixedResolution: null }
  // A price can be checked only if the parameters that determine it are valid.
  const arePriceParametersValid = ['resolution', 'seconds'].every((name) => name in parameters || !names.includes(name))
  const price = arePriceParametersValid && isObject(raw['parameters']) ? readPrice(raw['price'], unpricedModel, reader) : null
  if (reader.violations.length > 0) return refusedResult
  const definition: ModelDefinition = {
    ...unpricedModel,
    displayName: title,
    title,
    description,
    family: customFamily,
    v1Family: null,
    capabilities: capabilitiesOf(object, parameters, required),
    price,
    // An upstream may deliver several results, even if the request asks for one.
    limits: { ...limitsOf(parameters, object, deadlineSeconds), resultsMax },
    ...(inputLimits !== undefined && { inputLimits }),
    examples: examples.map((example) => Object.assign({ model: id }, example)),
    availability: { available: true, reason: null },
  }
  return { definition, document: raw as unknown as ModelDocument, violations: [] }
}

function readId(raw: unknown, reader: DefinitionReader): string {
  const violation =
    typeof raw === 'string' ? findIdViolation(raw) : 'must be a string, the ID that clients send; put it in quotation marks'
  if (violation !== null) reader.addViolation(['id'], violation)
  return typeof raw === 'string' ? raw : ''
}

function readDeadline(raw: unknown, reader: DefinitionReader): number | undefined {
  if (raw === undefined || raw === null) return undefined
  if (Number.isInteger(raw) && (raw as number) >= 1 && (raw as number) <= deadlineSecondsMax) return raw as number
  reader.addViolation(['deadline'], `must be a whole number of seconds from 1 to ${deadlineSecondsMax}`)
  return undefined
}

function readExamples(
  raw: unknown,
  parameters: Readonly<Record<string, ParameterSchema>>,
  required: readonly string[],
  reader: DefinitionReader,
): Readonly<Record<string, unknown>>[] {
  if (raw === undefined || raw === null) return []
  if (!Array.isArray(raw) || raw.length > examplesMax) {
    reader.addViolation(['examples'], `must be a list of at most ${examplesMax} request bodies`)
    return []
  }
  return raw.flatMap((example: unknown, index) => {
    const isBody = isObject(example)
    const violation = isBody ? findExampleViolation(example, parameters, required) : 'must be a request body without model'
    if (isBody && violation === null) return [example]
    reader.addViolation(['examples', index], violation ?? '')
    return []
  })
}

function requestSchema(
  id: string,
  parameters: Readonly<Record<string, ParameterSchema>>,
  required: readonly string[],
): RequestSchema {
  return {
    type: 'object',
    properties: { model: { type: 'string', const: id, description: 'The Model ID.' }, ...parameters },
    required: ['model', ...required],
    ...('last_frame' in parameters && 'first_frame' in parameters && { dependentRequired: { last_frame: ['first_frame'] } }),
    additionalProperties: false,
  }
}

function capabilitiesOf(
  object: MediaObject,
  parameters: Readonly<Record<string, ParameterSchema>>,
  required: readonly string[],
): Capability[] {
  const needsImage = ['first_frame', 'reference_images'].some((name) => required.includes(name))
  const candidates: [Capability, boolean][] =
    object === 'image'
      ? [
          ['text-to-image', !needsImage],
          ['reference-to-image', 'reference_images' in parameters],
        ]
      : [
          ['text-to-video', !needsImage],
          ['image-to-video', 'first_frame' in parameters],
          ['first-and-last-frame', 'last_frame' in parameters],
          ['reference-to-video', 'reference_images' in parameters],
          ['audio', 'audio' in parameters],
        ]
  return candidates.flatMap(([capability, isOffered]) => (isOffered ? [capability] : []))
}
