import { isObject } from '../../../lib/is-object.ts'
import type { ParameterSchema } from '../../model.ts'
import { titleFromName } from '../foreign-text.ts'
import { ImportRefusal } from '../import-refusal.ts'
import type { ImportedModel } from '../imported-model.ts'
import { shortName } from '../resolve-schema.ts'

const modelsMax = 5_000
const idPattern = /^[\x21-\x7e]{1,200}$/

/** `GET /models`: ids only, which an operator chooses from. */
export function readOpenaiList(list: Readonly<Record<string, unknown>>, of: string): string[] {
  const { data } = list
  if (!Array.isArray(data)) throw new ImportRefusal(`The response of ${of} to GET /models has no list data.`)
  const ids = data.flatMap((entry: unknown) =>
    isObject(entry) && typeof entry['id'] === 'string' && idPattern.test(entry['id']) ? [entry['id']] : [],
  )
  if (ids.length > modelsMax) throw new ImportRefusal(`${of} lists more than ${modelsMax} models.`)
  if (ids.length === 0) throw new ImportRefusal(`${of} lists no models.`)
  return [...new Set(ids)]
}

const videoWords = /video|sora|veo|kling|wan|hailuo|seedance|vidu|ltx|movie|t2v|i2v/i
const imageWords = /image|dall-?e|flux|sd[-_x\d]|stable-diffusion|imagen|seedream|banana|recraft|ideogram|draw|picture/i

/**
 * A model of an OpenAI-compatible server. The list says nothing of its parameters, so it gets those
 * that the interface has.
 */
export function modelOfOpenaiList(
  ids: readonly string[],
  id: string,
  of: string,
  wantedObject?: 'image' | 'video',
): ImportedModel {
  if (!ids.includes(id)) throw new ImportRefusal(`${of} has no model ${shortName(id)}.`)
  const object = wantedObject ?? (videoWords.test(id) ? 'video' : imageWords.test(id) ? 'image' : undefined)
  if (object === undefined) {
    throw new ImportRefusal(`Nothing says whether ${shortName(id)} makes images or videos; name it with --object.`)
  }
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
        message: 'The list names no parameters, so it has those of the interface; narrow them to what the model can make.',
      },
    ],
    priceHint: null,
    cover: null,
  }
}
