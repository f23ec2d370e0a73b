import { isDeepStrictEqual } from 'node:util'
import { mediaParameterNames } from '../catalogue/generation-parameters.ts'
import type { TaskOfKey } from '../db/retried-requests.ts'
import { isObject } from '../lib/is-object.ts'
import { digestOfUnstoredFields } from './digest-of-unstored-fields.ts'
import { maxAmountOf } from './max-amount.ts'
import { writeParameters } from './parameters-text.ts'

/**
 * A request to compare with an earlier task: the fields that its own task would store, and the body
 * as the client sent it.
 */
export interface ComparedRequest extends Omit<TaskOfKey, 'id'> {
  body: Readonly<Record<string, unknown>>
}

/** Fields of the stored text whose values never come from the defaults of a model. */
const settingsWithoutDefault: ReadonlySet<string> = new Set(['simulate', 'improve_prompt', 'remixed_from_video_id'])

/**
 * Whether a request equals the request of an earlier task. The requests may differ only in fields
 * that the later body omits and that a model may have defaults for: defaults depend on the routes,
 * which may have changed since.
 */
export function isSameRequest(task: TaskOfKey, { model, parameters, digest, body }: ComparedRequest): boolean {
  if (task.model !== model || task.digest !== digest) return false
  const [storedParameters, requestParameters] = [parseParameters(task.parameters), parseParameters(parameters)]
  const fieldNames = [...new Set([...Object.keys(storedParameters), ...Object.keys(requestParameters)])]
  return fieldNames.every((name) => isDeepStrictEqual(storedParameters[name], requestParameters[name]) || isDefault(name))

  function isDefault(name: string): boolean {
    return !settingsWithoutDefault.has(name) && !Object.hasOwn(body, name)
  }
}

/**
 * For a body that the current models reject, returns the fields that a task with this body would
 * have stored earlier. Returns null if no model can ever have accepted the body.
 */
export function readRejectedRequest(
  body: ComparedRequest['body'],
  remixedFrom: string | null,
  taskCount?: number,
): ComparedRequest | null {
  const { model, simulate, max_amount, webhook_url, improve_prompt, ...parameters } = body
  const maxAmount = maxAmountOf(max_amount)
  const webhookUrl = typeof webhook_url === 'string' ? URL.parse(webhook_url) : null
  if (typeof model !== 'string' || maxAmount === null) return null
  if (simulate !== undefined && !isObject(simulate)) return null
  if (webhook_url !== undefined && webhookUrl === null) return null
  if (!mediaParameterNames.every((name) => isFileValue(parameters[name]))) return null
  const storedTexts = writeParameters(parameters, simulate ?? null, null, {
    remixedFrom,
    improvesPrompt: improve_prompt === true,
  })
  const digest = digestOfUnstoredFields({ images: storedTexts.images, maxAmountMicroCredits: maxAmount, webhookUrl, taskCount })
  return { model, parameters: storedTexts.parameters, digest, body }
}

function isFileValue(value: unknown): boolean {
  return value === undefined || [value].flat().every((file) => typeof file === 'string')
}

function parseParameters(text: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(text)
  return isObject(value) ? value : {}
}
