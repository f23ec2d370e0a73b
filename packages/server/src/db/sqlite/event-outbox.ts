import { randomUUID } from 'node:crypto'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { RecordedEventType } from '@framegate/contract'
import { eventTypeBits, taskWebhookBit } from '../event-type-bits.ts'
import type { TaskWebhook } from '../event-log.ts'

/**
 * Records events in the transaction of the change that they report. The subscriptions are in the
 * memory of the writer thread, so the end of a task costs only a look-up in a Map if its account
 * has no subscription.
 */
export class EventOutbox {
  readonly #readSubscribers: StatementSync
  readonly #readThresholds: StatementSync
  readonly #insert: StatementSync
  readonly #insertWithId: StatementSync
  readonly #insertWebhook: StatementSync
  readonly #findWebhook: StatementSync
  readonly #accountOf: StatementSync
  /** Subscriptions as bits (`event-type-bits.ts`), by account number. */
  readonly #subscribedBits = new Map<number, number>()
  /**
   * Thresholds in micro-credits, by account number. A `credits.low` event is recorded when a
   * balance falls below its threshold.
   */
  readonly #thresholds = new Map<number, number>()
  /** The bits of all event types to which at least one account subscribes. */
  #anySubscribedBits = 0
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

  /** Called when the subscriptions or thresholds in the tables may have changed. */
  clearCache(): void {
    this.#isLoaded = false
  }

  addWebhook(taskNo: number, { endpointNo, url }: TaskWebhook): void {
    this.#insertWebhook.run(taskNo, endpointNo, url)
  }

  recordTaskEnd(accountNo: number, taskNo: number, type: 'task.completed' | 'task.failed', nowMs: number): void {
    const bits = this.#bitsOf(accountNo)
    const isRecorded = (bits & eventTypeBits[type]) !== 0 || ((bits & taskWebhookBit) !== 0 && this.#hasWebhook(taskNo))
    if (isRecorded) this.#record(accountNo, taskNo, type, nowMs)
  }

  /** Called when the first attempt of a task begins. */
  recordTaskStart(taskNo: number, nowMs: number): void {
    const bit = eventTypeBits['task.processing']
    this.#loadSubscribers()
    if ((this.#anySubscribedBits & bit) === 0) return
    const accountNo = Number(this.#accountOf.get(taskNo)?.['account_no'])
    if ((this.#bitsOf(accountNo) & bit) !== 0) this.#record(accountNo, taskNo, 'task.processing', nowMs)
  }

  hasThreshold(accountNo: number): boolean {
    this.#loadSubscribers()
    return this.#thresholds.has(accountNo)
  }

  recordBalanceChange(accountNo: number, { before, after }: { before: number; after: number }, nowMs: number): void {
    const threshold = this.#thresholds.get(accountNo) ?? 0
    if (before < threshold || after >= threshold) return
    if ((this.#bitsOf(accountNo) & eventTypeBits['credits.low']) === 0) return
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

  #bitsOf(accountNo: number): number {
    this.#loadSubscribers()
    return this.#subscribedBits.get(accountNo) ?? 0
  }

  #loadSubscribers(): void {
    if (this.#isLoaded) return
    this.#isLoaded = true
    this.#subscribedBits.clear()
    this.#thresholds.clear()
    this.#anySubscribedBits = 0
    for (const row of this.#readSubscribers.iterate()) {
      this.#subscribedBits.set(Number(row['account_no']), Number(row['types']))
      this.#anySubscribedBits |= Number(row['types'])
    }
    for (const row of this.#readThresholds.iterate()) this.#thresholds.set(Number(row['no']), Number(row['credits_low_at']))
  }
}
