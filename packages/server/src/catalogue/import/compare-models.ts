import { isDeepStrictEqual } from 'node:util'
import type { ParameterSchema } from '../model.ts'

/**
 * The kind of a change of the source since the model was imported.
 *
 *   prose      only titles and descriptions have changed
 *   wider      the provider still accepts every request that it accepted before
 *   narrower   the provider may refuse requests that the model accepts, or use another default
 *   gone       the provider no longer has the source
 */
export type DriftKind = 'prose' | 'wider' | 'narrower' | 'gone'

export interface Drift {
  field: string
  kind: DriftKind
  /** The change as a sentence. */
  message: string
}

interface ComparedModel {
  parameters: Readonly<Record<string, ParameterSchema>>
  required: readonly string[]
}

export function compareModels(before: ComparedModel, after: ComparedModel): Drift[] {
  const drifts: Drift[] = []
  const add = (field: string, kind: DriftKind, message: string): void => void drifts.push({ field, kind, message })
  for (const [name, schema] of Object.entries(before.parameters)) {
    const parameterAfter = after.parameters[name]
    if (parameterAfter === undefined) add(name, 'narrower', 'The provider no longer has it.')
    else drifts.push(...compareSchemas(name, schema, parameterAfter))
  }
  for (const [name] of Object.entries(after.parameters)) {
    if (name in before.parameters) continue
    if (after.required.includes(name)) add(name, 'narrower', 'It is new, and the provider requires it.')
    else add(name, 'wider', 'It is new.')
  }
  for (const name of after.required) {
    if (name in before.parameters && !before.required.includes(name)) add(name, 'narrower', 'The provider now requires it.')
  }
  for (const name of before.required) {
    if (name in after.parameters && !after.required.includes(name)) add(name, 'wider', 'The provider no longer requires it.')
  }
  return drifts
}

function compareSchemas(field: string, before: ParameterSchema, after: ParameterSchema): Drift[] {
  if (isDeepStrictEqual(before, after)) return []
  if (before.type !== after.type)
    return [
      { field, kind: 'narrower', message: `Its type is ${after.type ?? 'another'} now, and was ${before.type ?? 'another'}.` },
    ]
  const drifts: Drift[] = []
  const add = (kind: DriftKind, message: string): void => void drifts.push({ field, kind, message })
  const removedValues = (before.enum ?? []).filter((value) => after.enum !== undefined && !after.enum.includes(value))
  const addedValues = (after.enum ?? []).filter((value) => before.enum !== undefined && !before.enum.includes(value))
  if (removedValues.length > 0) add('narrower', `It no longer takes ${removedValues.slice(0, 8).join(', ')}.`)
  if (addedValues.length > 0) add('wider', `It now takes ${addedValues.slice(0, 8).join(', ')} too.`)
  for (const [keyword, isLower] of boundKeywords) {
    const [valueBefore, valueAfter] = [before[keyword], after[keyword]]
    if (valueBefore === valueAfter) continue
    const isTighter =
      valueAfter !== undefined && (valueBefore === undefined || (isLower ? valueAfter > valueBefore : valueAfter < valueBefore))
    add(isTighter ? 'narrower' : 'wider', `Its ${keyword} is ${valueAfter ?? 'none'} now, and was ${valueBefore ?? 'none'}.`)
  }
  if (!isDeepStrictEqual(before.default, after.default)) {
    add(
      'narrower',
      `Its default is ${JSON.stringify(after.default) ?? 'none'} now, and was ${JSON.stringify(before.default) ?? 'none'}.`,
    )
  }
  if (drifts.length > 0) return drifts
  const acceptsSameValues = ['items', 'properties', 'anyOf', 'required', 'pattern', 'enum'].every((name) =>
    isDeepStrictEqual(before[name as keyof ParameterSchema], after[name as keyof ParameterSchema]),
  )
  return acceptsSameValues
    ? [{ field, kind: 'prose', message: 'Only its words have changed.' }]
    : [{ field, kind: 'narrower', message: 'The form of its values has changed.' }]
}

const boundKeywords = [
  ['minimum', true],
  ['maximum', false],
  ['exclusiveMinimum', true],
  ['exclusiveMaximum', false],
  ['minLength', true],
  ['maxLength', false],
  ['minItems', true],
  ['maxItems', false],
  ['multipleOf', true],
] as const
