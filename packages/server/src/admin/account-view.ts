import type { Account, ApiKey } from '@framegate/contract'
import { sql, type Kysely } from 'kysely'
import { isScope } from '../auth/scopes.ts'
import { microCreditsPerCredit } from '../catalogue/price-rules.ts'
import type { Tables } from '../db/tables.ts'

/** Accounts as an operator sees them, oldest first: those after a number, those of an id, or those of a name in a brand. */
export function selectAccounts(query: Kysely<Tables>, nowMs: number) {
  return query
    .selectFrom('accounts as account')
    .innerJoin('brands as brand', 'brand.no', 'account.brand_no')
    .select((from) => [
      'account.no',
      'account.id',
      'brand.id as brand',
      'account.name',
      'account.status',
      'account.balance',
      'account.held',
      'account.tasks_in_flight_max',
      'account.credits_in_flight_max',
      'account.over_limit',
      'account.created_at',
      from
        .selectFrom('grants')
        .select(({ fn }) => fn.coalesce(fn.sum<number>('remaining'), sql<number>`0`).as('sum'))
        .whereRef('account_no', '=', 'account.no')
        .where('expires_at', '<=', nowMs)
        .as('expired'),
    ])
    .orderBy('account.no')
}

type AccountRow = Awaited<ReturnType<ReturnType<typeof selectAccounts>['execute']>>[number]

export function accountView(row: AccountRow): Account {
  return {
    object: 'account',
    id: row.id,
    brand: row.brand,
    name: row.name,
    status: row.status,
    balance: (row.balance - Number(row.expired)) / microCreditsPerCredit,
    held: row.held / microCreditsPerCredit,
    tasks_in_flight_max: row.tasks_in_flight_max,
    credits_in_flight_max: credits(row.credits_in_flight_max),
    over_limit: row.over_limit,
    created: seconds(row.created_at),
  }
}

/** API keys as an operator sees them, oldest first. */
export function selectKeys(query: Kysely<Tables>) {
  return query
    .selectFrom('api_keys as key')
    .innerJoin('accounts as account', 'account.no', 'key.account_no')
    .selectAll('key')
    .select('account.id as account')
    .orderBy('key.no')
}

type KeyRow = Awaited<ReturnType<ReturnType<typeof selectKeys>['execute']>>[number]

export function keyView(row: KeyRow): ApiKey {
  return {
    object: 'api_key',
    id: row.id,
    account: row.account,
    name: row.name,
    scopes: (JSON.parse(row.scopes) as unknown[]).filter(isScope),
    models: row.models === null ? null : (JSON.parse(row.models) as string[]),
    requests_per_second_max: row.requests_per_second_max,
    tasks_in_flight_max: row.tasks_in_flight_max,
    credits_in_flight_max: credits(row.credits_in_flight_max),
    spent_per_day_max: credits(row.spent_per_day_max),
    spent_per_month_max: credits(row.spent_per_month_max),
    created: seconds(row.created_at),
    expires_at: row.expires_at === null ? null : seconds(row.expires_at),
    revoked_at: row.revoked_at === null ? null : seconds(row.revoked_at),
    last_used_at: row.last_used_at === null ? null : seconds(row.last_used_at),
  }
}

function credits(microCredits: number | null): number | null {
  return microCredits === null ? null : microCredits / microCreditsPerCredit
}

function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000)
}
