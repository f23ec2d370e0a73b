import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { dayAt } from '../../lib/dates.ts'
import { dayOfTask, firstDayOfMonth } from '../days.ts'
import type { ExceededLimit, SpendingLimitExceeded } from '../write-operations.ts'
import { unfinishedTasks } from './unfinished-tasks.ts'
import type { Usage } from './usage.ts'

/**
 * The tasks and micro-credits in flight of a key, an account or a brand (storefront), with their
 * limits. Infinity: unlimited.
 */
export interface InFlightCounts {
  readonly whose: 'key' | 'account' | 'brand'
  readonly no: number
  tasks: number
  credits: number
  tasksMax: number
  creditsMax: number
  /**
   * Number of the waiting task for which the whole limit on credits is reserved (`WaitQueues`).
   * Infinity: none.
   */
  reservedFor: number
}

/** The limit that a waiting task would exceed. */
export interface BlockingLimit {
  counts: InFlightCounts
  /** Whether the task waits until its key, account or brand has no credits in flight. */
  needsWholeLimit: boolean
}

/**
 * The spending of a key in micro-credits, on a day and in the month up to that day: the charges and
 * holds of the tasks and forwarded requests that were accepted in this time.
 */
interface KeySpending {
  day: number
  /** First day of the month of `day`. */
  monthStart: number
  spentToday: number
  spentThisMonth: number
  /**
   * Whether there is spending on later days, because the clock was ahead. It does not count toward
   * the limits until those days.
   */
  hasLaterSpending: boolean
  perDayMax: number
  perMonthMax: number
}

/** The key, the account and the brand toward whose limits a task counts. */
export interface LimitScope {
  readonly accountNo: number
  /** 0 for tasks that are submitted without an API key. */
  readonly keyNo: number
  readonly key: (InFlightCounts & KeySpending) | null
  readonly account: InFlightCounts
  readonly brand: InFlightCounts
  /** Whether a task over a limit (tasks or credits in flight) waits. If false, it is rejected. */
  waitsAtLimit: boolean
  /**
   * Version of these limits. If it differs from `LimitCounters.#limitsVersion`, the limits are read
   * again.
   */
  limitsVersion: number
}

/**
 * Tasks in flight and spending of keys, accounts and brands, in the memory of the writer thread.
 * This thread is the only writer, so the counts are exact. The limits are read from their tables,
 * and are read again after any change there.
 *
 * The changes of a batch are recorded until its commit, and undone if the batch is rolled back.
 */
export class LimitCounters {
  readonly #usage: Usage
  readonly #scopes = new Map<number, LimitScope>()
  readonly #accounts = new Map<number, InFlightCounts>()
  readonly #brands = new Map<number, InFlightCounts>()
  readonly #readKey: StatementSync
  readonly #readAccount: StatementSync
  readonly #readBrand: StatementSync
  readonly #readUnfinishedOfKey: StatementSync
  // The changes of the batch. Parallel arrays take less memory than objects, and each task adds
  // several elements.
  readonly #counted: InFlightCounts[] = []
  readonly #countedCredits: number[] = []
  readonly #countedTasks: number[] = []
  readonly #spent: KeySpending[] = []
  readonly #spentDays: number[] = []
  readonly #spentAmounts: number[] = []
  #limitsVersion = 0
  #today: number

