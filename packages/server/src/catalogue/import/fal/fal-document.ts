import { isObject } from '../../../lib/is-object.ts'
import { addressOf, descriptionOf, titleFromName, titleOf } from '../foreign-text.ts'
import { fieldsMax } from '../import-limits.ts'
import { ImportError } from '../import-error.ts'
import type { ImportNote } from '../imported-model.ts'
import { mapInput, type ForeignField } from '../map-input.ts'
import type { MappedEndpoint } from '../assemble-model.ts'
import { SchemaResolver, shortName, type ResolvedSchema } from '../resolve-schema.ts'
import { readFields } from '../read-fields.ts'

/**
 * Reads the OpenAPI document of one fal endpoint. The document declares OpenAPI 3.0.4, but also
 * uses keywords of JSON Schema 2020-12. The request schema of the POST operation is the input. The
 * response schema of the GET operation for a request is the output. Component names are not used,
 * because fal does not guarantee them.
 */
export function readFalDocument(document: Readonly<Record<string, unknown>>, endpoint: string): MappedEndpoint {
  const paths = isObject(document['paths']) ? document['paths'] : {}
  const operations = Object.values(paths).filter(isObject)
  const input = operations
    .map((path) => contentSchema(objectAt(path, 'post', 'requestBody')))
    .find((schema) => schema !== undefined)
  if (input === undefined) throw new ImportError(`The schema of ${endpoint} has no POST operation with a body.`)
  const resolver = new SchemaResolver(document)
  const resolvedInput = resolver.resolve(input, endpoint)
  const object = objectOf(operations, resolver, endpoint)
  const notes: ImportNote[] = []
  const fields = sortFields(readFields(resolvedInput, endpoint, notes), resolvedInput['x-fal-order-properties'])
  const mappedInput = mapInput(fields, object)
  mappedInput.notes.unshift(...notes)
  const metadata = objectAt(document, 'info', 'x-fal-metadata')
  return {
    upstreamModel: endpoint,
    label: endpoint.split('/').at(-1) ?? endpoint,
    title: titleOf(metadata['displayName']) ?? titleOfEndpoint(endpoint),
    // The field `description` of the document describes the document and not the model.
    description: descriptionOf(metadata['description']) ?? '',
    cover: addressOf(metadata['thumbnailUrl']),
    mapped: mappedInput,
    examples: [exampleOf(resolvedInput)],
  }
}

function objectAt(value: unknown, ...names: string[]): Readonly<Record<string, unknown>> {
  const nested = names.reduce<unknown>(
    (parent, name) => (isObject(parent) && Object.hasOwn(parent, name) ? parent[name] : undefined),
    value,
  )
  return isObject(nested) ? nested : {}
}

function contentSchema(body: Readonly<Record<string, unknown>>): unknown {
  return objectAt(body, 'content', 'application/json')['schema']
}

/** Returns the kind of the result, from the fields of the result that the driver reads. */
function objectOf(
  operations: readonly Readonly<Record<string, unknown>>[],
  resolver: SchemaResolver,
  endpoint: string,
): 'image' | 'video' {
  const outputs = operations.flatMap((path) => contentSchema(objectAt(path, 'get', 'responses', '200')) ?? [])
  for (const output of outputs) {
    const { properties } = resolver.resolve(output, `the result of ${endpoint}`)
    if (!isObject(properties)) continue
    for (const [names, object] of [
      [['video', 'videos'], 'video'],
      [['image', 'images'], 'image'],
    ] as const) {
      if (names.some((name) => Object.hasOwn(properties, name))) return object
    }
  }
  throw new ImportError(`The result of ${endpoint} has no field video, videos, image or images, so it cannot be imported.`)
}

function sortFields(fields: readonly ForeignField[], order: unknown): ForeignField[] {
  const names: unknown[] = Array.isArray(order) ? order.slice(0, 2 * fieldsMax) : []
  const rank = (name: string): number => (names.includes(name) ? names.indexOf(name) : names.length)
  return [...fields].sort((left, right) => rank(left.name) - rank(right.name))
}

/** An example request with the first example of each field. */
function exampleOf({ properties }: ResolvedSchema): Record<string, unknown> {
  const example: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(isObject(properties) ? properties : {})) {
    const { examples } = isObject(schema) ? schema : {}
    if (Array.isArray(examples) && examples[0] !== undefined) example[name] = examples[0]
  }
  return example
}

/**
 * The title of an endpoint, such as `Kling video v3 pro` for
 * `fal-ai/kling-video/v3/pro/text-to-video`.
 */
function titleOfEndpoint(endpoint: string): string {
  return titleFromName(familyOf(endpoint).split('/').slice(1).join(' '))
}

const modePattern = /\/(text|image|reference|video|first-last-frame|audio)-to-(video|image)$|\/edit(-video)?$/

/** The endpoint's name without its mode. All endpoints of one family have this part in common. */
export function familyOf(endpoint: string): string {
  return endpoint.replace(modePattern, '')
}

const endpointPattern = /^[\w-]{1,64}(\/[\w.-]{1,64}){1,7}$/

export function requireEndpoint(endpoint: string): void {
  if (endpointPattern.test(endpoint)) return
  throw new ImportError(`${shortName(endpoint)} must be an endpoint such as fal-ai/flux-2-pro.`)
}
