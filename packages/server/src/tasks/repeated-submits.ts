import { createHash, randomUUID } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { Store } from '../db/store.ts'
import type { TaskRecord } from '../db/task-queries.ts'
import type { Tables } from '../db/tables.ts'
import { firstTaskNoAt, taskIdOf, taskNoOf } from '../identity/task-id.ts'
import type { Clock } from '../lib/clock.ts'
import { isObject } from '../lib/is-object.ts'

/**
 * Some clients repeat a submit without an Idempotency-Key, and only indicate that the submit is a
 * repetition. For each submit of such a client, the service generates a key:
 *
 *   §, digest of the request, number of the repetition, random part
 *
 * The key is removed when the client has shown that it received the response. A repetition returns
 * the oldest task with the same digest whose key still exists, and updates the number in the key.
 * It skips keys that a repetition of the same or a higher number has claimed. If a client sends two
 * equal requests and repeats each once, each repetition therefore returns its own task. If the
 * client does not mark repetitions, any submit may be one.
 */
export interface RepeatableSubmit {
  accountNo: number
  /** Digest of the request, made by `digestOfRequest`. */
  digest: string
  /** Number of the repetition. 0 for a first submit, null if the client does not mark repetitions. */
  repetition: number | null
}

export interface RepeatedSubmitParts {
  store: Pick<Store, 'query' | 'find'>
  clock: Clock
}

/** Maximum time between a submit and its repetition. */
const repeatedWithinMs = 15 * 60_000
const candidatesMax = 16
// No client can send this character in a key. The condition of the partial index for these keys
// contains it.
const mark = '§'

/** Returns the same digest for equal requests, whatever the order of their fields. */
export function digestOfRequest(request: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sortedFields(request)))
    .digest('hex')
}

export function keyOfSubmit({ digest, repetition }: Pick<RepeatableSubmit, 'digest' | 'repetition'>): string {
  return `${mark}${digest} ${repetition ?? 0} ${randomUUID()}`
}

/** Whether the service has generated this idempotency key. */
export function isGeneratedKey(key: string): boolean {
  return key.startsWith(mark)
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
  const start = `${mark}${digest} `
  const rows = await store.query
    .selectFrom('idempotency_keys as k')
    .innerJoin('tasks as t', 't.no', 'k.task_no')
    .select(['t.no', 't.tail', 'k.key'])
    // This condition must have the exact text of the partial index.
    .where(sql<boolean>`substr(k.key, 1, 1) = ${sql.lit(mark)}`)
    .where('k.account_no', '=', accountNo)
    .where('k.key', '>=', start)
    .where('k.key', '<', `${mark}${digest}!`)
    .where('k.task_no', '>=', firstTaskNoAt(clock() - repeatedWithinMs))
    .orderBy('k.task_no')
    .limit(candidatesMax)
    .execute()
  for (const { no, tail, key } of rows) {
    const id = taskIdOf(no, tail)
    const isClaimed = repetition !== null && Number(key.slice(start.length).split(' ')[0]) >= repetition
    if (isClaimed || isPending(id) || !(await claimKey(store.query, no, key, submit))) continue
    const task = await store.find(id)
    if (task !== undefined) return task
  }
  return undefined
}

/** Returns false if another repetition has claimed the key before. */
async function claimKey(query: Kysely<Tables>, no: number, key: string, submit: RepeatableSubmit): Promise<boolean> {
  const claimed = await query
    .updateTable('idempotency_keys')
    .set({ key: keyOfSubmit(submit) })
    .where('task_no', '=', no)
    .where('key', '=', key)
    .executeTakeFirst()
  return claimed.numUpdatedRows === 1n
}

/**
 * Removes the keys that the service has generated for these tasks, because their clients have
 * received the responses.
 */
export async function clearKeys(query: Kysely<Tables>, taskIds: readonly string[]): Promise<void> {
  await query
    .deleteFrom('idempotency_keys')
    .where('task_no', 'in', taskIds.map(taskNoOf))
    .where(sql<boolean>`substr(key, 1, 1) = ${sql.lit(mark)}`)
    .execute()
}

function sortedFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedFields)
  if (!isObject(value)) return value
  const names = Object.keys(value).toSorted()
  return names.map((name) => [name, sortedFields(value[name])])
}
