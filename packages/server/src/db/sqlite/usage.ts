import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { dayOfTask } from '../days.ts'

export interface TokenCounts {
  input: number
  cachedInput: number
  output: number
}

const noTokens: TokenCounts = { input: 0, cachedInput: 0, output: 0 }

/** A task or a forwarded request that has ended, with the cost of its last attempt. */
export interface EndedTask {
  no: number
  accountNo: number
  keyNo: number
  brandNo: number
  model: string
  charge: number
  /** Total duration of the produced videos, milliseconds. Null if the task has failed. */
  producedMs: number | null
  /** The route of the attempt, as in `usage.route_no`. */
  routeNo: number
  /** The operator's cost of the attempt, micro-credits. Null: unknown. */
  paid: number | null
  /** Set only for a forwarded request. */
  tokens?: TokenCounts
}

interface UsageSums {
  primaryKey: SQLInputValue[]
  completed: number
  failed: number
  charged: number
  producedMs: number
  cost: number
  costUnknown: number
  tokens: TokenCounts
}

/** Value of `route_no` for a task that ended while no attempt was under way. */
export const noRoute = -1

/**
 * Usage and cost of ended tasks and forwarded requests. One table has a row for each account, key,
 * day, model and route. Another table has the same sums by brand, without account and key. This
 * class adds up the changes of a batch in memory, and writes them once at the end of the batch. A
 * database trigger adds costs that become known after the end of an attempt.
 */
export class Usage {
  readonly #rows: PendingRows
  readonly #totals: PendingRows
  readonly #readNextPair: StatementSync
  readonly #readCharges: StatementSync

  constructor(database: DatabaseSync) {
    this.#rows = new PendingRows(database, 'usage', ['account_no', 'key_no', 'model', 'route_no', 'day'])
    this.#totals = new PendingRows(database, 'usage_totals', ['day', 'brand_no', 'model', 'route_no'])
    // The day is the last column of the primary key. The query therefore finds each pair of model
    // and route, and then the days of the pair.
    this.#readNextPair = database.prepare(`
      select model, route_no
      from usage
      where account_no = ? and key_no = ? and (model, route_no) > (?, ?)
      order by model, route_no
      limit 1`)
    this.#readCharges = database.prepare(`
      select day, charged as amount
      from usage
      where account_no = ? and key_no = ? and model = ? and route_no = ? and day >= ?`)
  }

  add(task: EndedTask): void {
    const { no, accountNo, keyNo, brandNo, model, routeNo } = task
    const day = dayOfTask(no)
    this.#rows.add(`${accountNo} ${keyNo} ${day} ${routeNo} ${model}`, [accountNo, keyNo, model, routeNo, day], task)
    this.#totals.add(`${brandNo} ${day} ${routeNo} ${model}`, [day, brandNo, model, routeNo], task)
  }

  /**
   * Returns the charges for ended tasks and forwarded requests of the key that were accepted on this
   * day or later. A day may occur several times.
   */
  chargesSince(accountNo: number, keyNo: number, day: number): { day: number; amount: number }[] {
    this.flush()
    const charges: { day: number; amount: number }[] = []
    let pair = this.#readNextPair.get(accountNo, keyNo, '', noRoute - 1)
    while (pair !== undefined) {
      const [model, routeNo] = [String(pair['model']), Number(pair['route_no'])]
      for (const row of this.#readCharges.iterate(accountNo, keyNo, model, routeNo, day)) {
        charges.push({ day: Number(row['day']), amount: Number(row['amount']) })
      }
      pair = this.#readNextPair.get(accountNo, keyNo, model, routeNo)
    }
    return charges
  }

  flush(): void {
    this.#rows.flush()
    this.#totals.flush()
  }

  clearCache(): void {
    this.#rows.clearCache()
    this.#totals.clearCache()
  }
}

/** The amounts that a batch adds to the rows of a table. */
class PendingRows {
  readonly #rows = new Map<string, UsageSums>()
  readonly #write: StatementSync

  constructor(database: DatabaseSync, table: string, keyColumns: readonly string[]) {
    this.#write = database.prepare(`
      insert into ${table} (
        ${keyColumns.join(', ')}, completed, failed, charged, produced_ms, cost, cost_unknown, input_tokens, cached_input_tokens, output_tokens
      )
      values (${keyColumns.map(() => '?').join(', ')}, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      on conflict do update set
        completed = completed + excluded.completed,
        failed = failed + excluded.failed,
        charged = charged + excluded.charged,
        produced_ms = produced_ms + excluded.produced_ms,
        cost = cost + excluded.cost,
        cost_unknown = cost_unknown + excluded.cost_unknown,
        input_tokens = input_tokens + excluded.input_tokens,
        cached_input_tokens = cached_input_tokens + excluded.cached_input_tokens,
        output_tokens = output_tokens + excluded.output_tokens`)
  }

  add(name: string, primaryKey: SQLInputValue[], { charge, producedMs, routeNo, paid, tokens = noTokens }: EndedTask): void {
    let row = this.#rows.get(name)
    if (row === undefined) {
      row = { primaryKey, completed: 0, failed: 0, charged: 0, producedMs: 0, cost: 0, costUnknown: 0, tokens: { ...noTokens } }
      this.#rows.set(name, row)
    }
    if (producedMs === null) row.failed += 1
    else row.completed += 1
    row.charged += charge
    row.producedMs += producedMs ?? 0
    if (routeNo > 0 && paid === null) row.costUnknown += 1
    else row.cost += paid ?? 0
    row.tokens.input += tokens.input
    row.tokens.cachedInput += tokens.cachedInput
    row.tokens.output += tokens.output
  }

  flush(): void {
    for (const { primaryKey, completed, failed, charged, producedMs, cost, costUnknown, tokens } of this.#rows.values()) {
      const { input, cachedInput, output } = tokens
      this.#write.run(...primaryKey, completed, failed, charged, producedMs, cost, costUnknown, input, cachedInput, output)
    }
    this.#rows.clear()
  }

  clearCache(): void {
    this.#rows.clear()
  }
}
