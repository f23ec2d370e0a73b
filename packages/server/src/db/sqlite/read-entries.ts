import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { taskIdOf, taskNoOf, taskTailOf } from '../../identity/task-id.ts'
import type { EntryListQuery, EntryPosition, LedgerEntry } from '../ledger.ts'
import { requestOf } from '../ledger-request.ts'
import { entriesPerMark } from './entries.ts'
import { readRows } from './read-rows.ts'

/** Maximum number of entries that a list scans before it lets other work of the thread run. */
const entriesPerScan = 500
/** Kinds of entries without a task. These entries have a separate index. */
const kindsWithoutTask: readonly unknown[] = ['grant', 'adjust', 'expire'] satisfies LedgerEntry['kind'][]

type Row = Record<string, unknown>

const columns = `
  e.no, e.previous_no, e.position, e.kind, e.amount, e.held, e.balance_after, e.at, e.note, e.task_no, t.tail,
  f.request_id, f.model as request_model, f.input_tokens, f.cached_input_tokens, f.output_tokens, f.is_estimated,
  case e.kind when 'grant' then (
    select g.expires_at
    from grant_parts p join grants g on g.no = p.grant_no
    where p.entry_no = e.no
  ) end as expires_at`

/**
 * Lists the ledger of an account, newest entry first. Each entry refers to the account's previous
 * entry, and the list follows these references from the newest entry. A list that begins at an
 * earlier time or position follows them from the nearest newer entry in `entry_marks`. Entries
 * never change, so later writes do not change a page.
 */
export class EntryReader {
  readonly #newest: StatementSync
  readonly #markFrom: StatementSync
  readonly #chain: StatementSync
  readonly #withoutTask: StatementSync
  readonly #ofTask: StatementSync

  constructor(reader: DatabaseSync) {
    this.#newest = reader.prepare('select last_entry_no as no from accounts where no = ?')
    this.#markFrom = reader.prepare(`
      select entry_no as no
      from entry_marks
      where account_no = ? and (at, position) >= (?, ?)
      order by at, position
      limit 1`)
    this.#chain = reader.prepare(`
      with recursive e as (
        select *, 1 as step
        from entries
        where no = ?1
        union all
        select previous.*, e.step + 1
        from e join entries previous on previous.no = e.previous_no
        where e.step < ?2
      )
      select ${columns}
      from e left join tasks t on t.no = e.task_no left join forwarded_requests f on f.no = e.task_no
      where ?3 is null or e.kind = ?3 or e.step = ?2
      order by e.position desc`)
    this.#withoutTask = reader.prepare(`
      select ${columns}
      from entries e left join tasks t on t.no = e.task_no left join forwarded_requests f on f.no = e.task_no
      where e.account_no = ? and e.task_no is null and e.no <= ?
      order by e.no desc
      limit ?`)
    this.#ofTask = reader.prepare(`
      select ${columns}
      from tasks t join entries e on e.no = t.hold_entry_no left join forwarded_requests f on false
      where t.no = ?1 and t.tail = ?2 and t.account_no = ?3
      union all
      select ${columns}
      from tasks t join entries e on e.task_no = t.no and (e.kind = 'settle' or e.kind = 'release')
      left join forwarded_requests f on false
      where t.no = ?1 and t.tail = ?2 and t.account_no = ?3
      order by position desc`)
  }

  async list(query: EntryListQuery): Promise<LedgerEntry[]> {
    const { accountNo, limit, taskId, kind } = query
    if (taskId !== undefined) {
      const rows = readRows(this.#ofTask, taskNoOf(taskId), taskTailOf(taskId), accountNo)
      return rows
        .filter((row) => matchesQuery(row, query))
        .slice(0, limit)
        .map(entryOf)
    }
    const isWithoutTask = kindsWithoutTask.includes(kind)
    const entriesPerRead = kind === undefined ? Math.min(limit, entriesPerScan) : entriesPerScan
    const entries: LedgerEntry[] = []
    for (let no = this.#findStart(query); no !== null; await setImmediate()) {
      // The query returns the last entry of a scan even if the caller did not request its kind,
      // because the next scan continues after this entry.
      const rows = isWithoutTask
        ? readRows(this.#withoutTask, accountNo, no, entriesPerRead)
        : readRows(this.#chain, no, entriesPerRead, kind ?? null)
      for (const row of rows) {
        if (Number(row['at']) < (query.createdFromMs ?? 0)) return entries
        if (matchesQuery(row, query)) entries.push(entryOf(row))
        if (entries.length === limit) return entries
      }
      no = numberOrNull(rows.at(-1)?.['previous_no'])
    }
    return entries
  }

  /** Returns the number of the newest entry that can be in the list, or null if there is none. */
  #findStart({ accountNo, before, createdUntilMs = Infinity }: EntryListQuery): number | null {
    const newest = numberOrNull(this.#newest.get(accountNo)?.['no'])
    const end = before !== undefined && before.atMs < createdUntilMs ? before : { atMs: createdUntilMs, position: 0 }
    if (end.atMs === Infinity || newest === null) return newest
    const mark = this.#markFrom.get(accountNo, end.atMs, end.position)
    const rows = readRows(this.#chain, mark === undefined ? newest : Number(mark['no']), entriesPerMark + 1, null)
    return numberOrNull(rows.find((row) => isBefore(row, end))?.['no'])
  }
}

function isBefore(row: Row, { atMs, position }: EntryPosition): boolean {
  const rowAtMs = Number(row['at'])
  return rowAtMs < atMs || (rowAtMs === atMs && Number(row['position']) < position)
}

function matchesQuery(row: Row, { kind, before, createdFromMs = 0, createdUntilMs = Infinity }: EntryListQuery): boolean {
  const rowAtMs = Number(row['at'])
  if (rowAtMs < createdFromMs || rowAtMs >= createdUntilMs) return false
  if (before !== undefined && !isBefore(row, before)) return false
  return kind === undefined || row['kind'] === kind
}

function entryOf(row: Row): LedgerEntry {
  return {
    position: Number(row['position']),
    kind: String(row['kind']) as LedgerEntry['kind'],
    taskId: typeof row['tail'] === 'string' ? taskIdOf(Number(row['task_no']), row['tail']) : null,
    request: requestOf(row),
    microCredits: Number(row['amount']),
    heldMicroCredits: Number(row['held']),
    balanceAfterMicroCredits: Number(row['balance_after']),
    atMs: Number(row['at']),
    note: typeof row['note'] === 'string' ? row['note'] : null,
    expiresAtMs: numberOrNull(row['expires_at']),
  }
}

function numberOrNull(value: unknown): number | null {
  return value === null || value === undefined ? null : Number(value)
}
