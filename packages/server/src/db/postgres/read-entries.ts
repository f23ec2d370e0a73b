import { taskIdOf, taskNoOf, taskTailOf } from '../../identity/task-id.ts'
import type { EntryListQuery, LedgerEntry } from '../ledger.ts'
import { requestOf } from '../ledger-request.ts'
import type { ConnectionPool } from './connections.ts'

interface Row {
  position: number
  kind: LedgerEntry['kind']
  task_no: number | null
  tail: string | null
  amount: number
  held: number
  balance_after: number
  at: number
  note: string | null
  expires_at: number | null
}

const columns = `
  e.position, e.kind, e.task_no, t.tail, e.amount, e.held, e.balance_after, e.at, e.note,
  f.request_id, f.model as request_model, f.input_tokens, f.cached_input_tokens, f.output_tokens, f.is_estimated,
  case e.kind when 'grant' then (
    select g.expires_at
    from grant_parts p join grants g on g.no = p.grant_no
    where p.entry_no = e.no
  ) end as expires_at`

/**
 * Lists the ledger of an account, newest entry first. Entries are found by their time and position
 * (entries_account_no_idx). Entries without a task have a separate index
 * (entries_without_task_idx), and the entries of a task are found by its number. Entries never
 * change, so later writes do not change a page.
 */
export async function listEntries(connections: ConnectionPool, query: EntryListQuery): Promise<LedgerEntry[]> {
  const { accountNo, limit, taskId, kind, before, createdFromMs = 0, createdUntilMs = Number.MAX_SAFE_INTEGER } = query
  const values: unknown[] = [
    accountNo,
    before?.atMs ?? Number.MAX_SAFE_INTEGER,
    before?.position ?? 0,
    createdFromMs,
    createdUntilMs,
    kind ?? null,
    limit,
  ]
  const conditions = [
    'e.account_no = $1 and (e.at, e.position) < ($2, $3) and e.at >= $4 and e.at < $5 and ($6::text is null or e.kind = $6)',
  ]
  if (taskId !== undefined) {
    conditions.push('e.task_no = $8 and t.tail = $9')
    values.push(taskNoOf(taskId), taskTailOf(taskId))
  } else if (kind === 'grant' || kind === 'adjust' || kind === 'expire') {
    conditions.push('e.task_no is null')
  }
  const rows = await connections.read<Row & Record<string, unknown>>({
    text: `
      select ${columns}
      from entries e left join all_tasks t on t.no = e.task_no left join forwarded_requests f on f.no = e.task_no
      where ${conditions.join(' and ')}
      order by e.at desc, e.position desc
      limit $7`,
    values,
  })
  return rows.map(entryOf)
}

function entryOf(row: Row & Record<string, unknown>): LedgerEntry {
  return {
    position: row.position,
    kind: row.kind,
    taskId: row.task_no === null || row.tail === null ? null : taskIdOf(row.task_no, row.tail),
    request: requestOf(row),
    microCredits: row.amount,
    heldMicroCredits: row.held,
    balanceAfterMicroCredits: row.balance_after,
    atMs: row.at,
    note: row.note,
    expiresAtMs: row.expires_at,
  }
}
