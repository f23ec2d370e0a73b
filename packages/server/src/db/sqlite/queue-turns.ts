import type { DatabaseSync } from 'node:sqlite'

/** Accounts whose turns are remembered; those that no longer matter are forgotten beyond it. */
const rememberedMax = 10_000

/**
 * Who is next: fair queueing by start times. The tasks of an account follow one another by a turn each, and the first of them
 * comes right after the turn that is being served; so the lines of all accounts run side by side, and an account with
 * ten thousand tasks lets another's single task pass after one of them.
 */
export class QueueTurns {
  readonly #last = new Map<number, number>()
  #served: number

  constructor(database: DatabaseSync) {
    const first = database.prepare('select min(turn) as turn from tasks where turn is not null').get()?.['turn']
    this.#served = typeof first === 'number' ? first - 1 : 0
    const lines = database.prepare('select account_no, max(turn) as turn from tasks where turn is not null group by account_no')
    for (const row of lines.iterate()) this.#last.set(Number(row['account_no']), Number(row['turn']))
  }

  /** The place of another task of this account. One that is not used after all, because of a rollback, does no harm. */
  next(accountNo: number): number {
    const turn = Math.max(this.#last.get(accountNo) ?? 0, this.#served) + 1
    if (this.#last.size >= rememberedMax && !this.#last.has(accountNo)) this.#forgetServed()
    this.#last.set(accountNo, turn)
    return turn
  }

  serve(turn: number): void {
    if (turn > this.#served) this.#served = turn
  }

  #forgetServed(): void {
    for (const [accountNo, turn] of this.#last) if (turn <= this.#served) this.#last.delete(accountNo)
  }
}
