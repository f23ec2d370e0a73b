import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { firstTaskNoAt } from '../../lib/task-id.ts'
import { unreachable } from '../../lib/unreachable.ts'
import { createAcceptTask, findRefusal } from './accept-task.ts'
import type { Statement } from '../store.ts'
import { Allowances } from './allowances.ts'
import { createClaimTasks } from './claim-tasks.ts'
import { createEndTask } from './end-task.ts'
import { Ledger } from './ledger.ts'
import { QueueTurns } from './queue-turns.ts'
import { SlotPools } from './slot-pools.ts'
import { createStepTask } from './step-task.ts'
import { TaskUploads } from './task-uploads.ts'
import { Usage } from './usage.ts'
import { WaitingLanes } from './waiting-lanes.ts'
import { WaitingLines } from './waiting-lines.ts'
import type { WriteBatch, WriteOperation, WriteOutcome } from '../write-operations.ts'

/**
 * The one writer of an SQLite database: every operation that waits goes into one transaction.
 *
 * When an operation throws, or the commit itself does, the whole transaction is rolled back and each operation is tried
 * again in a transaction of its own: the bad one fails alone, with its reason, and its neighbours are kept.
 */
export class Writer {
  readonly #database: DatabaseSync
  readonly #ledger: Ledger
  readonly #usage: Usage
  readonly #allowances: Allowances
  readonly #uploads: TaskUploads
  readonly #lines: WaitingLines
  readonly #pools: SlotPools
  readonly #accept: ReturnType<typeof createAcceptTask>
  readonly #claim: ReturnType<typeof createClaimTasks>
  readonly #step: ReturnType<typeof createStepTask>
  readonly #end: ReturnType<typeof createEndTask>
  readonly #begin: StatementSync
  readonly #commit: StatementSync
  readonly #rollback: StatementSync
  readonly #indexAccount: StatementSync
  readonly #setUsed: StatementSync
  readonly #setListedUntil: StatementSync
  readonly #makeDue: StatementSync
  #lastNowMs: number
  readonly #statements = new Map<string, StatementSync>()

