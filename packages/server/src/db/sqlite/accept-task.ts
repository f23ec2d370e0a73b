import type { DatabaseSync } from 'node:sqlite'
import { firstTaskNoAt } from '../../lib/task-id.ts'
import { IdempotencyIndex } from './idempotency-index.ts'
import type { Ledger } from './ledger.ts'
import type { AcceptOperation, WriteOutcome } from './write-operations.ts'

/** How long an idempotency key is remembered (contract, Submit). */
const keptMs = 24 * 60 * 60 * 1000
const purgeEveryMs = 60 * 60 * 1000

/** Accepts one task: key, hold, row. The row is due at once, or after its delay. */
export function createAcceptTask(
  database: DatabaseSync,
  ledger: Ledger,
  openedAtMs: number,
): (task: AcceptOperation, nowMs: number) => WriteOutcome {
  const insertTask = database.prepare(`
    insert into tasks (no, tail, account_no, model, object, parameters, status, price, due_at)
    values (?, ?, ?, ?, ?, ?, 'queued', ?, ?)`)
  const insertPictures = database.prepare('insert into task_pictures values (?, ?)')
  const insertKey = database.prepare('insert into idempotency_keys values (?, ?, ?, ?)')
  const readKey = database.prepare('select account_no, key, digest from idempotency_keys where task_no = ?')
  const readKeys = database.prepare('select task_no, account_no, key from idempotency_keys')
  const purgeKeys = database.prepare('delete from idempotency_keys where task_no < ?')

  const index = new IdempotencyIndex()
  let purgedAtMs = 0
  purge(openedAtMs)

  return (task, nowMs) => {
    const { no, accountNo, price, delayMs, key, digest } = task
    if (key !== null) {
      if (nowMs - purgedAtMs > purgeEveryMs) purge(nowMs)
      const known = findKey(accountNo, key, firstTaskNoAt(nowMs - keptMs))
      if (known !== undefined) return known.digest === digest ? { kind: 'replayed', no: known.no } : { kind: 'key_reused' }
    }
    const balance = ledger.available(accountNo, nowMs)
    if (balance < price) return { kind: 'insufficient_credits', balance }

    insertTask.run(no, task.tail, accountNo, task.model, task.object, task.parameters, price, nowMs + delayMs)
    if (task.pictures !== null) insertPictures.run(no, task.pictures)
    ledger.hold(accountNo, no, price, nowMs)
    if (key !== null) {
      insertKey.run(no, accountNo, key, digest)
      index.add(accountNo, key, no)
    }
    return null
  }

  function findKey(accountNo: number, key: string, oldestNo: number): { no: number; digest: string } | undefined {
    for (const no of index.candidates(accountNo, key)) {
      if (no < oldestNo) continue
      // A candidate without a row was rolled back, or is another key of the same hash.
      const row = readKey.get(no)
      if (row?.['account_no'] === accountNo && row['key'] === key) return { no, digest: String(row['digest']) }
    }
    return undefined
  }

  function purge(nowMs: number): void {
    purgedAtMs = nowMs
    purgeKeys.run(firstTaskNoAt(nowMs - keptMs))
    index.clear()
    for (const row of readKeys.iterate()) index.add(Number(row['account_no']), String(row['key']), Number(row['task_no']))
  }
}
