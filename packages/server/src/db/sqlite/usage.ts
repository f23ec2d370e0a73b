import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { dayOfTask } from '../days.ts'

export interface EndedTask {
  no: number
  accountNo: number
  keyNo: number
  model: string
  charge: number
  /** Null when it failed. */
  producedMs: number | null
}

interface Row {
  accountNo: number
  keyNo: number
  day: number
  model: string
  completed: number
  failed: number
  charged: number
  producedMs: number
}

/** What ended tasks have used, by account, key, day and model: gathered while a batch is applied, written once at its end. */
export class Usage {
  readonly #rows = new Map<string, Row>()
  readonly #write: StatementSync
  readonly #readCharged: StatementSync

  constructor(database: DatabaseSync) {
    this.#write = database.prepare(`
      insert into usage (account_no, key_no, day, model, completed, failed, charged, produced_ms)
      values (?, ?, ?, ?, ?, ?, ?, ?)
      on conflict do update set
        completed = completed + excluded.completed,
        failed = failed + excluded.failed,
        charged = charged + excluded.charged,
        produced_ms = produced_ms + excluded.produced_ms`)
    this.#readCharged = database.prepare(
      'select coalesce(sum(charged), 0) as charged from usage where account_no = ? and key_no = ? and day >= ?',
    )
  }

  add({ no, accountNo, keyNo, model, charge, producedMs }: EndedTask): void {
    const day = dayOfTask(no)
    const name = `${accountNo} ${keyNo} ${day} ${model}`
    let row = this.#rows.get(name)
    if (row === undefined) {
      row = { accountNo, keyNo, day, model, completed: 0, failed: 0, charged: 0, producedMs: 0 }
      this.#rows.set(name, row)
    }
    if (producedMs === null) row.failed += 1
    else row.completed += 1
    row.charged += charge
    row.producedMs += producedMs ?? 0
  }

  /** What tasks of the key that were accepted on this day or later, and have ended, were charged. */
  chargedSince(accountNo: number, keyNo: number, day: number): number {
    this.flush()
    return Number(this.#readCharged.get(accountNo, keyNo, day)?.['charged'])
  }

  flush(): void {
    for (const row of this.#rows.values()) {
      const { accountNo, keyNo, day, model, completed, failed, charged, producedMs } = row
      this.#write.run(accountNo, keyNo, day, model, completed, failed, charged, producedMs)
    }
    this.#rows.clear()
  }

  forget(): void {
    this.#rows.clear()
  }
}
