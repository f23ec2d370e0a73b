import type pg from 'pg'
import type { CreditsReport } from '../ledger.ts'
import { StoreUnavailable } from '../store-unavailable.ts'
import { destroyConnection, unavailableOf, type ConnectionPool } from './connections.ts'

/** Maximum number of differences that each check reports. */
const differencesMax = 1_000

/** Tasks below this number may have been removed (`tasks_kept_from` in `settings`). */
const lowestKeptNo = "(select coalesce(max(value::bigint), 0) from settings where name = 'tasks_kept_from')"

/**
 * Condition for a task's last attempt that the usage may count as an attempt of unknown cost, or
 * not at all. The check accepts both.
 *
 * The usage counts an attempt only if it ended together with its task. Equal times do not prove
 * this, because an attempt may fail in the same millisecond, before its task ends. Equal texts
 * prove it: the reason of such an attempt is the task's error message. A deleted task has neither
 * text.
 */
const mayPrecedeEnd =
  "a.state = 'failed' and t.deleted_at is not null and a.paid is null and a.cost is null and a.unresolved is null"

/** Each check selects one row, with a description, for each difference. */
const checks = [
  `select format('account %s has balance %s and held %s, but its entries add up to %s and %s', a.id, a.balance, a.held,
     coalesce(e.balance, 0), coalesce(e.held, 0)) as difference
   from accounts a
   left join (select account_no, sum(amount) as balance, sum(held) as held from entries group by account_no) e on e.account_no = a.no
   where a.balance <> coalesce(e.balance, 0) or a.held <> coalesce(e.held, 0)`,
  `select format('there are entries of the missing account %s', e.account_no) as difference
   from (select distinct account_no from entries) e left join accounts a on a.no = e.account_no
   where a.no is null`,
  `select format('account %s holds %s, but its running tasks and requests add up to %s', a.id, a.held, coalesce(sum(r.price), 0)) as difference
   from accounts a left join (
     select account_no, price from tasks where ended_at is null
     union all
     select account_no, price from forwarded_requests where ended_at is null
   ) r on r.account_no = a.no
   group by a.no
   having a.held <> coalesce(sum(r.price), 0)`,
  `select format('task %s (%s) has %s as its hold and %s as its end', t.no, t.status,
     coalesce('entry ' || h.no, 'no entry'), coalesce('a ' || e.kind, 'nothing')) as difference
   from all_tasks t
   left join entries h on h.task_no = t.no and h.kind = 'hold'
   left join entries e on e.task_no = t.no and e.kind <> 'hold'
   where h.no is null
     or e.kind is distinct from case t.status when 'completed' then 'settle' when 'failed' then 'release' end`,
  `select format('request %s (%s) has %s as its hold and %s as its end', f.no, coalesce(f.outcome, 'running'),
     coalesce('entry ' || h.no, 'no entry'), coalesce('a ' || e.kind, 'nothing')) as difference
   from forwarded_requests f
   left join entries h on h.task_no = f.no and h.kind = 'hold'
   left join entries e on e.task_no = f.no and e.kind <> 'hold'
   where h.no is null
     or e.kind is distinct from case when f.ended_at is null then null when f.outcome = 'completed' or f.charged > 0 then 'settle' else 'release' end`,
  `select format('entry %s (%s of %s, held %s) does not fit task %s', e.no, e.kind, e.amount, e.held, coalesce(e.task_no::text, 'none'))
     || coalesce(' with price ' || t.price || ' and charge ' || t.charged, '') as difference
   from entries e left join lateral (
     select no, account_no, price, charged from all_tasks where no = e.task_no
     union all
     select no, account_no, price, charged from forwarded_requests where no = e.task_no
   ) t on true
   where (e.kind in ('hold', 'settle', 'release')) <> (e.task_no is not null)
     or (e.task_no >= ${lowestKeptNo} and t.no is null)
     or t.account_no <> e.account_no
     or (e.task_no is null and e.held <> 0)
     or (e.kind = 'hold' and (e.amount <> -t.price or e.held <> t.price))
     or (e.kind = 'settle' and (e.amount <> t.price - t.charged or e.held <> -t.price))
     or (e.kind = 'release' and (e.amount <> t.price or e.held <> -t.price or t.charged <> 0))
     or (e.kind = 'grant' and e.amount <= 0)
     or (e.kind = 'expire' and e.amount >= 0)`,
  `select format('entry %s (%s of %s, then %s) does not follow %s', e.no, e.kind, e.amount, e.balance_after,
     coalesce('position ' || e.position_before, 'nothing')) as difference
   from (
     select no, kind, amount, balance_after, position, at, held_sum,
       lag(position) over line as position_before, lag(balance_after) over line as balance_before, lag(at) over line as at_before
     from (select *, sum(held) over (partition by account_no order by position) as held_sum from entries) summed
     window line as (partition by account_no order by position)
   ) e
   where e.balance_after <> coalesce(e.balance_before, 0) + e.amount
     or e.position <> coalesce(e.position_before, 0) + 1
     or e.at < coalesce(e.at_before, 0)
     or e.held_sum < 0`,
  `select format('account %s has %s entries, but its last one is %s', a.id, coalesce(e.entries, 0), a.last_position) as difference
   from accounts a
   left join (select account_no, count(*) as entries, max(at) as at from entries group by account_no) e on e.account_no = a.no
   where a.last_position <> coalesce(e.entries, 0) or a.last_at <> coalesce(e.at, 0)`,
  `select format('account %s, key %s: its usage adds up to %s, its ended tasks to %s, and their counts differ by %s', account_no,
     key_no, sum(used), sum(charged), sum(tasks)) as difference
   from (
     select account_no, key_no, charged as used, 0 as charged, completed + failed as tasks from usage where day >= day_of_task(${lowestKeptNo})
     union all
     select account_no, coalesce(key_no, 0), 0, charged, -1 from all_tasks where ended_at is not null and no >= ${lowestKeptNo}
     union all
     select account_no, coalesce(key_no, 0), 0, charged, -1 from forwarded_requests where ended_at is not null and no >= ${lowestKeptNo}
   ) both_sides
   group by account_no, key_no
   having sum(used) <> sum(charged) or sum(tasks) <> 0`,
  `select format('account %s, key %s, %s, route %s on day %s: its usage exceeds its entries and attempts by %s completed tasks, '
     || '%s charged, a cost of %s and %s unknown costs', account_no, key_no, model, route_no, day, sum(completed), sum(charged),
     sum(cost), sum(cost_unknown)) as difference
   from (
     select account_no, key_no, day, model, route_no, completed, charged, cost, cost_unknown, 0 as unclear from usage
     where day >= day_of_task(${lowestKeptNo})
     union all
     select account_no, coalesce(key_no, 0), day_of_task(no), model, route_no, -(outcome = 'completed')::int, -charged, -coalesce(paid, 0),
       -(route_no > 0 and paid is null)::int, 0
     from forwarded_requests
     where ended_at is not null and no >= ${lowestKeptNo}
     union all
     select t.account_no, coalesce(t.key_no, 0), day_of_task(t.no), t.model, coalesce(a.snapshot_no, -1), -1, e.amount - t.price, 0, 0, 0
     from all_tasks t
     left join entries e on e.task_no = t.no and e.kind = 'settle'
     left join all_task_attempts a on a.task_no = t.no and a.state = 'succeeded'
     where t.status = 'completed' and t.no >= ${lowestKeptNo}
     union all
     select t.account_no, coalesce(t.key_no, 0), day_of_task(t.no), t.model, a.snapshot_no, 0, 0, -coalesce(a.paid, 0),
       -(a.paid is null and not (${mayPrecedeEnd}))::int, (${mayPrecedeEnd})::int
     from all_task_attempts a join all_tasks t on t.no = a.task_no and t.ended_at = a.ended_at
     where a.snapshot_no > 0 and a.state in ('succeeded', 'failed') and t.no >= ${lowestKeptNo}
       and a.reason is not distinct from t.error_message
       and not exists (select from all_task_attempts later where later.task_no = a.task_no and later.number > a.number)
   ) both_sides
   group by account_no, key_no, day, model, route_no
   having sum(completed) <> 0 or sum(charged) <> 0 or sum(cost) <> 0 or sum(cost_unknown) not between 0 and sum(unclear)`,
  `select format('grant %s has %s left, but its parts add up to %s', g.no, g.remaining, coalesce(p.amount, 0)) as difference
   from grants g left join (select grant_no, sum(amount) as amount from grant_parts group by grant_no) p on p.grant_no = g.no
   where g.remaining <> coalesce(p.amount, 0)`,
  `select format('account %s has %s, but its grants alone have %s left', a.id, a.balance, sum(g.remaining)) as difference
   from accounts a join grants g on g.account_no = a.no
   group by a.no
   having a.balance < sum(g.remaining)`,
  `select format('entry %s (%s) has parts of %s', p.entry_no, coalesce(e.kind || ' of ' || e.amount, 'missing'), p.amount) as difference
   from (
     select entry_no, sum(amount) as amount, min(amount) as smallest, max(amount) as largest from grant_parts group by entry_no
   ) p left join entries e on e.no = p.entry_no
   where e.no is null
     or sign(p.smallest) * sign(e.amount) <= 0
     or sign(p.largest) * sign(e.amount) <= 0
     or abs(p.amount) > abs(e.amount)
     or (e.kind in ('grant', 'expire') and p.amount <> e.amount)`,
  `select format('task or request %s took %s from grant %s and was charged %s', p.task_no, -p.amount, p.grant_no,
     coalesce(t.charged::text, 'nothing')) as difference
   from (
     select task_no, grant_no, sum(amount) as amount from grant_parts where task_no is not null group by task_no, grant_no
   ) p left join lateral (
     select no, price, charged from all_tasks where no = p.task_no
     union all
     select no, price, charged from forwarded_requests where no = p.task_no
   ) t on true
   where (t.no is null and p.task_no >= ${lowestKeptNo}) or p.amount > 0 or -p.amount > coalesce(t.charged, t.price)`,
]

