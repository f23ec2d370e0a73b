import type { ShownPrice } from '@framegate/contract'
import type { Model } from '../../api/types.ts'

export type PriceUnit = ShownPrice['unit']

/** A price while it is edited: an amount is the text of its field. */
export interface PriceDraft {
  unit: PriceUnit
  /** Credits per unit, by resolution or kind of token. Empty: the price has no such amount. */
  amounts: Readonly<Record<string, string>>
  /** Surcharge per second with audio. Only for prices per second, like `minimum`. */
  audio: string
  minimum: string
  /** Fields of the price that the form does not show, such as `rounding`. They stay as they are. */
  otherFields: Readonly<Record<string, unknown>>
}

type PricedModel = Pick<Model, 'type' | 'parameters' | 'fixed_resolution'>

const units: Readonly<Record<Model['type'], readonly [PriceUnit, ...PriceUnit[]]>> = {
  video: ['second', 'task'],
  image: ['image', 'task'],
  text: ['task'],
  chat: ['token'],
  embedding: ['token'],
  moderation: ['token'],
}

/** Returns the units that a price of the model can have. The first is the default. */
export function unitsOf(model: PricedModel | undefined): readonly [PriceUnit, ...PriceUnit[]] {
  return units[model?.type ?? 'video']
}

/**
 * Returns the names of the amounts in the order of the form: resolutions of the model and of the
 * draft, or kinds of token.
 */
export function amountNamesOf(model: PricedModel | undefined, { unit, amounts }: PriceDraft): readonly string[] {
  if (unit === 'token') return model?.type === 'chat' ? ['input', 'cached_input', 'output'] : ['input', 'cached_input']
  const { enum: choices, const: only } = model?.parameters.properties['resolution'] ?? {}
  const resolutions = [...(choices ?? [only ?? model?.fixed_resolution]), ...Object.keys(amounts)]
  const named = resolutions.filter((value): value is string => typeof value === 'string' && value !== '*')
  return [...new Set(named), '*']
}

/** Returns the draft of the model's price, or an empty one if it has none. */
export function draftOfModel(model: Model | undefined): PriceDraft {
  if (model?.price) return draftOf(model.price)
  return { unit: unitsOf(model)[0], amounts: {}, audio: '', minimum: '', otherFields: {} }
}

function draftOf(price: ShownPrice): PriceDraft {
  const { unit, credits, audio_credits, minimum_credits, ...otherFields } = price as ShownPrice & Record<string, unknown>
  const amounts = Object.fromEntries(Object.entries(credits).map(([name, amount]) => [name, String(amount)]))
  return { unit, amounts, audio: amountText(audio_credits), minimum: amountText(minimum_credits), otherFields }
}

/** Returns the price in the format of the API. Empty fields are omitted. */
export function priceOf({ unit, amounts, audio, minimum, otherFields }: PriceDraft): Record<string, unknown> {
  const filled = Object.entries(amounts).filter(([, amount]) => amount !== '')
  return {
    unit,
    credits: Object.fromEntries(filled.map(([name, amount]) => [name, Number(amount)])),
    ...(unit === 'second' && audio !== '' && { audio_credits: Number(audio) }),
    ...(unit === 'second' && minimum !== '' && { minimum_credits: Number(minimum) }),
    ...otherFields,
  }
}

/** Returns the draft of a price that a user wrote as JSON. Null if the text is not a price. */
export function draftOfJson(text: string): PriceDraft | null {
  try {
    const price = JSON.parse(text) as ShownPrice | null
    return typeof price?.credits === 'object' && price.credits !== null ? draftOf(price) : null
  } catch {
    return null
  }
}

/**
 * The API returns zero for a price without a surcharge or a minimum. The form shows an empty field
 * instead.
 */
function amountText(amount: unknown): string {
  return typeof amount === 'number' && amount !== 0 ? String(amount) : ''
}
