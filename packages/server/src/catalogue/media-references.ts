import type { MediaKind } from '../lib/media-type.ts'
import { mediaParameterNames, mediaParameters, type MediaParameter } from './generation-parameters.ts'

/** One file that a request names. */
export interface MediaReference {
  parameter: MediaParameter
  kind: MediaKind
  /** A URL, a data URI or `asset:ID`. */
  source: string
  /** Its name in messages, `reference_videos[0]`, and its JSON Pointer. */
  place: string
  pointer: string
}

export function namesFiles(parameters: Readonly<Record<string, unknown>>): boolean {
  return mediaParameterNames.some((name) => parameters[name] !== undefined)
}

/** All files that a request names. Values of other types are left to the schema. */
export function mediaReferences(parameters: Readonly<Record<string, unknown>>): MediaReference[] {
  const references: MediaReference[] = []
  for (const parameter of mediaParameterNames) {
    const value = parameters[parameter]
    const kind = mediaParameters[parameter]
    if (typeof value === 'string') {
      references.push({ parameter, kind, source: value, place: parameter, pointer: `/${parameter}` })
    } else if (Array.isArray(value)) {
      for (const [index, source] of value.entries()) {
        if (typeof source !== 'string') continue
        references.push({ parameter, kind, source, place: `${parameter}[${index}]`, pointer: `/${parameter}/${index}` })
      }
    }
  }
  return references
}
