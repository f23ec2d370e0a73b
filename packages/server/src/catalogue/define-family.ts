import type { Capability, ParameterSchema, TaskObject } from '@framegate/contract'
import type { Family, ModelDefinition, ModelLimits, ParameterSchemas, PriceRule, RequestSchema, V1Family } from './model.ts'
import type { InputLimits } from '../lib/input-limits.ts'
import { parameterNames, type GenerationParameters } from './generation-parameters.ts'
import { acceptsDataUris } from './media-references.ts'
import { dataUriCharactersMax } from './shared-parameters.ts'

/**
 * One model in a family's table. The family and this row determine all other fields of the model.
 */
export interface ModelRow {
  id: string
  displayName: string
  title: string
  description: string
  capabilities: readonly Capability[]
  parameters: ParameterSchemas
  /** Parameters outside the shared vocabulary. They are shown after the shared parameters. */
  ownParameters?: Readonly<Record<string, ParameterSchema>>
  /**
   * Required parameters other than `prompt`. A model with the parameter `prompt` always requires
   * it.
   */
  required?: readonly string[]
  fixedResolution?: string
  inputLimits?: InputLimits
  price: PriceRule
  deadlineSeconds?: number
  /** Request bodies without `model`. */
  examples: readonly GenerationParameters[]
  unavailableReason?: 'brand_model_missing'
}

const defaultDeadlineSeconds: Readonly<Record<TaskObject, number>> = { image: 10 * 60, video: 60 * 60, text: 5 * 60 }

export function defineFamily(family: {
  id: string
  v1Family: V1Family | null
  object: TaskObject
  models: readonly ModelRow[]
}): Family {
  return {
    id: family.id,
    v1Family: family.v1Family,
    models: family.models.map((row): ModelDefinition => ({
      id: row.id,
      displayName: row.displayName,
      title: row.title,
      description: row.description,
      object: family.object,
      family: family.id,
      v1Family: family.v1Family,
      capabilities: row.capabilities,
      parameters: requestSchema(row),
      fixedResolution: row.fixedResolution ?? null,
      price: row.price,
      ...(row.inputLimits && { inputLimits: row.inputLimits }),
      limits: limitsOf(row.parameters, family.object, row.deadlineSeconds),
      examples: row.examples.map((example) => ({ model: row.id, ...example })),
      availability: row.unavailableReason
        ? { available: false, reason: row.unavailableReason }
        : { available: true, reason: null },
    })),
  }
}

function requestSchema(row: ModelRow): RequestSchema {
  const orderedSchemas: ParameterSchemas = {}
  for (const name of parameterNames) {
    const schema = row.parameters[name]
    if (schema) orderedSchemas[name] = schema
  }
  return {
    type: 'object',
    properties: {
      model: { type: 'string', const: row.id, description: 'The Model ID.' },
      ...orderedSchemas,
      ...row.ownParameters,
    },
    required: ['model', ...(orderedSchemas.prompt ? ['prompt'] : []), ...(row.required ?? [])],
    // A built-in model with a last frame interpolates between two frames, so it needs both.
    ...(orderedSchemas.last_frame && { dependentRequired: { last_frame: ['first_frame'] } }),
    additionalProperties: false,
  }
}

export function limitsOf(parameters: ParameterSchemas, object: TaskObject, deadlineSeconds?: number): ModelLimits {
  const { prompt, reference_images } = parameters
  return {
    deadlineSeconds: deadlineSeconds ?? defaultDeadlineSeconds[object],
    promptCharactersMax: prompt?.maxLength ?? 0,
    referenceImagesMax: reference_images?.maxItems ?? 0,
    resultsMax: 1,
    dataUriCharactersMax: acceptsDataUris(parameters) ? dataUriCharactersMax : 0,
  }
}
