import type { FieldPath } from '../../lib/field-violation.ts'
import type { InputLimits, KindLimits } from '../../lib/input-limits.ts'
import { isObject } from '../../lib/is-object.ts'
import { mediaTypesOf } from '../../lib/media-type.ts'
import { mediaParameters, isMediaParameter } from '../generation-parameters.ts'
import type { ParameterSchema } from '../model.ts'
import type { DefinitionReader } from './definition-reader.ts'

/**
 * The numeric fields of a limit in a definition. `max` is the service's own limit, so a definition
 * with a larger number is refused.
 */
const numberFields = {
  bytes_max: { key: 'bytesMax', max: 200 * 1024 * 1024 },
  bytes_total_max: { key: 'bytesTotalMax', max: 8 * 1024 ** 3 },
  seconds_min: { key: 'secondsMin', max: 600 },
  seconds_max: { key: 'secondsMax', max: 600 },
  seconds_total_max: { key: 'secondsTotalMax', max: 60_000 },
  side_min: { key: 'sideMin', max: 8192 },
  side_max: { key: 'sideMax', max: 8192 },
  pixels_min: { key: 'pixelsMin', max: 8192 ** 2 },
  pixels_max: { key: 'pixelsMax', max: 8192 ** 2 },
  fps_min: { key: 'fpsMin', max: 120 },
  fps_max: { key: 'fpsMax', max: 120 },
} as const satisfies Record<string, { key: keyof KindLimits; max: number }>
type NumberField = keyof typeof numberFields

const fieldsByKind: Readonly<Record<'video' | 'audio', readonly (NumberField | 'types')[]>> = {
  video: ['types', ...(Object.keys(numberFields) as NumberField[])],
  audio: ['types', 'bytes_max', 'bytes_total_max', 'seconds_min', 'seconds_max', 'seconds_total_max'],
}
const rangeFields = ['seconds', 'side', 'pixels', 'fps'] as const
const filesMax = 1_000

/**
 * Reads limits of the videos and the sound of a request, such as:
 *
 *   inputs: { video: { types: [video/mp4], seconds_max: 15, seconds_total_max: 15 }, files_max: 12 }
 */
export function readInputLimits(
  raw: unknown,
  parameters: Readonly<Record<string, ParameterSchema>>,
  reader: DefinitionReader,
): InputLimits | undefined {
  if (raw === undefined || raw === null) return undefined
  if (!isObject(raw)) {
    reader.addViolation(['inputs'], 'must be a map with video, audio or files_max')
    return undefined
  }
  reader.requireOnly(raw, ['video', 'audio', 'files_max'], ['inputs'], 'a limit of inputs')
  const limits: InputLimits = {}
  for (const kind of ['video', 'audio'] as const) {
    const kindLimits = raw[kind]
    if (kindLimits === undefined || kindLimits === null) continue
    limits[kind] = readKindLimits(kind, kindLimits, reader)
    const isAccepted = Object.keys(parameters).some((name) => isMediaParameter(name) && mediaParameters[name] === kind)
    if (!isAccepted) reader.addViolation(['inputs', kind], `is a limit for a kind of file that no parameter of the model accepts`)
  }
  const files = raw['files_max']
  if (files !== undefined && files !== null) {
    const count = readNumber(files, ['inputs', 'files_max'], filesMax, reader)
    if (count !== undefined) limits.filesMax = count
  }
  return limits
}

function readKindLimits(kind: 'video' | 'audio', raw: unknown, reader: DefinitionReader): KindLimits {
  const path = ['inputs', kind]
  const limits: KindLimits = {}
  if (!isObject(raw)) {
    reader.addViolation(path, `must be a map of limits: ${fieldsByKind[kind].join(', ')}`)
    return limits
  }
  reader.requireOnly(raw, fieldsByKind[kind], path, `a limit of ${kind}`)
  if (raw['types'] !== undefined) limits.types = readTypes(kind, raw['types'], reader)
  for (const field of fieldsByKind[kind]) {
    if (field === 'types' || raw[field] === undefined || raw[field] === null) continue
    const { key, max } = numberFields[field]
    const value = readNumber(raw[field], [...path, field], max, reader)
    if (value !== undefined) limits[key] = value
  }
  for (const range of rangeFields) {
    const [minimum, maximum] = [limits[`${range}Min`], limits[`${range}Max`]]
    if (minimum === undefined || maximum === undefined || minimum <= maximum) continue
    reader.addViolation([...path, `${range}_min`], `must be at most ${range}_max, ${maximum}`)
  }
  return limits
}

function readTypes(kind: 'video' | 'audio', raw: unknown, reader: DefinitionReader): string[] {
  const knownTypes: readonly string[] = mediaTypesOf[kind]
  if (Array.isArray(raw) && raw.length > 0 && raw.every((type) => knownTypes.includes(type as string))) return raw as string[]
  reader.addViolation(['inputs', kind, 'types'], `must be a list of ${knownTypes.join(', ')}`)
  return []
}

function readNumber(raw: unknown, path: FieldPath, max: number, reader: DefinitionReader): number | undefined {
  if (typeof raw === 'number' && raw > 0 && raw <= max) return raw
  reader.addViolation(path, `must be a number above 0 and at most ${max}`)
  return undefined
}
