import type { Account, ApiKey } from '@framegate/contract'
import type { Kysely } from 'kysely'
import { isScope } from '../auth/scopes.ts'
import { expiredCredits } from '../credits/read-balance.ts'
import type { Tables } from '../db/tables.ts'
import { creditsOf } from '../credits/micro-credits.ts'
import { mapNullable } from '../lib/map-nullable.ts'

/** Query for the accounts in the operator API, oldest first. Callers add their own conditions. */
export function selectAccounts(database: Kysely<Tables>, nowMs: number) {
  return database
    .selectFrom('accounts as account')
    .innerJoin('brands as brand', 'brand.no', 'account.brand_no')
    .select([
      'account.no',
      'account.id',
      'brand.id as brand',
      'brand.name as brand_name',
      'account.name',
      'account.status',
      'account.balance',
      'account.held',
      'account.tasks_in_flight_max',
      'account.credits_in_flight_max',
      'account.requests_per_minute_max',
      'account.tokens_per_minute_max',
      'account.over_limit',
      'account.created_at',
      expiredCredits('account.no', nowMs).as('expired'),
    ])
    .orderBy('account.no')
}

type AccountRow = Awaited<ReturnType<ReturnType<typeof selectAccounts>['execute']>>[number]

export function accountView(row: AccountRow): Account {
  return {
    object: 'account',
    id: row.id,
    brand: row.brand,
    brand_name: row.brand_name,
    name: row.name,
    status: row.status,
    balance: creditsOf(row.balance - row.expired),
    held: creditsOf(row.held),
    tasks_in_flight_max: row.tasks_in_flight_max,
    credits_in_flight_max: mapNullable(row.credits_in_flight_max, creditsOf),
    requests_per_minute_max: row.requests_per_minute_max,
    tokens_per_minute_max: row.tokens_per_minute_max,
    over_limit: row.over_limit,
    created: toSeconds(row.created_at),
  }
}

/** Query for the API keys in the operator API, oldest first. */
export function selectKeys(database: Kysely<Tables>) {
  return database
    .selectFrom('api_keys as key')
    .innerJoin('accounts as account', 'account.no', 'key.account_no')
    .selectAll('key')
    .select(['account.id as account', 'account.name as account_name'])
    .orderBy('key.no')
}

type KeyRow = Awaited<ReturnType<ReturnType<typeof selectKeys>['execute']>>[number]

export function keyView(row: KeyRow): ApiKey {
  return {
    object: 'api_key',
    id: row.id,
    account: row.account,
    account_name: row.account_name,
    name: row.name,
    scopes: (JSON.parse(row.scopes) as unknown[]).filter(isScope),
    models: mapNullable(row.models, (list) => JSON.parse(list) as string[]),
    requests_per_second_max: row.requests_per_second_max,
    requests_per_minute_max: row.requests_per_minute_max,
    tokens_per_minute_max: row.tokens_per_minute_max,
    tasks_in_flight_max: row.tasks_in_flight_max,
    credits_in_flight_max: mapNullable(row.credits_in_flight_max, creditsOf),
    spent_per_day_max: mapNullable(row.spent_per_day_max, creditsOf),
    spent_per_month_max: mapNullable(row.spent_per_month_max, creditsOf),
    created: toSeconds(row.created_at),
    expires_at: mapNullable(row.expires_at, toSeconds),
    revoked_at: mapNullable(row.revoked_at, toSeconds),
    last_used_at: mapNullable(row.last_used_at, toSeconds),
  }
}

function toSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000)
}
