import { isDeepStrictEqual } from 'node:util'
import type { TaskOfKey } from '../db/find-task-of-key.ts'
import { isObject } from '../lib/is-object.ts'

/** A request: the fields that its task would store, and the body as given. */
export interface RepeatedRequest extends Omit<TaskOfKey, 'id'> {
  body: Readonly<Record<string, unknown>>
}

/**
 * Whether a request repeats the request of a task although their stored texts differ. It does if
 * both have the same value in every field of the request's body. The stored texts also contain
 * defaults for the other fields, and the routes may have changed these defaults since.
 */
export function isRepeatedRequest(task: TaskOfKey, { model, parameters, digest, body }: RepeatedRequest): boolean {
  if (task.model !== model || task.digest !== digest) return false
  const [stored, now] = [parsed(task.parameters), parsed(parameters)]
  const names = [...new Set([...Object.keys(stored), ...Object.keys(now)])]
  return names.every((name) => isDeepStrictEqual(stored[name], now[name]) || isDefault(name))

  function isDefault(name: string): boolean {
    return name !== 'simulate' && !Object.hasOwn(body, name)
  }
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(text)
  return isObject(value) ? value : {}
}
