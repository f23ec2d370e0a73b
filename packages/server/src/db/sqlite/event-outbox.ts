import { randomUUID } from 'node:crypto'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { RecordedEventType } from '@framegate/contract'
import { eventTypeBits, taskWebhookBit } from '../event-type-bits.ts'
import type { TaskWebhook } from '../event-log.ts'

/**
 * Records events in the transaction of the change that they report. The subscriptions are in the
 * memory of the writer thread. For an account without a subscription, a change therefore costs only
 * a look-up in a Map.
 */
export class EventOutbox {
  readonly #readSubscribers: StatementSync
  readonly #readThresholds: StatementSync
  readonly #insert: StatementSync
  readonly #insertWithId: StatementSync
  readonly #insertWebhook: StatementSync
  readonly #findWebhook: StatementSync
  readonly #accountOf: StatementSync
  readonly #types = new Map<number, number>()
  /**
   * Thresholds of accounts, micro-credits. A `credits.low` event is recorded when a balance falls
   * below its threshold.
   */
  readonly #thresholds = new Map<number, number>()
  #allTypes = 0
  #isLoaded = false
  #hasRecorded = false

  constructor(database: DatabaseSync) {
    this.#readSubscribers = database.prepare('select account_no, types from event_subscribers where types > 0')
    this.#readThresholds = database.prepare('select no, credits_low_at from accounts where credits_low_at is not null')
    this.#insert = database.prepare(`
      insert into events (account_no, type, task_no, at) values (?, ?, ?, ?)
      on conflict (task_no, type) where task_no is not null do nothing`)
    this.#insertWithId = database.prepare('insert into events (account_no, type, id, at) values (?, ?, ?, ?)')
    this.#insertWebhook = database.prepare('insert into task_webhooks (task_no, endpoint_no, url) values (?, ?, ?)')
    this.#findWebhook = database.prepare('select 1 from task_webhooks where task_no = ?')
    this.#accountOf = database.prepare('select account_no from tasks where no = ?')
  }

  /** Called when the subscriptions in the table may have changed. */
  clearCache(): void {
    this.#isLoaded = false
  }

  addWebhook(taskNo: number, { endpointNo, url }: TaskWebhook): void {
    this.#insertWebhook.run(taskNo, endpointNo, url)
  }

  recordTaskEnd(accountNo: number, taskNo: number, type: 'task.completed' | 'task.failed', nowMs: number): void {
    const types = this.#typesOf(accountNo)
    const isRecorded = (types & eventTypeBits[type]) !== 0 || ((types & taskWebhookBit) !== 0 && this.#hasWebhook(taskNo))
    if (isRecorded) this.#record(accountNo, taskNo, type, nowMs)
  }

  /** Called when the first attempt of a task begins. */
  recordTaskStart(taskNo: number, nowMs: number): void {
    const bit = eventTypeBits['task.processing']
    this.#loadSubscribers()
    if ((this.#allTypes & bit) === 0) return
    const accountNo = Number(this.#accountOf.get(taskNo)?.['account_no'])
    if ((this.#typesOf(accountNo) & bit) !== 0) this.#record(accountNo, taskNo, 'task.processing', nowMs)
  }

  watchesBalance(accountNo: number): boolean {
    this.#loadSubscribers()
    return this.#thresholds.has(accountNo)
  }

  recordBalanceChange(accountNo: number, { before, after }: { before: number; after: number }, nowMs: number): void {
    const threshold = this.#thresholds.get(accountNo) ?? 0
    if (before < threshold || after >= threshold) return
    if ((this.#typesOf(accountNo) & eventTypeBits['credits.low']) === 0) return
    this.#insertWithId.run(accountNo, 'credits.low', `evt_${randomUUID().replaceAll('-', '')}`, nowMs)
    this.#hasRecorded = true
  }

  /** Whether events were recorded since the last call. */
  takeRecorded(): boolean {
    const hasRecorded = this.#hasRecorded
    this.#hasRecorded = false
    return hasRecorded
  }

  #record(accountNo: number, taskNo: number, type: RecordedEventType, nowMs: number): void {
    this.#insert.run(accountNo, type, taskNo, nowMs)
    this.#hasRecorded = true
  }

  #hasWebhook(taskNo: number): boolean {
    return this.#findWebhook.get(taskNo) !== undefined
  }

  #typesOf(accountNo: number): number {
    this.#loadSubscribers()
    return this.#types.get(accountNo) ?? 0
  }

  #loadSubscribers(): void {
    if (this.#isLoaded) return
    this.#isLoaded = true
    this.#types.clear()
    this.#thresholds.clear()
    this.#allTypes = 0
    for (const row of this.#readSubscribers.iterate()) {
      this.#types.set(Number(row['account_no']), Number(row['types']))
      this.#allTypes |= Number(row['types'])
    }
    for (const row of this.#readThresholds.iterate()) this.#thresholds.set(Number(row['no']), Number(row['credits_low_at']))
  }
}
