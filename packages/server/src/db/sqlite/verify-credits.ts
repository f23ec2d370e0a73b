import type { DatabaseSync } from 'node:sqlite'
import { messageOf } from '../../lib/message-of.ts'
import type { CreditsReport } from '../ledger.ts'
import { entriesPerMark } from './entries.ts'

/** Tasks below this number may have been removed (`tasks_kept_from` in `settings`). */
const lowestKeptNo = "(select coalesce(max(cast(value as integer)), 0) from settings where name = 'tasks_kept_from')"
const keptFromDay = `(${lowestKeptNo} / 4096 + 1577836800000) / 86400000`

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
  `select 'account ' || a.id || ' holds ' || a.held || ', but its running tasks and requests add up to ' || coalesce(sum(r.price), 0)
     as difference
   from accounts a left join (
     select account_no, price from tasks where ended_at is null
     union all
     select account_no, price from forwarded_requests where ended_at is null
   ) r on r.account_no = a.no
   group by a.no
   having a.held <> coalesce(sum(r.price), 0)`,
  `select 'task ' || t.no || ' (' || t.status || ') has ' || coalesce('entry ' || h.no, 'no entry') || ' as its hold and '
     || coalesce('a ' || e.kind, 'nothing') || ' as its end' as difference
   from tasks t
   left join entries h on h.no = t.hold_entry_no and h.kind = 'hold' and h.task_no = t.no
   left join entries e on e.task_no = t.no and (e.kind = 'settle' or e.kind = 'release')
   where h.no is null
     or e.kind is not case t.status when 'completed' then 'settle' when 'failed' then 'release' end`,
  `select 'request ' || f.no || ' (' || coalesce(f.outcome, 'running') || ') has ' || coalesce('entry ' || h.no, 'no entry') || ' as its hold and '
     || coalesce('a ' || e.kind, 'nothing') || ' as its end' as difference
   from forwarded_requests f
   left join entries h on h.no = f.hold_entry_no and h.kind = 'hold' and h.task_no = f.no
   left join entries e on e.task_no = f.no and (e.kind = 'settle' or e.kind = 'release')
   where h.no is null
     or e.kind is not case when f.ended_at is null then null when f.outcome = 'completed' or f.charged > 0 then 'settle' else 'release' end`,
  `select 'entry ' || e.no || ' (' || e.kind || ' of ' || e.amount || ', held ' || e.held || ') does not fit task '
     || coalesce(e.task_no, 'none') || coalesce(' with price ' || e.price || ' and charge ' || e.charged, '') as difference
   from (
     select e.*, coalesce(t.no, f.no) as payer_no, coalesce(t.account_no, f.account_no) as payer_account_no,
       coalesce(t.price, f.price) as price, coalesce(t.charged, f.charged) as charged,
       coalesce(t.hold_entry_no, f.hold_entry_no) as hold_entry_no
     from entries e left join tasks t on t.no = e.task_no left join forwarded_requests f on f.no = e.task_no
   ) e
   where (e.kind in ('hold', 'settle', 'release')) <> (e.task_no is not null)
     or (e.task_no >= ${lowestKeptNo} and e.payer_no is null)
     or e.payer_account_no <> e.account_no
     or (e.task_no is null and e.held <> 0)
     or (e.kind = 'hold' and (e.amount <> -e.price or e.held <> e.price or e.no <> e.hold_entry_no))
     or (e.kind = 'settle' and (e.amount <> e.price - e.charged or e.held <> -e.price))
     or (e.kind = 'release' and (e.amount <> e.price or e.held <> -e.price or e.charged <> 0))
     or (e.kind = 'grant' and e.amount <= 0)
     or (e.kind = 'expire' and e.amount >= 0)`,
  `select 'entry ' || e.no || ' (' || e.kind || ' of ' || e.amount || ', then ' || e.balance_after || ') does not follow '
     || coalesce('entry ' || p.no, 'nothing') as difference
   from entries e left join entries p on p.no = e.previous_no
   where e.balance_after <> coalesce(p.balance_after, 0) + e.amount
     or e.position <> coalesce(p.position, 0) + 1
     or e.at < coalesce(p.at, 0)
     or (e.previous_no is null) <> (p.no is null)
     or p.account_no <> e.account_no`,
  `select 'account ' || a.id || ' has ' || e.entries || ' entries, its last one is ' || coalesce(l.position, 0)
     || ', and ' || coalesce(m.marks, 0) || ' of its ' || (e.entries / ${entriesPerMark}) || ' marks are correct' as difference
   from (select account_no, count(*) as entries from entries group by account_no) e
   join accounts a on a.no = e.account_no
   left join entries l on l.no = a.last_entry_no and l.account_no = a.no
   left join (
     select m.account_no, count(*) as marks
     from entry_marks m join entries e on e.no = m.entry_no
     where e.account_no = m.account_no and e.position = m.position and e.at = m.at and e.position % ${entriesPerMark} = 0
     group by m.account_no
   ) m on m.account_no = a.no
   where l.position is not e.entries or coalesce(m.marks, 0) <> e.entries / ${entriesPerMark}`,
  `select 'account ' || account_no || ', key ' || key_no || ': its usage adds up to ' || sum(used) || ', its ended tasks to '
     || sum(charged) || ', and their counts differ by ' || sum(tasks) as difference
   from (
     select account_no, key_no, charged as used, 0 as charged, completed + failed as tasks from usage where day >= ${keptFromDay}
     union all
     select account_no, coalesce(key_no, 0), 0, charged, -1 from tasks where ended_at is not null and no >= ${lowestKeptNo}
     union all
     select account_no, coalesce(key_no, 0), 0, charged, -1 from forwarded_requests where ended_at is not null and no >= ${lowestKeptNo}
   )
   group by account_no, key_no
   having sum(used) <> sum(charged) or sum(tasks) <> 0`,
  `select 'account ' || account_no || ', key ' || key_no || ', ' || model || ', route ' || route_no || ' on day ' || day
     || ': its usage exceeds its entries and attempts by ' || sum(completed) || ' completed tasks, ' || sum(charged)
     || ' charged, a cost of ' || sum(cost) || ' and ' || sum(cost_unknown) || ' unknown costs' as difference
   from (
     select account_no, key_no, model, route_no, day, completed, charged, cost, cost_unknown, 0 as unclear from usage
     where day >= ${keptFromDay}
     union all
     select account_no, coalesce(key_no, 0), model, route_no, (no / 4096 + 1577836800000) / 86400000, -(outcome = 'completed'), -charged,
       -coalesce(paid, 0), -(route_no > 0 and paid is null), 0
     from forwarded_requests
     where ended_at is not null and no >= ${lowestKeptNo}
     union all
     select t.account_no, coalesce(t.key_no, 0), t.model, coalesce(a.snapshot_no, -1), (t.no / 4096 + 1577836800000) / 86400000,
       -1, e.amount - t.price, 0, 0, 0
     from tasks t
     left join entries e on e.task_no = t.no and e.kind = 'settle'
     left join task_attempts a on a.task_no = t.no and a.state = 'succeeded'
     where t.status = 'completed' and t.no >= ${lowestKeptNo}
     union all
     select t.account_no, coalesce(t.key_no, 0), t.model, a.snapshot_no, (t.no / 4096 + 1577836800000) / 86400000,
       0, 0, -coalesce(a.paid, 0), -(a.paid is null and not (${mayPrecedeEnd})), ${mayPrecedeEnd}
     from task_attempts a join tasks t on t.no = a.task_no and t.ended_at = a.ended_at
     where a.snapshot_no > 0 and (a.state = 'succeeded' or a.state = 'failed') and t.no >= ${lowestKeptNo}
       and a.reason is t.error_message
       and not exists (select 1 from task_attempts later where later.task_no = a.task_no and later.number > a.number)
   )
   group by account_no, key_no, model, route_no, day
   having sum(completed) <> 0 or sum(charged) <> 0 or sum(cost) <> 0 or sum(cost_unknown) not between 0 and sum(unclear)`,
  `select 'brand ' || brand_no || ', ' || model || ', route ' || route_no || ' on day ' || day || ': its usage differs from that of its accounts'
     as difference
   from (
     select day, brand_no, model, route_no, completed, failed, charged, produced_ms, cost, cost_unknown from usage_totals
     union all
     select u.day, a.brand_no, u.model, u.route_no, -u.completed, -u.failed, -u.charged, -u.produced_ms, -u.cost, -u.cost_unknown
     from usage u join accounts a on a.no = u.account_no
   )
   group by day, brand_no, model, route_no
   having sum(completed) <> 0 or sum(failed) <> 0 or sum(charged) <> 0 or sum(produced_ms) <> 0 or sum(cost) <> 0
     or sum(cost_unknown) <> 0`,
  `select 'grant ' || g.no || ' has ' || g.remaining || ' left, but its parts add up to ' || coalesce(p.amount, 0) as difference
   from grants g left join (select grant_no, sum(amount) as amount from grant_parts group by grant_no) p on p.grant_no = g.no
   where g.remaining <> coalesce(p.amount, 0)`,
  `select 'account ' || a.id || ' has ' || a.balance || ', but its grants alone have ' || sum(g.remaining) || ' left' as difference
   from accounts a join grants g on g.account_no = a.no
   group by a.no
   having a.balance < sum(g.remaining)`,
  `select 'entry ' || p.entry_no || ' (' || coalesce(e.kind || ' of ' || e.amount, 'missing') || ') has parts of ' || sum(p.amount)
     as difference
   from grant_parts p left join entries e on e.no = p.entry_no
   group by p.entry_no
   having e.no is null
     or min(p.amount) * e.amount <= 0
     or max(p.amount) * e.amount <= 0
     or abs(sum(p.amount)) > abs(e.amount)
     or (e.kind in ('grant', 'expire') and sum(p.amount) <> e.amount)`,
  `select 'task or request ' || p.task_no || ' took ' || -sum(p.amount) || ' from grant ' || p.grant_no || ' and was charged '
     || coalesce(t.charged, f.charged, 'nothing') as difference
   from grant_parts p
   left join tasks t on t.no = p.task_no
   left join forwarded_requests f on f.no = p.task_no
   where p.task_no is not null
   group by p.task_no, p.grant_no
   having (t.no is null and f.no is null and p.task_no >= ${lowestKeptNo}) or sum(p.amount) > 0
     or -sum(p.amount) > coalesce(t.charged, t.price, f.charged, f.price)`,
]

