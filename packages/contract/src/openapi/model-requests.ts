import { describeInputPrice } from '../describe-input-price.ts'
import type { Model } from '../model.ts'
import { reference, type Example, type Reference, type Schema } from './document-types.ts'

/**
 * The request bodies of all models, one component per model: the schema that validates a submit,
 * plus `extraFields`, the submit fields that are not parameters of the model.
 */
export function modelRequests(
  models: readonly Model[],
  extraFields: (model: Model) => Record<string, Schema>,
): Record<string, Schema> {
  return byComponentName(models, (model) => {
    const { $schema: _dialect, type, properties, ...rules } = model.parameters
    return {
      title: model.title,
      description: descriptionOf(model),
      type,
      properties: { ...properties, ...extraFields(model) },
      ...rules,
      examples: model.examples,
    }
  })
}

/** The first example of every model with examples, under the component name of its request body. */
export function modelExamples(models: readonly Model[]): Record<string, Example> {
  const modelsWithExamples = models.filter(({ examples }) => examples.length > 0)
  return byComponentName(modelsWithExamples, ({ title, examples: [value] }) => ({ summary: title, value }))
}

/**
 * Component for models that an operator adds after the document was generated. Its schema excludes
 * the models that the document describes, so that exactly one schema matches a request body.
 */
export const otherModelRequest = 'OtherModelRequest'

export function otherModelSchema(models: readonly Model[], extraFields: Record<string, Schema>): Schema {
  return {
    title: 'Any other model',
    description:
      'A task for a model that was added after this document was generated. `GET /v2/model-center/models/{id}` shows its ' +
      'parameters.',
    type: 'object',
    properties: {
      model: { type: 'string', not: { enum: models.map(({ id }) => id) }, description: 'The Model ID.' },
      prompt: { type: 'string', description: 'Description of the result.' },
      ...extraFields,
    },
    required: ['model'],
    additionalProperties: true,
  }
}

/** A union of request bodies, discriminated by `model`. `otherSchemas` names further components. */
export function anyOfModels(models: readonly Model[], description: string, otherSchemas: readonly string[] = []): Schema {
  const names = componentNames(models)
  const references = models.map((model) => reference('schemas', names.get(model) ?? ''))
  return {
    description,
    type: 'object',
    oneOf: [...references, ...otherSchemas.map((name) => reference('schemas', name))],
    discriminator: {
      propertyName: 'model',
      mapping: Object.fromEntries(models.map((model, index) => [model.id, references[index]?.$ref])),
    },
  }
}

/**
 * References to the examples of these models. Examples of available models come first, because API
 * browsers show the first example by default.
 */
export function exampleReferences(models: readonly Model[]): Record<string, Reference> {
  const names = componentNames(models)
  const ordered = models
    .filter(({ examples }) => examples.length > 0)
    .toSorted((left, right) => Number(right.available) - Number(left.available))
  return Object.fromEntries(
    ordered.map((model) => [names.get(model) ?? '', reference('examples', names.get(model) ?? '')] as const),
  )
}

/** Family of the models that operators define. */
const customFamily = 'custom'

/**
 * Component names of models. Characters of the Model ID that component names must not contain are
 * replaced. If names collide, all but the first get a number. Models that operators define get a
 * prefix, because their ID may be the name of another component, such as `Task`.
 */
function componentNames(models: readonly Model[]): ReadonlyMap<Model, string> {
  const usedNames = new Set<string>([otherModelRequest])
  const names = new Map<Model, string>()
  for (const model of models) {
    const baseName = `${model.family === customFamily ? 'Custom_' : ''}${model.id.replaceAll(/[^A-Za-z0-9]+/g, '_')}`
    let name = baseName
    for (let number = 2; usedNames.has(name); number++) name = `${baseName}_${number}`
    usedNames.add(name)
    names.set(model, name)
  }
  return names
}

function byComponentName<T>(models: readonly Model[], valueOf: (model: Model) => T): Record<string, T> {
  return Object.fromEntries([...componentNames(models)].map(([model, name]) => [name, valueOf(model)]))
}

function descriptionOf(model: Model): string {
  const { description, endpoints, available, reason, price } = model
  const rates = Object.entries(price.credits).map(([resolution, credits]) =>
    resolution === '*' ? String(credits) : `${credits} at ${resolution}`,
  )
  const sound = price.unit === 'second' && price.audio_credits > 0 ? `; ${price.audio_credits} more with audio` : ''
  const minimum = price.unit === 'second' && price.minimum_credits > 0 ? `; at least ${price.minimum_credits}` : ''
  return [
    description,
    `Credits per ${price.unit}: ${[`${rates.join(', ')}${sound}${minimum}`, ...describeInputPrice(price)].join('; ')}.`,
    ...(endpoints.v1 === undefined ? [] : [`Also available at \`${endpoints.v1}\`.`]),
    ...(available
      ? []
      : [
          `Visible but not available (\`${reason}\`): quotes work, but submits are rejected with ${reason === 'no_route' ? 503 : 403}.`,
        ]),
  ].join(' ')
}
