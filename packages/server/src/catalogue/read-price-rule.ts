import { isObject } from '../lib/is-object.ts'
import { creditsOf, microCreditsOf } from '../credits/micro-credits.ts'
import { roundingDirections, type ModelDefinition, type PriceRule } from './model.ts'

/** A higher price would not stay exact for a long video. */
const creditsMax = 1_000_000

/** An invalid price. The message continues a sentence that begins with "the price ". */
export class WrongPrice extends Error {
  override readonly name = 'WrongPrice'
}

/**
 * Reads a price as people write it, in credits and with the field names of the catalogue:
 *
 *   {"unit": "second", "credits": {"720p": 0.1, "*": 0.2}, "audio_credits": 0.05,
 *    "minimum_credits": 0.3, "rounding": {"to": 0.01, "direction": "up"}}
 *
 * Throws `WrongPrice` unless it can price every task of the model.
 */
export function readPriceRule(
  model: Pick<ModelDefinition, 'id' | 'object' | 'parameters' | 'fixedResolution'>,
  given: unknown,
): PriceRule {
  if (!isObject(given)) throw new WrongPrice('must be an object with unit and credits')
  const { unit, credits, audio_credits: audio, minimum_credits: minimum, rounding, ...others } = given
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) throw new WrongPrice(`must not have the unknown field ${JSON.stringify(unknown)}`)
  const microCredits = readCredits(model, credits)
  if (unit === 'second' && model.object === 'video' && model.parameters.properties.seconds?.default === undefined) {
    throw new WrongPrice('cannot be per second, because the model has no parameter seconds with a default; set a price per task')
  }
  const round = rounding === undefined || rounding === null ? {} : { rounding: readRounding(rounding) }
  if (unit === 'second' && model.object === 'video') {
    return {
      unit,
      microCredits,
      audioMicroCredits: audio === undefined ? 0 : amount('audio_credits', audio),
      minimumMicroCredits: minimum === undefined ? 0 : amount('minimum_credits', minimum),
      ...round,
    }
  }
  if (unit !== 'task' && !(unit === 'image' && model.object === 'image')) {
    throw new WrongPrice(`must have the unit task or ${model.object === 'image' ? 'image' : 'second'}`)
  }
  if (audio !== undefined || minimum !== undefined) {
    throw new WrongPrice(`with the unit ${unit} must not have audio_credits or minimum_credits`)
  }
  return { unit, microCredits, ...round }
}

function readCredits(model: Pick<ModelDefinition, 'parameters' | 'fixedResolution'>, given: unknown): Record<string, number> {
  if (!isObject(given)) throw new WrongPrice('must have credits by resolution, such as {"720p": 0.1} or {"*": 0.1}')
  const allowed = resolutionsOf(model)
  for (const name of Object.keys(given)) {
    if (name !== '*' && !allowed.includes(name)) {
      throw new WrongPrice(`must not name the resolution ${JSON.stringify(name)}; the model has ${allowed.join(', ')}`)
    }
  }
  const missing = '*' in given ? undefined : allowed.find((resolution) => !(resolution in given))
  if (missing !== undefined) throw new WrongPrice(`must name the resolution ${missing}, or * for all others`)
  return Object.fromEntries(Object.entries(given).map(([name, credits]) => [name, amount(`credits.${name}`, credits)]))
}

function resolutionsOf({ parameters, fixedResolution }: Pick<ModelDefinition, 'parameters' | 'fixedResolution'>): string[] {
  const { resolution } = parameters.properties
  if (resolution === undefined) return [fixedResolution ?? '']
  return (resolution.enum ?? [resolution.const ?? '']).map(String)
}

function readRounding(given: unknown): NonNullable<PriceRule['rounding']> {
  const { to, direction, ...others } = isObject(given) ? given : {}
  const found = roundingDirections.find((one) => one === direction)
  if (found === undefined || Object.keys(others).length > 0) {
    throw new WrongPrice(`must have rounding of the form {"to": 0.01, "direction": "${roundingDirections.join('", "')}"}`)
  }
  const toMicroCredits = amount('rounding.to', to)
  if (toMicroCredits === 0) throw new WrongPrice('must have rounding.to above 0')
  return { toMicroCredits, direction: found }
}

function amount(name: string, given: unknown): number {
  if (typeof given === 'number' && given >= 0 && given <= creditsMax) {
    const microCredits = microCreditsOf(given)
    if (Math.abs(creditsOf(microCredits) - given) < 1e-9) return microCredits
  }
  throw new WrongPrice(`must have ${name} from 0 to ${creditsMax}, with at most six decimals`)
}
