import type { MediaKind } from '../lib/media-type.ts'
import type { ParameterName } from './generation-parameters.ts'

/** The parameters that name files, and the kind of each. The order is that of stored texts. */
export const mediaParameters = {
  first_frame: 'image',
  last_frame: 'image',
  reference_images: 'image',
  reference_videos: 'video',
  reference_audios: 'audio',
  input_video: 'video',
  input_audio: 'audio',
  mask: 'image',
} as const satisfies Partial<Record<ParameterName, MediaKind>>

export type MediaParameter = keyof typeof mediaParameters

export const mediaParameterNames = Object.keys(mediaParameters) as MediaParameter[]

export function isMediaParameter(name: string): name is MediaParameter {
  return name in mediaParameters
}

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
  return mediaParameterNames.flatMap((parameter): MediaReference[] => {
    const value = parameters[parameter]
    const kind = mediaParameters[parameter]
    if (typeof value === 'string') return [{ parameter, kind, source: value, place: parameter, pointer: `/${parameter}` }]
    if (!Array.isArray(value)) return []
    return value.flatMap((source: unknown, index) =>
      typeof source === 'string'
        ? [{ parameter, kind, source, place: `${parameter}[${index}]`, pointer: `/${parameter}/${index}` }]
        : [],
    )
  })
}
