import type { Capability } from '@framegate/contract'
import type { Family, ModelDefinition, ModelLimits, ParameterSchemas, PriceRule, RequestSchema, V1Family } from './model.ts'
import type { InputLimits } from '../lib/input-limits.ts'
import { parameterNames, type ParameterName, type SharedParameters } from './generation-parameters.ts'
import { dataUriCharactersMax, imageOrDataUriPattern } from './shared-parameters.ts'

/** One row of a family's table: the facts that cannot be derived from the others. */
export interface ModelRow {
  id: string
  displayName: string
  title: string
  description: string
  capabilities: readonly Capability[]
  parameters: ParameterSchemas
  /** In addition to `prompt`, which every model requires. */
  required?: readonly ParameterName[]
  fixedResolution?: string
  inputLimits?: InputLimits
  price: PriceRule
  deadlineSeconds?: number
  /** Request bodies without `model`. */
  examples: readonly SharedParameters[]
  unavailable?: 'brand_model_missing'
}

const imageDeadlineSeconds = 10 * 60
const videoDeadlineSeconds = 60 * 60

export function defineFamily(family: {
  id: string
  v1Family: V1Family | null
  object: 'image' | 'video'
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
      availability: row.unavailable ? { available: false, reason: row.unavailable } : { available: true, reason: null },
    })),
  }
}

function requestSchema(row: ModelRow): RequestSchema {
  const ordered: ParameterSchemas = {}
  for (const name of parameterNames) {
    const schema = row.parameters[name]
    if (schema) ordered[name] = schema
  }
  return {
    type: 'object',
    properties: { model: { type: 'string', const: row.id, description: 'The Model ID.' }, ...ordered },
    required: ['model', 'prompt', ...(row.required ?? [])],
    // No provider offers a video with a last frame but without a first frame.
    ...(ordered.last_frame && { dependentRequired: { last_frame: ['first_frame'] } }),
    additionalProperties: false,
  }
}

export function limitsOf(parameters: ParameterSchemas, object: 'image' | 'video', deadlineSeconds?: number): ModelLimits {
  const { prompt, reference_images, first_frame } = parameters
  const images = [reference_images?.items, first_frame]
  return {
    deadlineSeconds: deadlineSeconds ?? (object === 'image' ? imageDeadlineSeconds : videoDeadlineSeconds),
    promptCharactersMax: prompt?.maxLength ?? 0,
    referenceImagesMax: reference_images?.maxItems ?? 0,
    resultsMax: 1,
    dataUriCharactersMax: images.some((image) => image?.pattern === imageOrDataUriPattern) ? dataUriCharactersMax : 0,
  }
}