/**
 * Compares balances, holds, grants and usage with the entries, tasks and forwarded requests, on a
 * separate connection. `signal` ends the check, on the server too.
 */
export async function verifyCredits(connections: ConnectionPool, signal?: AbortSignal): Promise<CreditsReport> {
  let client: pg.Client | undefined
  let cancel: (() => void) | undefined
  try {
    client = await connections.connect()
    cancel = await cancellationOf(client, connections)
    signal?.addEventListener('abort', cancel)
    signal?.throwIfAborted()
    return await checkCredits(client)
  } catch (error) {
    throw signal?.aborted === true ? new StoreUnavailable({ cause: error }) : unavailableOf(error)
  } finally {
    if (cancel !== undefined) signal?.removeEventListener('abort', cancel)
    await client?.end().catch(() => undefined)
  }
}

/**
 * Returns a function that cancels the current statement of the connection and closes the
 * connection.
 */
async function cancellationOf(client: pg.Client, connections: ConnectionPool): Promise<() => void> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const query = { text: 'select pg_cancel_backend($1)', values: [rows[0]?.pid] }
  return () => {
    void connections
      .read(query)
      .catch(() => undefined)
      .finally(() => destroyConnection(client))
  }
}

/**
 * Runs all checks on one snapshot. The locks are taken before the first read, because dropping a
 * month removes its tasks from existing snapshots too.
 */
export async function checkCredits(client: pg.Client): Promise<CreditsReport> {
  await client.query('begin isolation level repeatable read read only')
  await client.query('lock table past_tasks, past_task_attempts in access share mode')
  const report: CreditsReport = {
    accounts: await countRows(client, 'accounts'),
    entries: await countRows(client, 'entries'),
    holds:
      (await countRows(client, 'tasks where ended_at is null')) +
      (await countRows(client, 'forwarded_requests where ended_at is null')),
    differences: await findDifferences(client),
  }
  await client.query('commit')
  return report
}

/** Runs the checks in the caller's transaction. */
export async function findDifferences(client: pg.Client): Promise<string[]> {
  const differences: string[] = []
  for (const check of checks) {
    const { rows } = await client.query<{ difference: string }>(`${check} limit ${differencesMax}`)
    differences.push(...rows.map(({ difference }) => difference))
  }
  return differences
}

async function countRows(client: pg.Client, table: string): Promise<number> {
  return (await client.query<{ n: number }>(`select count(*) as n from ${table}`)).rows[0]?.n ?? 0
}
