import type { Violation } from '@framegate/contract'
import { listOf } from '../../catalogue/describe-schema.ts'
import { mediaParameterNames } from '../../catalogue/generation-parameters.ts'
import type { Model } from '../../catalogue/model.ts'
import { validationError } from '../../catalogue/validation-error.ts'
import { pointerTo } from '../../lib/json-pointer.ts'
import type { RequestFields } from './read-request.ts'
import { taskBody, invalidParam } from './task-body.ts'

/** A parsed request for images. */
export interface ImageRequest {
  /** The body of each task. If there are several tasks, `bodyOfImage` may change their seeds. */
  body: Record<string, unknown>
  /**
   * Number of tasks: 1 if the model can produce all images in one task, otherwise one per image.
   */
  taskCount: number
  format: 'url' | 'b64_json'
  isStreamed: boolean
}

const imagesMax = 10

/**
 * Fields of OpenAI's image API with the values that request default behavior. These values are
 * ignored if the model does not have the parameter, and other values are rejected.
 */
const defaultValues: Readonly<Record<string, readonly (string | number)[]>> = {
  quality: ['auto', 'standard'],
  background: ['auto', 'opaque'],
  moderation: ['auto', 'low'],
  output_format: ['png'],
  output_compression: [100],
  input_fidelity: ['low'],
  style: ['vivid'],
  partial_images: [0],
}

/**
 * Reads the fields of OpenAI's image API. The field `image` of an edit is passed as
 * `reference_images`.
 */
export function readImageRequest(model: Model, requestFields: Pick<RequestFields, 'fields' | 'isForm'>): ImageRequest {
  const requestedFields: Record<string, unknown> = requestFields.fields
  const { response_format: format = 'b64_json', stream, user: _user, n: count, image, ...furtherFields } = requestedFields
  const { properties } = model.parameters
  // Partial images are optional: a client that requests them also accepts a stream without any.
  if (isTrue(stream)) delete furtherFields['partial_images']
  removeDefaults(model, furtherFields)
  if (format !== 'url' && format !== 'b64_json') throw invalidParam('response_format', 'response_format must be url or b64_json')
  if (stream !== undefined && !isTrue(stream) && stream !== false && stream !== 'false') {
    throw invalidParam('stream', 'stream must be true or false')
  }
  const imageCount = readCount(count)
  const canProduceSeveral = properties.n !== undefined
  const fields = { ...furtherFields, ...(image !== undefined && { reference_images: readImages(image, furtherFields) }) }
  const body = taskBody(model, { fields, isForm: requestFields.isForm })
  return {
    body: canProduceSeveral && count !== undefined ? { ...body, n: imageCount } : body,
    taskCount: canProduceSeveral ? 1 : imageCount,
    format,
    isStreamed: isTrue(stream),
  }
}

/**
 * Removes fields of OpenAI's API that the model does not have, if their values request default
 * behavior. Throws if they have other values.
 */
function removeDefaults(model: Model, fields: Record<string, unknown>): void {
  const violations: Violation[] = []
  for (const [name, values] of Object.entries(defaultValues)) {
    if (fields[name] === undefined || model.parameters.properties[name] !== undefined) continue
    // The values of a form are strings.
    if (!values.some((value) => value === fields[name] || String(value) === fields[name])) {
      const accepted = listOf(values.map(String), 'or')
      const message = `unknown parameter '${name}' for ${model.id}; only the default of OpenAI's API is accepted: ${accepted}`
      violations.push({ pointer: pointerTo(name), code: 'unknown_parameter', message })
    }
    delete fields[name]
  }
  if (violations.length > 0) throw validationError(violations)
}

/**
 * Throws if a request for an edit has no input image. Without this check, a client that omits the
 * image would be charged for an unrelated image. A model without `reference_images` may have an
 * input under a name of its own.
 */
export function requireInputImage(model: Model, { body }: ImageRequest): void {
  if (model.parameters.properties['reference_images'] === undefined) return
  const hasInput = mediaParameterNames.some((name) => name !== 'mask' && [body[name] ?? []].flat().length > 0)
  if (!hasInput) {
    throw invalidParam(
      'image',
      'image is required; to generate an image without an input image, send the request to /v1/images/generations',
    )
  }
}

function isTrue(value: unknown): boolean {
  return value === true || value === 'true'
}

function readCount(value: unknown): number {
  if (value === undefined) return 1
  const count = typeof value === 'string' && /^\d{1,3}$/.test(value) ? Number(value) : value
  if (typeof count === 'number' && Number.isInteger(count) && count >= 1 && count <= imagesMax) return count
  throw invalidParam('n', `n must be a whole number from 1 to ${imagesMax}`)
}

function readImages(image: unknown, furtherFields: Readonly<Record<string, unknown>>): unknown[] {
  if (furtherFields['reference_images'] !== undefined)
    throw invalidParam('image', 'image and reference_images are the same parameter; send only one of them')
  return Array.isArray(image) ? image : [image]
}
