import { aspectRatios, videoResolutions } from '@framegate/contract'
import { capitalize } from '../../../lib/capitalized.ts'
import { isObject } from '../../../lib/is-object.ts'
import type { ParameterSchema } from '../../model.ts'
import { descriptionOf, plainText, titleFromName, titleOf } from '../foreign-text.ts'
import { ImportError, SourceNotFound } from '../import-error.ts'
import type { ImportedModel, ImportNote, RouteInputField } from '../imported-model.ts'
import { notesOf, ownNames } from '../map-shared.ts'
import { shortName } from '../resolve-schema.ts'

/**
 * Reads the row of one video model in OpenRouter's list. The row has the capabilities of the model
 * and no schema. In the list, null means unknown, so the parameter for a capability that is null is
 * not offered.
 */
export function readCapabilityRow(list: Readonly<Record<string, unknown>>, id: string): ImportedModel {
  const { data } = list
  if (!Array.isArray(data)) throw new ImportError('The list of video models has no list data.')
  const row: unknown = data.find((entry: unknown) => isObject(entry) && (entry['id'] === id || entry['canonical_slug'] === id))
  if (!isObject(row)) throw new SourceNotFound(`The list of video models has no model ${shortName(id)}.`)
  const notes: ImportNote[] = []
  const parameters: Record<string, ParameterSchema> = { prompt: {} }
  const input: Record<string, RouteInputField> = { prompt: { required: true } }
  const offer = (name: string, schema: ParameterSchema, field: RouteInputField): void => {
    parameters[name] = schema
    input[name] = field
  }
  offerChoices('aspect_ratio', row['supported_aspect_ratios'], aspectRatios, notes, offer)
  offerChoices('resolution', row['supported_resolutions'], videoResolutions, notes, offer)
  const seconds = listOf(row['supported_durations']).filter(
    (length) => Number.isInteger(length) && Number(length) >= 1 && Number(length) <= 3_600,
  ) as number[]
  if (seconds.length > 0) offer('seconds', { enum: seconds }, { field: 'duration', enum: seconds })
  if (row['generate_audio'] === true) offer('audio', {}, { field: 'generate_audio' })
  if (row['seed'] === true) offer('seed', {}, {})
  const frames = listOf(row['supported_frame_images']).filter((frame) => typeof frame === 'string')
  if (frames.length > 0) {
    notes.push({
      field: 'supported_frame_images',
      message: `${frames.map(shortName).join(', ')}: frames are sent as a list of objects, which a route cannot describe.`,
    })
  }
  const [, shortId = id] = id.split('/')
  return {
    suggestedId: shortId,
    object: 'video',
    title: titleOf(row['name']) ?? titleFromName(shortId),
    description: descriptionOf(row['description']) ?? '',
    parameters,
    required: ['prompt'],
    examples: [],
    routes: [{ label: 'video', upstreamModel: id, input }],
    notes,
    priceHint: priceHintOf(row['pricing_skus']),
    cover: null,
  }
}

function offerChoices(
  name: 'aspect_ratio' | 'resolution',
  rawValues: unknown,
  sharedChoices: readonly string[],
  notes: ImportNote[],
  offer: (name: string, schema: ParameterSchema, field: RouteInputField) => void,
): void {
  const listedValues = listOf(rawValues).filter((value) => typeof value === 'string')
  const sharedValues = sharedChoices.filter((value) => listedValues.includes(value))
  const ownValues = ownNames(listedValues, sharedValues)
  const offeredValues = [...sharedValues, ...ownValues]
  if (offeredValues.length > 0) offer(name, { enum: offeredValues }, { enum: offeredValues })
  const { note } = notesOf(listedValues, offeredValues, ownValues)
  if (note !== undefined) notes.push({ field: `supported_${name}s`, message: `${capitalize(note)}.` })
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value.slice(0, 200) : []
}

/** Formats prices such as `{"duration_seconds": "0.50"}` as text. */
function priceHintOf(skus: unknown): string | null {
  if (!isObject(skus)) return null
  const parts = Object.entries(skus)
    .slice(0, 8)
    .map(([name, price]) => `${name}: ${String(price)}`)
  return plainText(parts.join(', '), 300) ?? null
}
