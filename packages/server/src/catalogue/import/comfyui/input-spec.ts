import { isObject } from '../../../lib/is-object.ts'
import type { ParameterSchema } from '../../model.ts'
import { descriptionOf } from '../foreign-text.ts'
import { choiceCharactersMax, choicesMax, textCharactersMax } from '../import-limits.ts'
import { ImportError } from '../import-error.ts'
import { shortName } from '../resolve-schema.ts'

/** The description of one input of a node type. */
export interface InputSpec {
  kind: 'value' | 'image' | 'file'
  schema: ParameterSchema
}

/**
 * Reads the input of a node type from the response of `/object_info`. An input is
 * `[type, options]`. The type is INT, FLOAT, STRING, BOOLEAN or COMBO. In the old form, the list of
 * choices replaces the type. Returns undefined if the node type has no such input, if the input is
 * a link to another node, or if its type is unknown. Returns undefined also if the choices are
 * fetched from elsewhere, or are not all short texts.
 */
export function readInputSpec(nodeType: Readonly<Record<string, unknown>>, input: string): InputSpec | undefined {
  const { input: inputs } = nodeType
  const groups = isObject(inputs) ? [inputs['required'], inputs['optional']] : []
  const rawSpec = groups.flatMap((group) => (isObject(group) && Object.hasOwn(group, input) ? [group[input]] : []))[0]
  if (!Array.isArray(rawSpec)) return undefined
  const [inputType, rawOptions] = rawSpec as unknown[]
  const options = isObject(rawOptions) ? rawOptions : {}
  if (options['forceInput'] === true || options['remote'] !== undefined) return undefined
  const description = descriptionOf(options['tooltip'])
  const annotations = description === undefined ? {} : { description }
  if (options['image_upload'] === true) return { kind: 'image', schema: { type: 'string', ...annotations } }
  if (options['video_upload'] === true || options['audio_upload'] === true) return { kind: 'file', schema: { type: 'string' } }
  const schema = schemaOf(inputType, options, input)
  return schema && { kind: 'value', schema: { ...schema, ...annotations } }
}

function schemaOf(inputType: unknown, options: Readonly<Record<string, unknown>>, input: string): ParameterSchema | undefined {
  switch (inputType) {
    case 'INT':
    case 'FLOAT':
      return { type: inputType === 'INT' ? 'integer' : 'number', ...boundsOf(options, inputType === 'INT') }
    case 'STRING':
      return { type: 'string', maxLength: options['multiline'] === true ? textCharactersMax : 1_000 }
    case 'BOOLEAN':
      return { type: 'boolean' }
    case 'COMBO':
      return Array.isArray(options['options']) ? choicesOf(options['options'], input) : undefined
    default:
      return Array.isArray(inputType) ? choicesOf(inputType, input) : undefined
  }
}

/**
 * Returns the bounds of a number, clamped to safe integers, because JavaScript cannot represent the
 * maximum of a seed, 2^64 - 1, exactly.
 */
function boundsOf({ min, max }: Readonly<Record<string, unknown>>, isInteger: boolean): ParameterSchema {
  const bound = (value: unknown): number | undefined => {
    if (typeof value !== 'number' || !Number.isFinite(value)) return undefined
    const safe = Math.min(Math.max(value, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER)
    return isInteger ? Math.trunc(safe) : safe
  }
  const [minimum, maximum] = [bound(min), bound(max)]
  return { ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) }
}

function choicesOf(choices: readonly unknown[], input: string): ParameterSchema | undefined {
  if (choices.length > choicesMax) throw new ImportError(`The input ${shortName(input)} has more than ${choicesMax} choices.`)
  const texts = choices.filter((choice) => typeof choice === 'string')
  const isUsable =
    texts.length === choices.length &&
    texts.length > 0 &&
    texts.every(({ length }) => length > 0 && length <= choiceCharactersMax)
  return isUsable ? { type: 'string', enum: [...new Set(texts)] } : undefined
}
