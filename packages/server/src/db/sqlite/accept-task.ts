import type { DatabaseSync } from 'node:sqlite'
import { firstTaskNoAt } from '../../identity/task-id.ts'
import type { Allowances, LimitScope } from './allowances.ts'
import type { EventOutbox } from './event-outbox.ts'
import { IdempotencyIndex } from './idempotency-index.ts'
import type { Ledger } from './ledger.ts'
import type { VirtualStarts } from './virtual-starts.ts'
import type { TaskAssets } from './task-assets.ts'
import type { WaitQueues } from './wait-queues.ts'
import type { AcceptOperation, WriteOutcome } from '../write-operations.ts'

/** Time for which an idempotency key is remembered. */
const retentionMs = 24 * 60 * 60 * 1000
const purgeIntervalMs = 60 * 60 * 1000
const firstPurgeAfterMs = 60_000

export interface AcceptParts {
  ledger: Ledger
  outbox: EventOutbox
  allowances: Allowances
  taskAssets: TaskAssets
  virtualStarts: VirtualStarts
  waitQueues: WaitQueues
}

type StoredRequest = Pick<AcceptOperation, 'no' | 'model' | 'parameters' | 'digest'>

/**
 * Returns the reason why a task at this price would be refused now. Returns null if the task would
 * be accepted, even if it would then have to wait.
 */
export function findRefusal(
  { ledger, allowances, taskAssets }: Pick<AcceptParts, 'ledger' | 'allowances' | 'taskAssets'>,
  scope: LimitScope,
  { no: taskNo, price, assetIds }: Pick<AcceptOperation, 'no' | 'price' | 'assetIds'>,
  nowMs: number,
): WriteOutcome {
  const missing = assetIds === undefined ? null : taskAssets.missing(scope.accountNo, assetIds)
  if (missing !== null) return missing
  const overspending = allowances.overspending(scope, taskNo, price)
  if (overspending !== null) return overspending
  const balance = ledger.available(scope.accountNo, nowMs)
  if (balance < price) return { kind: 'insufficient_credits', balance }
  const exceededLimit = allowances.exceededLimit(scope, price)
  if (exceededLimit === null || (scope.waitsAtLimit && !allowances.exceedsLimitAlone(scope, price))) return null
  return exceededLimit
}

export interface AcceptTasks {
  /**
   * Accepts one task. First checks the idempotency key of the task and the limits, then holds the
   * price and writes the row of the task. The task joins the queue at once, after its delay, or
   * when a limit admits it.
   */
  accept(task: AcceptOperation, nowMs: number, expiryMs: number): WriteOutcome
  /** Returns the number of the task with this idempotency key. */
  findTaskOfKey(accountNo: number, key: string, expiryMs: number): number | undefined
}

export function createAcceptTask(database: DatabaseSync, parts: AcceptParts, openedAtMs: number): AcceptTasks {
  const { ledger, outbox, allowances, taskAssets, virtualStarts, waitQueues } = parts
  const insertTask = database.prepare(`
    insert into tasks (
      no, tail, account_no, key_no, model, model_version_no, object, parameters, status, price, price_no, hold_entry_no, due_at, lane,
      virtual_start, waits
    )
    values (?, ?, ?, ?, ?, ?, ?, ?, 'queued', ?, ?, ?, ?, ?, ?, ?)`)
  const insertImages = database.prepare('insert into task_images values (?, ?)')
  const insertKey = database.prepare('insert into idempotency_keys values (?, ?, ?, ?)')
  const readKey = database.prepare(`
    select k.account_no, k.key, k.digest, t.model, t.parameters from idempotency_keys k join tasks t on t.no = k.task_no
    where k.task_no = ?`)
  const readKeys = database.prepare('select task_no, account_no, key from idempotency_keys')
  const purgeKeys = database.prepare('delete from idempotency_keys where task_no < ?')

  const index = new IdempotencyIndex()
  let purgedAtMs = openedAtMs - purgeIntervalMs + firstPurgeAfterMs
  readIndex()
  return { accept, findTaskOfKey: (accountNo, key, expiryMs) => findKey(accountNo, key, expiryMs)?.no }

  function accept(task: AcceptOperation, nowMs: number, expiryMs: number): WriteOutcome {
    const { no, tail, accountNo, keyNo, model, modelVersionNo, object, parameters, price, priceNo, delayMs, lane, key, digest } =
      task
    if (key !== null) {
      if (Math.abs(expiryMs - purgedAtMs) > purgeIntervalMs) purge(expiryMs)
      const stored = findKey(accountNo, key, expiryMs)
      if (stored !== undefined) {
        const isSame = stored.model === model && stored.parameters === parameters && stored.digest === digest
        return isSame ? { kind: 'replayed', no: stored.no } : { kind: 'key_reused' }
      }
    }
    const scope = allowances.scope(accountNo, keyNo ?? 0)
    const refusal = findRefusal(parts, scope, task, nowMs)
    if (refusal !== null) return refusal
    const waits = waitQueues.hasQueue(scope) || allowances.exceededLimit(scope, price) !== null

    const virtualStart = waits || delayMs > 0 ? null : virtualStarts.next(lane, accountNo)
    const holdNo = ledger.hold(accountNo, no, price, nowMs)
    const dueAt = nowMs + delayMs
    insertTask.run(
      no,
      tail,
      accountNo,
      keyNo,
      model,
      modelVersionNo,
      object,
      parameters,
      price,
      priceNo,
      holdNo,
      dueAt,
      lane,
      virtualStart,
      waits ? 1 : 0,
    )
    if (task.images !== null) insertImages.run(no, task.images)
    if (task.assetIds !== undefined) taskAssets.add(no, task.assetIds)
    if (task.webhook !== undefined) outbox.addWebhook(no, task.webhook)
    allowances.spend(scope, no, price)
    if (waits) waitQueues.add(scope, { no, price, lane })
    else allowances.acquire(scope, price)
    if (key !== null) {
      insertKey.run(no, accountNo, key, digest)
      index.add(accountNo, key, no)
    }
    return null
  }

  function findKey(accountNo: number, key: string, expiryMs: number): StoredRequest | undefined {
    const oldestNo = firstTaskNoAt(expiryMs - retentionMs)
    for (const no of index.candidates(accountNo, key)) {
      if (no < oldestNo) continue
      // The row of a candidate can be missing after a rollback. A candidate with another key only
      // has the same hash. Both are skipped.
      const row = readKey.get(no)
      if (row?.['account_no'] !== accountNo || row['key'] !== key) continue
      return { no, model: String(row['model']), parameters: String(row['parameters']), digest: String(row['digest']) }
    }
    return undefined
  }

  function purge(nowMs: number): void {
    purgedAtMs = nowMs
    purgeKeys.run(firstTaskNoAt(nowMs - retentionMs))
    readIndex()
  }

  function readIndex(): void {
    index.clear()
    for (const row of readKeys.iterate()) index.add(Number(row['account_no']), String(row['key']), Number(row['task_no']))
  }
}
