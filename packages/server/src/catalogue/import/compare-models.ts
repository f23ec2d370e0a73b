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
  for (const [keyword, isTighter] of boundKeywords) {
    const [valueBefore, valueAfter] = [before[keyword], after[keyword]]
    if (valueBefore === valueAfter) continue
    const isNarrower = valueAfter !== undefined && (valueBefore === undefined || isTighter(valueAfter, valueBefore))
    add(isNarrower ? 'narrower' : 'wider', `Its ${keyword} is ${valueAfter ?? 'none'} now, and was ${valueBefore ?? 'none'}.`)
  }
  if (!isDeepStrictEqual(before.default, after.default)) {
    add(
      'narrower',
      `Its default is ${JSON.stringify(after.default) ?? 'none'} now, and was ${JSON.stringify(before.default) ?? 'none'}.`,
    )
  }
  const isFormChanged =
    formKeywords.some((keyword) => !isDeepStrictEqual(before[keyword], after[keyword])) ||
    (before.enum === undefined) !== (after.enum === undefined)
  if (isFormChanged) add('narrower', 'The form of its values has changed.')
  return drifts.length > 0 ? drifts : [{ field, kind: 'prose', message: 'Only its texts have changed.' }]
}

const formKeywords = ['items', 'properties', 'anyOf', 'required', 'pattern'] as const

type IsTighter = (valueAfter: number, valueBefore: number) => boolean
const isHigher: IsTighter = (valueAfter, valueBefore) => valueAfter > valueBefore
const isLower: IsTighter = (valueAfter, valueBefore) => valueAfter < valueBefore
// Multiples of the earlier step stay valid only if that step is a multiple of the new one.
const isIncompatibleStep: IsTighter = (valueAfter, valueBefore) => valueBefore % valueAfter !== 0

const boundKeywords = [
  ['minimum', isHigher],
  ['maximum', isLower],
  ['exclusiveMinimum', isHigher],
  ['exclusiveMaximum', isLower],
  ['minLength', isHigher],
  ['maxLength', isLower],
  ['minItems', isHigher],
  ['maxItems', isLower],
  ['multipleOf', isIncompatibleStep],
] as const
