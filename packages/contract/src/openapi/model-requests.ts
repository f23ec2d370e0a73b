import type { Model } from '../model.ts'
import { reference, type Example, type Reference, type Schema } from './document-types.ts'

/**
 * The request bodies of all models, one component each: the schemas that validate a submit, with
 * the fields that every model accepts.
 */
export function modelRequests(models: readonly Model[], besides: Record<string, Schema>): Record<string, Schema> {
  return byComponentName(models, (model) => {
    const { $schema: _dialect, type, properties, ...rules } = model.parameters
    return {
      title: model.title,
      description: descriptionOf(model),
      type,
      properties: { ...properties, ...besides },
      ...rules,
      examples: model.examples,
    }
  })
}

/** The first example of every model, under the same component names. */
export function modelExamples(models: readonly Model[]): Record<string, Example> {
  return byComponentName(models, ({ id, title, examples: [first] }) => {
    if (first === undefined) throw new Error(`the model ${id} has no example`)
    return { summary: title, value: first }
  })
}

/** One of many bodies, selected by `model`. */
export function anyOfModels(models: readonly Model[], description: string): Schema {
  const references = models.map((model) => reference('schemas', componentName(model)))
  return {
    description,
    type: 'object',
    oneOf: references,
    discriminator: {
      propertyName: 'model',
      mapping: Object.fromEntries(models.map((model, index) => [model.id, references[index]?.$ref])),
    },
  }
}

/**
 * References to the examples of these models. Those of available models come first, because
 * documentation pages offer the first one.
 */
export function exampleReferences(models: readonly Model[]): Record<string, Reference> {
  const ordered = models.toSorted((left, right) => Number(right.available) - Number(left.available))
  return byComponentName(ordered, (model) => reference('examples', componentName(model)))
}

/** Model IDs contain spaces, which component names must not. */
function componentName({ id }: Model): string {
  return id.replaceAll(/[^A-Za-z0-9]+/g, '_')
}

function byComponentName<T>(models: readonly Model[], make: (model: Model) => T): Record<string, T> {
  const named = Object.fromEntries(models.map((model) => [componentName(model), make(model)]))
  if (Object.keys(named).length < models.length) throw new Error('two models would share the name of a component')
  return named
}

function descriptionOf(model: Model): string {
  const { description, endpoints, available, reason, price } = model
  const rates = Object.entries(price.credits).map(([resolution, credits]) => `${credits} at ${resolution}`)
  const sound = price.unit === 'second' && price.audio_credits > 0 ? `; ${price.audio_credits} more with audio` : ''
  const minimum = price.unit === 'second' && price.minimum_credits > 0 ? `; at least ${price.minimum_credits}` : ''
  return [
    description,
    `Credits per ${price.unit}: ${rates.join(', ')}${sound}${minimum}.`,
    ...(endpoints.v1 === undefined ? [] : [`Also at \`${endpoints.v1}\`.`]),
    ...(available ? [] : [`Visible but not available (\`${reason}\`): quotes work, but tasks are refused with 403.`]),
  ].join(' ')
}
