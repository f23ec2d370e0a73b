import { hash } from 'node:crypto'
import type { Store } from '../db/store.ts'
import type { TaskRecord } from '../db/task-queries.ts'
import { generateKey, readGeneratedKey, repeatedWithinMs, type GeneratedKeyParts } from '../identity/generated-key.ts'
import type { Clock } from '../lib/clock.ts'
import { isObject } from '../lib/is-object.ts'

/**
 * Some clients repeat a submit without an Idempotency-Key, and only indicate that the submit is a
 * repetition. For each submit of such a client, the service generates a key.
 *
 * The key is removed when the client has shown that it received the response. A repetition returns
 * the oldest task with the same digest whose key still exists, and updates the number in the key.
 * It skips keys that a repetition of the same or a higher number has claimed. If a client sends two
 * equal requests and repeats each once, each repetition therefore returns its own task. If the
 * client does not mark repetitions, any submit may be one.
 */
export interface RepeatableSubmit extends GeneratedKeyParts {
  accountNo: number
}

export interface RepeatedSubmitParts {
  store: Pick<Store, 'findGeneratedKeys' | 'replaceGeneratedKey' | 'find'>
  clock: Clock
}

const candidatesMax = 16

/** Returns the same digest for equal requests, whatever the order of their fields. */
export function digestOfRequest(request: unknown): string {
  return hash('sha256', JSON.stringify(canonical(request)), 'base64url')
}

/**
 * Returns the task of an earlier submit of this request if the client did not receive the response
 * to it. `isPending` returns true for the tasks of responses that may still arrive.
 */
export async function findRepeated(
  { store, clock }: RepeatedSubmitParts,
  submit: RepeatableSubmit,
  isPending: (taskId: string) => boolean = () => false,
): Promise<TaskRecord | undefined> {
  const { accountNo, digest, repetition } = submit
  if (repetition === 0) return undefined
  const keys = await store.findGeneratedKeys({ accountNo, digest, sinceMs: clock() - repeatedWithinMs, countMax: candidatesMax })
  for (const { taskId, key } of keys) {
    const isClaimed = repetition !== null && readGeneratedKey(key).repetition >= repetition
    if (isClaimed || isPending(taskId) || !(await store.replaceGeneratedKey(taskId, key, generateKey(submit)))) continue
    const task = await store.find(taskId)
    if (task !== undefined) return task
  }
  return undefined
}

/** Converts objects to arrays of a mark and of their sorted names, each before its value. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return ['[', ...(value as unknown[]).map(canonical)]
  if (!isObject(value)) return value
  const entries: unknown[] = ['{']
  for (const name of Object.keys(value).toSorted()) entries.push(name, canonical(value[name]))
  return entries
}
