import type { Kysely } from 'kysely'
import type { Tables } from '../db/tables.ts'

/** A model that an operator has defined through the API, in the form of the file. */
export interface StoredModel {
  document: Readonly<Record<string, unknown>>
  createdAtMs: number
  changedAtMs: number
}

/**
 * A text that changes when a stored model does. There may be thousands of them, and keys, accounts and
 * prices change more often.
 */
export async function stampOfStoredModels(query: Kysely<Tables>): Promise<string> {
  const { count, changed } = await query
    .selectFrom('stored_models')
    .select(({ fn }) => [fn.countAll().as('count'), fn.sum('changed_at').as('changed')])
    .executeTakeFirstOrThrow()
  return `${count} ${changed}`
}

/** By id, oldest first. */
export async function readStoredModels(query: Kysely<Tables>): Promise<ReadonlyMap<string, StoredModel>> {
  const rows = await query.selectFrom('stored_models').selectAll().orderBy('created_at').orderBy('id').execute()
  return new Map(
    rows.map(({ id, definition, created_at, changed_at }) => [
      id,
      { document: JSON.parse(definition) as StoredModel['document'], createdAtMs: created_at, changedAtMs: changed_at },
    ]),
  )
}
