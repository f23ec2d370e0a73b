import assert from 'node:assert'
import type { Model as ModelView, CommonPriceFields } from '@framegate/contract'
import type { EffectiveModel } from './effective/effective-model.ts'
import type { InputLimits } from '../lib/input-limits.ts'
import { inputLimitsView } from './input-limits-view.ts'
import type { Availability, ModelDefinition, ModelLimits, PriceRule, TokenLimits } from './model.ts'
import { pathOf, tokenObjectOf } from './token-model.ts'
import { creditsOf } from '../credits/micro-credits.ts'

/**
 * Converts a model to its view in the catalogue. Availability and price may depend on the caller,
 * and default to those of the model. Throws if the price is null, because a model without a price
 * is never shown.
 */
export function modelView(
  model: ModelDefinition,
  availability: Availability = model.availability,
  price: PriceRule | null = model.price,
): ModelView {
  assert(price !== null, `${model.id} has no price, so it is not shown`)
  const tokenObject = tokenObjectOf(model)
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
    narrowed: [],
    price: priceView(price),
    limits: { ...limitsView(model.limits, model.inputLimits), ...tokenLimitsView(model.tokens) },
    fixed_resolution: model.fixedResolution,
    examples: model.examples,
    available: availability.available,
    reason: availability.reason,
    endpoints: {
      ...(tokenObject === undefined ? { v2: '/v2/model-center/tasks' } : { openai: pathOf(tokenObject) }),
      ...(model.v1Family !== null && { v1: `/v1/${model.v1Family}/videos` }),
    },
  }
}

/** Like `modelView`, for a model that is narrowed to the requests that its routes serve. */
export function effectiveModelView(
  { displayed, narrowed }: EffectiveModel,
  availability: Availability = displayed.availability,
  price: PriceRule | null = displayed.price,
): ModelView {
  const view = modelView(displayed, availability, price)
  return {
    ...view,
    price: { ...view.price, credits: creditsOfShownResolutions(view.price.credits, displayed) },
    narrowed: narrowed.map(({ parameter, message }) => ({ parameter, message })),
  }
}

/** Omits the prices for resolutions that the narrowed model does not have. */
function creditsOfShownResolutions(
  credits: ModelView['price']['credits'],
  { parameters }: ModelDefinition,
): ModelView['price']['credits'] {
  const { const: constant, enum: shownResolutions = constant === undefined ? undefined : [constant] } =
    parameters.properties.resolution ?? {}
  if (shownResolutions === undefined) return credits
  return Object.fromEntries(
    Object.entries(credits).filter(([resolution]) => resolution === '*' || shownResolutions.includes(resolution)),
  )
}

export function priceView(price: PriceRule): ModelView['price'] {
  const credits = creditsByName(price.microCredits)
  const commonFields = viewCommonFields(price)
  if (price.unit !== 'second') return { unit: price.unit, credits, ...commonFields }
  return {
    unit: 'second',
    credits,
    audio_credits: creditsOf(price.audioMicroCredits),
    minimum_credits: creditsOf(price.minimumMicroCredits),
    ...commonFields,
  }
}

function viewCommonFields({ rounding, inputs = {}, taskMinimumMicroCredits }: PriceRule): CommonPriceFields {
  const { secondMicroCredits, videoFactor, imageMicroCredits, imagesFree } = inputs
  return {
    ...(secondMicroCredits && { input_second_credits: creditsByName(secondMicroCredits) }),
    ...(videoFactor !== undefined && { video_factor: videoFactor }),
    ...(imageMicroCredits !== undefined && { input_image_credits: creditsOf(imageMicroCredits) }),
    ...(imagesFree !== undefined && { input_images_free: imagesFree }),
    ...(taskMinimumMicroCredits !== undefined && { minimum_task_credits: creditsOf(taskMinimumMicroCredits) }),
    ...(rounding && { rounding: { to: creditsOf(rounding.toMicroCredits), direction: rounding.direction } }),
  }
}

function creditsByName(microCredits: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(microCredits).map(([name, amount]) => [name, creditsOf(amount)]))
}

function tokenLimitsView(tokens: TokenLimits | undefined): Partial<ModelView['limits']> {
  if (tokens === undefined) return {}
  const { inputMax, outputMax } = tokens
  return { max_input_tokens: inputMax, ...(outputMax > 0 && { max_output_tokens: outputMax }) }
}

function limitsView(limits: ModelLimits, inputLimits: InputLimits | undefined): ModelView['limits'] {
  const inputs = inputLimitsView(inputLimits)
  return {
    deadline_seconds: limits.deadlineSeconds,
    prompt_characters_max: limits.promptCharactersMax,
    reference_images_max: limits.referenceImagesMax,
    data_uri_characters_max: limits.dataUriCharactersMax,
    ...(inputs !== undefined && { inputs }),
  }
}
