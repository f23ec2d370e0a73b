import { isObject } from '../lib/is-object.ts'
import type { InputPrice, ModelDefinition } from './model.ts'
import { readAmount, readRates, InvalidPrice } from './price-amounts.ts'

/**
 * Maximum amount in credits. With higher amounts, the price of many long videos and results could
 * exceed the exact range of numbers.
 */
const inputCreditsMax = 1_000
const factorMax = 10
const imagesFreeMax = 100

/** The fields of a price for the input files of a request. */
export const inputFields = ['input_second_credits', 'video_factor', 'input_image_credits', 'input_images_free'] as const

/** Reads the fields of `inputFields`. Undefined if none of them is given. Throws `InvalidPrice`. */
export function readInputPrice(
  model: Pick<ModelDefinition, 'parameters' | 'fixedResolution'>,
  raw: Readonly<Partial<Record<(typeof inputFields)[number], unknown>>>,
): InputPrice | undefined {
  const { input_second_credits: seconds, video_factor: factor, input_image_credits: image, input_images_free: freeImages } = raw
  if (freeImages !== undefined && image === undefined)
    throw new InvalidPrice('must have input_image_credits if it has input_images_free')
  const price = {
    ...(seconds !== undefined && { secondMicroCredits: readSecondRates(model, seconds) }),
    ...(factor !== undefined && { videoFactor: readFactor(factor) }),
    ...(image !== undefined && { imageMicroCredits: readAmount('input_image_credits', image, inputCreditsMax) }),
    ...(freeImages !== undefined && { imagesFree: readImagesFree(freeImages) }),
  }
  return Object.keys(price).length === 0 ? undefined : price
}

/** Reads the rates per second. A single number is the rate of every resolution. */
function readSecondRates(model: Pick<ModelDefinition, 'parameters' | 'fixedResolution'>, raw: unknown): Record<string, number> {
  return readRates(model, 'input_second_credits', isObject(raw) ? raw : { '*': raw }, inputCreditsMax)
}

function readFactor(raw: unknown): number {
  const hasThreeDecimals = typeof raw === 'number' && Math.abs(raw * 1000 - Math.round(raw * 1000)) < 1e-6
  if (hasThreeDecimals && raw >= 0.001 && raw <= factorMax) return raw
  throw new InvalidPrice(`must have video_factor as a number above 0 and at most ${factorMax}, with at most three decimals`)
}

function readImagesFree(raw: unknown): number {
  if (Number.isInteger(raw) && (raw as number) >= 0 && (raw as number) <= imagesFreeMax) return raw as number
  throw new InvalidPrice(`must have input_images_free as a whole number from 0 to ${imagesFreeMax}`)
}
