import type { MediaKind } from '../lib/media-type.ts'
import { mediaParameterNames, mediaParameters, type MediaParameter } from './generation-parameters.ts'
import type { ParameterSchema } from './model.ts'
import { audioPattern, imageOrDataUriPattern, videoPattern } from './shared-parameters.ts'

/** A reference to a file in a request. */
export interface MediaReference {
  parameter: MediaParameter
  kind: MediaKind
  /** A URL, a data URI or `asset:ID`. */
  source: string
  /** Name of the field in messages, such as `reference_videos[0]`. */
  fieldName: string
  /** JSON Pointer to the field. */
  pointer: string
}

const dataUriPatterns: ReadonlySet<string> = new Set([imageOrDataUriPattern, videoPattern, audioPattern])

export function acceptsDataUris(properties: Readonly<Record<string, ParameterSchema | undefined>>): boolean {
  return mediaParameterNames.some((name) => {
    const { items, pattern } = properties[name] ?? {}
    return dataUriPatterns.has(items?.pattern ?? pattern ?? '')
  })
}

export function hasMediaReferences(parameters: Readonly<Record<string, unknown>>): boolean {
  return mediaParameterNames.some((name) => parameters[name] !== undefined)
}

/**
 * Returns all references to files in a request. Values of other types than strings and lists of
 * strings are ignored, because the schema refuses them.
 */
export function mediaReferences(parameters: Readonly<Record<string, unknown>>): MediaReference[] {
  const references: MediaReference[] = []
  for (const parameter of mediaParameterNames) {
    const value = parameters[parameter]
    const kind = mediaParameters[parameter]
    if (typeof value === 'string') {
      references.push({ parameter, kind, source: value, fieldName: parameter, pointer: `/${parameter}` })
    } else if (Array.isArray(value)) {
      for (const [index, source] of value.entries()) {
        if (typeof source !== 'string') continue
        references.push({ parameter, kind, source, fieldName: `${parameter}[${index}]`, pointer: `/${parameter}/${index}` })
      }
    }
  }
  return references
}
