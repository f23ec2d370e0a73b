import { simulationSchema } from '@framegate/contract'
import type { Model, ParameterSchema } from '../../catalogue/model.ts'
import { AppError } from '../../lib/app-error.ts'
import { isObject } from '../../lib/is-object.ts'
import { coerceText } from './coerce-text.ts'
import { matchSize } from './match-size.ts'
import type { RequestFields } from './read-request.ts'

/** Numeric fields that OpenAI's clients send as texts even in JSON. */
const textNumbers = ['seconds', 'n']

/** Fields of a submit that are not parameters of the model. */
const settings: Readonly<Record<string, ParameterSchema>> = {
  max_amount: { type: 'number', description: '' },
  improve_prompt: { type: 'boolean', description: '' },
  simulate: simulationSchema,
}

/**
 * Converts the fields of a request in OpenAI's format to the body of a submit to
 * `/v2/model-center/tasks`. Texts of a form are converted to the types of the model's parameters.
 * Fields that exist in both formats are otherwise unchanged.
 */
export function taskBody(model: Model, { fields, isForm }: Pick<RequestFields, 'fields' | 'isForm'>): Record<string, unknown> {
  const { size, ...others } = fields
  const { properties } = model.parameters
  for (const name of isForm ? Object.keys(others) : textNumbers) {
    if (!Object.hasOwn(others, name)) continue
    others[name] = coerceText(others[name], settings[name] ?? properties[name])
  }
  if (size === undefined || size === 'auto') return others
  if (typeof size !== 'string') throw wrong('size', 'size must be a text such as 1280x720')
  for (const name of ['aspect_ratio', 'resolution']) {
    if (others[name] !== undefined) throw wrong('size', `size already gives the ${name}; send only one of the two`)
  }
  return { ...others, ...matchSize(model, size) }
}

/**
 * Moves `input_reference` of OpenAI's video API to a parameter of the model: the first frame if the
 * model accepts one, otherwise a reference image.
 */
export function placeReference(model: Model, body: Record<string, unknown>): Record<string, unknown> {
  const { input_reference: given, ...others } = body
  if (given === undefined) return body
  const reference = referenceOf(given)
  const { first_frame, reference_images } = model.parameters.properties
  const parameter = first_frame !== undefined ? 'first_frame' : reference_images !== undefined ? 'reference_images' : undefined
  if (parameter === undefined) throw wrong('input_reference', `input_reference cannot be used: ${model.id} takes no images`)
  if (others[parameter] !== undefined)
    throw wrong('input_reference', `input_reference is the ${parameter}; send only one of the two`)
  return { ...others, [parameter]: parameter === 'first_frame' ? reference : [reference] }
}

function referenceOf(given: unknown): string {
  if (typeof given === 'string') return given
  if (isObject(given) && Object.keys(given).length === 1) {
    const { image_url, file_id } = given
    if (typeof image_url === 'string') return image_url
    if (typeof file_id === 'string') return `asset:${file_id}`
  }
  throw wrong('input_reference', 'input_reference must be a file, {"image_url": "https://…"} or {"file_id": "asset_…"}')
}

export function wrong(param: string, message: string): AppError {
  return new AppError('invalid_parameter', message, { param })
}
