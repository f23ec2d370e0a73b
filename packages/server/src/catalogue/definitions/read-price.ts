import { isObject } from '../../lib/is-object.ts'
import type { PriceRule } from '../model.ts'
import { InvalidPrice } from '../price-amounts.ts'
import { readPriceRule } from '../read-price-rule.ts'
import type { DefinitionReader } from './definition-reader.ts'

const unitByField = { per_image: 'image', per_second: 'second', per_task: 'task', per_million_tokens: 'token' } as const
const unitFields = Object.keys(unitByField) as (keyof typeof unitByField)[]

/** Reads the price of a definition. Null if the definition has no price or an invalid one. */
export function readPrice(raw: unknown, model: Parameters<typeof readPriceRule>[0], reader: DefinitionReader): PriceRule | null {
  if (raw === undefined || raw === null) return null
  try {
    if (!isObject(raw)) return readPriceRule(model, raw)
    return readPriceRule(
      model,
      priceInApiForm(raw),
      unitFields.find((name) => name in raw),
    )
  } catch (error) {
    if (!(error instanceof InvalidPrice)) throw error
    reader.addViolation(['price'], error.message)
    return null
  }
}

/**
 * Converts a price to the format of the API. For example, `per_second: 0.1` becomes the unit
 * `second` with the credits `{"*": 0.1}`.
 */
function priceInApiForm(raw: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const [field, ...others] = unitFields.filter((name) => name in raw)
  if (field === undefined) return raw
  if (others.length > 0 || 'unit' in raw) throw new InvalidPrice(`must have only one of ${unitFields.join(', ')} and unit`)
  const { [field]: credits, ...rest } = raw
  return { unit: unitByField[field], credits: typeof credits === 'number' ? { '*': credits } : credits, ...rest }
}
