import type { DatabaseSync } from 'node:sqlite'
import type { CreditsReport } from '../store.ts'

/** Every check selects what is wrong, in words, and nothing when all is well. */
const checks = [
  `select 'account ' || a.id || ' has balance ' || a.balance || ', its entries say ' || coalesce(sum(e.amount), 0) as difference
   from accounts a left join entries e on e.account_no = a.no
   group by a.no
   having a.balance <> coalesce(sum(e.amount), 0)`,
  `select 'account ' || a.id || ' holds ' || a.held || ', its entries say ' || coalesce(sum(e.held), 0) as difference
   from accounts a left join entries e on e.account_no = a.no
   group by a.no
   having a.held <> coalesce(sum(e.held), 0)`,
  `select 'account ' || a.id || ' holds ' || a.held || ', its running tasks say ' || coalesce(sum(t.price), 0) as difference
   from accounts a left join tasks t on t.account_no = a.no and t.ended_at is null
   group by a.no
   having a.held <> coalesce(sum(t.price), 0)`,
  `select 'task ' || t.no || ' (' || t.status || ') has ' || count(case e.kind when 'hold' then 1 end) || ' holds and '
     || count(case when e.kind in ('settle', 'release') then 1 end) || ' ends of a hold' as difference
   from tasks t left join entries e on e.task_no = t.no
   group by t.no
   having count(case e.kind when 'hold' then 1 end) <> 1
     or count(case when e.kind in ('settle', 'release') then 1 end) <> (t.ended_at is not null)`,
  `select 'task ' || t.no || ' was charged ' || t.charged || ', its entries say ' || -sum(e.amount) as difference
   from tasks t join entries e on e.task_no = t.no
   where t.ended_at is not null
   group by t.no
   having t.charged <> -sum(e.amount)`,
]

/** Recomputes balances from entries and holds from tasks, all in one snapshot. */
export function verifyCredits(reader: DatabaseSync): CreditsReport {
  reader.exec('begin')
  try {
    return {
      accounts: count('select count(*) as n from accounts'),
      entries: count('select count(*) as n from entries'),
      holds: count('select count(*) as n from tasks where ended_at is null'),
      differences: checks.flatMap((check) =>
        reader
          .prepare(check)
          .all()
          .map((row) => String(row['difference'])),
      ),
    }
  } finally {
    reader.exec('commit')
  }

  function count(sql: string): number {
    return Number(reader.prepare(sql).get()?.['n'])
  }
}
