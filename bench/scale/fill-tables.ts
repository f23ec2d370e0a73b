import pg from 'pg'
import { createApiKeyText, digestOfApiKey } from '../../packages/server/src/auth/api-key.ts'
import { migrate } from '../../packages/server/src/db/postgres/migrate.ts'
import { firstAccountNo } from '../http/bench-accounts.ts'

export interface Filling {
  accounts: number
  /** Number of tasks, a multiple of `accounts`. */
  tasks: number
  /** Whether the tasks were moved to the tables of past tasks, one table per month. */
  arePast: boolean
}

/** Minimum age of the tasks, so that their files have expired. */
const ageMsMin = 2 * 86_400_000
const spanMs = 365 * 86_400_000
const grantMicroCredits = 1e12
const priceMicroCredits = 800_000

/**
 * Fills an empty database with accounts, and with ended tasks of the past year. Nine in ten tasks
 * are completed. Each task has an attempt and two ledger entries, and each completed task has a
 * result. The ledger balances. Returns one key of each account, ordered by account number.
 */
export async function fillTables(url: string, { accounts, tasks, arePast }: Filling): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await migrate(client)
    await client.query('set synchronous_commit = off')
    const keys = Array.from({ length: accounts }, createApiKeyText)
    const firstMs = Date.now() - ageMsMin - spanMs
    // The view contains, for every task, its number, its position within its account, its start,
    // and whether it was completed.
    await client.query(`
      create temporary view past as
      select i, ${firstAccountNo} + i % ${accounts} as account_no, i / ${accounts} as place, at.ms, first_task_no_at(at.ms) as no,
        'a' || left(md5(i::text), 15) as tail, (i / ${accounts}) % 10 <> 9 as is_completed,
        case when (i / ${accounts}) % 2 = 0 then 'video' else 'image' end as object
      from generate_series(0, ${tasks - 1}) i
      cross join lateral (select ${firstMs} + i * ${Math.floor(spanMs / tasks)}::bigint as ms) at`)
    for (const statement of statementsFor(accounts, tasks)) await client.query(statement)
    await client.query(
      `insert into api_key_secrets (key_no, digest, created_at)
       select ${firstAccountNo - 1} + place, digest, 0 from unnest($1::text[]) with ordinality given (digest, place)`,
      [keys.map(digestOfApiKey)],
    )
    if (arePast) for (const statement of moveAll) await client.query(statement)
    await client.query('vacuum analyze')
    await client.query('checkpoint')
    return keys
  } finally {
    await client.end()
  }
}

/**
 * Moves every task to the table of its month, without the conditions and batches of `move_tasks`.
 */
const moveAll = [
  `select add_past_month(month.no)
   from (select distinct first_task_no_of_month(no, 0) as no from tasks) month`,
  'insert into past_tasks select * from tasks',
  'insert into past_task_attempts select * from task_attempts',
  'insert into past_results select * from results',
  `insert into settings (name, value) select 'tasks_moved_below', max(no) + 1 from tasks`,
  'truncate tasks, task_attempts, results',
]

function statementsFor(accounts: number, tasks: number): string[] {
  const lastNo = firstAccountNo + accounts - 1
  const tasksPerAccount = tasks / accounts
  const completedBefore = '(place - place / 10)'
  const [video, image] = ['vidDq3-turbo', 'imgA-5.0']
  const model = `case when object = 'video' then '${video}' else '${image}' end`
  return [
    `insert into brands (id, name, is_default, created_at) values ('brand_default', 'Framegate', 1, 0) on conflict do nothing`,
    `insert into tasks (no, tail, account_no, key_no, model, object, parameters, status, progress, price, charged, version, lease_fence,
       started_at, ended_at, error_code, error_message)
     select no, tail, account_no, account_no, ${model}, object,
       '{"seconds":8,"seed":' || i || ',"prompt":"a cat walks on a beach at sunset, cinematic, slow pan, take ' || i || ', natural light"}',
       case when is_completed then 'completed' else 'failed' end, 100, ${priceMicroCredits},
       case when is_completed then ${priceMicroCredits} else 0 end, 4, 1, ms + 500, ms + 9000,
       case when not is_completed then 'upstream_failed' end, case when not is_completed then 'The upstream failed.' end
     from past`,
    `insert into task_attempts (task_no, number, state, route, operation, started_at, ended_at)
     select no, 1, case when is_completed then 'succeeded' else 'failed' end, 'embedded', 'operation-' || i, ms + 500, ms + 9000 from past`,
    `insert into results (task_no, position, object_key, content_type, size_bytes, sha256, width, height, duration_ms, seed, expires_at, removed_at)
     select no, 0, 'task_' || tail || '.mp4', 'video/mp4', 1000000, md5(tail) || md5(tail), 1280, 720, 8000, i, ms + 86400000, ms + 86460000
     from past
     where is_completed`,
    `insert into accounts (no, id, brand_no, name, status, balance, last_position, last_at, created_at)
     select last.account_no, 'acct_' || last.account_no, (select no from brands where id = 'brand_default'), 'bench', 'active',
       ${grantMicroCredits} - ${priceMicroCredits}::bigint * ${tasksPerAccount - Math.floor(tasksPerAccount / 10)}, 1 + 2 * ${tasksPerAccount}, last.ms + 9000, 0
     from past last
     where last.i >= ${tasks - accounts}`,
    `insert into entries (account_no, position, kind, amount, held, balance_after, at)
     select a, 1, 'grant', ${grantMicroCredits}, 0, ${grantMicroCredits}, 0 from generate_series(${firstAccountNo}, ${lastNo}) a`,
    `insert into entries (account_no, position, task_no, kind, amount, held, balance_after, at)
     select account_no, 2 + 2 * place + line.n, no, line.kind, line.amount, line.held,
       ${grantMicroCredits} - ${priceMicroCredits}::bigint * ${completedBefore} - case when line.kind = 'release' then 0 else ${priceMicroCredits} end,
       ms + 9000 * line.n
     from past
     cross join lateral (values
       (0, 'hold', -${priceMicroCredits}, ${priceMicroCredits}),
       (1, case when is_completed then 'settle' else 'release' end, case when is_completed then 0 else ${priceMicroCredits} end, -${priceMicroCredits})
     ) line (n, kind, amount, held)`,
    `insert into usage (account_no, key_no, day, model, route_no, completed, failed, charged, produced_ms)
     select account_no, account_no, day_of_task(no), ${model}, 0, count(*) filter (where is_completed), count(*) filter (where not is_completed),
       ${priceMicroCredits} * count(*) filter (where is_completed), 8000 * count(*) filter (where is_completed)
     from past
     group by 1, 2, 3, 4`,
    `insert into api_keys (no, id, account_no, name, scopes, created_at)
     select a, 'key_' || a, a, 'bench', '["tasks:write","tasks:read"]', 0 from generate_series(${firstAccountNo}, ${lastNo}) a`,
  ]
}
