import type { ModelDefinition, TokenObject } from '../model.ts'
import { tokenRequestSchema } from '../token-model.ts'
import { customFamily } from './definition-limits.ts'
import type { DefinitionReader } from './definition-reader.ts'
import { readPrice } from './read-price.ts'

/** The fields that every kind of model has. */
export interface ModelHead<ObjectName> {
  id: string
  title: string
  description: string
  object: ObjectName
  deadlineSeconds: number | undefined
}

const tokenLimitFields = ['max_input_tokens', 'max_output_tokens'] as const
/** Fields that only models with tasks have. */
const taskFields = ['parameters', 'required', 'inputs', 'examples'] as const
/** Maximum value of each token limit. */
const tokensMax = 100_000_000
const defaultDeadlineSeconds = 600

/** Reads a token model. Returns undefined if the definition has violations. */
export function readTokenModel(
  raw: Readonly<Record<string, unknown>>,
  { id, title, description, object, deadlineSeconds = defaultDeadlineSeconds }: ModelHead<TokenObject>,
  reader: DefinitionReader,
): ModelDefinition | undefined {
  for (const name of taskFields) {
    if (raw[name] !== undefined && raw[name] !== null)
      reader.addViolation([name], `is not allowed for ${object} models, whose requests are forwarded unchanged`)
  }
  const hasOutput = object === 'chat'
  if (!hasOutput && raw['max_output_tokens'] !== undefined && raw['max_output_tokens'] !== null)
    reader.addViolation(['max_output_tokens'], `is not allowed for ${object} models`)
  const tokens = {
    inputMax: readTokens(raw, 'max_input_tokens', reader),
    outputMax: hasOutput ? readTokens(raw, 'max_output_tokens', reader) : 0,
  }
  const parameters = tokenRequestSchema(id, object, tokens)
  const price = readPrice(raw['price'], { id, object, parameters, fixedResolution: null }, reader)
  if (reader.violations.length > 0) return undefined
  return {
    id,
    object,
    parameters,
    fixedResolution: null,
    displayName: title,
    title,
    description,
    family: customFamily,
    v1Family: null,
    capabilities: [],
    price,
    limits: { deadlineSeconds, promptCharactersMax: 0, referenceImagesMax: 0, resultsMax: 0, dataUriCharactersMax: 0 },
    tokens,
    examples: [exampleOf(id, object)],
    availability: { available: true, reason: null },
  }
}

/** Reports a violation for each token limit of a model that is not a token model. */
export function refuseTokenLimits(raw: Readonly<Record<string, unknown>>, reader: DefinitionReader): void {
  for (const name of tokenLimitFields) {
    if (raw[name] !== undefined && raw[name] !== null) reader.addViolation([name], 'is not allowed for image and video models')
  }
}

function readTokens(
  raw: Readonly<Record<string, unknown>>,
  name: (typeof tokenLimitFields)[number],
  reader: DefinitionReader,
): number {
  const value = raw[name]
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= tokensMax) return value
  reader.addViolation([name], `must be a whole number of tokens from 1 to ${tokensMax}`)
  return 0
}

function exampleOf(id: string, object: TokenObject): ModelDefinition['examples'][number] {
  const fields = object === 'chat' ? { messages: [{ role: 'user', content: 'Hello!' }] } : { input: 'Hello!' }
  return { model: id, ...fields }
}
