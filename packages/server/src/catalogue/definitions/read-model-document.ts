import { resultsMax, type Capability } from '@framegate/contract'
import type { FieldViolation } from '../../lib/field-violation.ts'
import { isObject } from '../../lib/is-object.ts'
import { limitsOf } from '../define-family.ts'
import type { ModelDefinition, ParameterSchema, PriceRule, RequestSchema } from '../model.ts'
import { WrongPrice } from '../price-amounts.ts'
import { readPriceRule } from '../read-price-rule.ts'
import { deadlineSecondsMax, descriptionCharactersMax, examplesMax, titleCharactersMax } from './definition-limits.ts'
import { DefinitionReader } from './definition-reader.ts'
import { exampleOf } from './example-of.ts'
import { findExcess } from './find-excess.ts'
import type { ModelDocument } from './model-document.ts'
import { findIdViolation } from './model-id.ts'
import { readInputLimits } from './read-input-limits.ts'
import { readRequired } from './read-parameter-schema.ts'
import { findExampleViolation, readParameters } from './read-parameters.ts'

/** A definition and its document. If there are violations, neither may be used. */
export interface ReadModel {
  definition: ModelDefinition | undefined
  /** As given. */
  document: ModelDocument | undefined
  violations: readonly FieldViolation[]
}

/** Family of every model that an operator defines. */
const customFamily = 'custom'

const fields = [
  'id',
  'object',
  'title',
  'description',
  'parameters',
  'required',
  'inputs',
  'price',
  'deadline',
  'examples',
  'source',
] as const satisfies readonly (keyof ModelDocument)[]

/** Results by document, because each change of one model reads all other models again. */
const readBefore = new WeakMap<object, ReadModel>()

/**
 * Reads one definition, from parsed YAML or JSON. Reports every violation at once. The document
 * must not be changed afterwards.
 */
export function readModelDocument(given: unknown): ReadModel {
  if (!isObject(given)) return readNew(given)
  const read = readBefore.get(given) ?? readNew(given)
  readBefore.set(given, read)
  return read
}

function readNew(given: unknown): ReadModel {
  const reader = new DefinitionReader()
  const refused = { definition: undefined, document: undefined, violations: reader.violations }
  if (!isObject(given)) {
    reader.addViolation([], 'must be a model with id, object and parameters')
    return refused
  }
  const excess = findExcess(given)
  if (excess !== null) {
    reader.addViolation([], excess)
    return refused
  }
  reader.requireOnly(given, fields, [], 'a field of a model')
  const id = readId(given['id'], reader)
  const { object } = given
  if (object === 'text') reader.addViolation(['object'], 'must be image or video; models of text are not offered by definitions')
  else if (object !== 'image' && object !== 'video') reader.addViolation(['object'], 'must be image or video')
  const title = reader.text(given['title'], ['title'], titleCharactersMax) ?? id
  const description = reader.text(given['description'], ['description'], descriptionCharactersMax) ?? ''
  const deadlineSeconds = readDeadline(given['deadline'], reader)
  if (given['source'] !== undefined && !isObject(given['source'])) reader.addViolation(['source'], 'must be a map')
  if (object !== 'image' && object !== 'video') return refused
  const parameters = readParameters(given['parameters'], object, reader)
  const names = isObject(given['parameters']) ? Object.keys(given['parameters']) : []
  const inputLimits = readInputLimits(given['inputs'], parameters, reader)
  const { required = [] } = readRequired(given['required'], names, ['required'], reader)
  const examples = readExamples(given['examples'], parameters, required, reader)
  if (examples.length === 0) examples.push(...exampleOf(parameters, required))
  if (reader.violations.length > 0) return refused

  const schema = requestSchema(id, parameters, required)
  const unpriced: Parameters<typeof readPriceRule>[0] = { id, object, parameters: schema, fixedResolution: null }
  const price = readPrice(given['price'], unpriced, reader)
  if (reader.violations.length > 0) return refused
  const definition: ModelDefinition = {
    ...unpriced,
    displayName: title,
    title,
    description,
    family: customFamily,
    v1Family: null,
    capabilities: capabilitiesOf(object, parameters, required),
    price,
    // An upstream may deliver several results, regardless of the request.
    limits: { ...limitsOf(parameters, object, deadlineSeconds), resultsMax },
    ...(inputLimits !== undefined && { inputLimits }),
    examples: examples.map((example) => Object.assign({ model: id }, example)),
    availability: { available: true, reason: null },
  }
  return { definition, document: given as unknown as ModelDocument, violations: [] }
}

function readId(given: unknown, reader: DefinitionReader): string {
  const violation =
    typeof given === 'string' ? findIdViolation(given) : 'must be text, the ID that clients send; put it in quotation marks'
  if (violation !== null) reader.addViolation(['id'], violation)
  return typeof given === 'string' ? given : ''
}

function readDeadline(given: unknown, reader: DefinitionReader): number | undefined {
  if (given === undefined || given === null) return undefined
  if (Number.isInteger(given) && (given as number) >= 1 && (given as number) <= deadlineSecondsMax) return given as number
  reader.addViolation(['deadline'], `must be a whole number of seconds from 1 to ${deadlineSecondsMax}`)
  return undefined
}

function readExamples(
  given: unknown,
  parameters: Readonly<Record<string, ParameterSchema>>,
  required: readonly string[],
  reader: DefinitionReader,
): Readonly<Record<string, unknown>>[] {
  if (given === undefined || given === null) return []
  if (!Array.isArray(given) || given.length > examplesMax) {
    reader.addViolation(['examples'], `must be a list of at most ${examplesMax} request bodies`)
    return []
  }
  return given.flatMap((example: unknown, index) => {
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

const units = { per_image: 'image', per_second: 'second', per_task: 'task' } as const
const unitFields = Object.keys(units) as (keyof typeof units)[]

function readPrice(given: unknown, model: Parameters<typeof readPriceRule>[0], reader: DefinitionReader): PriceRule | null {
  if (given === undefined || given === null) return null
  try {
    if (!isObject(given)) return readPriceRule(model, given)
    return readPriceRule(
      model,
      priceAsInRequests(given),
      unitFields.find((name) => name in given),
    )
  } catch (error) {
    if (!(error instanceof WrongPrice)) throw error
    reader.addViolation(['price'], error.message)
    return null
  }
}

/** `per_second: 0.1` in the form of the API: `unit: second, credits: {"*": 0.1}`. */
function priceAsInRequests(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const [field, ...others] = unitFields.filter((name) => name in given)
  if (field === undefined) return given
  if (others.length > 0 || 'unit' in given) throw new WrongPrice(`must have only one of ${unitFields.join(', ')} and unit`)
  const { [field]: credits, ...rest } = given
  return { unit: units[field], credits: typeof credits === 'number' ? { '*': credits } : credits, ...rest }
}

function capabilitiesOf(
  object: 'image' | 'video',
  parameters: Readonly<Record<string, ParameterSchema>>,
  required: readonly string[],
): Capability[] {
  const needsImage = ['first_frame', 'reference_images'].some((name) => required.includes(name))
  const can: [Capability, boolean][] =
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
  return can.flatMap(([capability, isGiven]) => (isGiven ? [capability] : []))
}
