import { DatabaseSync } from 'node:sqlite'
import { entriesPerMark } from '../../packages/server/src/db/sqlite/entries.ts'
import { dayMs } from '../../packages/server/src/lib/dates.ts'
import { countersPerMs, firstTaskNoAt } from '../../packages/server/src/identity/task-id.ts'

const spanMs = 90 * dayMs
const priceMicroCredits = 40_000

/**
 * Adds completed image tasks of the last 90 days. They belong to the account of the only existing
 * task, and share its result file. Each has its attempt and its two ledger entries. Their usage is
 * added only to days that have no usage yet.
 */
export function fillTasks(databaseFile: string, count: number): void {
  const database = new DatabaseSync(databaseFile)
  const stepMs = Math.floor(spanMs / count)
  const firstMs = Date.now() - spanMs
  const columns = database.prepare(`select name from pragma_table_info('results')`).all()
  const copiedColumns = columns.map(({ name }) => String(name)).filter((name) => name !== 'task_no')
  database.exec(`
    pragma synchronous = off;
    begin;
    create temporary table real as
      select tasks.no, tasks.account_no, key_no, brand_no, balance, last.no as entry_no, last.position, last.at
      from tasks join accounts on accounts.no = tasks.account_no join entries last on last.no = last_entry_no;
    create temporary table past as
      with recursive numbers (i) as (select 0 union all select i + 1 from numbers where i < ${count - 1})
      select i, ${firstMs} + i * ${stepMs} as ms, ${firstTaskNoAt(firstMs)} + i * ${stepMs * countersPerMs} as no from numbers;
    insert into tasks (no, tail, account_no, key_no, model, object, parameters, status, progress, price, charged, hold_entry_no,
        version, lease_fence, started_at, ended_at)
      select past.no, 'a' || printf('%015d', i), account_no, key_no, 'imgA-5.0', 'image',
        '{"resolution":"1K","prompt":"a cat walks on a beach at sunset, cinematic, take ' || i || ', natural light"}',
        'completed', 100, ${priceMicroCredits}, ${priceMicroCredits}, entry_no + 1 + 2 * i, 4, 1, ms + 500, ms + 9000
      from past, real;
    insert into tasks_by_account select account_no, past.no from past, real;
    insert into task_attempts (task_no, number, state, route, operation, started_at, ended_at)
      select no, 1, 'succeeded', 'embedded', 'operation-' || i, ms + 500, ms + 9000 from past;
    insert into results (task_no, ${copiedColumns.join(', ')})
      select past.no, ${copiedColumns.map((name) => `results.${name}`).join(', ')} from past, real join results on results.task_no = real.no;
    insert into entries (no, account_no, position, previous_no, task_no, kind, amount, held, balance_after, at)
      select entry_no + 1 + 2 * i + n, account_no, position + 1 + 2 * i + n, entry_no + 2 * i + n, past.no,
        case n when 0 then 'hold' else 'settle' end, case n when 0 then -${priceMicroCredits} else 0 end,
        case n when 0 then ${priceMicroCredits} else -${priceMicroCredits} end, balance - ${priceMicroCredits} * (i + 1), at
      from past, real, (select 0 as n union all select 1);
    insert into entry_marks
      select account_no, at, position, no from entries where task_no in (select no from past) and position % ${entriesPerMark} = 0;
    update accounts set balance = balance - ${priceMicroCredits * count}, last_entry_no = last_entry_no + ${2 * count}
      where no = (select account_no from real);
    insert into usage (account_no, key_no, day, model, route_no, completed, failed, charged, produced_ms, cost, cost_unknown)
      select account_no, key_no, ms / ${dayMs}, 'imgA-5.0', 0, count(*), 0, ${priceMicroCredits} * count(*), 0, 0, 0
      from past, real where true group by 1, 2, 3
      on conflict do nothing;
    insert into usage_totals (day, brand_no, model, route_no, completed, failed, charged, produced_ms, cost, cost_unknown)
      select ms / ${dayMs}, brand_no, 'imgA-5.0', 0, count(*), 0, ${priceMicroCredits} * count(*), 0, 0, 0
      from past, real where true group by 1, 2
      on conflict do nothing;
    commit;
    analyze`)
  database.close()
}