/** The report of a check, or the message of the error that prevented the check. */
export type CheckOutcome = CreditsReport | { failed: string }

export function tryToVerifyCredits(reader: DatabaseSync): CheckOutcome {
  try {
    return verifyCredits(reader)
  } catch (error) {
    return { failed: messageOf(error) }
  }
}

/**
 * Compares balances, holds, grants and usage with the entries, tasks and forwarded requests. All
 * checks read one snapshot.
 */
export function verifyCredits(reader: DatabaseSync): CreditsReport {
  reader.exec('begin')
  try {
    return {
      accounts: count('select count(*) as n from accounts'),
      entries: count('select count(*) as n from entries'),
      holds: count(`
        select (select count(*) from tasks where ended_at is null) + (select count(*) from forwarded_requests where ended_at is null) as n`),
      differences: [
        ...findWrongBalances(reader),
        ...checks.flatMap((check) =>
          reader
            .prepare(check)
            .all()
            .map((row) => String(row['difference'])),
        ),
      ],
    }
  } finally {
    reader.exec('commit')
  }

  function count(sql: string): number {
    return Number(reader.prepare(sql).get()?.['n'])
  }
}

interface EntrySums {
  balance: bigint
  held: bigint
  wasNegative: boolean
}

/**
 * Adds up all entries in the order in which they were written. Checks that the balance of each
 * account is correct and never fell below zero. A single SQL statement for this check would be
 * slower.
 */
