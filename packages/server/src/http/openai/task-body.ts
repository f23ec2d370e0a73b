import { simulationSchema } from '@framegate/contract'
import type { Model, ParameterSchema } from '../../catalogue/model.ts'
import { AppError } from '../../lib/app-error.ts'
import { isObject } from '../../lib/is-object.ts'
import { coerceText } from './coerce-text.ts'
import { matchSize } from './match-size.ts'
import type { RequestFields } from './read-request.ts'

/** Numeric fields that OpenAI's clients send as strings even in JSON. */
const numericTextFields = ['seconds', 'n']

/** Fields of a submit that are not parameters of the model. */
const settingSchemas: Readonly<Record<string, ParameterSchema>> = {
  max_amount: { type: 'number', description: '' },
  improve_prompt: { type: 'boolean', description: '' },
  simulate: simulationSchema,
}

/**
 * Converts the fields of a request in OpenAI's format to the body of a submit to
 * `/v2/model-center/tasks`. Strings of a form and `numericTextFields` are converted to the types of
 * the model's parameters, and `size` to aspect ratio and resolution. Other fields are not changed.
 */
export function taskBody(model: Model, { fields, isForm }: Pick<RequestFields, 'fields' | 'isForm'>): Record<string, unknown> {
  const { size, ...remaining }: Record<string, unknown> = fields
  const { properties } = model.parameters
  for (const name of isForm ? Object.keys(remaining) : numericTextFields) {
    if (!Object.hasOwn(remaining, name)) continue
    remaining[name] = coerceText(remaining[name], settingSchemas[name] ?? properties[name])
  }
  if (size === undefined || size === 'auto') return remaining
  if (typeof size !== 'string') throw invalidParam('size', 'size must be a text such as 1280x720')
  for (const name of ['aspect_ratio', 'resolution']) {
    if (remaining[name] !== undefined) throw invalidParam('size', `size already determines ${name}; send only one of the two`)
  }
  return Object.assign(remaining, matchSize(model, size))
}

/**
 * Replaces `input_reference` of OpenAI's video API by a parameter of the model: `first_frame` if
 * the model has it, otherwise `reference_images`.
 */
export function placeReference(model: Model, body: Record<string, unknown>): Record<string, unknown> {
  if (body['input_reference'] === undefined) return body
  const { input_reference: inputReference, ...fields } = body
  const reference = readReference(inputReference)
  const { first_frame, reference_images } = model.parameters.properties
  const parameter = first_frame !== undefined ? 'first_frame' : reference_images !== undefined ? 'reference_images' : undefined
  if (parameter === undefined)
    throw invalidParam('input_reference', `input_reference cannot be used, because ${model.id} accepts no images`)
  if (fields[parameter] !== undefined)
    throw invalidParam('input_reference', `input_reference is passed as ${parameter}; send only one of the two`)
  return { ...fields, [parameter]: parameter === 'first_frame' ? reference : [reference] }
}

function readReference(inputReference: unknown): string {
  if (typeof inputReference === 'string') return inputReference
  if (isObject(inputReference) && Object.keys(inputReference).length === 1) {
    const { image_url, file_id } = inputReference
    if (typeof image_url === 'string') return image_url
    if (typeof file_id === 'string') return `asset:${file_id}`
  }
  throw invalidParam('input_reference', 'input_reference must be a file, {"image_url": "https://…"} or {"file_id": "asset_…"}')
}

export function invalidParam(param: string, message: string): AppError {
  return new AppError('invalid_parameter', message, { param })
}
