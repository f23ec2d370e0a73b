import type { Availability, Capability, ModelDefinition, ModelLimits, PriceRule, RequestBody, RequestSchema } from './model.ts'
import { microCreditsPerCredit } from './price-rules.ts'

/** A model as `GET {base_url}/v2/model-center/models[/{id}]` shows it. */
export interface ModelView {
  id: string
  object: 'model'
  type: 'image' | 'video'
  display_name: string
  family: string
  title: string
  description: string
  capabilities: readonly Capability[]
  /** The parameter reference: JSON Schema of the request body. */
  parameters: RequestSchema & { $schema: string }
  price: PriceView
  limits: {
    deadline_seconds: number
    prompt_characters_max: number
    reference_images_max: number
    data_uri_characters_max: number
  }
  /** What is made when the model has no `resolution` parameter; null when it has one. */
  fixed_resolution: string | null
  examples: readonly RequestBody[]
  available: boolean
  reason: Availability['reason']
  /** Below `{base_url}`. */
  endpoints: { v2: string; v1?: string }
}

/** In credits. */
export type PriceView =
  | { unit: 'image'; credits: Record<string, number> }
  | { unit: 'second'; credits: Record<string, number>; audio_credits: number; minimum_credits: number }

/** Availability depends on who asks; the default brand's is the model's own. */
export function modelView(model: ModelDefinition, availability: Availability = model.availability): ModelView {
  return {
    id: model.id,
    object: 'model',
    type: model.object,
    display_name: model.displayName,
    family: model.family,
    title: model.title,
    description: model.description,
    capabilities: model.capabilities,
    parameters: { $schema: 'https://json-schema.org/draft/2020-12/schema', ...model.parameters },
    price: priceView(model.price),
    limits: limitsView(model.limits),
    fixed_resolution: model.fixedResolution,
    examples: model.examples,
    available: availability.available,
    reason: availability.reason,
    endpoints: {
      v2: '/v2/model-center/tasks',
      ...(model.v1Family !== null && { v1: `/v1/${model.v1Family}/videos` }),
    },
  }
}

export function priceView(price: PriceRule): PriceView {
  const credits = Object.fromEntries(
    Object.entries(price.microCredits).map(([resolution, microCredits]) => [resolution, toCredits(microCredits)]),
  )
  if (price.unit === 'image') return { unit: 'image', credits }
  return {
    unit: 'second',
    credits,
    audio_credits: toCredits(price.audioMicroCredits),
    minimum_credits: toCredits(price.minimumMicroCredits),
  }
}

function limitsView(limits: ModelLimits): ModelView['limits'] {
  return {
    deadline_seconds: limits.deadlineSeconds,
    prompt_characters_max: limits.promptCharactersMax,
    reference_images_max: limits.referenceImagesMax,
    data_uri_characters_max: limits.dataUriCharactersMax,
  }
}

function toCredits(microCredits: number): number {
  return microCredits / microCreditsPerCredit
}