function findWrongBalances(reader: DatabaseSync): string[] {
  const sumsByAccount = new Map<unknown, EntrySums>()
  const entries = reader.prepare('select account_no, amount, held from entries order by no')
  entries.setReadBigInts(true)
  for (const { account_no: no, amount, held } of entries.iterate()) {
    const sums = sumsByAccount.get(no) ?? { balance: 0n, held: 0n, wasNegative: false }
    sums.balance += amount as bigint
    sums.held += held as bigint
    if (sums.balance < 0n || sums.held < 0n) sums.wasNegative = true
    sumsByAccount.set(no, sums)
  }
  const problems: string[] = []
  const accounts = reader.prepare('select no, id, balance, held from accounts')
  accounts.setReadBigInts(true)
  for (const row of accounts.iterate()) {
    const { id, balance, held } = row as { id: string; balance: bigint; held: bigint }
    const sums = sumsByAccount.get(row['no']) ?? { balance: 0n, held: 0n, wasNegative: false }
    if (sums.balance !== balance || sums.held !== held) {
      problems.push(
        `account ${id} has balance ${balance} and held ${held}, but its entries add up to ${sums.balance} and ${sums.held}`,
      )
    }
    if (sums.wasNegative) problems.push(`account ${id} had a negative balance or hold at some time`)
    sumsByAccount.delete(row['no'])
  }
  for (const no of sumsByAccount.keys()) problems.push(`there are entries of the missing account ${String(no)}`)
  return problems
}