  constructor(database: DatabaseSync, usage: Usage, nowMs: number) {
    this.#usage = usage
    this.#today = dayAt(nowMs)
    this.#readKey = database.prepare(
      'select tasks_in_flight_max, credits_in_flight_max, spent_per_day_max, spent_per_month_max from api_keys where no = ?',
    )
    this.#readAccount = database.prepare(
      'select brand_no, over_limit, tasks_in_flight_max, credits_in_flight_max from accounts where no = ?',
    )
    this.#readBrand = database.prepare('select tasks_in_flight_max, credits_in_flight_max from brands where no = ?')
    this.#readUnfinishedOfKey = database.prepare(`
      select no, price from tasks
      where account_no = ?1 and key_no = ?2 and no in (${unfinishedTasks})
      union all select no, price from forwarded_requests where account_no = ?1 and key_no = ?2 and ended_at is null`)
    this.#countRunningTasks(database)
  }

  beginBatch(nowMs: number): void {
    this.#today = dayAt(nowMs)
  }

  scopeOf(accountNo: number, keyNo: number): LimitScope {
    const scopeNo = keyNo === 0 ? -accountNo : keyNo
    let scope = this.#scopes.get(scopeNo)
    if (scope === undefined) {
      scope = this.#newScope(accountNo, keyNo)
      this.#scopes.set(scopeNo, scope)
    }
    if (scope.limitsVersion !== this.#limitsVersion) this.#readLimits(scope)
    return scope
  }

  /**
   * Returns the daily or monthly spending limit of the key that this amount would exceed. Null: it
   * would exceed none.
   */
  exceededSpendingLimit({ accountNo, key }: LimitScope, taskNo: number, price: number): SpendingLimitExceeded | null {
    if (key === null) return null
    this.#startDay(accountNo, key, dayOfTask(taskNo))
    if (key.perDayMax === Infinity && key.perMonthMax === Infinity) return null
    if (key.spentToday + price > key.perDayMax)
      return { kind: 'spending_limit', period: 'day', max: key.perDayMax, spent: key.spentToday }
    if (key.spentThisMonth + price <= key.perMonthMax) return null
    return { kind: 'spending_limit', period: 'month', max: key.perMonthMax, spent: key.spentThisMonth }
  }

  /**
   * Returns the limit that one more task would exceed, or that is reserved for a waiting task.
   * Returns null if there is none.
   */
  exceededLimit({ key, account, brand }: LimitScope, price: number): ExceededLimit | null {
    return (key && unavailableLimitOf(key, price)) ?? unavailableLimitOf(account, price) ?? unavailableLimitOf(brand, price)
  }

  /**
   * Returns the first limit (of the key, the account, then the brand) that the start of an accepted
   * task would exceed, or null. A task needs the whole limit on credits if its price equals this
   * limit, or exceeds it because the limit was lowered after the acceptance.
   */
  blockingLimit({ key, account, brand }: LimitScope, price: number): BlockingLimit | null {
    for (const counts of key === null ? [account, brand] : [key, account, brand]) {
      const exceededLimit = exceededLimitOf(counts, Math.min(price, counts.creditsMax))
      if (exceededLimit === null) continue
      return { counts, needsWholeLimit: exceededLimit.limit === 'credits' && price >= counts.creditsMax }
    }
    return null
  }

  /**
   * Whether the task exceeds a limit even if no other task is in flight. Such a task is rejected at
   * its submit.
   */
  exceedsLimitAlone({ key, account, brand }: LimitScope, price: number): boolean {
    return [key, account, brand].some((counts) => counts !== null && (price > counts.creditsMax || counts.tasksMax === 0))
  }

  /**
   * Adds an amount to the key's spending on the day on which the task was accepted. The amount may
   * be negative.
   */
  spend({ key }: LimitScope, taskNo: number, amount: number): void {
    if (key === null) return
    const day = dayOfTask(taskNo)
    addSpent(key, day, amount)
    this.#spent.push(key)
    this.#spentDays.push(day)
    this.#spentAmounts.push(amount)
  }

  acquire({ key, account, brand }: LimitScope, price: number): void {
    if (key !== null) this.#count(key, 1, price)
    this.#count(account, 1, price)
    this.#count(brand, 1, price)
  }

  release({ key, account, brand }: LimitScope, price: number): void {
    if (key !== null) this.#count(key, -1, -price)
    this.#count(account, -1, -price)
    this.#count(brand, -1, -price)
  }

  /**
   * Called when the limits in the tables may have changed. Each limit is read again before its next
   * use.
   */
  reloadLimits(): void {
    this.#limitsVersion += 1
  }

  commit(): void {
    for (const list of [this.#counted, this.#countedCredits, this.#countedTasks]) list.length = 0
    for (const list of [this.#spent, this.#spentDays, this.#spentAmounts]) list.length = 0
  }

  rollBack(): void {
    for (const [index, counts] of this.#counted.entries()) {
      counts.tasks -= this.#countedTasks[index] ?? 0
      counts.credits -= this.#countedCredits[index] ?? 0
    }
    for (const [index, key] of this.#spent.entries()) {
      addSpent(key, this.#spentDays[index] ?? 0, -(this.#spentAmounts[index] ?? 0))
    }
    this.commit()
  }

  #count(counts: InFlightCounts, tasks: number, credits: number): void {
    counts.tasks += tasks
    counts.credits += credits
    this.#counted.push(counts)
    this.#countedTasks.push(tasks)
    this.#countedCredits.push(credits)
  }

  #countRunningTasks(database: DatabaseSync): void {
    const selectRunning = database.prepare(`
      select no, account_no, coalesce(key_no, 0) as key_no, price, waits
      from tasks
      where no in (${unfinishedTasks})`)
    for (const row of selectRunning.iterate()) {
      const scope = this.scopeOf(Number(row['account_no']), Number(row['key_no']))
      const price = Number(row['price'])
      this.spend(scope, Number(row['no']), price)
      if (row['waits'] === 0) this.acquire(scope, price)
    }
    const selectForwarded = database.prepare(
      'select no, account_no, coalesce(key_no, 0) as key_no, price from forwarded_requests where ended_at is null',
    )
    for (const row of selectForwarded.iterate()) {
      this.spend(this.scopeOf(Number(row['account_no']), Number(row['key_no'])), Number(row['no']), Number(row['price']))
    }
    this.commit()
  }

  #newScope(accountNo: number, keyNo: number): LimitScope {
    const row = this.#readAccount.get(accountNo)
    if (row === undefined) throw new Error(`there is no account ${accountNo}`)
    return {
      accountNo,
      keyNo,
      key: keyNo === 0 ? null : this.#newKey(accountNo, keyNo),
      account: countsOf(this.#accounts, 'account', accountNo),
      brand: countsOf(this.#brands, 'brand', Number(row['brand_no'])),
      waitsAtLimit: false,
      limitsVersion: -1,
    }
  }

  #newKey(accountNo: number, keyNo: number): InFlightCounts & KeySpending {
    const key = {
      ...newCounts('key', keyNo),
      day: this.#today,
      monthStart: 0,
      spentToday: 0,
      spentThisMonth: 0,
      hasLaterSpending: false,
      perDayMax: Infinity,
      perMonthMax: Infinity,
    }
    this.#readCharges(accountNo, key, this.#today)
    return key
  }

  /**
   * Makes `day`, on which a new task or request was accepted, the last day of the key's sums. The
   * sums are read again if the clock was set back, or if `day` already has spending. A task of the
   * previous day that is written after midnight changes nothing.
   */
  #startDay(accountNo: number, key: InFlightCounts & KeySpending, day: number): void {
    if (day > key.day && !key.hasLaterSpending) {
      const monthStart = firstDayOfMonth(day)
      key.day = day
      key.spentToday = 0
      if (monthStart !== key.monthStart) key.spentThisMonth = 0
      key.monthStart = monthStart
    } else if (day > key.day || (day < key.day && this.#today < key.day)) {
      this.#readCharges(accountNo, key, day)
      for (const row of this.#readUnfinishedOfKey.iterate(accountNo, key.no)) {
        addSpent(key, dayOfTask(Number(row['no'])), Number(row['price']))
      }
    }
  }

  #readCharges(accountNo: number, key: InFlightCounts & KeySpending, day: number): void {
    key.day = day
    key.monthStart = firstDayOfMonth(day)
    key.spentToday = 0
    key.spentThisMonth = 0
    key.hasLaterSpending = false
    for (const charges of this.#usage.chargesSince(accountNo, key.no, key.monthStart)) addSpent(key, charges.day, charges.amount)
  }

  #readLimits(scope: LimitScope): void {
    const { key, account, brand } = scope
    const accountRow = this.#readAccount.get(account.no)
    scope.limitsVersion = this.#limitsVersion
    scope.waitsAtLimit = accountRow?.['over_limit'] === 'wait'
    setLimits(account, accountRow)
    setLimits(brand, this.#readBrand.get(brand.no))
    if (key === null) return
    const keyRow = this.#readKey.get(key.no)
    setLimits(key, keyRow)
    key.perDayMax = limitOf(keyRow?.['spent_per_day_max'])
    key.perMonthMax = limitOf(keyRow?.['spent_per_month_max'])
  }
}

function countsOf(countsByNo: Map<number, InFlightCounts>, whose: InFlightCounts['whose'], no: number): InFlightCounts {
  const counts = countsByNo.get(no) ?? newCounts(whose, no)
  countsByNo.set(no, counts)
  return counts
}

function newCounts(whose: InFlightCounts['whose'], no: number): InFlightCounts {
  return { whose, no, tasks: 0, credits: 0, tasksMax: Infinity, creditsMax: Infinity, reservedFor: Infinity }
}

function setLimits(counts: InFlightCounts, row: Record<string, unknown> | undefined): void {
  counts.tasksMax = limitOf(row?.['tasks_in_flight_max'])
  counts.creditsMax = limitOf(row?.['credits_in_flight_max'])
}

function limitOf(value: unknown): number {
  return typeof value === 'number' ? value : Infinity
}

function unavailableLimitOf(counts: InFlightCounts, price: number): ExceededLimit | null {
  if (counts.reservedFor === Infinity) return exceededLimitOf(counts, price)
  return { kind: 'too_many_in_flight', whose: counts.whose, limit: 'credits', max: counts.creditsMax }
}

function exceededLimitOf({ whose, tasks, credits, tasksMax, creditsMax }: InFlightCounts, price: number): ExceededLimit | null {
  if (tasks + 1 > tasksMax) return { kind: 'too_many_in_flight', whose, limit: 'tasks', max: tasksMax }
  if (credits + price > creditsMax) return { kind: 'too_many_in_flight', whose, limit: 'credits', max: creditsMax }
  return null
}

function addSpent(key: KeySpending, day: number, amount: number): void {
  if (day > key.day) {
    key.hasLaterSpending = true
    return
  }
  if (day === key.day) key.spentToday += amount
  if (day >= key.monthStart) key.spentThisMonth += amount
}
