import { hash } from 'node:crypto'
import type { Store } from '../db/store.ts'
import type { TaskRecord } from '../db/task-queries.ts'
import { generateKey, readGeneratedKey, retryWindowMs, type GeneratedKeyParts } from '../identity/generated-key.ts'
import type { Clock } from '../lib/clock.ts'
import { isObject } from '../lib/is-object.ts'

/**
 * A submit of a client that sends no Idempotency-Key. OpenAI's clients send a retry count instead,
 * and MCP clients send nothing. For each submit of such a client, the service generates a key.
 *
 * The generated key is removed once the client has certainly received the response. A retry returns
 * the oldest task with the same digest whose key still exists. It stores its retry count in that
 * key, and skips keys that already contain the same or a higher count. If a client sends two equal
 * requests and retries each once, each retry therefore returns a different task. If the client
 * sends no retry count, any submit may be a retry.
 */
export interface RetryableSubmit extends GeneratedKeyParts {
  accountNo: number
}

export interface RetriedSubmitDependencies {
  store: Pick<Store, 'findGeneratedKeys' | 'replaceGeneratedKey' | 'find'>
  clock: Clock
}

const candidatesMax = 16

/**
 * Length of a digest in base64url. It is short, because it is part of each generated key, but its
 * 132 bits exclude equal digests of different requests.
 */
const digestCharacters = 22

/** Returns the digest of a request. It does not depend on the order of the request's fields. */
export function digestOfRequest(request: unknown): string {
  return digestOfText(JSON.stringify(toCanonical(request)))
}

/** Returns the digest of a request whose retries have the same text. */
export function digestOfText(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, digestCharacters)
}

/**
 * Returns the task of an earlier submit of the same request whose response the client did not
 * receive. `isExcluded` returns true for a task whose response the client has received or may still
 * receive.
 */
export async function findRetried(
  { store, clock }: RetriedSubmitDependencies,
  submit: RetryableSubmit,
  isExcluded: (taskId: string) => boolean = () => false,
): Promise<TaskRecord | undefined> {
  const { accountNo, digest, retryCount } = submit
  const generatedKeys = await store.findGeneratedKeys({
    accountNo,
    digest,
    sinceMs: clock() - retryWindowMs,
    countMax: candidatesMax,
  })
  for (const { taskId, key } of generatedKeys) {
    const isClaimed = retryCount !== null && readGeneratedKey(key).retryCount >= retryCount
    if (isClaimed || isExcluded(taskId) || !(await store.replaceGeneratedKey(taskId, key, generateKey(submit)))) continue
    const task = await store.find(taskId)
    if (task !== undefined) return task
  }
  return undefined
}

/**
 * Converts arrays and objects to arrays that begin with a mark of their kind. For an object, the
 * names follow in sorted order, each followed by its value.
 */
function toCanonical(value: unknown): unknown {
  if (Array.isArray(value)) return ['[', ...(value as unknown[]).map(toCanonical)]
  if (!isObject(value)) return value
  const entries: unknown[] = ['{']
  for (const name of Object.keys(value).toSorted()) entries.push(name, toCanonical(value[name]))
  return entries
}
