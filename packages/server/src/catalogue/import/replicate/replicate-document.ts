import { isObject } from '../../../lib/is-object.ts'
import type { MappedEndpoint } from '../assemble-model.ts'
import { addressOf, descriptionOf, titleFromName } from '../foreign-text.ts'
import { ImportError } from '../import-error.ts'
import type { ImportNote } from '../imported-model.ts'
import { mapInput, type ForeignField } from '../map-input.ts'
import { readFields } from '../read-fields.ts'
import { SchemaResolver, shortName, type ResolvedSchema } from '../resolve-schema.ts'

export interface ReplicateSource {
  /** The name of the model as `OWNER/NAME`. */
  name: string
  /** The version as 64 hex digits. Null for the version that the document names as the latest. */
  version: string | null
}

const sourcePattern = /^([\w.-]{1,64}\/[\w.-]{1,128})(?::([0-9a-f]{64}))?$/

export function readReplicateSource(text: string): ReplicateSource {
  const [, name, version = null] = sourcePattern.exec(text) ?? []
  if (name !== undefined) return { name, version }
  throw new ImportError(`${shortName(text)} must be OWNER/NAME, or OWNER/NAME:VERSION with a version of 64 hex digits.`)
}

/**
 * Reads a model of Replicate. The schema is in the document itself or in its latest version. The
 * returned `upstreamModel` is OWNER/NAME for an official model without a chosen version, and
 * OWNER/NAME:VERSION, with the version of the schema, for any other model.
 */
export function readReplicateDocument(
  document: Readonly<Record<string, unknown>>,
  { name, version }: ReplicateSource,
  wantedObject?: 'image' | 'video',
): MappedEndpoint {
  const versionDocument = isObject(document['latest_version']) ? document['latest_version'] : document
  const schema = versionDocument['openapi_schema']
  if (!isObject(schema)) throw new ImportError(`${name} has no published schema.`)
  const components = isObject(schema['components']) ? schema['components'] : {}
  const schemas = isObject(components['schemas']) ? components['schemas'] : {}
  if (!isObject(schemas['Input'])) throw new ImportError(`The schema of ${name} has no Input.`)
  const resolver = new SchemaResolver(schema)
  const resolvedInput = resolver.resolve(schemas['Input'], name)
  const notes: ImportNote[] = []
  const fields = sortFields(readFields(resolvedInput, name, notes), resolvedInput)
  const example = isObject(document['default_example']) ? document['default_example'] : {}
  const object =
    wantedObject ?? objectOf(name, schemas['Output'], example['output'], fields, descriptionOf(document['description']))
  const mappedInput = mapInput(fields, object)
  mappedInput.notes.unshift(...notes)
  const id = version ?? idOf(versionDocument)
  const isByName = version === null && document['is_official'] !== false && (document['is_official'] === true || id === undefined)
  const [, modelName = name] = name.split('/')
  return {
    upstreamModel: isByName || id === undefined ? name : `${name}:${id}`,
    label: modelName,
    title: titleFromName(modelName),
    description: descriptionOf(document['description']) ?? '',
    cover: addressOf(document['cover_image_url']),
    mapped: mappedInput,
    examples: isObject(example['input']) ? [example['input']] : [],
  }
}

function idOf({ id }: Readonly<Record<string, unknown>>): string | undefined {
  return typeof id === 'string' && /^[0-9a-f]{64}$/.test(id) ? id : undefined
}

function sortFields(fields: readonly ForeignField[], { properties }: ResolvedSchema): ForeignField[] {
  const orderOf = (name: string): number => {
    const schema = isObject(properties) ? properties[name] : undefined
    const order = isObject(schema) ? schema['x-order'] : undefined
    return typeof order === 'number' ? order : Infinity
  }
  const ranks = new Map(fields.map(({ name }) => [name, orderOf(name)]))
  const rank = (name: string): number => ranks.get(name) ?? Infinity
  return [...fields].sort((left, right) => (rank(left.name) === rank(right.name) ? 0 : rank(left.name) - rank(right.name)))
}

const videoFile = /\.(mp4|webm|mov|mkv|gif)(\?|$)/i
const imageFile = /\.(png|jpe?g|webp|avif|svg)(\?|$)/i
const unsupportedFile = /\.(mp3|wav|flac|ogg|m4a|glb|obj|ply|zip|txt|json)(\?|$)/i

/**
 * Returns the kind of the result. The output schema only says that the result is a URL, so the kind
 * is determined by the file of the example, or by the fields of the input and the description.
 */
function objectOf(
  name: string,
  output: unknown,
  example: unknown,
  fields: readonly ForeignField[],
  description: string | undefined,
): 'image' | 'video' {
  const type = isObject(output) ? output['type'] : undefined
  const hasFiles = type === 'array' ? isUri(isObject(output) ? output['items'] : undefined) : isUri(output)
  const file = [example].flat().find((value) => typeof value === 'string') ?? ''
  if (unsupportedFile.test(file)) throw new ImportError(`${name} makes neither images nor videos.`)
  if (videoFile.test(file)) return 'video'
  if (imageFile.test(file)) return 'image'
  if (!hasFiles) throw new ImportError(`The result of ${name} is not a file, so it cannot be imported.`)
  const fieldNames = new Set(fields.map((field) => field.name))
  if (['duration', 'fps', 'num_frames', 'frames', 'video_length'].some((field) => fieldNames.has(field))) return 'video'
  if (['num_outputs', 'aspect_ratio', 'width'].some((field) => fieldNames.has(field)) && !/video/i.test(description ?? ''))
    return 'image'
  if (/video/i.test(description ?? name)) return 'video'
  throw new ImportError(
    `The schema of ${name} does not show whether the model makes images or videos; specify it with --object image or --object video.`,
  )
}

function isUri(schema: unknown): boolean {
  return isObject(schema) && schema['type'] === 'string' && (schema['format'] === 'uri' || schema['format'] === undefined)
}
