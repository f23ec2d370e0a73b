import type { AuditEntry } from '@framegate/contract'
import type { Kysely } from 'kysely'
import type { Statement } from '../db/statement.ts'
import type { Tables } from '../db/tables.ts'

export interface AuditedChange {
  /** Number of the API key of the request. */
  keyNo: number
  /** Name of the action, such as `account.change`. */
  action: string
  /** Id of the changed object. */
  target: string
  before: unknown
  after: unknown
}

/**
 * Returns the statement that records a change. It must be executed in the transaction of the
 * change, or after a change that takes several transactions.
 */
export function auditEntry(database: Kysely<Tables>, change: AuditedChange, nowMs: number): Statement {
  const { keyNo, action, target, before, after } = change
  return database
    .insertInto('audit_log')
    .values({ at: nowMs, key_no: keyNo, action, target, before: JSON.stringify(before), after: JSON.stringify(after) })
    .compile()
}

export interface AuditPage {
  entries: AuditEntry[]
  /** Null on the last page. */
  nextCursor: string | null
}

/** Returns the current names of the brands, accounts and keys among the ids. */
async function readNames(database: Kysely<Tables>, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const namedTables = [
    ['brands', 'brand_'],
    ['accounts', 'acct_'],
    ['api_keys', 'key_'],
  ] as const
  const rows = await Promise.all(
    namedTables.map(async ([table, prefix]) => {
      const idsOfTable = [...new Set(ids.filter((id) => id.startsWith(prefix)))]
      if (idsOfTable.length === 0) return []
      return database.selectFrom(table).select(['id', 'name']).where('id', 'in', idsOfTable).execute()
    }),
  )
  return new Map(rows.flat().map(({ id, name }) => [id, name]))
}

/** Lists the changes with numbers below `beforeNo`, newest first. */
export async function listChanges(database: Kysely<Tables>, limit: number, beforeNo: number): Promise<AuditPage> {
  const rows = await database
    .selectFrom('audit_log as log')
    .leftJoin('api_keys as key', 'key.no', 'log.key_no')
    .select(['log.no', 'log.at', 'log.action', 'log.target', 'log.before', 'log.after', 'key.id as key', 'key.name as keyName'])
    .where('log.no', '<', beforeNo)
    .orderBy('log.no', 'desc')
    .limit(limit + 1)
    .execute()
  const page = rows.slice(0, limit)
  const lastRow = page.at(-1)
  const names = await readNames(
    database,
    page.map(({ target }) => target),
  )
  return {
    entries: page.map(({ at, key, keyName, action, target, before, after }) => ({
      object: 'audit_entry',
      at: Math.floor(at / 1000),
      key,
      key_name: keyName,
      action,
      target,
      target_name: names.get(target) ?? null,
      before: parseJson(before),
      after: parseJson(after),
    })),
    nextCursor: rows.length > limit && lastRow !== undefined ? String(lastRow.no) : null,
  }
}

function parseJson(json: string | null): unknown {
  return json === null ? null : JSON.parse(json)
}
