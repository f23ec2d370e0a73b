import { describeInputPrice } from '@framegate/contract'
import type { Model, ModelPrice, ParameterSchema } from '@framegate/sdk'
import { facts, paragraph, table } from './table.ts'

/**
 * Returns the output of `framegate models show`: the properties, parameters and rules of a model.
 */
export function modelPage(model: Model): string {
  const { required, properties } = model.parameters
  const rows = Object.entries(properties)
    .filter(([name]) => name !== 'model')
    .map(([name, schema]) => [
      name,
      typeText(schema),
      required.includes(name) ? 'required' : schema.default === undefined ? '' : JSON.stringify(schema.default),
      allowedText(schema),
      firstSentence(schema.description ?? schema.title ?? ''),
    ])
  return [
    paragraph(model.title),
    ...(model.description === '' ? [] : [paragraph(model.description)]),
    '',
    facts([
      ['Model ID', model.id],
      ['Type', model.type],
      ['Capabilities', model.capabilities.join(', ')],
      ['Available', model.available ? 'yes' : `no: ${model.reason}`],
      ['Credits', priceText(model.price)],
      ['Input tokens', tokensText(model.limits.max_input_tokens)],
      ['Output tokens', tokensText(model.limits.max_output_tokens)],
      ['Resolution', model.fixed_resolution],
      ['Deadline', `${model.limits.deadline_seconds} s`],
      ['v1 path', model.endpoints.v1 ?? model.endpoints.openai],
    ]),
    '',
    table(
      [
        'PARAMETER',
        { heading: 'TYPE', rank: 1 },
        'DEFAULT',
        { heading: 'ALLOWED', long: 'wrap' },
        { heading: 'MEANING', long: 'wrap' },
      ],
      rows,
    ),
    ...dependencyLines(model),
    ...narrowingLines(model),
  ].join('\n')
}

function tokensText(tokens: number | undefined): string | undefined {
  return tokens === undefined ? undefined : `at most ${tokens}`
}

export function priceText(price: ModelPrice): string {
  const amounts = Object.entries(price.credits).map(([resolution, credits]) => `${credits} (${resolution})`)
  const audio = price.unit === 'second' && price.audio_credits > 0 ? `, ${price.audio_credits} more with audio` : ''
  const minimum = price.unit === 'second' && price.minimum_credits > 0 ? `, at least ${price.minimum_credits}` : ''
  const inputPrices = describeInputPrice(price).map((part) => `, ${part}`)
  const { rounding } = price
  const roundingText = rounding
    ? `, rounded ${rounding.direction === 'nearest' ? '' : `${rounding.direction} `}to ${rounding.to}`
    : ''
  const unit = price.unit === 'token' ? 'million tokens' : price.unit
  return `per ${unit} ${amounts.join(', ')}${audio}${minimum}${inputPrices.join('')}${roundingText}`
}

function typeText({ type, items, anyOf = [] }: ParameterSchema): string {
  if (type === undefined) return anyOf.map(typeText).join(' or ')
  return type === 'array' ? `list of ${items?.type ?? 'value'}s` : type
}

function allowedText(schema: ParameterSchema): string {
  if (schema.const !== undefined) return String(schema.const)
  if (schema.enum !== undefined) return schema.enum.join(', ')
  const bounds = [
    rangeText(schema.minimum, schema.maximum, ''),
    rangeText(schema.maxItems === undefined ? schema.minItems : (schema.minItems ?? 0), schema.maxItems, ' entries'),
    rangeText(schema.maxLength === undefined ? schema.minLength : (schema.minLength ?? 0), schema.maxLength, ' characters'),
  ].filter((text) => text !== '')
  if (schema.type === 'boolean') return 'true, false'
  return bounds.join(', ')
}

function rangeText(min: number | undefined, max: number | undefined, unit: string): string {
  if (max === undefined) return min === undefined ? '' : `at least ${min}${unit}`
  return min === undefined ? `at most ${max}${unit}` : `${min} to ${max}${unit}`
}

function firstSentence(text: string): string {
  return /^.*?\.(?=\s|$)/s.exec(text)?.[0] ?? text
}

function dependencyLines({ parameters }: Model): string[] {
  const lines = Object.entries(parameters.dependentRequired ?? {}).map(
    ([name, others]) => `${name} needs ${others.join(' and ')}.`,
  )
  const requiredSets = (parameters.anyOf ?? []).map(({ required }) => required.join(' and '))
  if (requiredSets.length > 0) lines.push(`A request needs ${requiredSets.join(', or ')}.`)
  return lines.length === 0 ? [] : ['', ...lines]
}

/** Returns lines about parameters that this server's providers restrict. */
function narrowingLines({ narrowed }: Model): string[] {
  if (narrowed.length === 0) return []
  return [
    '',
    'Differences from the definition of the model on this server:',
    ...narrowed.map(({ parameter, message }) => `  ${parameter}: ${message}`),
  ]
}
