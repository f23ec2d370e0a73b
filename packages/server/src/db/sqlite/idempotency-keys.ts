import type { DatabaseSync } from 'node:sqlite'
import {
  generatedKeyMark,
  isGeneratedKey,
  prefixOfDigest,
  readGeneratedKey,
  retryWindowMs,
} from '../../identity/generated-key.ts'
import { firstTaskNoAt } from '../../identity/task-id.ts'
import { idempotencyRetentionMs } from '../retried-requests.ts'
import type { AcceptOperation, FindGeneratedKeys, FoundKey } from '../write-operations.ts'
import { GeneratedKeyIndex } from './generated-key-index.ts'
import { IdempotencyIndex } from './idempotency-index.ts'

const purgeIntervalMs = 60 * 60 * 1000
const firstPurgeAfterMs = 60_000

type StoredRequest = Pick<AcceptOperation, 'no' | 'model' | 'parameters' | 'digest'>

/** The idempotency keys of accepted tasks, with their indexes in memory. */
export class IdempotencyKeys {
  readonly #insert
  readonly #read
  readonly #readAll
  readonly #remove
  readonly #purge
  readonly #index = new IdempotencyIndex()
  #generated: GeneratedKeyIndex
  #purgedAtMs: number

  constructor(database: DatabaseSync, nowMs: number) {
    this.#insert = database.prepare('insert into idempotency_keys values (?, ?, ?, ?)')
    this.#read = database.prepare(`
      select k.account_no, k.key, k.digest, t.tail, t.model, t.parameters from idempotency_keys k join tasks t on t.no = k.task_no
      where k.task_no = ?`)
    this.#readAll = database.prepare('select task_no, account_no, key from idempotency_keys order by task_no')
    this.#remove = database.prepare(
      `delete from idempotency_keys
      where task_no in (select value from json_each(?)) and substr(key, 1, 1) = '${generatedKeyMark}'`,
    )
    this.#purge = database.prepare('delete from idempotency_keys where task_no < ?')
    this.#generated = new GeneratedKeyIndex(nowMs)
    this.#purgedAtMs = nowMs - purgeIntervalMs + firstPurgeAfterMs
    this.#readIndexes(nowMs)
  }

  /**
   * Returns the stored request of the task with this key, which a client has chosen. Undefined: the
   * account has no task with this key, or the key has expired.
   */
  find(accountNo: number, key: string, expiryMs: number): StoredRequest | undefined {
    const oldestNo = firstTaskNoAt(expiryMs - idempotencyRetentionMs)
    for (const no of this.#index.candidatesOf(accountNo, key)) {
      if (no < oldestNo) continue
      // A candidate has no row if its transaction was rolled back, and another key if only the hash
      // is the same.
      const row = this.#read.get(no)
      if (row?.['account_no'] !== accountNo || row['key'] !== key) continue
      return { no, model: String(row['model']), parameters: String(row['parameters']), digest: String(row['digest']) }
    }
    return undefined
  }

  add(taskNo: number, accountNo: number, key: string, digest: string | null, nowMs: number): void {
    this.#insert.run(taskNo, accountNo, key, digest)
    if (isGeneratedKey(key)) this.#generated.add(accountNo, readGeneratedKey(key).digest, taskNo, nowMs)
    else this.#index.add(accountNo, key, taskNo)
  }

  /**
   * Returns the account's generated keys with this digest of tasks from `oldestNo` on, oldest
   * first.
   */
  findGenerated({ accountNo, digest, oldestNo, countMax }: FindGeneratedKeys): FoundKey[] {
    const prefix = prefixOfDigest(digest)
    const foundKeys: FoundKey[] = []
    for (const taskNo of this.#generated.candidatesOf(accountNo, digest)) {
      if (foundKeys.length === countMax) break
      const row = taskNo < oldestNo ? undefined : this.#read.get(taskNo)
      const key = String(row?.['key'])
      if (row?.['account_no'] !== accountNo || !key.startsWith(prefix)) continue
      foundKeys.push({ no: taskNo, tail: String(row['tail']), key })
    }
    return foundKeys.toSorted((left, right) => left.no - right.no)
  }

  removeGenerated(taskNos: readonly number[]): void {
    this.#remove.run(JSON.stringify(taskNos))
    this.#generated.remove(taskNos)
  }

  /** Called for each submit with a key. Removes expired keys about once an hour. */
  purgeExpired(expiryMs: number): void {
    if (Math.abs(expiryMs - this.#purgedAtMs) <= purgeIntervalMs) return
    this.#purgedAtMs = expiryMs
    this.#purge.run(firstTaskNoAt(expiryMs - idempotencyRetentionMs))
    this.#readIndexes(expiryMs)
  }

  #readIndexes(nowMs: number): void {
    const oldestRetriedNo = firstTaskNoAt(nowMs - retryWindowMs)
    this.#index.clear()
    this.#generated = new GeneratedKeyIndex(nowMs)
    for (const row of this.#readAll.iterate()) {
      const [accountNo, key, taskNo] = [Number(row['account_no']), String(row['key']), Number(row['task_no'])]
      if (!isGeneratedKey(key)) this.#index.add(accountNo, key, taskNo)
      else if (taskNo >= oldestRetriedNo) this.#generated.add(accountNo, readGeneratedKey(key).digest, taskNo, nowMs)
    }
  }
}
