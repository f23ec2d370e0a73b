import type { DatabaseSync } from 'node:sqlite'
import { isGeneratedKey } from '../../identity/generated-key.ts'
import type { LimitCounters, LimitScope } from './limit-counters.ts'
import type { EventOutbox } from './event-outbox.ts'
import type { IdempotencyKeys } from './idempotency-keys.ts'
import type { Ledger } from './ledger.ts'
import type { VirtualStarts } from './virtual-starts.ts'
import type { TaskAssets } from './task-assets.ts'
import type { WaitQueues } from './wait-queues.ts'
import type { AcceptOperation, WriteOutcome } from '../write-operations.ts'

export interface AcceptTaskDependencies {
  ledger: Ledger
  outbox: EventOutbox
  limitCounters: LimitCounters
  taskAssets: TaskAssets
  virtualStarts: VirtualStarts
  waitQueues: WaitQueues
  keys: IdempotencyKeys
}

/**
 * Returns the reason why a task at this price would be refused now. Returns null if the task would
 * be accepted, even if it would then have to wait.
 */
export function findRefusal(
  { ledger, limitCounters, taskAssets }: Pick<AcceptTaskDependencies, 'ledger' | 'limitCounters' | 'taskAssets'>,
  scope: LimitScope,
  { no: taskNo, price, assetIds }: Pick<AcceptOperation, 'no' | 'price' | 'assetIds'>,
  nowMs: number,
): WriteOutcome {
  const missingAssets = assetIds === undefined ? null : taskAssets.findMissing(scope.accountNo, assetIds)
  if (missingAssets !== null) return missingAssets
  const exceededSpendingLimit = limitCounters.exceededSpendingLimit(scope, taskNo, price)
  if (exceededSpendingLimit !== null) return exceededSpendingLimit
  const balance = ledger.availableOf(scope.accountNo, nowMs)
  if (balance < price) return { kind: 'insufficient_credits', balance }
  const exceededLimit = limitCounters.exceededLimit(scope, price)
  if (exceededLimit === null || (scope.waitsAtLimit && !limitCounters.exceedsLimitAlone(scope, price))) return null
  return exceededLimit
}

/**
 * Accepts one task. First checks the idempotency key of the task and the limits, then holds the
 * price and writes the row of the task. The task joins the queue immediately, after its delay, or
 * when a limit admits it.
 */
export function createAcceptTask(
  database: DatabaseSync,
  { ledger, outbox, limitCounters, taskAssets, virtualStarts, waitQueues, keys }: AcceptTaskDependencies,
): (task: AcceptOperation, nowMs: number, expiryMs: number) => WriteOutcome {
  const insertTask = database.prepare(`
    insert into tasks (
      no, tail, account_no, key_no, model, model_version_no, object, parameters, status, price, price_no, hold_entry_no, due_at, lane,
      virtual_start, waits
    )
    values (?, ?, ?, ?, ?, ?, ?, ?, 'queued', ?, ?, ?, ?, ?, ?, ?)`)
  const insertImages = database.prepare('insert into task_images values (?, ?)')

  return (task, nowMs, expiryMs) => {
    const { no, tail, accountNo, keyNo, model, modelVersionNo, object, parameters, price, priceNo, delayMs, lane, key, digest } =
      task
    if (key !== null) {
      keys.purgeExpired(expiryMs)
      const storedKey = isGeneratedKey(key) ? undefined : keys.find(accountNo, key, expiryMs)
      if (storedKey !== undefined) {
        const isSame = storedKey.model === model && storedKey.parameters === parameters && storedKey.digest === digest
        return isSame ? { kind: 'replayed', no: storedKey.no } : { kind: 'key_reused' }
      }
    }
    const scope = limitCounters.scopeOf(accountNo, keyNo ?? 0)
    const refusal = findRefusal({ ledger, limitCounters, taskAssets }, scope, task, nowMs)
    if (refusal !== null) return refusal
    const waits = waitQueues.hasQueue(scope) || limitCounters.exceededLimit(scope, price) !== null

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
    limitCounters.spend(scope, no, price)
    if (waits) waitQueues.add(scope, { no, price, lane })
    else limitCounters.acquire(scope, price)
    if (key !== null) keys.add(no, accountNo, key, digest, nowMs)
    return null
  }
}
