import { isObject } from '../lib/is-object.ts'
import { roundingDirections, type ModelDefinition, type PriceRule, type TokenObject } from './model.ts'
import { readAmount, readRates, InvalidPrice } from './price-amounts.ts'
import { readInputPrice } from './read-input-price.ts'
import { readTokenRates } from './token-price.ts'
import { tokenObjectOf } from './token-model.ts'

/**
 * Reads a price in credits, with the field names of the catalogue:
 *
 *   {"unit": "second", "credits": {"720p": 0.1, "*": 0.2}, "audio_credits": 0.05,
 *    "minimum_credits": 0.3, "rounding": {"to": 0.01, "direction": "up"},
 *    "input_second_credits": {"*": 0.05}, "video_factor": 0.6, "input_image_credits": 0.04,
 *    "input_images_free": 5, "minimum_task_credits": 0.8}
 *
 * The price of a token model is `{"unit": "token", "credits": {"input": 0.15, "output": 0.6}}`.
 * These are the credits for a million tokens.
 *
 * Throws `InvalidPrice` if a field is invalid, or if the price does not cover every request of the
 * model. The message calls the field `credits` by the name `creditsField`.
 */
export function readPriceRule(
  model: Pick<ModelDefinition, 'id' | 'object' | 'parameters' | 'fixedResolution'>,
  raw: unknown,
  creditsField = 'credits',
): PriceRule {
  if (!isObject(raw)) throw new InvalidPrice('must be an object with unit and credits')
  const tokenObject = tokenObjectOf(model)
  if (tokenObject !== undefined) return readTokenPrice(tokenObject, raw, creditsField)
  const { unit, credits, audio_credits: audio, minimum_credits: minimum, rounding, ...remainingFields } = raw
  const { input_second_credits, video_factor, input_image_credits, input_images_free, minimum_task_credits, ...others } =
    remainingFields
  const [unknownField] = Object.keys(others)
  if (unknownField !== undefined) throw new InvalidPrice(`must not have the unknown field ${JSON.stringify(unknownField)}`)
  const microCredits = readRates(model, creditsField, credits)
  if (unit === 'second' && model.object === 'video' && model.parameters.properties.seconds?.default === undefined) {
    throw new InvalidPrice(
      'cannot be per second, because the model has no parameter seconds with a default; set a price per task',
    )
  }
  const inputs = readInputPrice(model, { input_second_credits, video_factor, input_image_credits, input_images_free })
  const commonFields = {
    ...(rounding !== undefined && rounding !== null && { rounding: readRounding(rounding) }),
    ...(inputs !== undefined && { inputs }),
    ...(minimum_task_credits !== undefined && {
      taskMinimumMicroCredits: readAmount('minimum_task_credits', minimum_task_credits),
    }),
  }
  if (unit === 'second' && model.object === 'video') {
    return {
      unit,
      microCredits,
      audioMicroCredits: audio === undefined ? 0 : readAmount('audio_credits', audio),
      minimumMicroCredits: minimum === undefined ? 0 : readAmount('minimum_credits', minimum),
      ...commonFields,
    }
  }
  if (unit !== 'task' && !(unit === 'image' && model.object === 'image')) {
    throw new InvalidPrice(`must have the unit task or ${model.object === 'image' ? 'image' : 'second'}`)
  }
  if (audio !== undefined || minimum !== undefined) {
    throw new InvalidPrice(`with the unit ${unit} must not have audio_credits or minimum_credits`)
  }
  return { unit, microCredits, ...commonFields }
}

function readTokenPrice(
  object: TokenObject,
  { unit, credits, ...others }: Readonly<Record<string, unknown>>,
  creditsField: string,
): PriceRule {
  const [unknownField] = Object.keys(others)
  if (unknownField !== undefined)
    throw new InvalidPrice(`must not have the field ${JSON.stringify(unknownField)} for a model that is charged by tokens`)
  if (unit !== 'token') throw new InvalidPrice('must have the unit token')
  return { unit, microCredits: readTokenRates(object, credits, creditsField) }
}

function readRounding(raw: unknown): NonNullable<PriceRule['rounding']> {
  const { to, direction, ...others } = isObject(raw) ? raw : {}
  const roundingDirection = roundingDirections.find((candidate) => candidate === direction)
  if (roundingDirection === undefined || Object.keys(others).length > 0) {
    throw new InvalidPrice(`must have rounding such as {"to": 0.01, "direction": "${roundingDirections.join('", "')}"}`)
  }
  const toMicroCredits = readAmount('rounding.to', to)
  if (toMicroCredits === 0) throw new InvalidPrice('must have rounding.to above 0')
  return { toMicroCredits, direction: roundingDirection }
}
