import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Allowances, Bearer } from './allowances.ts'
import type { QueueTurns } from './queue-turns.ts'

interface WaitingTask {
  no: number
  price: number
}

/**
 * Tasks that were accepted over a limit in flight and wait until another task ends: a line for each key, first come first
 * served. Where a limit of the account or the brand has become free, its lines are served in turns.
 *
 * The lines are in memory and follow the rows: a task that is cancelled while it waits is passed over when its turn
 * comes, and after a rollback the lines are read anew.
 */
export class WaitingLines {
  readonly #allowances: Allowances
  readonly #turns: QueueTurns
  readonly #lines = new Map<Bearer, WaitingTask[]>()
  readonly #read: StatementSync
  readonly #admit: StatementSync
  #waiting = 0

  constructor(database: DatabaseSync, allowances: Allowances, turns: QueueTurns) {
    this.#allowances = allowances
    this.#turns = turns
    this.#read = database.prepare(
      'select no, account_no, coalesce(key_no, 0) as key_no, price from tasks where waits = 1 order by no',
    )
    this.#admit = database.prepare(
      "update tasks set waits = 0, turn = ?, due_at = ? where no = ? and waits = 1 and status = 'queued' returning no",
    )
    this.readAgain()
  }

  /** Whether anyone waits at all. */
  get hasAny(): boolean {
    return this.#waiting > 0
  }

  /** Of the account's key: whoever comes later stands behind. */
  isWaitedIn(bearer: Bearer): boolean {
    return this.#waiting > 0 && (this.#lines.get(bearer)?.length ?? 0) > 0
  }

  add(bearer: Bearer, task: WaitingTask): void {
    const line = this.#lines.get(bearer)
    if (line === undefined) this.#lines.set(bearer, [task])
    else line.push(task)
    this.#waiting += 1
  }

  /** A task of this bearer has ended: admits what its limits now let through. */
  admitAfter(bearer: Bearer, nowMs: number): void {
    if (this.#waiting === 0) return
    const { account, brand } = bearer
    const isBrandLimited = brand.tasksMax !== Infinity || brand.creditsMax !== Infinity
    this.#admitWhere((other) => other.account === account || (isBrandLimited && other.brand === brand), nowMs)
  }

  /** Limits have changed. */
  admitAll(nowMs: number): void {
    if (this.#waiting > 0) this.#admitWhere(() => true, nowMs)
  }

  /** After a rollback. */
  readAgain(): void {
    this.#lines.clear()
    this.#waiting = 0
    for (const row of this.#read.iterate()) {
      const bearer = this.#allowances.bearer(Number(row['account_no']), Number(row['key_no']))
      this.add(bearer, { no: Number(row['no']), price: Number(row['price']) })
    }
  }

  /** One from each line in turns, until no line may go on. A line that was served goes behind the others. */
  #admitWhere(isConcerned: (bearer: Bearer) => boolean, nowMs: number): void {
    for (let served = 1; served > 0;) {
      served = 0
      for (const [bearer, line] of [...this.#lines].filter(([one]) => isConcerned(one))) {
        if (!this.#admitFirst(bearer, line, nowMs)) continue
        served += 1
        this.#lines.delete(bearer)
        if (line.length > 0) this.#lines.set(bearer, line)
      }
    }
  }

  #admitFirst(bearer: Bearer, line: WaitingTask[], nowMs: number): boolean {
    const current = this.#allowances.bearer(bearer.accountNo, bearer.keyNo)
    for (let task = line[0]; task !== undefined; task = line[0]) {
      if (this.#allowances.fullness(current, task.price) !== null) return false
      line.shift()
      this.#waiting -= 1
      if (this.#admit.get(this.#turns.next(bearer.accountNo), nowMs, task.no) === undefined) continue
      this.#allowances.takeOff(current, task.price)
      return true
    }
    this.#lines.delete(bearer)
    return false
  }
}
