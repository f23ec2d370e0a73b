import { creditsOf, microCreditsOf } from '../credits/micro-credits.ts'
import { isObject } from '../lib/is-object.ts'
import type { ModelDefinition } from './model.ts'

/**
 * Maximum amount in credits. With higher amounts, the price of a long video could exceed the exact
 * range of numbers.
 */
const creditsMax = 1_000_000

/** An invalid price. The message continues a sentence that begins with "the price ". */
export class InvalidPrice extends Error {
  override readonly name = 'InvalidPrice'
}

/**
 * Reads credits by resolution and converts them to micro-credits. The keys must cover every
 * resolution of the model.
 */
export function readRates(
  model: Pick<ModelDefinition, 'parameters' | 'fixedResolution'>,
  field: string,
  raw: unknown,
  max = creditsMax,
): Record<string, number> {
  if (!isObject(raw)) {
    const orOne = mayBeNumber(field) ? 'as a number, or ' : ''
    throw new InvalidPrice(`must have ${field} ${orOne}by resolution, such as {"720p": 0.1} or {"*": 0.1}`)
  }
  const allowedResolutions = resolutionsOf(model)
  for (const name of Object.keys(raw)) {
    if (name !== '*' && !allowedResolutions.includes(name)) {
      const allowedText = allowedResolutions.filter((resolution) => resolution !== '').join(', ') || 'none, so * is its only rate'
      throw new InvalidPrice(
        `must not have the resolution ${JSON.stringify(name.slice(0, 64))}; the model's resolutions are: ${allowedText}`,
      )
    }
  }
  const missingResolution = '*' in raw ? undefined : allowedResolutions.find((resolution) => !(resolution in raw))
  if (missingResolution === '') throw new InvalidPrice(`must have ${field}.*, because the model has no resolutions`)
  if (missingResolution !== undefined)
    throw new InvalidPrice(`must have the resolution ${missingResolution}, or * for all other resolutions`)
  const nameOf = (resolution: string): string => (resolution === '*' && mayBeNumber(field) ? field : `${field}.${resolution}`)
  return Object.fromEntries(Object.entries(raw).map(([name, credits]) => [name, readAmount(nameOf(name), credits, max)]))
}

/**
 * Whether a field may have a number in place of an object, as the price fields of a definition may.
 */
function mayBeNumber(field: string): boolean {
  return field.startsWith('per_')
}

function resolutionsOf({ parameters, fixedResolution }: Pick<ModelDefinition, 'parameters' | 'fixedResolution'>): string[] {
  const { resolution } = parameters.properties
  if (resolution === undefined) return [fixedResolution ?? '']
  return (resolution.enum ?? [resolution.const ?? '']).map(String)
}

/** Reads an amount in credits and converts it to micro-credits. */
export function readAmount(name: string, raw: unknown, max = creditsMax): number {
  if (typeof raw === 'number' && raw >= 0 && raw <= max) {
    const microCredits = microCreditsOf(raw)
    // A tiny amount must not become 0, which would make the model free.
    const isExact = Math.abs(creditsOf(microCredits) - raw) < 1e-9 && microCredits > 0 === raw > 0
    if (isExact) return microCredits
  }
  throw new InvalidPrice(`must have ${name} from 0 to ${max}, with at most six decimals`)
}
