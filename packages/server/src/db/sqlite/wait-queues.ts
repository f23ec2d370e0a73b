import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { InFlightCounts, LimitCounters, LimitScope } from './limit-counters.ts'
import type { VirtualStarts } from './virtual-starts.ts'

interface WaitingTask {
  no: number
  price: number
  lane: number
}

/**
 * Tasks that were accepted although they exceed a limit on tasks or credits in flight. They wait
 * until other tasks end or the limit is raised. Each key has a queue in the order of acceptance.
 * When tasks can be admitted again, accounts take turns, and so do the keys of an account.
 *
 * If the price of a task is not below its account's or brand's limit on credits, the task waits
 * until the account or brand has no credits in flight. The task reserves the limit, so that no
 * later task under this limit starts before it. Otherwise, the task would wait forever if smaller
 * tasks keep coming.
 *
 * The rows of the waiting tasks are the source of these queues. A task that was cancelled while it
 * waited is skipped when it is first in its queue. After a rollback the queues are read again.
 */
export class WaitQueues {
  readonly #limitCounters: LimitCounters
  readonly #virtualStarts: VirtualStarts
  /** The queues of each account, one for each of its keys. */
  readonly #queuesByAccount = new Map<LimitScope['account'], Map<LimitScope, WaitingTask[]>>()
  readonly #read: StatementSync
  readonly #isWaiting: StatementSync
  readonly #admit: StatementSync
  #waitingCount = 0
  readonly #reservedLimits = new Set<InFlightCounts>()
  /** Whether a reservation has ended, so that tasks that were checked before may start. */
  #hasEndedReservation = false

  constructor(database: DatabaseSync, limitCounters: LimitCounters, virtualStarts: VirtualStarts) {
    this.#limitCounters = limitCounters
    this.#virtualStarts = virtualStarts
    this.#read = database.prepare(
      'select no, account_no, coalesce(key_no, 0) as key_no, price, lane from tasks where waits = 1 order by no',
    )
    this.#isWaiting = database.prepare('select 1 from tasks where no = ? and waits = 1')
    this.#admit = database.prepare('update tasks set waits = 0, virtual_start = ?, due_at = ? where no = ?')
    this.reload()
  }

  /**
   * Whether tasks of this key are waiting. If so, a further task of the key must wait behind them.
   */
  hasQueue(scope: LimitScope): boolean {
    return this.#waitingCount > 0 && this.#queuesByAccount.get(scope.account)?.has(scope) === true
  }

  add(scope: LimitScope, task: WaitingTask): void {
    const queues = this.#queuesByAccount.get(scope.account) ?? new Map<LimitScope, WaitingTask[]>()
    this.#queuesByAccount.set(scope.account, queues)
    const queue = queues.get(scope)
    if (queue === undefined) queues.set(scope, [task])
    else queue.push(task)
    this.#waitingCount += 1
  }

  /**
   * Admits the tasks that the limits now allow. Called after a task of this scope has ended or was
   * put on hold.
   */
  admitAfter({ account, brand }: LimitScope, nowMs: number): void {
    if (this.#waitingCount === 0) return
    const isBrandLimited = brand.tasksMax !== Infinity || brand.creditsMax !== Infinity
    if (isBrandLimited) this.#admitWhile(() => brand.tasks < brand.tasksMax, nowMs)
    else
      this.#repeatAfterReservations(() => {
        while (this.#admitFirstOf(account, nowMs));
      })
  }

  /** Admits the tasks that the limits now allow. Called after limits have changed. */
  admitAll(nowMs: number): void {
    if (this.#waitingCount > 0) this.#admitWhile(() => true, nowMs)
  }

  /** Reads the queues again. Called after a rollback, and after the release of a task on hold. */
  reload(): void {
    for (const counts of this.#reservedLimits) this.#endReservation(counts)
    this.#queuesByAccount.clear()
    this.#waitingCount = 0
    for (const row of this.#read.iterate()) {
      const scope = this.#limitCounters.scopeOf(Number(row['account_no']), Number(row['key_no']))
      this.add(scope, { no: Number(row['no']), price: Number(row['price']), lane: Number(row['lane']) })
    }
    for (const queues of this.#queuesByAccount.values()) {
      for (const [scope, [task]] of queues) if (task !== undefined) this.#mustWait(scope, task)
    }
  }

  /**
   * Admits one task of each account in rotation. After an admission, the account moves behind the
   * others, so that the loop reaches it again.
   */
  #admitWhile(hasCapacity: () => boolean, nowMs: number): void {
    this.#repeatAfterReservations(() => {
      for (const [account, queues] of this.#queuesByAccount) {
        if (!hasCapacity()) return
        if (!this.#admitFirstOf(account, nowMs) || queues.size === 0) continue
        this.#queuesByAccount.delete(account)
        this.#queuesByAccount.set(account, queues)
      }
    })
  }

  #repeatAfterReservations(admit: () => void): void {
    do {
      this.#hasEndedReservation = false
      admit()
    } while (this.#hasEndedReservation)
  }

  /**
   * Admits the first task of one queue of the account. This queue then moves behind the other
   * queues of the account.
   */
  #admitFirstOf(account: LimitScope['account'], nowMs: number): boolean {
    const queues = this.#queuesByAccount.get(account) ?? new Map<LimitScope, WaitingTask[]>()
    let hasAdmitted = false
    for (const [scope, queue] of queues) {
      hasAdmitted = this.#admitFirst(scope, queue, nowMs)
      if (!hasAdmitted && queue.length > 0) continue
      queues.delete(scope)
      if (queue.length > 0) queues.set(scope, queue)
      if (hasAdmitted) break
    }
    if (queues.size === 0) this.#queuesByAccount.delete(account)
    return hasAdmitted
  }

  #admitFirst(scope: LimitScope, queue: WaitingTask[], nowMs: number): boolean {
    const current = this.#limitCounters.scopeOf(scope.accountNo, scope.keyNo)
    for (let task = queue[0]; task !== undefined; task = queue[0]) {
      const isWaiting = this.#isWaiting.get(task.no) !== undefined
      if (isWaiting && this.#mustWait(current, task)) return false
      queue.shift()
      this.#waitingCount -= 1
      this.#endReservationsOf(task, null)
      if (!isWaiting) continue
      this.#admit.run(this.#virtualStarts.next(task.lane, scope.accountNo), nowMs, task.no)
      this.#limitCounters.acquire(current, task.price)
      return true
    }
    return false
  }
  /** Whether the task must still wait. Reserves the limit if the task needs all of it. */
  #mustWait(scope: LimitScope, { no, price }: WaitingTask): boolean {
    const blocking = this.#limitCounters.blockingLimit(scope, price)
    if (blocking === null) return [scope.account, scope.brand].some(({ reservedFor }) => reservedFor < no)
    const neededLimit = blocking.needsWholeLimit && blocking.counts.whose !== 'key' ? blocking.counts : null
    this.#endReservationsOf({ no }, neededLimit)
    if (neededLimit !== null) {
      neededLimit.reservedFor = Math.min(neededLimit.reservedFor, no)
      this.#reservedLimits.add(neededLimit)
    }
    return true
  }

  #endReservationsOf({ no }: Pick<WaitingTask, 'no'>, neededLimit: InFlightCounts | null): void {
    for (const counts of this.#reservedLimits) {
      if (counts.reservedFor === no && counts !== neededLimit) this.#endReservation(counts)
    }
  }

  #endReservation(counts: InFlightCounts): void {
    counts.reservedFor = Infinity
    this.#reservedLimits.delete(counts)
    this.#hasEndedReservation = true
  }
}
