import { isDeepStrictEqual } from 'node:util'
import type { TaskOfKey } from '../db/find-task-of-key.ts'
import { isObject } from '../lib/is-object.ts'

/** A request as its task would be stored, with the body in which it was given. */
export interface RepeatedRequest extends Omit<TaskOfKey, 'id'> {
  body: Readonly<Record<string, unknown>>
}

/**
 * Whether a request repeats that of a task although their stored texts differ. It does if both
 * agree in every given field: the texts contain defaults for the other fields, and the routes may
 * have changed the defaults since.
 */
export function isRepeatedRequest(task: TaskOfKey, { model, parameters, digest, body }: RepeatedRequest): boolean {
  if (task.model !== model || task.digest !== digest) return false
  const [before, now] = [parsed(task.parameters), parsed(parameters)]
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])]
  return names.every((name) => isDeepStrictEqual(before[name], now[name]) || isDefault(name))

  function isDefault(name: string): boolean {
    return name !== 'simulate' && !Object.hasOwn(body, name)
  }
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(text)
  return isObject(value) ? value : {}
}
