import { dayMs } from '../../packages/server/src/lib/dates.ts'

/** Dimensions of the generated usage. */
export interface Filling {
  accounts: number
  keysPerAccount: number
  models: number
  routes: number
  days: number
  /** Average number of completed tasks per row. */
  tasksPerRow: number
  /** The first day, in days since the Unix epoch. */
  firstDay: number
}

/** Expressions that differ between the engines. */
export interface SqlOfEngine {
  /** Returns a query for a table with the numbers from `first` to `last` in the column `n`. */
  numbers: (first: number, last: number) => string
}

const brands = 5
const correctionsPerAccount = 10
const grantMicroCredits = 1e12
const priceMicroCredits = 800_000

/**
 * Returns statements that fill the tables which usage reports read, except `usage_totals`. One in
 * 31 combinations of key, model and day has no tasks. The route of a row is computed from its key,
 * model and day.
 */
export function fillStatements(filling: Filling, { numbers }: SqlOfEngine): string[] {
  const { accounts, keysPerAccount, models, routes, days, tasksPerRow, firstDay } = filling
  return [
    `insert into brands (no, id, name, created_at)
     select n + 1, 'brand_' || n, 'Brand ' || n, 0 from (${numbers(1, brands)}) numbers`,
    `insert into route_snapshots (no, digest, definition, created_at, name, upstream)
     select n, 'digest ' || n, '{}', 0, 'route ' || n, 'upstream ' || (n % 3) from (${numbers(1, routes)}) numbers`,
    `insert into accounts (no, id, brand_no, name, created_at)
     select n, 'acct_' || n, 2 + n % ${brands}, 'Account ' || n, 0 from (${numbers(1, accounts)}) numbers`,
    `insert into api_keys (no, id, account_no, name, scopes, created_at)
     select n, 'key_' || n, 1 + (n - 1) / ${keysPerAccount}, 'Key ' || n, '[]', 0
     from (${numbers(1, accounts * keysPerAccount)}) numbers`,
    `insert into entries (account_no, position, kind, amount, held, balance_after, at)
     select a.n, p.n + 1, case p.n when 0 then 'grant' else 'adjust' end, case p.n when 0 then ${grantMicroCredits} else 1000000 end, 0,
       ${grantMicroCredits} + p.n * 1000000, (${firstDay} + p.n) * ${dayMs}
     from (${numbers(1, accounts)}) a cross join (${numbers(0, correctionsPerAccount)}) p`,
    `insert into usage (
       account_no, key_no, model, route_no, day, completed, failed, charged, produced_ms, cost, cost_unknown
     )
     select 1 + (k.n - 1) / ${keysPerAccount}, k.n, 'model ' || m.n, (k.n + m.n + d.n / 30) % ${routes + 1}, ${firstDay} + d.n,
       ${tasksPerRow} - 1 + (k.n + d.n) % 3, (k.n + m.n) % 5 / 4, ${priceMicroCredits} * (${tasksPerRow} - 1 + (k.n + d.n) % 3),
       8000 * (${tasksPerRow} - 1 + (k.n + d.n) % 3), case m.n % 2 when 0 then 500000 else 0 end, m.n % 2
     from (${numbers(1, accounts * keysPerAccount)}) k cross join (${numbers(1, models)}) m cross join (${numbers(0, days - 1)}) d
     where (k.n * 7 + m.n * 3 + d.n) % 31 <> 0`,
  ]
}
