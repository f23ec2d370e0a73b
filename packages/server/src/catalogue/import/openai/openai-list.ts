import { isObject } from '../../../lib/is-object.ts'
import type { ParameterSchema } from '../../model.ts'
import { titleFromName } from '../foreign-text.ts'
import { ImportError, SourceNotFound } from '../import-error.ts'
import type { ImportedModel, ImportedObject } from '../imported-model.ts'
import { shortName } from '../resolve-schema.ts'

const modelsMax = 5_000
const idPattern = /^[\x21-\x7e]{1,200}$/

export interface ListedModel {
  id: string
  /** Size of the context in tokens. Null if the server does not list it. */
  contextTokens: number | null
}

/** Reads the response of `GET /models`. An operator chooses a model from this list. */
export function readOpenaiList(list: Readonly<Record<string, unknown>>, upstreamName: string): ListedModel[] {
  const { data } = list
  if (!Array.isArray(data)) throw new ImportError(`The response of ${upstreamName} to GET /models has no list data.`)
  const models = new Map<string, ListedModel>()
  for (const entry of data) {
    if (!isObject(entry) || typeof entry['id'] !== 'string' || !idPattern.test(entry['id'])) continue
    const { id } = entry
    if (!models.has(id)) models.set(id, { id, contextTokens: contextOf(entry) })
  }
  if (models.size > modelsMax) throw new ImportError(`${upstreamName} lists more than ${modelsMax} models.`)
  if (models.size === 0) throw new SourceNotFound(`${upstreamName} lists no models.`)
  return [...models.values()]
}

/** The size of the context, from the fields of vLLM, OpenRouter or llama.cpp. */
function contextOf({ max_model_len, context_length, meta }: Readonly<Record<string, unknown>>): number | null {
  const { n_ctx, n_ctx_train } = isObject(meta) ? meta : {}
  const contextLength = [max_model_len, context_length, n_ctx, n_ctx_train].find((value) => typeof value === 'number')
  return typeof contextLength === 'number' &&
    Number.isInteger(contextLength) &&
    contextLength >= 1 &&
    contextLength <= contextTokensMax
    ? contextLength
    : null
}

const contextTokensMax = 100_000_000
const defaultContextTokens = 128_000
const defaultOutputTokens = 16_384

const videoWords = /video|sora|veo|kling|wan|hailuo|seedance|vidu|ltx|movie|t2v|i2v/i
const imageWords = /image|dall-?e|flux|sd[-_x\d]|stable-diffusion|imagen|seedream|banana|recraft|ideogram|draw|picture/i

/**
 * Returns a model of an OpenAI-compatible server. The list does not contain the parameters of a
 * model, so an image or video model gets the parameters of the OpenAI interface.
 */
export function modelOfOpenaiList(
  listedModels: readonly ListedModel[],
  id: string,
  upstreamName: string,
  wantedObject?: ImportedObject,
): ImportedModel {
  const model = listedModels.find((entry) => entry.id === id)
  if (model === undefined) throw new SourceNotFound(`${upstreamName} has no model ${shortName(id)}.`)
  const object = wantedObject ?? (videoWords.test(id) ? 'video' : imageWords.test(id) ? 'image' : undefined)
  if (object === undefined) {
    throw new ImportError(
      `The name ${shortName(id)} does not show whether the model makes images, videos or text; set it with --object.`,
    )
  }
  if (object === 'chat') return chatModel(model)
  const video: Record<string, ParameterSchema> = { prompt: {}, first_frame: {}, aspect_ratio: {}, resolution: {}, seconds: {} }
  const image: Record<string, ParameterSchema> = { prompt: {}, reference_images: {}, aspect_ratio: {}, resolution: {} }
  return {
    suggestedId: id.split('/').at(-1) ?? id,
    object,
    title: titleFromName(id.split('/').at(-1) ?? id),
    description: '',
    parameters: object === 'video' ? video : image,
    required: ['prompt'],
    examples: [],
    routes: [{ label: 'model', upstreamModel: id }],
    notes: [
      {
        field: id,
        message:
          'The list has no parameters, so the model gets the common parameters of OpenAI-compatible models; restrict them to what it supports.',
      },
    ],
    priceHint: null,
    cover: null,
  }
}

function chatModel({ id, contextTokens }: ListedModel): ImportedModel {
  const inputMax = contextTokens ?? defaultContextTokens
  const name = id.split('/').at(-1) ?? id
  const guessedFields = contextTokens === null ? 'max_input_tokens and max_output_tokens' : 'max_output_tokens'
  return {
    suggestedId: name,
    object: 'chat',
    title: titleFromName(name),
    description: '',
    parameters: {},
    tokens: { inputMax, outputMax: Math.min(inputMax, defaultOutputTokens) },
    required: [],
    examples: [],
    routes: [{ label: 'model', upstreamModel: id }],
    notes: [{ field: id, message: `The list does not state ${guessedFields}; correct them if the model has other limits.` }],
    priceHint: null,
    cover: null,
  }
}