  constructor(database: DatabaseSync, nowMs: number) {
    this.#database = database
    this.#ledger = new Ledger(database)
    this.#usage = new Usage(database)
    this.#allowances = new Allowances(database, this.#usage, nowMs)
    const turns = new QueueTurns(database)
    this.#lines = new WaitingLines(database, this.#allowances, turns)
    this.#uploads = new TaskUploads(database)
    this.#pools = new SlotPools(database)
    const parts = {
      ledger: this.#ledger,
      allowances: this.#allowances,
      uploads: this.#uploads,
      usage: this.#usage,
      lines: this.#lines,
      pools: this.#pools,
      turns,
      waiting: new WaitingLanes(database),
    }
    this.#accept = createAcceptTask(database, parts, nowMs)
    this.#claim = createClaimTasks(database, parts)
    this.#step = createStepTask(database, this.#pools)
    this.#setUsed = database.prepare('update api_keys set last_used_at = ? where no = ?')
    this.#end = createEndTask(database, parts)
    this.#begin = database.prepare('begin immediate')
    this.#commit = database.prepare('commit')
    this.#rollback = database.prepare('rollback')
    this.#makeDue = database.prepare(
      'update tasks set due_at = ? where due_at > ? and turn is null and waits = 0 and lease_until is null',
    )
    this.#lastNowMs = nowMs
    this.#indexAccount = database.prepare('insert or ignore into tasks_by_account values (?, ?)')
    this.#setListedUntil = database.prepare("insert or replace into settings values ('tasks_listed_until', ?)")
  }

  apply(batch: WriteBatch): WriteOutcome[] {
    try {
      return this.#transaction(batch.operations, batch.nowMs)
    } catch (error) {
      if (batch.operations.length === 1) return [failed(error)]
    }
    return batch.operations.map((operation) => this.#alone(operation, batch.nowMs))
  }

  #alone(operation: WriteOperation, nowMs: number): WriteOutcome {
    try {
      return this.#transaction([operation], nowMs)[0] ?? null
    } catch (error) {
      return failed(error)
    }
  }

  #transaction(operations: WriteOperation[], nowMs: number): WriteOutcome[] {
    this.#begin.run()
    try {
      // Whatever was due by a clock that ran ahead would otherwise wait until time has caught up.
      if (nowMs < this.#lastNowMs) this.#makeDue.run(nowMs, nowMs)
      this.#lastNowMs = nowMs
      this.#allowances.beginBatch(nowMs)
      const outcomes = operations.map((operation) => this.#applyOne(operation, nowMs))
      this.#ledger.flush()
      this.#usage.flush()
      this.#commit.run()
      this.#ledger.commit()
      this.#allowances.commit()
      return outcomes
    } catch (error) {
      this.#ledger.forget()
      if (this.#database.isTransaction) this.#rollback.run()
      this.#usage.forget()
      this.#allowances.rollBack()
      this.#lines.readAgain()
      this.#pools.readAgain()
      throw error
    }
  }

  #applyOne(operation: WriteOperation, nowMs: number): WriteOutcome {
    if (operation.kind !== 'query') this.#pools.readIfForgotten()
    switch (operation.kind) {
      case 'accept':
        return this.#accept(operation, nowMs)
      case 'try': {
        const bearer = this.#allowances.bearer(operation.accountNo, operation.keyNo ?? 0)
        const parts = { ledger: this.#ledger, allowances: this.#allowances, uploads: this.#uploads }
        return findRefusal(parts, bearer, { ...operation, no: firstTaskNoAt(nowMs) }, nowMs)
      }
      case 'keys_used':
        for (let i = 0; i < operation.uses.length; i += 2) {
          this.#setUsed.run(operation.uses[i + 1] ?? null, operation.uses[i] ?? 0)
        }
        return null
      case 'claim':
        return { kind: 'claimed', claims: this.#claim.claim(operation, nowMs) }
      case 'take_due':
        return this.#claim.takeDue(operation, nowMs)
      case 'change_pool':
        this.#pools.change(operation.pool, operation.change, nowMs)
        return null
      case 'read_pools':
        return { kind: 'pools', pools: this.#pools.states() }
      case 'begin':
      case 'move_lane':
      case 'record_operation':
      case 'release_slot':
      case 'mark_reply_lost':
      case 'renew':
      case 'retry_later':
      case 'release':
        return this.#step(operation, nowMs)
      case 'complete':
      case 'fail':
      case 'cancel':
        return this.#end(operation, nowMs)
      case 'grant':
        if (!this.#ledger.grant(operation, nowMs)) return { kind: 'missed' }
        this.#writeAll(operation.along)
        return null
      case 'adjust': {
        const outcome = this.#ledger.adjust(operation, nowMs)
        if (outcome === 'uncovered') return { kind: 'missed' }
        if (outcome === 'made') this.#writeAll(operation.along)
        return null
      }
      case 'expire_grants':
        this.#ledger.expireAll(nowMs)
        return null
      case 'index_accounts':
        for (let i = 0; i < operation.pairs.length; i += 2) {
          this.#indexAccount.run(operation.pairs[i] ?? 0, operation.pairs[i + 1] ?? 0)
        }
        this.#setListedUntil.run(String(operation.listedUntil))
        return null
      case 'limits_changed':
        this.#readLimitsAgain(nowMs)
        return null
      case 'query': {
        const outcome = this.#query(operation.query)
        // Whatever it was, it may have been a limit.
        this.#readLimitsAgain(nowMs)
        if (operation.query.sql.includes('slot_pools')) this.#pools.forget()
        return outcome
      }
      case 'together': {
        const outcome = this.#together(operation.statements)
        this.#readLimitsAgain(nowMs)
        return outcome
      }
      default:
        return unreachable(operation)
    }
  }

  #readLimitsAgain(nowMs: number): void {
    this.#allowances.readLimitsAgain()
    this.#lines.admitAll(nowMs)
  }

  #together([first, ...others]: readonly Statement[]): WriteOutcome {
    if (first === undefined || this.#query(first).changes === 0) return { kind: 'missed' }
    this.#writeAll(others)
    return null
  }

  #writeAll(statements: readonly Statement[]): void {
    for (const statement of statements) this.#query(statement)
  }

  #query({ sql, parameters }: Statement): Extract<WriteOutcome, { kind: 'rows' }> {
    let statement = this.#statements.get(sql)
    if (statement === undefined) {
      statement = this.#database.prepare(sql)
      if (this.#statements.size >= 200) this.#statements.clear()
      this.#statements.set(sql, statement)
    }
    // Kysely compiles only values that its column types allow, and those are what SQLite binds.
    const values = parameters as SQLInputValue[]
    if (statement.columns().length > 0) {
      const rows = statement.all(...values)
      return { kind: 'rows', rows, changes: rows.length, lastInsertRowid: 0 }
    }
    const { changes, lastInsertRowid } = statement.run(...values)
    return { kind: 'rows', rows: [], changes: Number(changes), lastInsertRowid: Number(lastInsertRowid) }
  }
}

function failed(error: unknown): WriteOutcome {
  const { message, errcode } = error as { message: string; errcode?: number }
  return { kind: 'failed', message, code: errcode === sqliteFull ? 'full' : 'error' }
}

/** SQLITE_FULL (https://www.sqlite.org/rescode.html#full). */
const sqliteFull = 13
